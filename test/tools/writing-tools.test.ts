import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { fileTools } from '../../src/core/tools/built-in.js'
import { inputSchema } from '../../src/core/tools/tool-input.js'
import { type TestContext, testContext } from './call-tool.js'

const calls: Record<string, unknown[]> = {
  write_note: [
    { path: 'New/note.md', content: '# New\n' },
    { path: 'a.md', content: 'all new\n' },
  ],
  append_note: [
    { path: 'a.md', content: 'more' },
    { path: 'a.md', content: 'more', heading: 'A' },
  ],
  edit_note: [
    { path: 'a.md', old_text: 'text', new_text: 'words' },
    { path: 'a.md', diff: '<<<<<<< SEARCH\ntext\n=======\nwords\n>>>>>>> REPLACE' },
  ],
  update_frontmatter: [{ path: 'a.md', updates: { status: 'done' } }],
  change_notes: [
    { where: 'true', operations: [{ op: 'set_property', property: 'status', value: 'done' }] },
    { paths: ['a.md'], operations: [{ op: 'move', to: 'Archive/' }] },
  ],
  update_tasks: [{ tasks: ['a.md:6'], state: 'done' }],
  fix_vault: [{ fixes: ['unlink'] }],
  create_daily_note: [{ content: 'x' }],
  rename_note: [{ path: 'a.md', new_path: 'Archive/z.md' }],
  rename_in_notes: [
    { kind: 'heading', path: 'a.md', from: 'A', to: 'Z' },
    { kind: 'property', from: 't', to: 'u' },
  ],
  merge_notes: [{ from: ['b.md'], into: 'a.md' }],
  split_note: [{ path: 'a.md', heading: 'A', to: 'Part' }],
  delete_note: [{ path: 'a.md' }],
  remember: [{ text: 'I garden in zone 7.' }],
}

const notes = {
  'a.md': '---\nt: 1\n---\n# A\r\ntext\n- [ ] t [[Gone]]\n',
  'b.md': '[[a]]\n',
  'p.md': '---\nprivate: true\n---\nCANARY',
}
const cases = Object.entries(calls).flatMap(([name, inputs]) => inputs.map((input) => [name, input] as const))
const contents = ({ memory }: TestContext) =>
  Object.fromEntries([...memory.snapshot()].map(([path, bytes]) => [path, new TextDecoder().decode(bytes)]))

describe('every writing tool', () => {
  // Undoing needs a change first: its own test has one.
  const writing = fileTools.filter((tool) => tool.plan !== undefined && tool.name !== 'undo_changes')
  const tools = new Map(writing.map((tool) => [tool.name, tool]))

  it('is in this test', () => {
    expect([...tools.keys()].sort()).toEqual(Object.keys(calls).sort())
  })

  it.each(cases)(
    '%s plans without writing, applies, and is undone by its id and by session: %j',
    async (name, input) => {
      const tool = tools.get(name)!
      for (const target of ['id', 'session']) {
        const context = await testContext(notes)
        const before = contents(context)
        const plan = await tool.plan!(input, context)
        expect(contents(context)).toEqual(before)
        expect(plan.changes.session).toBe('test')
        expect(plan.changes.changes.length).toBeGreaterThan(0)
        expect(tool.effects).toEqual(expect.arrayContaining([...(plan.effects ?? [])]))
        expect(z.safeParse(tool.output as z.ZodType, plan.output).success).toBe(true)

        const applied = await context.apply(plan.changes)
        expect(contents(context)).not.toEqual(before)
        expect(tool.render(plan.output, applied)).not.toBe('')
        const undo = await context.memory.planUndo(target === 'id' ? { id: plan.changes.id } : { session: 'test' })
        await context.apply(undo)
        expect(contents(context)).toEqual(before)
      }
    },
  )

  it.each(cases)(
    '%s is refused whole when its note changed meanwhile, unless it only appends: %j',
    async (name, input) => {
      const context = await testContext(notes)
      const plan = await tools.get(name)!.plan!(input, context)
      const bound = plan.changes.changes.some((change: { kind: string }) => !['create', 'append'].includes(change.kind))
      context.memory.write('a.md', 'edited elsewhere\n')
      const before = contents(context)
      if (!bound) {
        await context.apply(plan.changes)
        expect(contents(context)['a.md']).toMatch(/^edited elsewhere\n/)
      } else {
        await expect(context.apply(plan.changes)).rejects.toMatchObject({ code: 'conflict' })
        expect(contents(context)).toEqual(before)
      }
    },
  )

  it('has words and a schema that cost little', () => {
    const size = [...tools.values()].map((tool) => {
      return JSON.stringify({ name: tool.name, description: tool.description, inputSchema: inputSchema(tool) }).length
    })
    expect(size.reduce((sum, each) => sum + each)).toBeLessThan(tools.size * 550)
  })

  it.each([...tools.values()].map((tool) => [tool.name, tool] as const))(
    '%s is described in three sentences',
    (_, tool) => {
      expect(tool.description.match(/[.!?](?:\s|$)/g)!.length).toBeLessThanOrEqual(3)
      expect(inputSchema(tool)).not.toHaveProperty('anyOf')
    },
  )
})
