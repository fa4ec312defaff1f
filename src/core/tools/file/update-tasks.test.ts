import { describe, expect, it } from 'vitest'
import { answerOf, failureOf, type TestContext, testContext } from '../../../../test/tools/call-tool.js'
import { listTasks } from '../search/list-tasks.js'
import { changeNotes } from './change-notes.js'
import { updateTasks } from './update-tasks.js'

// Today is 2024-01-15.
const notes = {
  'Board.md': '---\nkanban-plugin: basic\n---\n\n## Doing\n\n- [ ] Paint #house ⏫\n\n## Done\n\n- [x] Buy paint\n',
  'Garden.md':
    '# Beds\r\n\r\n- [ ] Sow 📅 2024-01-10 🔁 every week\r\n\t- [ ] Water [due:: 2024-02-01]\r\n- [-] Weed\r\n```\n- [ ] code\n```\n',
  'Tax.md': '---\ntitle: Tax\ntags: [task]\nstatus: open\ndue: 2024-01-20\npriority: high\n---\nText.\n',
  'Plain.md': '---\nstatus: open\n---\n1. [ ] milk\n',
}

const ids = async (input: Record<string, unknown>, context?: TestContext) =>
  (await answerOf(listTasks, input, context ?? (await testContext(notes)))).output.tasks.map(
    (task: { id: string }) => task.id,
  )
const textOf = (context: TestContext, path: string) => new TextDecoder().decode(context.memory.snapshot().get(path))

describe('list_tasks', () => {
  it.each([
    [{}, ['Garden.md:3', 'Tax.md:0', 'Garden.md:4', 'Board.md:7', 'Plain.md:4']],
    [{ state: 'any', heading: 'Done' }, ['Board.md:11']],
    [{ state: 'cancelled' }, ['Garden.md:5']],
    [{ due: '..today' }, ['Garden.md:3']],
    [{ due: 'tomorrow..2024-01-31' }, ['Tax.md:0']],
    [{ due: '2024-02-01' }, ['Garden.md:4']],
    [{ due: 'none' }, ['Board.md:7', 'Plain.md:4']],
    [{ priority: 'high' }, ['Tax.md:0', 'Board.md:7']],
    [{ tag: '#House' }, ['Board.md:7']],
    [{ text: 'WATER' }, ['Garden.md:4']],
  ])('with %j', async (input, expected) => expect(await ids(input)).toEqual(expected))

  it('pages without gaps and always says the total', async () => {
    const context = await testContext(notes)
    const first = await answerOf(listTasks, { limit: 2 }, context)
    expect(first.output).toMatchObject({ total: 5, cursor: '2' })
    expect(await ids({ limit: 3, cursor: '2' }, context)).toEqual(['Garden.md:4', 'Board.md:7', 'Plain.md:4'])
    expect(first.text).toContain('Garden.md:3 | Sow | due 2024-01-10, every week')
  })

  it('refuses a range that is none', async () => {
    expect(await failureOf(listTasks, { due: 'soon' }, await testContext(notes))).toMatchObject({
      code: 'invalid-input',
    })
  })
})

const board =
  '---\n\nkanban-plugin: board\n\n---\n\n## To do\n\n- [ ] Paint ^id1\n\t- [ ] scrape\n\n\tnote\n- [ ] Sand\n\n\n## Doing\n\n\n\n## Done\n\n**Complete**\n- [x] Buy paint\n\n\n***\n\n## Archive\n\n- [x] Old\n\n%% kanban:settings\n```\n{}\n```\n%%'

