import * as z from 'zod'
import { Failure } from '../../errors.js'
import {
  editEachTask,
  laneNamed,
  lanesIn,
  moveCards,
  priorities,
  readDate,
  type TaskEdit,
  taskStates,
  tasksIn,
} from '../../tasks/index.js'
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
    'Tick, reopen, cancel, reschedule tasks or move cards of a Kanban board, by the ids of list_tasks. A recurring task that is done gets its next one.',
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
    lane: z.string().optional().describe('Lane of the Kanban board to move cards to'),
  }),
  example: { tasks: ['Projects/Rain Garden.md:29'], state: 'done' },
  output: z.object({
    updated: z.number(),
    notes: z.number(),
    next: z.array(z.string()).optional().describe('Lines of next tasks'),
  }),

  async plan({ tasks, state, due, scheduled, start, priority, lane }, context) {
    if ([state, due, scheduled, start, priority, lane].every((given) => given === undefined)) {
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
      const found = new Map(tasksIn(text).map((task) => [task.line, task]))
      const missing = [...lines].find((line) => !found.has(line))
      if (missing !== undefined) {
        throw new Failure('not-found', `${path} has no task on line ${missing}. Nothing was changed.`, {
          hint: 'List the tasks again: lines may have moved.',
        })
      }
      const done = editEachTask(
        text,
        lines,
        (line) => withLaneState(edit, text, found.get(line)?.lane, lane, path),
        now,
      )
      const edited = lane === undefined ? done.text : moveCards(done.text, done.lines, lane, path)
      if (edited === text) continue
      if (edited.split('\n').length > text.split('\n').length) next.push(path)
      notices.push(...textNotices(path, text, edited))
      changes.push({ kind: 'edit' as const, path, before: hash, after: new TextEncoder().encode(edited) })
    }
    const { session } = context
    const output = { updated: changes.length === 0 ? 0 : tasks.length, notes: changes.length }
    if (changes.length === 0) return { changes: changeSet('Change no tasks', [], { session }), output, effects: [] }
    const title = `${state === undefined && lane !== undefined ? 'Move' : verbOf(state)} ${counted(tasks.length, 'task')} in ${counted(changes.length, 'note')}`
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

/** A card is ticked in a lane for finished cards, and reopened when it leaves one, as the Kanban plugin does it. */
function withLaneState(
  edit: TaskEdit,
  text: string,
  from: string | undefined,
  to: string | undefined,
  path: string,
): TaskEdit {
  if (to === undefined || edit.state !== undefined) return edit
  const lanes = lanesIn(text)
  const [target, source] = [laneNamed(lanes, to, path), lanes.find(({ name }) => name === from)]
  if (target.isComplete) return { ...edit, state: 'done' }
  return source?.isComplete ? { ...edit, state: 'open' } : edit
}

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
