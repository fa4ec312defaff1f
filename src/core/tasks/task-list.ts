import { Failure } from '../errors.js'
import { editFrontmatter, findFrontmatter, readFrontmatter, scanNote } from '../markdown/index.js'
import { dateOf, dayOfIsoDate } from './recurrence.js'
import {
  type DateField,
  editTask,
  priorities,
  readTask,
  type TaskEdit,
  type TaskLine,
  type TaskState,
} from './task-line.js'

/** A task of a note. Line 0 is the note itself: its properties `status` and `due`, as TaskNotes has them. */
export interface NoteTask extends TaskLine {
  /** 1-based; 0 for the note itself. */
  line: number
  /** The heading above it: on a Kanban board its lane. */
  heading?: string
  /** Inline tags, without `#`. */
  tags: string[]
}

/** The tasks of a note, from top to bottom. Lines in code are none. */
export function tasksIn(text: string): NoteTask[] {
  if (!mayHaveTasks.test(text)) return []
  const { tasks, headings, tags, frontmatter } = scanNote(text)
  const noteTags = tags.filter(({ from }) => from === 'frontmatter').map(({ name }) => name)
  const own = noteTask(frontmatter?.data, noteTags)
  const found = tasks.flatMap(({ start, end, line }): NoteTask[] => {
    const task = readTask(text.slice(lineStart(text, start), end))
    if (task === undefined) return []
    const above = headings.filter((heading) => heading.start < start).at(-1)
    const inline = tags.filter((tag) => tag.line === line && tag.from === 'inline').map(({ name }) => name)
    return [{ ...task, line, tags: inline, ...(above && { heading: above.text }) }]
  })
  return [...(own === undefined ? [] : [own]), ...found]
}

const mayHaveTasks = /\[.\]|^status\s*:/mu

const lineStart = (text: string, at: number): number => text.lastIndexOf('\n', at - 1) + 1

/** Words for the states of a task that is a note. The first is the one that is written. */
const statusWords: Record<TaskState, string[]> = {
  open: ['open', 'todo', 'to-do', 'none', 'backlog', 'not started'],
  'in-progress': ['in-progress', 'in progress', 'doing', 'active'],
  done: ['done', 'completed', 'complete', 'closed'],
  cancelled: ['cancelled', 'canceled'],
}

/** A note is a task if it has a status, and a date of a task or the tag `task`. */
function noteTask(data: Record<string, unknown> | undefined, tags: readonly string[]): NoteTask | undefined {
  const status = data?.status
  if (data === undefined || typeof status !== 'string') return undefined
  const dates: Partial<Record<DateField, string>> = {}
  for (const [name, property] of Object.entries(noteDates)) {
    const value = data[property]
    const date = typeof value === 'string' ? value.slice(0, 10) : ''
    if (dayOfIsoDate(date) !== undefined) dates[name as DateField] = date
  }
  const isTask = dates.due !== undefined || dates.scheduled !== undefined || tags.some((tag) => /^task$/i.test(tag))
  const word = status.trim().toLowerCase()
  const state = (Object.keys(statusWords) as TaskState[]).find((each) => statusWords[each].includes(word))
  if (!isTask || state === undefined) return undefined
  const priority = priorities.find((each) => each === data.priority) ?? 'normal'
  const title = typeof data.title === 'string' ? data.title : ''
  return { state, text: title, dates, priority, line: 0, tags: [...tags] }
}

const noteDates = { start: 'start', scheduled: 'scheduled', due: 'due', done: 'completedDate' } as const

/** A condition on the tasks of notes. All must hold. */
export interface TaskFilter {
  /** Default: open and in progress. */
  state?: TaskState | 'any' | undefined
  /** "2025-01-31", "2025-01-01..2025-01-31", "..today", "tomorrow..", "none" */
  due?: string | undefined
  scheduled?: string | undefined
  start?: string | undefined
  done?: string | undefined
  priority?: string | undefined
  tag?: string | undefined
  /** In the text of the task, in any capitals. */
  text?: string | undefined
  heading?: string | undefined
}

