import { describe, expect, it } from 'vitest'
import { testContext } from '../../../../test/tools/call-tool.js'
import { type NotePath, plannedChanges, tooLarge } from '../../vault/index.js'
import { deleteNote } from './delete-note.js'

describe('delete_note', () => {
  it('moves a note to the trash and names the links that will lead nowhere', async () => {
    const context = await testContext({ 'a.md': 'x [[a]]', 'b.md': '[[a]] [[a]]', 'c.md': '[[a]]' })
    const plan = await deleteNote.plan!({ path: 'a' }, context)
    expect(plan.notices).toEqual([{ kind: 'links', text: '3 links to this note will be unresolved, in b.md, c.md.' }])
    expect(plan.changes).toMatchObject({ session: 'test', changes: [{ kind: 'trash', path: 'a.md' }] })
    const applied = await context.apply(plan.changes)
    expect(deleteNote.render(plan.output, applied)).toBe('Note deleted: a.md. It can be restored with undo.')
    expect([...context.memory.snapshot().keys()].sort()).toEqual(['.trash/a.md', 'b.md', 'c.md'])
  })

  it('refuses a note that is not there, one that is hidden, and what is no note', async () => {
    const context = await testContext({ 'p.md': '---\nprivate: true\n---\n', 'x.png': '' })
    const plan = (path: string) => deleteNote.plan!({ path }, context)
    await expect(plan('none.md')).rejects.toMatchObject({ code: 'not-found', message: 'Note not found: none.md' })
    await expect(plan('p.md')).rejects.toMatchObject({ code: 'not-found', message: 'Note not found: p.md' })
    await expect(plan('x.png')).rejects.toMatchObject({ code: 'path' })
    await expect(plan('../x.md')).rejects.toMatchObject({ code: 'path' })
  })

  it('deletes a note that is too large to be read', async () => {
    const context = await testContext({ 'Giant.md': 'x'.repeat(99), 'b.md': '[[Giant]]' })
    const read = async (path: NotePath) => {
      if (path === 'Giant.md') throw tooLarge(path, 99, 50)
      return context.memory.read(path)
    }
    const plan = await deleteNote.plan!({ path: 'Giant.md' }, { ...context, vault: { ...context.memory, read } })
    expect(await plannedChanges(plan.changes, read)).toMatchObject({ changes: [{ kind: 'trash', path: 'Giant.md' }] })
    const { id } = await context.apply(plan.changes)
    expect([...context.memory.snapshot().keys()].sort()).toEqual(['.trash/Giant.md', 'b.md'])
    await context.apply(await context.memory.planUndo({ id }))
    expect([...context.memory.snapshot().keys()].sort()).toEqual(['Giant.md', 'b.md'])
  })

  it('refuses a note that changed after it was planned', async () => {
    const context = await testContext({ 'a.md': 'x' })
    const { changes } = await deleteNote.plan!({ path: 'a.md' }, context)
    context.memory.write('a.md', 'edited')
    await expect(context.apply(changes)).rejects.toMatchObject({ code: 'conflict' })
  })
})
