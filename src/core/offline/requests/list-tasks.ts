import type { AnswerGuidance } from '../guidance.js'
import { englishTime } from '../languages/languages.js'
import { namedNote } from '../phrases.js'
import type { CallResult } from '../prompt.js'
import { callTask, lastResult, noteTask, type OfflineTask, type RequestKind, requestKind } from '../task.js'
import { citationLink } from '../tool-results.js'
import { datesIn } from './notes-of-time.js'

// Open tasks: of the vault, of one note, or due at a time.

const mostListed = 50

/** "open tasks", "tasks in Garden". */
export const openTasks = requestKind('tasks', ({ note }, { currentNote }) => {
  const name = namedNote(note, currentNote)
  return name === undefined ? tasksOfVault : tasksOfNote(name)
})

const tasksOfVault: OfflineTask = callTask({
  call: { name: 'list_tasks', input: { limit: mostListed } },
  answer: ({ text }, guidance) => taskList(text, guidance, (n) => guidance.say('tasks', { n })),
})

/** The tasks of one note are among those of its folder; the note is looked up first, since a name is no folder. */
function tasksOfNote(name: string): OfflineTask {
  const found = noteTask({
    name,
    call: { name: 'get_note_metadata', input: { path: name } },
    answer: ({ text }) => text,
  })
  const pathOf = (results: readonly CallResult[]) => {
    const result = lastResult(results, 'get_note_metadata')
    return result?.isError === false ? /"path"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(result.text)?.[1] : undefined
  }
  return {
    tools: ['list_tasks', 'get_note_metadata'],
    next(results) {
      const path = pathOf(results)
      if (path === undefined) return found.next(results)
      if (lastResult(results, 'list_tasks')) return []
      const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')))
      return [{ name: 'list_tasks', input: { ...(folder && { folder }), limit: 500 } }]
    },
    answer(results, guidance) {
      const path = pathOf(results)
      const listed = lastResult(results, 'list_tasks')
      if (path === undefined || listed === undefined) return found.answer(results, guidance)
      const own = parseTasks(listed.text).tasks.filter((task) => task.path === path)
      return tasksText(own, own.length, guidance, (n) => guidance.say('tasksIn', { n, note: name }))
    },
  }
}

/** "tasks due this week", "what is overdue". */
export const tasksDue: RequestKind = requestKind('tasksDue', ({ time, time2 }, { language }) => {
  const words = (time ?? time2 ?? '').trim()
  const expression = language.code === 'en' ? words.toLowerCase() : englishTime(words, language)
  if (expression === undefined || expression === '') return undefined
  if (expression === 'overdue') return dueTask('..yesterday', words)
  if (/^(?:today|tomorrow|yesterday|\d{4}-\d\d-\d\d)$/.test(expression)) return dueTask(expression, words)
  return dueInRange(expression, words)
})

const dueTask = (due: string, when: string): OfflineTask =>
  callTask({
    call: { name: 'list_tasks', input: { due, limit: mostListed } },
    answer: ({ text }, guidance) => taskList(text, guidance, (n) => guidance.say('tasksDue', { n, when })),
  })

/** A week or a month: its days are worked out first. Days that have passed count too, since their tasks are open. */
function dueInRange(expression: string, when: string): OfflineTask {
  return {
    tools: ['get_time_range', 'list_tasks'],
    next(results) {
      if (lastResult(results, 'list_tasks')) return []
      const range = lastResult(results, 'get_time_range')
      if (range === undefined) return [{ name: 'get_time_range', input: { expression } }]
      const dates = range.isError ? undefined : datesIn(range.text)
      if (dates === undefined) return []
      return [{ name: 'list_tasks', input: { due: `${dates.first}..${dates.last}`, limit: mostListed } }]
    },
    answer(results, guidance) {
      const listed = lastResult(results, 'list_tasks')
      if (listed === undefined) return lastResult(results, 'get_time_range')?.text ?? guidance.closing
      if (listed.isError) return listed.text
      return taskList(listed.text, guidance, (n) => guidance.say('tasksDue', { n, when }))
    },
  }
}

export interface ListedTask {
  /** `Note.md:12` */
  id: string
  path: string
  text: string
  due?: string
}

/** The tasks in the text of `list_tasks`: one line each, after a line with the total. */
export function parseTasks(text: string): { total: number; tasks: ListedTask[] } {
  const total = Number(/^([\d,]+) tasks?\b/m.exec(text)?.[1]?.replaceAll(',', '') ?? 0)
  const tasks = text.split('\n').flatMap((line): ListedTask[] => {
    const [, id, path, rest] = /^((.+?\.md):\d+) \| (.*)$/.exec(line) ?? []
    if (id === undefined || path === undefined || rest === undefined) return []
    const due = /(?:^|[|,] )due (\d{4}-\d\d-\d\d)/.exec(rest)?.[1]
    return [{ id, path, text: rest.replace(/ \| [^|]*$/, ''), ...(due && { due }) }]
  })
  return { total, tasks }
}

function taskList(text: string, guidance: AnswerGuidance, heading: (n: number) => string): string {
  const { total, tasks } = parseTasks(text)
  return tasksText(tasks, total, guidance, heading)
}

/** The tasks, those of a note together, in the order of the list. */
function tasksText(
  tasks: readonly ListedTask[],
  total: number,
  { say }: AnswerGuidance,
  heading: (n: number) => string,
): string {
  const notes = new Map<string, ListedTask[]>()
  for (const task of tasks) notes.set(task.path, [...(notes.get(task.path) ?? []), task])
  const groups = [...notes].map(([path, own]) =>
    [`${citationLink(path)}:`, ...own.map((task) => taskLine(task, say))].join('\n'),
  )
  const left = total - tasks.length
  return [heading(total), ...groups, ...(left > 0 ? [say('moreTasks', { n: left })] : [])].join('\n\n')
}

/** Brackets would be read as links to notes. */
export const taskLine = ({ text, due }: ListedTask, say: AnswerGuidance['say']): string =>
  `- ${text.replace(/[[\]]/g, '')}${due === undefined ? '' : ` (${say('due', { date: due })})`}`