/** The filter as a test of one task. Fails with `invalid-input` for a range that cannot be read. */
export function taskTest(filter: TaskFilter, today: string): (task: NoteTask) => boolean {
  const { state, priority, tag, text, heading } = filter
  const ranges = (['due', 'scheduled', 'start', 'done'] as const).flatMap((name) => {
    const range = filter[name]
    return range === undefined ? [] : [[name, dateTest(name, range, today)] as const]
  })
  const fold = (words: string): string => words.normalize('NFC').toLowerCase()
  const wantedTag = tag === undefined ? undefined : fold(tag.replace(/^#/, ''))
  return (task) => {
    const isState = state === undefined ? task.state === 'open' || task.state === 'in-progress' : state === task.state
    return (
      (state === 'any' || isState) &&
      (priority === undefined || task.priority === priority) &&
      (wantedTag === undefined ||
        task.tags.some((each) => fold(each) === wantedTag || fold(each).startsWith(`${wantedTag}/`))) &&
      (text === undefined || fold(task.text).includes(fold(text))) &&
      (heading === undefined || fold(task.heading ?? '') === fold(heading)) &&
      ranges.every(([name, passes]) => passes(task.dates[name]))
    )
  }
}

function dateTest(name: string, range: string, today: string): (date: string | undefined) => boolean {
  const wanted = range.trim().toLowerCase()
  if (wanted === 'none') return (date) => date === undefined
  const [from = '', to = from] = wanted.split('..')
  const [first, last] = [from, to].map((end) => (end.trim() === '' ? '' : readDate(name, end, today))) as [
    string,
    string,
  ]
  return (date) => date !== undefined && date >= first && (last === '' || date <= last)
}

/** A date, or one of the words for days around today. Fails with `invalid-input` for anything else. */
export function readDate(name: string, text: string, today: string): string {
  const word = text.trim().toLowerCase()
  const days: Record<string, number> = { yesterday: -1, today: 0, tomorrow: 1 }
  const now = dayOfIsoDate(today)
  if (Object.hasOwn(days, word) && now !== undefined) return dateOf(now + (days[word] ?? 0))
  if (dayOfIsoDate(word) !== undefined) return word
  throw new Failure('invalid-input', `${name}: not a date: ${text.slice(0, 60)}`, {
    hint: 'Write it as 2025-01-31, or as today, tomorrow or yesterday.',
  })
}

/** The note after an edit of the tasks on these lines; every other line keeps its bytes. */
export function editTasks(text: string, lines: ReadonlySet<number>, edit: TaskEdit, today: string): string {
  let edited = text
  // From the end, so that the offsets of earlier tasks stay valid.
  for (const { start, end, line } of [...scanNote(text).tasks].reverse()) {
    if (!lines.has(line)) continue
    const from = lineStart(text, start)
    const lineBreak = text.charAt(end) === '\r' || text.charAt(end - 1) === '\r' ? '\r\n' : '\n'
    const to = text.charAt(end - 1) === '\r' ? end - 1 : end
    const written = editTask(text.slice(from, to), edit, today)
    const isDropped = written.length === 0
    const rest = isDropped ? edited.slice(to).replace(/^\r?\n/, '') : edited.slice(to)
    edited = edited.slice(0, from) + written.join(lineBreak) + rest
  }
  return lines.has(0) ? editNoteTask(edited, edit, today) : edited
}

function editNoteTask(text: string, edit: TaskEdit, today: string): string {
  const data = readFrontmatter(text)?.data
  if (findFrontmatter(text) === undefined || data === undefined) return text
  const set: Record<string, unknown> = {}
  const remove: string[] = []
  if (edit.state !== undefined && !statusWords[edit.state].includes(String(data.status).toLowerCase())) {
    set.status = statusWords[edit.state][0]
    if (edit.state === 'done') set.completedDate = today
    else remove.push('completedDate')
  }
  for (const name of ['start', 'scheduled', 'due'] as const) {
    const date = edit[name]
    if (date === null) remove.push(name)
    else if (date !== undefined) set[name] = date
  }
  if (edit.priority !== undefined) set.priority = edit.priority
  return editFrontmatter(text, { set, remove })
}
