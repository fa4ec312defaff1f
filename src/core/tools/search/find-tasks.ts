import * as z from 'zod'
import { Failure } from '../../errors.js'
import { yieldToHost } from '../../index/index.js'
import { type NoteTask, priorities, taskStates, tasksIn, taskTest } from '../../tasks/index.js'
import { dayAt, isoDate, timeZone } from '../../time/index.js'
import { isNote, type NotePath } from '../../vault/index.js'
import { shortText } from '../result-format.js'
import type { ToolContext } from '../tool-context.js'
import { existingFolder } from './query-page.js'

/** The arguments that choose tasks. */
export const filterFields = {
  state: z.enum([...taskStates, 'any']).optional(),
  due: z.string().optional().describe('"2025-01-31", "..today", "none"'),
  scheduled: z.string().optional(),
  start: z.string().optional(),
  done: z.string().optional(),
  priority: z.string().optional(),
  tag: z.string().optional(),
  text: z.string().optional(),
  heading: z.string().optional(),
  lane: z.string().optional().describe('Of a Kanban board'),
  folder: z.string().optional(),
}

type Filter = z.infer<z.ZodObject<typeof filterFields>>

/** A task with the id that changes it. */
export interface FoundTask extends NoteTask {
  path: NotePath
  /** `Note.md:12` */
  id: string
}

const readsAtOnce = 32

/** The current day of the user. */
export const today = ({ clock }: Pick<ToolContext, 'clock'>): string =>
  isoDate(dayAt(clock.now().getTime(), timeZone(clock.timeZone)))

/** The tasks that pass, the earliest due first. */
export async function findTasks({ folder: wanted, ...filter }: Filter, context: ToolContext): Promise<FoundTask[]> {
  const { index, vault, signal, report } = context
  const passes = taskTest(filter, today(context))
  const folder = await existingFolder(wanted, index)
  const isInside = (path: string): boolean => isNote(path) && (folder === '' || path.startsWith(`${folder}/`))
  const paths = (await index.notes()).map(({ path }) => path).filter(isInside)
  const found: FoundTask[] = []
  const pause = yieldToHost()
  for (let at = 0; at < paths.length; at += readsAtOnce) {
    signal.throwIfAborted()
    await pause()
    if (at > 0) report({ text: 'Reading tasks', done: at, total: paths.length })
    const files = await Promise.all(paths.slice(at, at + readsAtOnce).map((path) => readable(path, vault)))
    for (const file of files) {
      if (file === undefined) continue
      for (const task of tasksIn(file.text).filter(passes)) {
        const { path } = file
        found.push({ ...task, path, text: shortText(task.text, 300) || path, id: `${path}:${task.line}` })
      }
    }
  }
  return found.sort(byDue)
}

async function readable(path: NotePath, vault: ToolContext['vault']) {
  try {
    return await vault.read(path)
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}

function byDue(one: FoundTask, other: FoundTask): number {
  const [a, b] = [one.dates.due ?? '9999', other.dates.due ?? '9999']
  if (a !== b) return a < b ? -1 : 1
  const [p, q] = [priorities.indexOf(one.priority), priorities.indexOf(other.priority)]
  if (p !== q) return q - p
  return one.path === other.path ? one.line - other.line : one.path < other.path ? -1 : 1
}
