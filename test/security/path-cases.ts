import { linkSync, lstatSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { changeSet, foldPath, hashBytes, type NotePath, newNotePath, notePath } from '../../src/core/vault/index.js'
import { nodeFiles } from '../../src/hosts/node/files/node-files.js'
import { folderVault } from '../../src/hosts/node/folder-vault/folder-vault.js'
import { faultyFiles } from '../doubles/faulty-files.js'
import { encode, expectFailure, type Floor, failureOf, filesWith, onFloor, textOf, treeHash } from './floor.js'
import { type CaseChecks, type Check, quoted, shown } from './security-case.js'

/** Readable files with their own canary, so that a search for canaries is known to work. */
const inside = { 'Note.md': '# Note\n\nInside, with CANARYINSIDE.\n', 'notes/Other.md': 'See [[Note]].\n' }

export const pathCases: CaseChecks = {
  P01: ({ action }) => {
    const [readPath, writePath] = quoted(action, 'path')
    return [
      refused(`read_note ${shown(readPath)}`, ({ tools }) => tools.read_note(readPath)),
      refused(`write_note ${shown(writePath)}`, ({ tools }) => tools.write_note(writePath, 'x')),
      refused(`write_note ${shown(readPath)} over what is there`, ({ tools }) =>
        tools.write_note(readPath, 'x', { overwrite: true }),
      ),
      ...unchecked(readPath, writePath),
      {
        name: 'leaves no pwn.md outside',
        run: () =>
          withNeighbours(async ({ tools, outside }) => {
            await failureOf(() => tools.write_note(writePath, 'x'))
            expect(readdirSync(outside)).toEqual(['secret.md'])
          }),
      },
    ]
  },

  P02: ({ action }) => {
    const [path] = quoted(action)
    return [
      ...Object.entries(everyTool(path)).map(([name, call]) => refused(`${name} ${shown(path)}`, call)),
      ...unchecked(path, path),
      {
        name: 'every tool answers with the same code',
        run: () =>
          withNeighbours(async (floor) => {
            const codes = []
            for (const call of Object.values(everyTool(path))) codes.push((await failureOf(() => call(floor))).code)
            expect(new Set(codes)).toEqual(new Set(['path']))
          }),
      },
    ]
  },

  P03: ({ action }) => {
    const paths = [(floor: Floor) => join(floor.outside, 'secret.md'), ...quoted(action).map((path) => () => path)]
    const names = ['the absolute path of $O/secret.md', ...quoted(action).map(shown)]
    return names.flatMap((name, at) => [
      refused(`read_note ${name}`, (floor) => floor.tools.read_note(paths[at](floor))),
      refused(`write_note ${name}`, (floor) => floor.tools.write_note(paths[at](floor), 'x')),
      {
        name: `does not re-root ${name} under the vault`,
        run: () =>
          withNeighbours(async (floor) => {
            const path = paths[at](floor)
            floor.put(path.replace(/^[^a-z]*/i, ''), 'REROOTED')
            expect(textOf(await expectFailure('path', () => floor.tools.read_note(path)))).not.toContain('REROOTED')
          }),
      },
    ])
  },

  P04: ({ action }) => {
    const [linkedFile, inLinkedFolder] = quoted(action, 'path')
    const [canary] = quoted(action).slice(-1)
    const linked = (use: (floor: Floor) => Promise<void>) =>
      withNeighbours(async (floor) => {
        symlinkSync(join(floor.outside, 'secret.md'), join(floor.vault, 'link-file.md'))
        symlinkSync(floor.outside, join(floor.vault, 'linkdir'))
        await floor.notebook.update()
        await use(floor)
      })
    const paths = [linkedFile, inLinkedFolder]
    return [
      ...paths.flatMap((path) => [
        refused(`read_note ${path}`, ({ tools }) => tools.read_note(path), linked),
        refused(`write_note ${path} over it`, ({ tools }) => tools.write_note(path, 'x', { overwrite: true }), linked),
        refused(
          `an edit of ${path} planned from the right bytes`,
          ({ notebook }) =>
            notebook.apply(
              changeSet('Edit', [
                { kind: 'edit', path: notePath(path), before: hashBytes(encode(outsideText)), after: encode('x') },
              ]),
            ),
          linked,
        ),
        refused(`append to ${path}`, ({ tools }) => tools.append(path, 'x'), linked),
        refused(`readPart of ${path}`, ({ notebook }) => notebook.vault.readPart(notePath(path), part), linked),
      ]),
      refused(
        'write_note of a new note in the linked folder',
        ({ tools }) => tools.write_note('linkdir/new.md', 'x'),
        linked,
      ),
      {
        name: `search_notes ${canary}: neither answers nor index, journal or listing know of it`,
        run: () =>
          linked(async ({ tools, notebook, home }) => {
            const answers = [await tools.search_notes(canary), await tools.search_notes('"CANARY_OUT"')]
            expect(answers.flat().filter((path) => path.includes('link'))).toEqual([])
            expect((await notebook.vault.files()).map(({ path }) => path)).toEqual(['Note.md', 'notes/Other.md'])
            expect(filesWith(home, canary)).toEqual([])
            expect(filesWith(home, 'canaryinside')).not.toEqual([])
          }),
      },
    ]
  },

  P05: ({ action }) => {
    const [path] = quoted(action, 'path')
    const attempts: Record<string, Call> = {
      write_note: ({ tools }) => tools.write_note(path, 'x'),
      'write_note over it': ({ tools }) => tools.write_note(path, 'x', { overwrite: true }),
      append: ({ tools }) => tools.append(path, 'x'),
      read_note: ({ tools }) => tools.read_note(path),
      'moving a note onto it': ({ notebook, bytes }) =>
        notebook.apply(
          changeSet('Move', [
            { kind: 'move', path: notePath('Note.md'), to: notePath(path), before: hashBytes(bytes('Note.md')) },
          ]),
        ),
    }
    return Object.entries(attempts).map(([name, call]) => ({
      name: `${name} ${path}: refused, nothing appears outside, the link stays a link`,
      run: () =>
        withNeighbours(async (floor) => {
          symlinkSync(join(floor.outside, 'new.md'), join(floor.vault, path))
          await floor.notebook.update()
          await expectFailure('path', () => call(floor))
          expect(readdirSync(floor.outside)).toEqual(['secret.md'])
          expect(lstatSync(join(floor.vault, path)).isSymbolicLink()).toBe(true)
        }),
    }))
  },

  P06: ({ action }) => {
    const [path] = quoted(action, 'path')
    const [content] = quoted(action, 'content')
    const attempts: Record<string, Call> = {
      write_note: ({ tools }) => tools.write_note(path, content, { overwrite: true }),
      append: ({ tools }) => tools.append(path, content),
      update_frontmatter: ({ tools }) => tools.update_frontmatter(path, { a: 1 }),
      'the link rewrite of a rename': ({ tools }) => tools.rename_note('Note.md', 'Renamed.md'),
      delete_note: ({ tools }) => tools.delete_note(path),
    }
    return Object.entries(attempts).map(([name, call]) => ({
      name: `${name} (approved: this floor has no prompt): a new file takes the name, the other name keeps its bytes`,
      run: () =>
        withNeighbours(async (floor) => {
          const other = join(floor.outside, path)
          writeFileSync(other, 'HARD [[Note]]')
          linkSync(other, join(floor.vault, path))
          await floor.notebook.update()
          const { ino } = lstatSync(other)
          const { id } = await (call(floor) as Promise<{ id: string }>)
          const now = lstatSync(join(floor.vault, path), { throwIfNoEntry: false })
          expect(now?.ino).not.toBe(ino)
          expect(readFileSync(other, 'utf8')).toBe('HARD [[Note]]')
          await floor.notebook.apply(await floor.notebook.planUndo({ id }))
          expect(readFileSync(other, 'utf8')).toBe('HARD [[Note]]')
          expect(floor.bytes(path).toString()).toBe('HARD [[Note]]')
        }),
    }))
  },

  P07: ({ action }) => {
    const [readPath, writePath] = quoted(action, 'path')
    return [
      refused(`read_note ${shown(readPath)}`, ({ tools }) => tools.read_note(readPath)),
      refused(`write_note ${shown(writePath)}`, ({ tools }) => tools.write_note(writePath, 'x')),
      refused(`rename_note to ${shown(writePath)}`, ({ tools }) => tools.rename_note('Note.md', writePath)),
      {
        name: 'makes no file call, and answers the next question',
        run: () =>
          withNeighbours(async ({ vault, base }) => {
            const files = faultyFiles(nodeFiles)
            const watched = await folderVault({ root: vault, stateDir: join(base, 'watched'), files })
            files.calls.length = 0
            await expectFailure('path', () => watched.read(notePath(readPath)))
            await expectFailure('path', () =>
              watched.apply(changeSet('x', [{ kind: 'create', path: newNotePath(writePath), after: encode('x') }])),
            )
            expect(files.calls).toEqual([])
            expect((await watched.read(notePath('Note.md')))?.text).toBe(inside['Note.md'])
            expect(files.calls).not.toEqual([])
          }),
      },
    ]
  },

  P08: ({ action }) =>
    quoted(action, 'path').flatMap((path) => [
      refused(`read_note ${shown(path)}`, ({ tools }) => tools.read_note(path)),
      refused(`write_note ${shown(path)}`, ({ tools }) => tools.write_note(path, 'x')),
      {
        name: `the backslash in ${shown(path)} is what is refused, without asking which platform this is`,
        run: async () => expect((await expectFailure('path', () => notePath(path))).message).toContain('backslash'),
      },
    ]),

  P10: ({ action }) =>
    quoted(action).flatMap((path) => [
      {
        name: `read_note ${shown(path)}: refused, CANARY_OBS in no answer, index or journal`,
        run: () =>
          withObsidian(async ({ tools, notebook, home }) => {
            const failure = await expectFailure('path', () => tools.read_note(path))
            expect(textOf(failure)).not.toContain('CANARY_OBS')
            await failureOf(() => notebook.vault.readPart(notePath(path), part))
            expect(filesWith(home, 'canary_obs')).toEqual([])
          }),
      },
      {
        name: `${shown(path)}, made without the check: the vault does not hand out the file`,
        run: () =>
          withObsidian(async ({ notebook }) => {
            const answer = await notebook.vault.read(path as NotePath).catch((error: Error) => error.message)
            expect(JSON.stringify(answer ?? null)).not.toContain('CANARY_OBS')
          }),
      },
      {
        name: `${shown(path)}: compared after NFC, full case folding and without trailing dots and spaces`,
        run: () => {
          const plain = path.replace(/^\.\/|^a\/\.\.\//, '')
          expect(foldPath(plain)).toBe('.obsidian/app.json')
        },
      },
    ]),

  P11: ({ action }) =>
    quoted(action).flatMap((path) => [
      portableOnly(`write_note ${shown(path)}`, ({ tools }) => tools.write_note(path, 'x')),
      portableOnly(`a create of ${shown(path)} that skipped the check`, ({ notebook }) =>
        notebook.apply(changeSet('Create', [{ kind: 'create', path: path as NotePath, after: encode('x') }])),
      ),
      portableOnly(`an append that would make ${shown(path)}`, ({ tools }) => tools.append(path, 'x')),
    ]),

  P12: ({ action, setup }) => {
    const [path] = quoted(action, 'path')
    const decomposed = path.normalize('NFD')
    const start = { [decomposed]: quoted(setup)[0], 'Other.md': 'other' }
    const onlyOne = (name: string, use: (floor: Floor) => Promise<void>, text = 'OLD'): Check => ({
      name,
      run: () =>
        onFloor(start, async (floor) => {
          await floor.notebook.update()
          await use(floor)
          const names = readdirSync(floor.vault).filter((each) => foldPath(each) === foldPath(path))
          expect(names).toEqual([decomposed])
          expect(floor.bytes(decomposed).toString()).toBe(text)
          expect((await floor.notebook.update()).notes).toBe(2)
        }),
    })
    return [
      onlyOne(`write_note ${shown(path)}: refused, because it is the note that is there`, async ({ tools }) => {
        await expectFailure('conflict', () => tools.write_note(path, 'NEW'))
      }),
      onlyOne('write_note in another case: refused', async ({ tools }) => {
        await expectFailure('conflict', () => tools.write_note(path.toUpperCase().replace('.MD', '.md'), 'NEW'))
      }),
      onlyOne('moving another note onto it: refused', async ({ notebook, bytes }) => {
        const before = hashBytes(bytes('Other.md'))
        const move = { kind: 'move', path: notePath('Other.md'), to: notePath(path), before } as const
        await expectFailure('conflict', () => notebook.apply(changeSet('Move', [move])))
        await expectFailure('conflict', () => notebook.index.planMove('Other.md', path))
      }),
      onlyOne('two creates in one set that differ by normalisation only: refused', async ({ notebook }) => {
        const create = (name: string) => ({ kind: 'create', path: newNotePath(name), after: encode('x') }) as const
        await expectFailure('conflict', () =>
          notebook.apply(changeSet('Create', [create('\u00fc.md'), create('u\u0308.md')])),
        )
      }),
      onlyOne(
        'write_note over it: the one note is overwritten under its own name',
        async ({ tools }) => {
          await tools.write_note(path, 'NEW', { overwrite: true })
        },
        'NEW',
      ),
      onlyOne(
        'append: lands in the one note',
        async ({ tools }) => {
          await tools.append(path, '+NEW')
        },
        'OLD+NEW',
      ),
    ]
  },
}

type Call = (floor: Floor) => unknown

const outsideText = 'CANARY_OUT'
const part = { from: 0, bytes: 1000 }

async function withNeighbours(use: (floor: Floor) => Promise<void>): Promise<void> {
  await onFloor(inside, async (floor) => {
    writeFileSync(join(floor.outside, 'secret.md'), outsideText)
    writeFileSync(join(floor.evil, 'secret.md'), 'CANARY_EVIL')
    await floor.notebook.update()
    await use(floor)
  })
}

async function withObsidian(use: (floor: Floor) => Promise<void>): Promise<void> {
  await onFloor({ ...inside, '.obsidian/app.json': '{"CANARY_OBS":1}', 'a/b.md': 'x' }, async (floor) => {
    await floor.notebook.update()
    await use(floor)
  })
}

/** The first demand of most path cases, the part of it that exists here: there is no transcript and no SSE yet. */
function refused(name: string, call: Call, setup = withNeighbours): Check {
  return {
    name: `${name}: refused as 'path', neighbours untouched, no canary in answer, journal or index`,
    run: () =>
      setup(async (floor) => {
        const before = [floor.vault, floor.outside, floor.evil].map(treeHash)
        const failure = await expectFailure('path', () => call(floor))
        expect(textOf(failure)).not.toMatch(/canary/i)
        expect([floor.vault, floor.outside, floor.evil].map(treeHash)).toEqual(before)
        expect([...filesWith(floor.home, 'CANARY_OUT'), ...filesWith(floor.home, 'CANARY_EVIL')]).toEqual([])
      }),
  }
}

/** The second wall: even a path that never went through `notePath` reaches nothing outside. */
function unchecked(readPath: string, writePath: string): Check[] {
  const [from, to] = [readPath, writePath] as NotePath[]
  return [
    refused(`read of ${shown(from)} that skipped the check`, ({ notebook }) => notebook.vault.read(from)),
    refused(`create of ${shown(to)} that skipped the check`, ({ notebook }) =>
      notebook.apply(changeSet('Create', [{ kind: 'create', path: to, after: encode('x') }])),
    ),
    refused(`append to ${shown(to)} that skipped the check`, ({ notebook }) =>
      notebook.apply(changeSet('Append', [{ kind: 'append', path: to, added: encode('x') }])),
    ),
    refused(`move to ${shown(to)} that skipped the check`, ({ notebook, bytes }) => {
      const before = hashBytes(bytes('Note.md'))
      return notebook.apply(changeSet('Move', [{ kind: 'move', path: notePath('Note.md'), to, before }]))
    }),
    {
      name: `makes no file call outside the vault and its state for ${shown(from)}`,
      run: () =>
        withNeighbours(async ({ vault, base }) => {
          const files = faultyFiles(nodeFiles)
          const watched = await folderVault({ root: vault, stateDir: join(base, 'watched'), files })
          await expectFailure('path', () => watched.read(notePath(from)))
          await expectFailure('path', () => watched.stat(notePath(to)))
          const strays = files.calls.filter(({ path = '' }) => /outside|evil/.test(path))
          expect(strays).toEqual([])
        }),
    },
  ]
}

function everyTool(path: string): Record<string, Call> {
  return {
    read_note: ({ tools }) => tools.read_note(path),
    write_note: ({ tools }) => tools.write_note(path, 'x'),
    'write_note over it': ({ tools }) => tools.write_note(path, 'x', { overwrite: true }),
    append: ({ tools }) => tools.append(path, 'x'),
    update_frontmatter: ({ tools }) => tools.update_frontmatter(path, { a: 1 }),
    list_backlinks: ({ tools }) => tools.list_backlinks(path),
    'rename_note from': ({ tools }) => tools.rename_note(path, 'Stolen.md'),
    'rename_note to': ({ tools }) => tools.rename_note('Note.md', path),
    'rename_note of a folder to': ({ tools }) => tools.rename_note('notes', path.replace('/secret.md', '/n')),
    delete_note: ({ tools }) => tools.delete_note(path),
    get_note_metadata: ({ tools }) => tools.get_note_metadata(path),
    'finding a note by name': ({ notebook }) => notebook.index.find(path),
    'undo of one note': ({ notebook }) => notebook.planUndo({ note: path }),
  }
}

function portableOnly(name: string, call: Call): Check {
  return {
    name: `${name}: refused as 'path' with the reason, nothing created`,
    run: () =>
      onFloor({}, async (floor) => {
        const failure = await expectFailure('path', () => call(floor))
        expect(failure.message).toMatch(/not every system allows|device name|drive letters|must be \.md/)
        expect(readdirSync(floor.vault)).toEqual([])
      }),
  }
}
