import { describe, expect, it } from 'vitest'
import { Failure, type FailureCode } from '../../src/core/errors.js'
import {
  type Change,
  type ChangeSet,
  changeSet,
  type FileStamp,
  hashBytes,
  type JournaledVault,
  notePath,
} from '../../src/core/vault/index.js'

export interface OpenedVault {
  vault: JournaledVault
  /** The world outside: another editor, a sync client. Paths may start with a dot here. */
  write(path: string, content: string | Uint8Array): void | Promise<void>
  remove(path: string): void | Promise<void>
  /** Every file with its bytes, the trash too. */
  snapshot(): Promise<Map<string, Uint8Array>>
}

export type OpenVault = (files: Record<string, string | Uint8Array>, exclude?: string[]) => Promise<OpenedVault>

/** The promises of every vault. A new host proves itself by adding one line. */
export function describeVault(name: string, open: OpenVault): void {
  describe(`${name} keeps the vault's promises`, () => {
    describe('reading', () => {
      it('answers undefined for a note that is not there', async () => {
        const { vault } = await open({})
        expect(await vault.read(notePath('missing.md'))).toBeUndefined()
        expect(await vault.read(notePath('no/such/folder.md'))).toBeUndefined()
        expect(await vault.stat(notePath('missing.md'))).toBeUndefined()
      })

      it('gives text, bytes, hash and encoding, with the byte order mark in the text', async () => {
        const { vault } = await open({ 'a.md': '\uFEFFone\r\ntwo' })
        const note = await vault.read(notePath('a.md'))
        expect(note).toMatchObject({ path: 'a.md', text: '\uFEFFone\r\ntwo', encoding: 'utf-8', size: 11 })
        expect(note?.hash).toBe(hashBytes(encode('\uFEFFone\r\ntwo')))
      })

      it('says when a note is not valid UTF-8', async () => {
        const { vault } = await open({ 'bad.md': Uint8Array.of(0x23, 0x20, 0xff, 0xfe, 0x80, 0x0a) })
        expect((await vault.read(notePath('bad.md')))?.encoding).toBe('invalid')
      })

      it('finds a note in another normalisation or case, under its own spelling', async () => {
        const { vault } = await open({ 'Folder/cafe\u0301.md': 'x' })
        expect((await vault.read(notePath('folder/Caf\u00e9.md')))?.path).toBe('Folder/cafe\u0301.md')
      })

      it('reads many notes in a row, at once and in any order, as it reads each', async () => {
        const { vault } = await open(
          {
            'a.md': 'a',
            'F/b.md': 'b',
            'F/c.md': 'c',
            'F/g/d.md': 'd',
            'F/p.md': '---\nprivate: true\n---',
            'out/e.md': '',
          },
          ['out/'],
        )
        const paths = [
          'F/c.md',
          'a.md',
          'F/p.md',
          'f/B.md',
          'F/missing.md',
          'no/such.md',
          'out/e.md',
          'F/g/d.md',
          'F/b.md',
        ]
        const wanted = [...paths, ...paths].map(notePath)
        const each = []
        for (const path of wanted) each.push(await vault.read(path))
        expect(await vault.reading((read) => Promise.all(wanted.map(read)))).toEqual(each)
        expect(each.map((note) => note?.text ?? null).slice(0, paths.length)).toEqual([
          'c',
          'a',
          null,
          'b',
          null,
          null,
          null,
          'd',
          'b',
        ])
      })

      it('lists regular files sorted by path, without dot names', async () => {
        const { vault } = await open({
          'b.md': '',
          'a/z.png': '',
          '.obsidian/app.json': '{}',
          'a/.x.md': '',
          'a.md': '',
        })
        expect((await vault.files()).map(({ path }) => path)).toEqual(['a.md', 'a/z.png', 'b.md'])
      })

      it('shows each file of the listing once, in any order', async () => {
        const { vault } = await open({ 'a.md': '1', 'b/c.md': '22', 'b/d/e.png': '333', 'b/.x.md': '', 'f.md': '' }, [
          'f.md',
        ])
        const shown: FileStamp[] = []
        await vault.eachFile((file) => shown.push(file))
        expect(shown.sort((a, b) => (a.path < b.path ? -1 : 1))).toEqual(await vault.files())
        expect(shown.map(({ path, size }) => [path, size])).toEqual([
          ['a.md', 1],
          ['b/c.md', 2],
          ['b/d/e.png', 3],
        ])
      })

      it('stops listing when it is told to', async () => {
        const { vault } = await open({ 'a.md': '' })
        const controller = new AbortController()
        controller.abort()
        await expect(vault.files(controller.signal)).rejects.toThrow()
        await expect(vault.eachFile(() => {}, controller.signal)).rejects.toThrow()
      })

      it('reads a part of a file', async () => {
        const { vault } = await open({ 'a.md': '0123456789' })
        const part = await vault.readPart(notePath('a.md'), { from: 4, bytes: 3 })
        expect(part).toMatchObject({ path: 'a.md', from: 4, size: 10 })
        expect(decode(part!.bytes)).toBe('456')
        const end = await vault.readPart(notePath('a.md'), { from: 8, bytes: 100 })
        expect(decode(end!.bytes)).toBe('89')
      })
    })

    describe('exclusions', () => {
      const secret = '---\nprivate: true\n---\nCANARY'

      it('hide a note from listing and reading, as if it were not there', async () => {
        const { vault } = await open({ '.notewrightignore': 'Diary/\n*.tmp.md\n', 'diary/1.md': 'x', 'a.tmp.md': 'x' })
        expect(await vault.files()).toEqual([])
        expect(await vault.read(notePath('diary/1.md'))).toBeUndefined()
        expect(await vault.stat(notePath('DIARY/1.md'))).toBeUndefined()
        expect(await vault.readPart(notePath('a.tmp.md'), { from: 0, bytes: 1 })).toBeUndefined()
      })

      it('are read again when the file changes', async () => {
        const { vault, write } = await open({ 'a.md': 'x' })
        expect(await vault.read(notePath('a.md'))).toBeDefined()
        await write('.notewrightignore', 'a.md')
        expect(await vault.read(notePath('a.md'))).toBeUndefined()
      })

      it('also come from the settings', async () => {
        const { vault } = await open({ 'Work/a.md': 'x', 'b.md': 'y' }, ['work/**'])
        expect((await vault.files()).map(({ path }) => path)).toEqual(['b.md'])
      })

      it('hide a private note', async () => {
        const { vault } = await open({ 's.md': secret })
        expect(await vault.read(notePath('s.md'))).toBeUndefined()
        expect(await vault.readPart(notePath('s.md'), { from: 0, bytes: 100 })).toBeUndefined()
      })

      it('make every change of a hidden note fail like one of a missing note', async () => {
        const { vault } = await open({ 's.md': secret, '.notewrightignore': 'x/', 'x/y.md': 'CANARY' })
        const changes: ((path: string, before: string) => Change)[] = [
          (path, before) => ({ kind: 'edit', path: notePath(path), before, after: encode('') }),
          (path, before) => ({ kind: 'trash', path: notePath(path), before }),
          (path, before) => ({ kind: 'move', path: notePath(path), before, to: notePath('new.md') }),
        ]
        for (const change of changes) {
          const missing = await failure(vault, change('m.md', hashBytes(encode(secret))))
          const hidden = await failure(vault, change('s.md', hashBytes(encode(secret))))
          const excluded = await failure(vault, change('x/y.md', hashBytes(encode('CANARY'))))
          expect(missing.code).toBe('not-found')
          expect(hidden.message.replace('s.md', 'm.md')).toBe(missing.message)
          expect(excluded.message.replace('x/y.md', 'm.md')).toBe(missing.message)
          expect([hidden.code, excluded.code]).toEqual(['not-found', 'not-found'])
        }
      })

      it('keep new notes out of excluded places, whatever is there, and off private notes, without their text', async () => {
        const { vault, snapshot } = await open({ 's.md': secret, '.notewrightignore': 'x/', 'x/y.md': 'CANARY' })
        const before = await snapshot()
        for (const path of ['x/y.md', 'x/free.md']) expect((await failure(vault, create(path))).code).toBe('path')
        for (const change of [create('s.md'), append('s.md', 'more')]) {
          const refused = await failure(vault, change)
          expect(refused.code).toBe('conflict')
          expect(JSON.stringify([refused.message, refused.details])).not.toMatch(/CANARY|private/)
        }
        expect(await snapshot()).toEqual(before)
      })
    })

    describe('changing', () => {
      it('creates, edits, appends, moves and trashes, and says what it left', async () => {
        const { vault, snapshot } = await open({ 'a.md': 'one', 'b.md': 'two\n', 'c.md': 'three', 'd.md': 'four' })
        const applied = await vault.apply(
          set([
            create('new/deep/n.md', 'fresh'),
            edit('a.md', 'one', 'ONE'),
            append('b.md', 'more\n'),
            move('c.md', 'moved/c.md', 'three'),
            trash('d.md', 'four'),
          ]),
        )
        expect(applied.changes.map(({ kind, path, to }) => [kind, path, to])).toEqual([
          ['create', 'new/deep/n.md', undefined],
          ['edit', 'a.md', undefined],
          ['append', 'b.md', undefined],
          ['move', 'c.md', 'moved/c.md'],
          ['trash', 'd.md', undefined],
        ])
        expect(applied.changes[1].hash).toBe(hashBytes(encode('ONE')))
        expect(texts(await snapshot())).toEqual({
          '.trash/d.md': 'four',
          'a.md': 'ONE',
          'b.md': 'two\nmore\n',
          'moved/c.md': 'three',
          'new/deep/n.md': 'fresh',
        })
      })

      it('plays the changes of a set in order', async () => {
        const { vault, snapshot } = await open({ 'a.md': 'one', 'b.md': 'two' })
        await vault.apply(
          set([
            move('a.md', 't.md', 'one'),
            move('b.md', 'a.md', 'two'),
            move('t.md', 'b.md', 'one'),
            edit('b.md', 'one', 'ONE'),
            append('b.md', '!'),
          ]),
        )
        expect(texts(await snapshot())).toEqual({ 'a.md': 'two', 'b.md': 'ONE!' })
      })

      it('makes the note an append is for when it is missing', async () => {
        const { vault, snapshot } = await open({})
        await vault.apply(set([append('log.md', 'first\n')]))
        expect(texts(await snapshot())).toEqual({ 'log.md': 'first\n' })
      })

      it('keeps every one of many parallel appends', async () => {
        const { vault, snapshot } = await open({ 'log.md': '' })
        await Promise.all(Array.from({ length: 30 }, (_, i) => vault.apply(set([append('log.md', `${i}\n`)]))))
        const lines = texts(await snapshot())
          ['log.md'].trim()
          .split('\n')
          .map(Number)
        expect(lines.sort((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, i) => i))
      })

      it('refuses a note that someone else has changed, and writes nothing of the set', async () => {
        const { vault, write, snapshot } = await open({ 'a.md': 'one', 'b.md': 'two' })
        await write('b.md', 'by a person')
        const before = await snapshot()
        const refused = await failure(vault, edit('a.md', 'one', 'ONE'), edit('b.md', 'two', 'TWO'))
        expect(refused.code).toBe('conflict')
        expect(refused.details.data?.currentHash).toBe(hashBytes(encode('by a person')))
        expect(await snapshot()).toEqual(before)
        for (const change of [trash('b.md', 'two'), move('b.md', 'c.md', 'two')]) {
          expect((await failure(vault, change)).code).toBe('conflict')
        }
        expect(await snapshot()).toEqual(before)
      })

      it('never creates or moves onto a note, in any spelling', async () => {
        const { vault, snapshot } = await open({ 'cafe\u0301.md': 'OLD', 'Plan.md': 'p', 'x.md': 'x' })
        const before = await snapshot()
        for (const change of [create('caf\u00e9.md'), create('PLAN.md'), move('x.md', 'plan.md', 'x')]) {
          expect((await failure(vault, change)).code).toBe('conflict')
        }
        expect((await failure(vault, create('n.md'), create('N.md'))).code).toBe('conflict')
        expect(await snapshot()).toEqual(before)
      })

      it('puts a new note into the folder that exists, in its spelling', async () => {
        const { vault, snapshot } = await open({ 'Projects/a.md': 'x' })
        const applied = await vault.apply(set([create('projects/b.md', 'y')]))
        expect(applied.changes[0].path).toBe('Projects/b.md')
        expect([...(await snapshot()).keys()].sort()).toEqual(['Projects/a.md', 'Projects/b.md'])
      })

      it('changes only the case of a name', async () => {
        const { vault, snapshot } = await open({ 'plan.md': 'p' })
        await vault.apply(set([move('plan.md', 'Plan.md', 'p')]))
        expect(texts(await snapshot())).toEqual({ 'Plan.md': 'p' })
        await vault.apply(set([move('Plan.md', 'PLAN.md', 'p'), edit('PLAN.md', 'p', 'q')]))
        expect(texts(await snapshot())).toEqual({ 'PLAN.md': 'q' })
      })

      it('moves attachments and leaves their content alone', async () => {
        const image = Uint8Array.of(0x89, 0x50, 0xff, 0)
        const { vault, snapshot } = await open({ 'a/i.png': image })
        await vault.apply(set([{ kind: 'move', path: notePath('a/i.png'), to: notePath('b/i.png') }]))
        expect([...(await snapshot())]).toEqual([['b/i.png', image]])
        for (const change of [create('x.png'), append('b/i.png', 'x'), edit('b/i.png', '', ''), trash('b/i.png', '')]) {
          const refused = await failure(vault, change)
          expect([refused.code, refused.message]).toEqual(['path', expect.stringContaining('File must be .md')])
        }
        expect((await failure(vault, move('b/i.png', 'b/i.md', ''))).code).toBe('path')
      })

      it('never rewrites a note that is not valid UTF-8, but moves and trashes it', async () => {
        const bad = Uint8Array.of(0x23, 0xff, 0xfe)
        const { vault, snapshot } = await open({ 'bad.md': bad })
        const before = hashBytes(bad)
        const rewrite: Change = { kind: 'edit', path: notePath('bad.md'), before, after: encode('x') }
        expect((await failure(vault, rewrite)).code).toBe('not-utf8')
        expect((await failure(vault, append('bad.md', 'x'))).code).toBe('not-utf8')
        await vault.apply(set([{ kind: 'move', path: notePath('bad.md'), to: notePath('b.md'), before }]))
        await vault.apply(set([{ kind: 'trash', path: notePath('b.md'), before }]))
        expect([...(await snapshot())]).toEqual([['.trash/b.md', bad]])
      })

      it('gives every trashed note a name of its own', async () => {
        const { vault, snapshot } = await open({ 'a/n.md': '1', 'b/N.md': '2', '.trash/n.md': '0' })
        await vault.apply(set([trash('a/n.md', '1'), trash('b/N.md', '2')]))
        expect(texts(await snapshot())).toEqual({ '.trash/n.md': '0', '.trash/n 2.md': '1', '.trash/N 3.md': '2' })
      })

      it('deletes as Obsidian is set: into `.trash`, or leaving the bytes to the journal alone', async () => {
        const results = {
          '{"trashOption":"local"}': { '.trash/a.md': 'one' },
          '{"trashOption":"none"}': {},
          // Settings that make no sense must not make a note disappear.
          '{"trashOption":"nowhere"}': { '.trash/a.md': 'one' },
          '["none"]': { '.trash/a.md': 'one' },
          '{"trashOption":"none"': { '.trash/a.md': 'one' },
        }
        for (const [settings, result] of Object.entries(results)) {
          const others = { '.obsidian/app.json': settings, 'b.md': 'two' }
          const { vault, snapshot } = await open({ ...others, 'a.md': 'one' })
          const done = set([trash('a.md', 'one'), edit('b.md', 'two', 'TWO')])
          expect((await vault.apply(done)).changes[0], settings).toEqual({ kind: 'trash', path: 'a.md' })
          expect(texts(await snapshot()), settings).toEqual({ ...others, ...result, 'b.md': 'TWO' })
          const undo = await vault.planUndo({ id: done.id })
          await vault.apply(undo)
          expect(texts(await snapshot()), settings).toEqual({ ...others, 'a.md': 'one' })
          await vault.apply(await vault.planUndo({ id: undo.id }))
          expect(texts(await snapshot())['a.md'], settings).toBeUndefined()
        }
      })

      it('refuses names that not every system can hold', async () => {
        const { vault, snapshot } = await open({ 'a.md': 'x' })
        for (const name of ['CON.md', 'a:b.md', 'x/prn.txt.md', 't .md '.trim().replace('.md', '.md.'), 'a?b.md']) {
          expect((await failure(vault, create(name))).code, name).toBe('path')
          expect((await failure(vault, move('a.md', name, 'x'))).code, name).toBe('path')
        }
        expect(texts(await snapshot())).toEqual({ 'a.md': 'x' })
      })

      it('applies a change set only once', async () => {
        const { vault } = await open({ 'log.md': '' })
        const once = set([append('log.md', 'x')])
        await vault.apply(once)
        await expect(vault.apply(once)).rejects.toMatchObject({ code: 'conflict' })
      })
    })

    describe('undo', () => {
      it('lists what was done, newest first', async () => {
        const { vault } = await open({ 'a.md': 'one' })
        await vault.apply({ ...set([edit('a.md', 'one', 'two')]), title: 'First', session: 's1' })
        await vault.apply({ ...set([create('b.md')]), title: 'Second' })
        const history = await vault.history()
        expect(history.map(({ title, state, session }) => [title, state, session])).toEqual([
          ['Second', 'applied', undefined],
          ['First', 'applied', 's1'],
        ])
        expect(history[1].changes[0]).toMatchObject({ kind: 'edit', path: 'a.md' })
      })

      it('takes back every kind of change, folders too, and can itself be taken back', async () => {
        const { vault, snapshot } = await open({ 'a.md': 'one', 'b.md': 'two\n', 'c.md': 'three', 'd.md': 'four' })
        const start = await snapshot()
        const done = set([
          create('new/deep/n.md', 'fresh'),
          edit('a.md', 'one', 'ONE'),
          append('b.md', 'more\n'),
          move('c.md', 'moved/c.md', 'three'),
          trash('d.md', 'four'),
        ])
        await vault.apply(done)
        const after = await snapshot()
        const undo = await vault.planUndo({ id: done.id })
        expect(await snapshot()).toEqual(after)
        await vault.apply(undo)
        expect(texts(await snapshot())).toEqual(texts(start))
        expect((await vault.history()).map(({ state }) => state)).toEqual(['applied', 'undone'])

        await vault.apply(await vault.planUndo({ id: undo.id }))
        expect(texts(await snapshot())).toEqual(texts(after))
        expect((await vault.history()).map(({ state }) => state)).toEqual(['applied', 'undone', 'applied'])
      })

      it('takes back a session, newest first', async () => {
        const { vault, snapshot } = await open({ 'a.md': 'one' })
        await vault.apply({ ...set([edit('a.md', 'one', 'two')]), session: 's' })
        await vault.apply({ ...set([move('a.md', 'b.md', 'two')]), session: 's' })
        await vault.apply({ ...set([create('other.md', 'kept')]), session: 't' })
        await vault.apply({ ...set([trash('b.md', 'two')]), session: 's' })
        await vault.apply(await vault.planUndo({ session: 's' }))
        expect(texts(await snapshot())).toEqual({ 'a.md': 'one', 'other.md': 'kept' })
        await expect(vault.planUndo({ session: 's' })).rejects.toMatchObject({ code: 'not-found' })
      })

      it('takes back the last change of one note and leaves the others', async () => {
        const { vault, snapshot } = await open({ 'a.md': 'a1', 'b.md': 'b1' })
        await vault.apply(set([edit('a.md', 'a1', 'a2')]))
        const both = set([edit('a.md', 'a2', 'a3'), edit('b.md', 'b1', 'b2')])
        await vault.apply(both)
        await vault.apply(await vault.planUndo({ note: notePath('a.md') }))
        expect(texts(await snapshot())).toEqual({ 'a.md': 'a2', 'b.md': 'b2' })
        expect((await vault.history())[1].state).toBe('partly-undone')
        await vault.apply(await vault.planUndo({ note: notePath('A.md') }))
        expect(texts(await snapshot())).toEqual({ 'a.md': 'a1', 'b.md': 'b2' })
        await vault.apply(await vault.planUndo({ id: both.id }))
        expect(texts(await snapshot())).toEqual({ 'a.md': 'a1', 'b.md': 'b1' })
      })

      it('takes a moved note back with the links that were rewritten for it', async () => {
        const { vault, snapshot } = await open({ 'a.md': 'me', 'l.md': '[[a]]' })
        await vault.apply(set([move('a.md', 'b.md', 'me'), edit('l.md', '[[a]]', '[[b]]')]))
        await vault.apply(await vault.planUndo({ note: notePath('b.md') }))
        expect(texts(await snapshot())).toEqual({ 'a.md': 'me', 'l.md': '[[a]]' })
      })

      it('refuses, with the diff, where later edits would be lost', async () => {
        const { vault, write, snapshot } = await open({ 'a.md': 'one\n' })
        const done = set([edit('a.md', 'one\n', 'two\n')])
        await vault.apply(done)
        await write('a.md', 'two\nby a person\n')
        const before = await snapshot()
        const refused: Failure = await vault.planUndo({ id: done.id }).then(
          () => expect.unreachable(),
          (error) => error,
        )
        expect(refused.code).toBe('conflict')
        expect(refused.details.data?.diff).toContain('-by a person')
        expect(await snapshot()).toEqual(before)
      })

      it('refuses to bring a note back onto another', async () => {
        const { vault, write } = await open({ 'a.md': 'one', 'b.md': 'two' })
        const [trashed, moved] = [set([trash('a.md', 'one')]), set([move('b.md', 'c.md', 'two')])]
        await vault.apply(trashed)
        await vault.apply(moved)
        await write('a.md', 'another')
        await write('b.md', 'another')
        for (const { id } of [trashed, moved]) {
          await expect(vault.planUndo({ id })).rejects.toMatchObject({ code: 'conflict' })
        }
      })

      it('removes just the appended bytes from a note that has grown or changed elsewhere', async () => {
        const { vault, write, snapshot } = await open({ 'log.md': 'start\n' })
        const [first, second] = [set([append('log.md', 'one\n')]), set([append('log.md', 'two\n')])]
        await vault.apply(first)
        await vault.apply(second)
        await vault.apply(await vault.planUndo({ id: first.id }))
        expect(texts(await snapshot())).toEqual({ 'log.md': 'start\ntwo\n' })
        await write('log.md', 'a new beginning\ntwo\n')
        await vault.apply(await vault.planUndo({ id: second.id }))
        expect(texts(await snapshot())).toEqual({ 'log.md': 'a new beginning\n' })
      })

      it('restores a trashed note even when the trash was emptied', async () => {
        const { vault, remove, snapshot } = await open({ 'a.md': 'one' })
        const done = set([trash('a.md', 'one')])
        await vault.apply(done)
        await remove('.trash/a.md')
        await vault.apply(await vault.planUndo({ id: done.id }))
        expect(texts(await snapshot())).toEqual({ 'a.md': 'one' })
      })

      it('moves a note back with what was written into it since', async () => {
        const { vault, write, snapshot } = await open({ 'a.md': 'one' })
        const done = set([move('a.md', 'b.md', 'one')])
        await vault.apply(done)
        await write('b.md', 'one and more')
        await vault.apply(await vault.planUndo({ id: done.id }))
        expect(texts(await snapshot())).toEqual({ 'a.md': 'one and more' })
      })

      it('says so when there is nothing to undo', async () => {
        const { vault } = await open({ 'a.md': 'one' })
        for (const target of [{ id: 'x' }, { session: 'x' }, { note: notePath('a.md') }]) {
          await expect(vault.planUndo(target)).rejects.toMatchObject({ code: 'not-found' })
        }
      })
    })
  })
}

