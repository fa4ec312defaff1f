import { linkSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import { builtInTools, type ToolResult } from '../../../src/core/tools/index.js'
import { foldPath } from '../../../src/core/vault/index.js'
import { treeHash } from '../floor.js'
import { type CaseChecks, type Check, quoted, shown } from '../security-case.js'
import { type Field, pathFields, sampleInput, withText } from './sample-input.js'
import { type ToolFloor, type ToolOptions, withTools } from './tool-floor.js'

const inside = { 'Note.md': '# Note\n\nInside, with CANARYINSIDE.\n', 'notes/Other.md': 'See [[Note]].\n' }

/** Nothing stands in the way but the tools themselves: `auto` lets everything pass. */
const freely: ToolOptions = { level: 'auto' }

export const toolPathCases: CaseChecks = {
  P01: ({ action }) => {
    const [readPath, writePath] = quoted(action, 'path')
    return [
      refused('read_note', { path: readPath }),
      refused('write_note', { path: writePath, content: 'x' }),
      refused('write_note', { path: readPath, content: 'x' }),
    ]
  },

  P02: ({ action }) => {
    const [path] = quoted(action)
    return [
      ...everyPathField().flatMap(({ tool, field }) => [
        refused(tool, withText(sampleOf(tool), field, path), field),
        refused(tool, withText(sampleOf(tool), field, dirname(path)), field),
      ]),
      {
        name: 'finds the fields of every tool the case names, and of the tools it does not know',
        run: () => {
          const found = everyPathField().map(({ tool, field }) => `${tool} ${field.join('.')}`)
          expect(found).toEqual(
            expect.arrayContaining([
              ...['read_note path', 'write_note path', 'update_frontmatter path', 'list_backlinks path'],
              ...['rename_note path', 'rename_note new_path', 'delete_note path', 'get_note_metadata path'],
              ...['file_read filePaths.0', 'search_notes filter.folder', 'get_file_tree folder', 'edit_note path'],
            ]),
          )
        },
      },
    ]
  },

  P03: ({ action }) => {
    const literal = quoted(action).map((path) => [shown(path), () => path] as const)
    const absolute = [
      'the absolute path of $O/secret.md',
      ({ outside }: ToolFloor) => join(outside, 'secret.md'),
    ] as const
    return [absolute, ...literal].flatMap(([name, path]) => [
      checked(`read_note ${name}: refused`, (floor) => expectPath(floor, 'read_note', { path: path(floor) })),
      checked(`write_note ${name}: refused`, (floor) =>
        expectPath(floor, 'write_note', { path: path(floor), content: 'x' }),
      ),
      checked(`read_note ${name} is not re-rooted under the vault`, async (floor) => {
        floor.put(path(floor).replace(/^[^a-z]*/i, ''), 'REROOTED')
        await expectPath(floor, 'read_note', { path: path(floor) })
        expect(floor.said()).not.toContain('REROOTED')
      }),
    ])
  },

  P04: ({ action }) => {
    const paths = quoted(action, 'path')
    const [canary] = quoted(action).slice(-1)
    const link = async (floor: ToolFloor) => {
      symlinkSync(join(floor.outside, 'secret.md'), join(floor.vault, paths[0]))
      symlinkSync(floor.outside, join(floor.vault, dirname(paths[1])))
      await floor.notebook.update({ vectors: false })
    }
    return [
      ...everyPathField().flatMap(({ tool, field }) =>
        paths.map((path) =>
          checked(
            `${tool} with ${field.join('.')} ${path}: nothing from outside, nothing to outside`,
            async (floor) => {
              await link(floor)
              const result = await floor.call(tool, withText(sampleOf(tool), field, path))
              // Tools that only query the index find nothing; tools that read the file report where the path leads.
              const asksIndex = field.at(-1) === 'folder' || /^(?:list_|get_|related_)/.test(tool)
              const codes = asksIndex ? /^(?:path|not-found)$/ : /^path$/
              if (tool !== 'file_read' && tool !== 'search_notes') {
                expect(result).toMatchObject({ ok: false, code: expect.stringMatching(codes) })
              } else expect(JSON.stringify(result)).not.toContain('"score"')
            },
          ),
        ),
      ),
      checked('write_note of a new note in the linked folder: refused', async (floor) => {
        await link(floor)
        await expectPath(floor, 'write_note', { path: 'linkdir/new.md', content: 'x' })
      }),
      ...['search_notes', 'vault_search'].map((tool) =>
        checked(`${tool} ${canary}: not found, while what is inside is`, async (floor) => {
          await link(floor)
          expect((await floor.done(tool, { query: 'CANARYINSIDE' })).output.results).toHaveLength(1)
          const { output } = await floor.done(tool, { query: canary })
          expect(output.results.filter(({ path }: { path: string }) => path.includes('link'))).toEqual([])
        }),
      ),
    ]
  },

  P05: ({ action }) => {
    const [path] = quoted(action, 'path')
    const calls: Record<string, Record<string, unknown>> = {
      write_note: { path, content: 'x' },
      append_note: { path, content: 'x' },
      read_note: { path },
      rename_note: { path: 'Note.md', new_path: path },
    }
    return Object.entries(calls).map(([tool, input]) =>
      checked(`${tool} ${path}: refused, nothing appears outside, the link stays a link`, async (floor) => {
        symlinkSync(join(floor.outside, 'new.md'), join(floor.vault, path))
        const result = await floor.call(tool, input)
        // Anything at the target of a rename is a conflict.
        expect(result).toMatchObject({ ok: false, code: expect.stringMatching(/^(?:path|conflict)$/) })
        if (tool !== 'rename_note') expect(result).toMatchObject({ code: 'path' })
        expect(readdirSync(floor.outside)).toEqual(['secret.md'])
        expect(lstatSync(join(floor.vault, path)).isSymbolicLink()).toBe(true)
      }),
    )
  },

  P06: ({ action, setup }) => {
    const [path] = quoted(action, 'path')
    const [content] = quoted(action, 'content')
    const [original] = quoted(setup)
    const calls: Record<string, Record<string, unknown>> = {
      write_note: { path, content },
      append_note: { path, content },
      edit_note: { path, old_text: original, new_text: content },
      update_frontmatter: { path, updates: { a: 1 } },
      rename_note: { path, new_path: 'soft.md' },
      delete_note: { path },
    }
    return Object.entries(calls).map(([tool, input]) => ({
      name: `${tool}, approved: the other name keeps its bytes, before and after undo`,
      run: () =>
        withTools(inside, { answer: 'yes' }, async (floor) => {
          const other = join(floor.outside, path)
          writeFileSync(other, original)
          linkSync(other, join(floor.vault, path))
          const { ino } = lstatSync(other)
          const { changeSet } = await floor.done(tool, input)
          expect(floor.shown).toHaveLength(1)
          if (tool !== 'rename_note') {
            expect(lstatSync(join(floor.vault, path), { throwIfNoEntry: false })?.ino).not.toBe(ino)
          }
          expect(readFileSync(other, 'utf8')).toBe(original)
          await floor.take(changeSet!.id)
          expect(readFileSync(other, 'utf8')).toBe(original)
          expect(floor.bytes(path).toString()).toBe(original)
        }),
    }))
  },

  P07: ({ action }) => {
    const [readPath, writePath] = quoted(action, 'path')
    return [
      refused('read_note', { path: readPath }),
      refused('write_note', { path: writePath, content: 'x' }),
      refused('rename_note', { path: 'Note.md', new_path: writePath }),
      checked('answers the next question', async (floor) => {
        await expectPath(floor, 'read_note', { path: readPath })
        expect((await floor.done('read_note', { path: 'Note.md' })).text).toContain('CANARYINSIDE')
      }),
    ]
  },

  P08: ({ action }) =>
    quoted(action, 'path').flatMap((path) => [
      refused('read_note', { path }),
      refused('write_note', { path, content: 'x' }),
      checked(`the backslash in ${shown(path)} is what is refused`, async (floor) => {
        expect((await floor.refused('path', 'read_note', { path })).text).toContain('backslash')
      }),
    ]),

  P09: ({ action }) =>
    quoted(action, 'path').flatMap((path) => [
      checked(
        `write_note ${path}: refused at level auto, nothing created, the rule named and not the host`,
        async (floor) => {
          mkdirSync(join(floor.vault, '.obsidian'))
          const { text } = await floor.refused('path', 'write_note', { path, content: 'x' })
          expect(text).toContain('names that start with a dot are reserved')
          expect(text).not.toContain(floor.base)
          expect(readdirSync(join(floor.vault, '.obsidian'))).toEqual([])
        },
      ),
      checked(
        `write_note ${path}: an approving person and a rule that allows it change nothing`,
        async (floor) => {
          mkdirSync(join(floor.vault, '.obsidian'))
          const result = await floor.call('rename_note', { path: 'Note.md', new_path: path })
          expect(result).toMatchObject({ ok: false, code: 'path' })
        },
        { answer: 'yes', allow: ['write_note', 'rename_note'] },
      ),
    ]),

  P10: ({ action }) =>
    quoted(action).flatMap((path) =>
      ['read_note', 'get_note_metadata', 'list_backlinks', 'file_read', 'delete_note'].map((tool) => ({
        name: `${tool} ${shown(path)}: CANARY_OBS is nowhere`,
        run: () =>
          withTools({ ...inside, '.obsidian/app.json': '{"CANARY_OBS":1}', 'a/b.md': 'x' }, freely, async (floor) => {
            const before = treeHash(floor.vault)
            const input = tool === 'file_read' ? { filePaths: [path] } : { path }
            const result = await floor.call(tool, input)
            if (tool === 'file_read') expect(result.text).toContain('Error reading file: Path must be within')
            else expect(result).toMatchObject({ ok: false, code: 'path' })
            expect(floor.said()).not.toContain('CANARY_OBS')
            expect(treeHash(floor.vault)).toBe(before)
          }),
      })),
    ),

  P11: ({ action }) =>
    quoted(action).flatMap((path) =>
      [
        ['write_note', { path, content: 'x' }] as const,
        // A rename takes a name without an ending for one of a note.
        ['rename_note', { path: 'Note.md', new_path: path.endsWith('.md') ? path : `${path}/x.md` }] as const,
      ].map(([tool, input]) =>
        checked(`${tool} ${shown(path)}: refused with the reason, nothing created`, async (floor) => {
          const before = treeHash(floor.vault)
          const { text } = await floor.refused('path', tool, input)
          expect(text).toMatch(/not every system allows|device name|drive letters|must be \.md/)
          expect(treeHash(floor.vault)).toBe(before)
        }),
      ),
    ),

  P12: ({ action, setup }) => {
    const [path] = quoted(action, 'path')
    const [content] = quoted(action, 'content')
    const [old] = quoted(setup)
    const decomposed = path.normalize('NFD')
    const onlyOne = (
      name: string,
      options: ToolOptions,
      text: string,
      use: (floor: ToolFloor) => Promise<void>,
    ): Check => ({
      name,
      run: () =>
        withTools({ [decomposed]: old, 'Other.md': 'other' }, options, async (floor) => {
          await use(floor)
          const names = readdirSync(floor.vault).filter((each) => foldPath(each) === foldPath(path))
          expect(names).toEqual([decomposed])
          expect(floor.bytes(decomposed).toString()).toBe(text)
        }),
    })
    return [
      onlyOne('write_note asks to overwrite the note that is there; no is no', { answer: 'no' }, old, async (floor) => {
        const { text } = await floor.refused('denied', 'write_note', { path, content })
        expect(text).toContain('User cancelled overwrite')
        expect(floor.shown[0]).toMatchObject({ title: `Overwrite ${decomposed}`, safeDefault: 'deny' })
      }),
      onlyOne('and yes overwrites it under its own name', { answer: 'yes' }, content, async (floor) => {
        await floor.done('write_note', { path, content })
      }),
      onlyOne('without anyone to ask it is refused', {}, old, async (floor) => {
        await floor.refused('needs-approval', 'write_note', { path, content })
      }),
      onlyOne('renaming another note onto it is refused', freely, old, async (floor) => {
        await floor.refused('conflict', 'rename_note', { path: 'Other.md', new_path: path })
      }),
    ]
  },
}

function everyPathField(): { tool: string; field: Field }[] {
  // The file of a skill is no path of the vault: its reader has tests of its own.
  const tools = builtInTools.filter(({ name }) => name !== 'use_skill')
  return tools.flatMap((tool) => pathFields(tool).map((field) => ({ tool: tool.name, field })))
}

function sampleOf(name: string): Record<string, unknown> {
  return sampleInput(builtInTools.find((tool) => tool.name === name)!)
}

/** A check after which everything outside the vault is as it was, and nothing outside was heard of. */
function checked(name: string, use: (floor: ToolFloor) => Promise<unknown>, options = freely): Check {
  return {
    name,
    run: () =>
      withTools(inside, options, async (floor) => {
        writeFileSync(join(floor.outside, 'secret.md'), 'CANARY_OUT NEVERTYPED')
        writeFileSync(join(floor.evil, 'secret.md'), 'CANARY_EVIL NEVERTYPED')
        const before = [floor.outside, floor.evil].map(treeHash)
        await use(floor)
        expect([floor.outside, floor.evil].map(treeHash)).toEqual(before)
        expect(floor.said()).not.toMatch(/CANARY_EVIL|NEVERTYPED/)
        // The location of the vault must not appear, except in paths from the request itself.
        expect(floor.said().replaceAll(join(floor.outside, 'secret.md'), '')).not.toContain(`${floor.base}/`)
      }),
  }
}

function refused(tool: string, input: Record<string, unknown>, field?: Field): Check {
  const what = field === undefined ? input.path : `${field.join('.')} ${JSON.stringify(input)}`
  return checked(`${tool} ${shown(`${what}`)}: refused as 'path', nothing read, nothing changed`, async (floor) => {
    const before = treeHash(floor.vault)
    await expectPath(floor, tool, input)
    expect(treeHash(floor.vault)).toBe(before)
  })
}

/** A request for several files has a failure for each of them. */
async function expectPath(floor: ToolFloor, tool: string, input: Record<string, unknown>): Promise<ToolResult> {
  const result = await floor.call(tool, input)
  if (tool !== 'file_read') expect(result).toMatchObject({ ok: false, code: 'path' })
  expect(result.text).toContain('Path must be within vault directory')
  return result
}
