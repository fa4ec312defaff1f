import { describe, expect, it } from 'vitest'
import { type Change, hashBytes, notePath } from '../../../src/core/vault/index.js'
import { append, create, edit, encode, failure, move, set, texts, trash } from './changes.js'
import type { OpenVault } from './opened-vault.js'
import { utf16 } from './reading.js'

export function describeChanging(open: OpenVault): void {
  describe('changing', () => {
    it('creates, edits, appends, moves and trashes, and reports the result', async () => {
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

    it('applies the changes of a set in order', async () => {
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

    it('creates the note of an append if it is missing', async () => {
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

    it('writes a canvas as a whole, and undoes it', async () => {
      const { vault, snapshot } = await open({})
      await vault.apply(set([create('a.canvas', '{}')]))
      await vault.apply(set([edit('a.canvas', '{}', '{"nodes":[]}')]))
      expect(texts(await snapshot())).toEqual({ 'a.canvas': '{"nodes":[]}' })
      expect((await failure(vault, append('a.canvas', 'x'))).code).toBe('path')
      await vault.apply(set([trash('a.canvas', '{"nodes":[]}')]))
      expect((await snapshot()).has('a.canvas' as never)).toBe(false)
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

    it('never rewrites UTF-16, but moves and trashes it byte for byte, and undoes both', async () => {
      const plum = utf16('# Plum')
      const { vault, snapshot } = await open({ 'plum.md': plum })
      const before = hashBytes(plum)
      const rewrite: Change = { kind: 'edit', path: notePath('plum.md'), before, after: encode('x') }
      expect(await failure(vault, rewrite)).toMatchObject({
        code: 'not-utf8',
        message: expect.stringMatching(/UTF-16/),
      })
      expect((await failure(vault, append('plum.md', 'x'))).code).toBe('not-utf8')
      const move = await vault.apply(set([{ kind: 'move', path: notePath('plum.md'), to: notePath('p.md'), before }]))
      const gone = await vault.apply(set([{ kind: 'trash', path: notePath('p.md'), before }]))
      for (const { id } of [gone, move]) await vault.apply(await vault.planUndo({ id }))
      expect([...(await snapshot())]).toEqual([['plum.md', plum]])
    })

    it('gives every trashed note a unique name', async () => {
      const { vault, snapshot } = await open({ 'a/n.md': '1', 'b/N.md': '2', '.trash/n.md': '0' })
      await vault.apply(set([trash('a/n.md', '1'), trash('b/N.md', '2')]))
      expect(texts(await snapshot())).toEqual({ '.trash/n.md': '0', '.trash/n 2.md': '1', '.trash/N 3.md': '2' })
    })

    it('deletes as set in Obsidian: to `.trash`, or with the bytes only in the journal', async () => {
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

    it('refuses names that some systems cannot store', async () => {
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
}
