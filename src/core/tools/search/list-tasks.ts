import * as z from 'zod'
import { notePath } from '../../vault/index.js'
import { boundedLimit, counted, remarks, remarksField } from '../result-format.js'
import { defineTool } from '../tool.js'
import { type FoundTask, filterFields, findTasks } from './find-tasks.js'

const limits = { usual: 50, most: 500 }

export const listTasks = defineTool({
  name: 'list_tasks',
  title: 'List tasks',
  description:
    'List tasks of all notes, earliest due first: checkboxes, also with fields of Tasks or Dataview, and notes with status and due. Default: unfinished ones.',
  activity: 'Listing tasks',
  category: 'search',
  effects: ['reads'],
  needsVault: true,
  varies: true,
  timeoutMs: 120_000,
  guidance:
    'Dates take a day, "today", "a..b", "..today" for overdue and "none". To change a task, pass its id to update_tasks.',
  input: z.object({
    ...filterFields,
    limit: z.number().min(1).optional(),
    cursor: z.string().optional(),
  }),
  example: { due: '..today' },
  output: z.object({
    total: z.number(),
    tasks: z.array(
      z.object({
        id: z.string(),
        text: z.string(),
        state: z.string(),
        priority: z.string().optional(),
        dates: z.record(z.string(), z.string()).optional(),
        recurrence: z.string().optional(),
        heading: z.string().optional(),
        lane: z.string().optional(),
      }),
    ),
    cursor: z.string().optional(),
    remarks: remarksField,
  }),

  async run({ limit: asked, cursor, ...filter }, context) {
    const { limit, remark } = boundedLimit('limit', asked, limits)
    const found = await findTasks(filter, context)
    const start = cursor === undefined ? 0 : Math.max(0, Number.parseInt(cursor, 10) || 0)
    const tasks = found.slice(start, start + limit)
    const next = start + tasks.length
    return {
      total: found.length,
      tasks: tasks.map(shownTask),
      ...(next < found.length && { cursor: String(next) }),
      ...remarks(remark),
    }
  },

  render: ({ total, tasks, cursor, remarks: said = [] }) =>
    [
      tasks.length === total ? `${counted(total, 'task')}.` : `${counted(total, 'task')}, ${tasks.length} shown.`,
      ...tasks.map(taskText),
      ...(cursor === undefined ? [] : [`More with cursor "${cursor}".`]),
      ...said,
    ].join('\n'),
  notesIn: ({ tasks }) => [...new Set(tasks.map(({ id }) => notePath(id.slice(0, id.lastIndexOf(':')))))],
  summary: ({ total }) => counted(total, 'task'),
})

function shownTask({ id, text, state, priority, dates, recurrence, heading, lane }: FoundTask) {
  return {
    id,
    text,
    state,
    ...(priority !== 'normal' && { priority }),
    ...(Object.keys(dates).length > 0 && { dates: { ...dates } }),
    ...(recurrence !== undefined && { recurrence }),
    ...(heading !== undefined && { heading }),
    ...(lane !== undefined && { lane }),
  }
}

interface ShownTask {
  id: string
  text: string
  state: string
  priority?: string | undefined
  dates?: Record<string, string> | undefined
  recurrence?: string | undefined
  lane?: string | undefined
}

function taskText({ id, text, state, priority, dates = {}, recurrence, lane }: ShownTask): string {
  const facts = [
    ...(state === 'open' ? [] : [state]),
    ...(priority === undefined ? [] : [`${priority} priority`]),
    ...Object.entries(dates).map(([name, date]) => `${name} ${date}`),
    ...(recurrence === undefined ? [] : [recurrence]),
    ...(lane === undefined ? [] : [`lane ${lane}`]),
  ]
  return `${id} | ${text}${facts.length === 0 ? '' : ` | ${facts.join(', ')}`}`
}