export const encode = (text: string): Uint8Array => new TextEncoder().encode(text)
export const decode = (bytes: Uint8Array): string => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)

export function set(changes: Change[]): ChangeSet {
  return changeSet('Test', changes)
}

export function create(path: string, text = ''): Change {
  return { kind: 'create', path: path as Change['path'], after: encode(text) }
}

export function edit(path: string, before: string, after: string): Change {
  return { kind: 'edit', path: notePath(path), before: hashBytes(encode(before)), after: encode(after) }
}

export function append(path: string, added: string): Change {
  return { kind: 'append', path: notePath(path), added: encode(added) }
}

export function move(path: string, to: string, before: string): Change {
  return { kind: 'move', path: notePath(path), to: to as Change['path'], before: hashBytes(encode(before)) }
}

export function trash(path: string, before: string): Change {
  return { kind: 'trash', path: notePath(path), before: hashBytes(encode(before)) }
}

export function texts(files: Map<string, Uint8Array>): Record<string, string> {
  return Object.fromEntries([...files].map(([path, bytes]) => [path, decode(bytes)]))
}

async function failure(vault: JournaledVault, ...changes: Change[]): Promise<Failure & { code: FailureCode }> {
  const error = await vault.apply(set(changes)).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof Failure)) throw error ?? new Error('It should have been refused.')
  return error
}