describe('cards of a Kanban board', () => {
  it('have a lane, and can be listed by it', async () => {
    const context = await testContext({ 'Board.md': board, 'Other.md': '## Doing\n- [ ] no card\n' })
    const { output, text } = await answerOf(listTasks, { lane: 'to DO' }, context)
    expect(output.tasks.map(({ id, lane }: { id: string; lane: string }) => [id, lane])).toEqual([
      ['Board.md:9', 'To do'],
      ['Board.md:10', 'To do'],
      ['Board.md:13', 'To do'],
    ])
    expect(text).toContain('Board.md:13 | Sand | lane To do')
    expect(await ids({ lane: 'Doing' }, context)).toEqual([])
  })

  it('move to another lane with everything that belongs to them, and no other byte changes', async () => {
    for (const lineBreak of ['\n', '\r\n']) {
      const withBreaks = (text: string) => text.replaceAll('\n', lineBreak)
      const context = await testContext({ 'Board.md': withBreaks(board) })
      await answerOf(updateTasks, { tasks: ['Board.md:9'], lane: 'doing' }, context)
      expect(textOf(context, 'Board.md')).toBe(
        withBreaks(
          board
            .replace('- [ ] Paint ^id1\n\t- [ ] scrape\n\n\tnote\n', '')
            .replace('## Doing\n\n', '## Doing\n\n- [ ] Paint ^id1\n\t- [ ] scrape\n\n\tnote\n'),
        ),
      )
    }
  })

  it('are ticked in a lane for finished cards, and reopened when they leave it', async () => {
    const context = await testContext({ 'Board.md': board })
    await answerOf(updateTasks, { tasks: ['Board.md:13'], lane: 'Done' }, context)
    expect(textOf(context, 'Board.md')).toBe(
      board.replace('- [ ] Sand\n', '').replace('- [x] Buy paint\n', '- [x] Buy paint\n- [x] Sand\n'),
    )
    await answerOf(updateTasks, { tasks: ['Board.md:22'], lane: 'To do' }, context)
    expect(textOf(context, 'Board.md')).toContain('\tnote\n- [ ] Buy paint\n\n\n## Doing')
  })

  it('need a lane that is there, and a card of their own', async () => {
    const context = await testContext({ ...notes, 'Board.md': board })
    expect(await failureOf(updateTasks, { tasks: ['Board.md:9'], lane: 'Later' }, context)).toMatchObject({
      code: 'not-found',
      text: expect.stringContaining('To do, Doing, Done'),
    })
    expect((await failureOf(updateTasks, { tasks: ['Garden.md:3'], lane: 'Done' }, context)).text).toContain(
      'no Kanban board',
    )
    expect((await failureOf(updateTasks, { tasks: ['Board.md:10'], lane: 'Doing' }, context)).text).toContain(
      'no card of its own',
    )
    expect(textOf(context, 'Board.md')).toBe(board)
  })
})

describe('update_tasks', () => {
  it('ticks tasks, adds the next one of a recurring task, and leaves every other byte', async () => {
    const context = await testContext(notes)
    const { text } = await answerOf(updateTasks, { tasks: ['Garden.md:3', 'Board.md:7'], state: 'done' }, context)
    expect(text).toBe('Updated 2 tasks in 2 notes. Next tasks were added in: Garden.md')
    expect(textOf(context, 'Garden.md')).toBe(
      notes['Garden.md'].replace(
        '- [ ] Sow 📅 2024-01-10 🔁 every week\r\n',
        '- [ ] Sow 📅 2024-01-17 🔁 every week\r\n- [x] Sow 📅 2024-01-10 🔁 every week ✅ 2024-01-15\r\n',
      ),
    )
    expect(textOf(context, 'Board.md')).toBe(
      notes['Board.md'].replace('- [ ] Paint #house ⏫', '- [x] Paint #house ⏫ ✅ 2024-01-15'),
    )
  })

  it('changes the properties of a note that is a task', async () => {
    const context = await testContext(notes)
    await answerOf(updateTasks, { tasks: ['Tax.md:0'], state: 'done', due: 'tomorrow' }, context)
    expect(textOf(context, 'Tax.md')).toBe(
      notes['Tax.md']
        .replace('status: open', 'status: done')
        .replace('due: 2024-01-20', 'due: 2024-01-16')
        .replace('priority: high\n', 'priority: high\ncompletedDate: 2024-01-15\n'),
    )
  })

  it('refuses lines without a task, and writes nothing', async () => {
    const context = await testContext(notes)
    const failed = await failureOf(updateTasks, { tasks: ['Garden.md:3', 'Garden.md:7'], state: 'done' }, context)
    expect(failed).toMatchObject({ code: 'not-found' })
    expect(textOf(context, 'Garden.md')).toBe(notes['Garden.md'])
    expect(await failureOf(updateTasks, { tasks: ['Garden.md'], state: 'done' }, context)).toMatchObject({
      code: 'invalid-input',
    })
    expect(await failureOf(updateTasks, { tasks: ['Garden.md:3'] }, context)).toMatchObject({ code: 'invalid-input' })
  })

  it('is an operation of change_notes, for the tasks with a text', async () => {
    const context = await testContext(notes)
    const operations = [{ op: 'set_task', find: 'water', value: { due: '2024-03-01' } }]
    const { text } = await answerOf(changeNotes, { where: 'true', operations }, context)
    expect(text).toContain('1 note')
    expect(textOf(context, 'Garden.md')).toBe(notes['Garden.md'].replace('2024-02-01', '2024-03-01'))
  })
})
