import * as z from 'zod'
import { Failure } from '../../errors.js'
import { editTasks, priorities, readDate, taskStates, tasksIn } from '../../tasks/index.js'
import { changeSet, notePath } from '../../vault/index.js'
import { counted, shortText } from '../result-format.js'
import { today } from '../search/find-tasks.js'
import { defineTool, type Notice } from '../tool.js'
import { validationFailure } from '../tool-input.js'
import { textNotices } from './executable-blocks.js'
import { findNoteToEdit } from './find-note.js'

const dateField = z.string().optional()

export const updateTasks = defineTool({
  name: 'update_tasks',
  title: 'Update tasks',
  description:
    'Tick, reopen, cancel or reschedule tasks by the ids of list_tasks. A recurring task that is done gets its next one.',
  activity: 'Updating tasks',
  category: 'file',
  effects: ['writes'],
  needsVault: true,
  input: z.object({
    tasks: z.array(z.string()).min(1).max(500),
    state: z.enum(taskStates).optional(),
    due: dateField.describe('"none" removes it'),
    scheduled: dateField,
    start: dateField,
    priority: z.enum(priorities).optional(),
  }),
  example: { tasks: ['Projects/Rain Garden.md:29'], state: 'done' },
  output: z.object({
    updated: z.number(),
    notes: z.number(),
    next: z.array(z.string()).optional().describe('Lines of next tasks'),
  }),

  async plan({ tasks, state, due, scheduled, start, priority }, context) {
    if ([state, due, scheduled, start, priority].every((given) => given === undefined)) {
      throw validationFailure('update_tasks', 'state: name at least one change')
    }
    const now = today(context)
    const day = (name: string, given: string | undefined) =>
      given === undefined ? undefined : given.trim().toLowerCase() === 'none' ? null : readDate(name, given, now)
    const edit = {
      state,
      priority,
      due: day('due', due),
      scheduled: day('scheduled', scheduled),
      start: day('start', start),
    }
    const changes = []
    const notices: Notice[] = []
    const next: string[] = []
    for (const [name, lines] of linesByNote(tasks)) {
      const { path, text, hash } = await findNoteToEdit(name, context)
      const there = new Set(tasksIn(text).map(({ line }) => line))
      const missing = [...lines].find((line) => !there.has(line))
      if (missing !== undefined) {
        throw new Failure('not-found', `${path} has no task on line ${missing}. Nothing was changed.`, {
          hint: 'List the tasks again: lines may have moved.',
        })
      }
      const edited = editTasks(text, lines, edit, now)
      if (edited === text) continue
      if (edited.split('\n').length > text.split('\n').length) next.push(path)
      notices.push(...textNotices(path, text, edited))
      changes.push({ kind: 'edit' as const, path, before: hash, after: new TextEncoder().encode(edited) })
    }
    const { session } = context
    const output = { updated: changes.length === 0 ? 0 : tasks.length, notes: changes.length }
    if (changes.length === 0) return { changes: changeSet('Change no tasks', [], { session }), output, effects: [] }
    const title = `${verbOf(state)} ${counted(tasks.length, 'task')} in ${counted(changes.length, 'note')}`
    return {
      changes: changeSet(title, changes, { session }),
      output: { ...output, ...(next.length > 0 && { next }) },
      inPart: (part) => ({ updated: tasks.length, notes: part.changes.length }),
      notices,
    }
  },

  render: ({ updated, notes, next = [] }) =>
    updated === 0
      ? 'Nothing to change: the tasks are already so.'
      : [
          `Updated ${counted(updated, 'task')} in ${counted(notes, 'note')}.`,
          ...(next.length > 0
            ? [
                `Next tasks were added in: ${next
                  .slice(0, 10)
                  .map((path) => shortText(path))
                  .join(', ')}`,
              ]
            : []),
        ].join(' '),
  summary: ({ updated }) => `${counted(updated, 'task')} updated`,
})

function verbOf(state: (typeof taskStates)[number] | undefined): string {
  if (state === undefined) return 'Update'
  return { open: 'Reopen', 'in-progress': 'Start', done: 'Complete', cancelled: 'Cancel' }[state]
}

/** The lines of each note that ids name. */
function linesByNote(ids: readonly string[]): Map<string, Set<number>> {
  const lines = new Map<string, Set<number>>()
  for (const id of ids) {
    const [, path, line] = /^(.+):(\d+)$/s.exec(id.trim()) ?? []
    if (path === undefined || line === undefined) {
      throw new Failure('invalid-input', `Not the id of a task: ${shortText(id, 80)}`, {
        hint: 'An id is the path of a note, a colon and a line.',
        modelHint: 'list_tasks returns the ids.',
        tools: ['list_tasks'],
      })
    }
    lines.set(notePath(path), (lines.get(notePath(path)) ?? new Set()).add(Number(line)))
  }
  return lines
}
