import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect } from 'vitest'
import { editFrontmatter } from '../../../src/core/markdown/index.js'
import { type ChangeSet, changeSet, hashBytes } from '../../../src/core/vault/index.js'
import { encode, expectFailure, type Floor, onFloor } from '../floor.js'
import type { Check } from '../security-case.js'

const start = { 'Note.md': 'v1 with [[Target]]\n', 'Target.md': 'target\n', 'Other.md': '[[Target]]\n' }
const human = 'v2 by human with [[Target]]\n'

/** Planned from what was read; meanwhile another process saves the note. */
const plans: Record<string, (floor: Floor) => Promise<ChangeSet>> = {
  write_note: async ({ tools }) => {
    const { path, hash } = await tools.read_note('Note.md')
    return changeSet('Write', [{ kind: 'edit', path, before: hash, after: encode('by agent') }])
  },
  'an edit of one word': async ({ tools }) => {
    const { path, hash, text } = await tools.read_note('Note.md')
    return changeSet('Edit', [{ kind: 'edit', path, before: hash, after: encode(text.replace('v1', 'v1 edited')) }])
  },
  update_frontmatter: async ({ tools }) => {
    const { path, hash, text } = await tools.read_note('Note.md')
    return changeSet('Update', [
      { kind: 'edit', path, before: hash, after: encode(editFrontmatter(text, { set: { a: 1 } })) },
    ])
  },
  'the link rewrite of a rename': async ({ notebook }) =>
    (await notebook.index.planMove('Target.md', 'Aim.md')).changeSet,
  'a rename of the note itself': async ({ notebook }) =>
    (await notebook.index.planMove('Note.md', 'Renamed.md')).changeSet,
  delete_note: async ({ tools }) => {
    const { path, hash } = await tools.read_note('Note.md')
    return changeSet('Delete', [{ kind: 'trash', path, before: hash }])
  },
}

export function conflictChecks(): Check[] {
  const refused = Object.entries(plans).map(
    ([name, plan]): Check => ({
      name: `${name} planned before the other process saved: refused with the new hash, nothing of it written`,
      run: () =>
        onFloor(start, async (floor) => {
          await floor.notebook.update()
          const set = await plan(floor)
          saveFromElsewhere(floor, 'Note.md', human)
          const failure = await expectFailure('conflict', () => floor.notebook.apply(set))
          expect(failure.message).toMatch(/changed since it was read/)
          expect(failure.details.data).toMatchObject({ currentHash: hashBytes(encode(human)) })
          const now = ['Note.md', 'Target.md', 'Other.md'].map((path) => floor.bytes(path).toString())
          expect(now).toEqual([human, start['Target.md'], start['Other.md']])
        }),
    }),
  )
  return [
    ...refused,
    {
      name: 'an undo that would take back what was saved later: refused with the diff',
      run: () =>
        onFloor(start, async (floor) => {
          const { id } = await floor.tools.write_note('Note.md', 'by agent\n', { overwrite: true })
          saveFromElsewhere(floor, 'Note.md', human)
          const failure = await expectFailure('conflict', () => floor.notebook.planUndo({ id }))
          expect(failure.details.data?.diff).toContain('-v2 by human')
          expect(floor.bytes('Note.md').toString()).toBe(human)
        }),
    },
    {
      name: 'an undo planned before the other process saved: refused when applied',
      run: () =>
        onFloor(start, async (floor) => {
          const { id } = await floor.tools.write_note('Note.md', 'by agent\n', { overwrite: true })
          const undo = await floor.notebook.planUndo({ id })
          saveFromElsewhere(floor, 'Note.md', human)
          await expectFailure('conflict', () => floor.notebook.apply(undo))
          expect(floor.bytes('Note.md').toString()).toBe(human)
        }),
    },
    {
      name: 'an append lands after what the other process saved',
      run: () =>
        onFloor(start, async (floor) => {
          await floor.tools.read_note('Note.md')
          saveFromElsewhere(floor, 'Note.md', human)
          await floor.tools.append('Note.md', 'by agent\n')
          expect(floor.bytes('Note.md').toString()).toBe(`${human}by agent\n`)
        }),
    },
    {
      name: 'a note that the other process made where one was to be created: refused, theirs stays',
      run: () =>
        onFloor(start, async (floor) => {
          saveFromElsewhere(floor, 'New.md', human)
          await expectFailure('conflict', () => floor.tools.write_note('New.md', 'by agent'))
          expect(floor.bytes('New.md').toString()).toBe(human)
        }),
    },
    {
      name: 'what a change replaced is in the undo store, whoever wrote it',
      run: () =>
        onFloor(start, async (floor) => {
          saveFromElsewhere(floor, 'Note.md', human)
          const { id } = await floor.tools.write_note('Note.md', 'by agent', { overwrite: true })
          await floor.notebook.apply(await floor.notebook.planUndo({ id }))
          expect(floor.bytes('Note.md').toString()).toBe(human)
        }),
    },
  ]
}

function saveFromElsewhere({ vault }: Floor, path: string, text: string): void {
  const script = 'require("fs").writeFileSync(process.argv[1], process.argv[2])'
  execFileSync(process.execPath, ['-e', script, join(vault, path), text])
}
