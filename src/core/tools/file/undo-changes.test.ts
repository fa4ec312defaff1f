import { describe, expect, it } from 'vitest'
import { answerOf, failureOf, type TestContext, testContext } from '../../../../test/tools/call-tool.js'
import { appendNote } from './append-note.js'
import { renameNote } from './rename-note.js'
import { undoChanges } from './undo-changes.js'

const notes = { 'a.md': 'a\n', 'b.md': '[[a]]\n' }
const textsOf = ({ memory }: TestContext) =>
  Object.fromEntries([...memory.snapshot()].map(([path, bytes]) => [path, new TextDecoder().decode(bytes)]))

async function changedTwice() {
  const context = await testContext(notes)
  await answerOf(appendNote, { path: 'a.md', content: 'more' }, context)
  await answerOf(renameNote, { path: 'a.md', new_path: 'c.md' }, context)
  return context
}

describe('undo_changes', () => {
  it('undoes the newest change of the conversation, then the one before', async () => {
    const context = await changedTwice()
    const first = await answerOf(undoChanges, {}, context)
    expect(first.output).toMatchObject({ undone: [expect.stringContaining('Move a.md to c.md')], changes: [] })
    expect(textsOf(context)).toEqual({ ...notes, 'a.md': 'a\nmore\n' })
    await answerOf(undoChanges, {}, context)
    expect(textsOf(context)).toEqual(notes)
    expect(await failureOf(undoChanges, {}, context)).toMatchObject({ code: 'not-found' })
  })

  it('undoes several changes as one, which can be undone itself', async () => {
    const context = await changedTwice()
    const { changeSet, output } = await answerOf(undoChanges, { count: 2 }, context)
    expect(output.undone).toHaveLength(2)
    expect(textsOf(context)).toEqual(notes)
    await context.apply(await context.memory.planUndo({ id: changeSet!.id }))
    expect(textsOf(context)).toEqual({ 'c.md': 'a\nmore\n', 'b.md': '[[c]]\n' })
  })

  it('lists the changes of this conversation alone, and writes nothing', async () => {
    const context = await changedTwice()
    await answerOf(appendNote, { path: 'b.md', content: 'x' }, { ...context, session: 'other' })
    const { output, text, changeSet } = await answerOf(undoChanges, { list: true }, context)
    expect(output.changes.map(({ title }: { title: string }) => title)).toEqual([
      'Move a.md to c.md and update 1 link',
      'Append to a.md',
    ])
    expect(text).toContain('(1 note, applied)')
    expect(changeSet).toBeUndefined()
  })

  it('keeps later edits of others', async () => {
    const context = await testContext({ 'a.md': 'one\n\ntwo\n\nthree\n' })
    await answerOf(appendNote, { path: 'a.md', content: 'mine' }, context)
    const other = { ...context, session: 'other' }
    await answerOf(appendNote, { path: 'a.md', content: 'theirs' }, other)
    await answerOf(undoChanges, {}, context)
    expect(textsOf(context)['a.md']).toBe('one\n\ntwo\n\nthree\ntheirs\n')
  })

  it('does not list or undo a change of a note that is hidden now', async () => {
    const context = await testContext(notes)
    await answerOf(appendNote, { path: 'a.md', content: 'x' }, context)
    const isClosed = async () => true
    const hidden = { ...context, vault: { ...context.memory, isClosed } }
    expect((await answerOf(undoChanges, { list: true }, hidden)).output.changes).toEqual([])
    expect(await failureOf(undoChanges, {}, hidden)).toMatchObject({ code: 'not-found' })
  })
})
