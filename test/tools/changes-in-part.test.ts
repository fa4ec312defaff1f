import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { appendNote } from '../../src/core/tools/file/append-note.js'
import { editNote } from '../../src/core/tools/file/edit-note.js'
import { renameNote } from '../../src/core/tools/file/rename-note.js'
import { updateFrontmatter } from '../../src/core/tools/file/update-frontmatter.js'
import { writeNote } from '../../src/core/tools/file/write-note.js'
import type { Tool } from '../../src/core/tools/tool.js'
import { type AcceptedHunks, acceptHunks, notePath } from '../../src/core/vault/index.js'
import { testContext } from './call-tool.js'

/** The tool's result and the notes after these hunks of its change were accepted. */
async function inPart(tool: Tool, notes: Record<string, string>, input: object, accepted: AcceptedHunks[]) {
  const context = await testContext(notes)
  const plan = await tool.plan!(input, context)
  const part = await acceptHunks(plan.changes, accepted, (path) => context.vault.read(path))
  const output = await plan.inPart!(part)
  expect(z.parse(tool.output as z.ZodType, output)).toEqual(output)
  await context.apply(part)
  return { output, text: async (path: string) => (await context.vault.read(notePath(path)))?.text }
}

const only = (...hunks: number[]): AcceptedHunks[] => [{ change: 0, hunks }]
const block = (old: string, fresh: string) => `<<<<<<< SEARCH\n${old}\n=======\n${fresh}\n>>>>>>> REPLACE\n`

describe('a change that is accepted in part', () => {
  it.each([
    [[0], 1],
    [[1], 1],
    [[0, 2], 2],
    [[0, 1, 2], 3],
  ])('of edit_note with hunks %j counts the places that read as asked', async (hunks, replaced) => {
    const notes = { 'a.md': 'one\n\ntwo\n\nthree\n\nfour\n' }
    const diff = block('one', 'ONE') + block('two\n\n', '') + block('four', 'FOUR\n\nFIVE')
    const { output } = await inPart(editNote, notes, { path: 'a.md', diff }, only(...hunks))
    expect(output).toEqual({ path: 'a.md', replaced, changed: true, fuzzy: false })
  })

  it('of edit_note counts two places in one line as two, and a place of which half is there as none', async () => {
    const notes = { 'a.md': 'one two\n\nx\ny\nz\n' }
    const diff = block('one', 'ONE') + block('two', 'TWO') + block('x\ny\nz', 'X\ny\nZ')
    const input = { path: 'a.md', diff }
    const { output, text } = await inPart(editNote, notes, input, only(0, 1))
    expect(await text('a.md')).toBe('ONE TWO\n\nX\ny\nz\n')
    expect(output.replaced).toBe(2)
  })

  it('of edit_note calls it fuzzy only when what was accepted is', async () => {
    const notes = { 'a.md': 'It’s one\n\ntwo\n' }
    const input = { path: 'a.md', diff: block("It's one", "It's 1") + block('two', '2') }
    expect((await inPart(editNote, notes, input, only(0))).output).toMatchObject({ replaced: 1, fuzzy: true })
    expect((await inPart(editNote, notes, input, only(1))).output).toMatchObject({ replaced: 1, fuzzy: false })
  })

  it('of update_frontmatter tells the properties as they are now', async () => {
    const notes = { 'a.md': '---\nstatus: open\nkeep: 1\nrating: 2\n---\nbody\n' }
    const input = { path: 'a.md', updates: { status: 'done', rating: 5 } }
    const { output } = await inPart(updateFrontmatter, notes, input, only(0))
    expect(output).toEqual({ path: 'a.md', changed: true, properties: { status: 'done', rating: 2 } })
  })

  it('of rename_note counts the links that were rewritten, and names the notes that keep the others', async () => {
    const notes = {
      'Plan.md': 'See [[One]].\n',
      'One.md': '[[Plan]] and [[Plan|p]]\n\ntext [[Two]]\n\n[[Plan]]\n',
      'Two.md': '[p](Plan.md) [[Plan]] [[One]] <https://a.test>\n',
    }
    const { output, text } = await inPart(renameNote, notes, { path: 'Plan', new_path: 'Map.md' }, [
      { change: 1, hunks: [0] },
      { change: 2, hunks: [] },
    ])
    expect(output).toEqual({
      path: 'Plan.md',
      canvases: 0,
      new_path: 'Map.md',
      links: 2,
      notes: 1,
      not_rewritten: [
        'One.md still has 1 link to the old name, because the user rejected that part of the change.',
        'Two.md still has 2 links to the old name, because the user rejected that part of the change.',
      ],
    })
    expect(await text('One.md')).toBe('[[Map]] and [[Map|p]]\n\ntext [[Two]]\n\n[[Plan]]\n')
    expect(await text('Two.md')).toBe(notes['Two.md'])
  })

  it('of rename_note knows the links of the note that moves', async () => {
    const notes = { 'Plan.md': '[[#Plan]] [self](Plan.md)\n\n[again](Plan.md)\n' }
    const { output } = await inPart(renameNote, notes, { path: 'Plan', new_path: 'Map.md' }, [
      { change: 1, hunks: [0] },
    ])
    expect(output).toMatchObject({
      links: 1,
      notes: 1,
      not_rewritten: [expect.stringContaining('Map.md still has 1 link')],
    })
  })

  it('of write_note and append_note says what holds for every part', async () => {
    const notes = { 'a.md': 'one\n\ntwo\n\n# B\n' }
    const whole = { path: 'a.md', content: 'ONE\n\ntwo\n\n# C\n' }
    expect((await inPart(writeNote, notes, whole, only(0))).output).toEqual({
      path: 'a.md',
      created: false,
      changed: true,
    })
    const below = { 'a.md': '# A\n# B\n' }
    const added = { path: 'a.md', heading: 'A', content: 'x' }
    expect((await inPart(appendNote, below, added, only(0))).output).toEqual({ path: 'a.md', heading: 'A' })
  })
})
