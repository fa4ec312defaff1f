import { dateOf, dayOfIsoDate, nextDay, parseRecurrence } from './recurrence.js'

// A task is one line of a list. Its fields are written as the Tasks plugin writes them, with emoji, or as inline fields
// of Dataview. An edit replaces the characters of one field and keeps every other.

export const taskStates = ['open', 'in-progress', 'done', 'cancelled'] as const
export type TaskState = (typeof taskStates)[number]

export const priorities = ['lowest', 'low', 'normal', 'medium', 'high', 'highest'] as const
export type Priority = (typeof priorities)[number]

export const dateFields = ['created', 'start', 'scheduled', 'due', 'done', 'cancelled'] as const
export type DateField = (typeof dateFields)[number]

type FieldName = DateField | 'priority' | 'recurrence' | 'id' | 'dependsOn' | 'onCompletion'

/** A task that was read from its line. */
export interface TaskLine {
  state: TaskState
  /** Without checkbox, fields and block id. */
  text: string
  dates: Partial<Record<DateField, string>>
  priority: Priority
  /** "every week when done" */
  recurrence?: string
}

/** The changes of a task. null removes a date. */
export interface TaskEdit {
  state?: TaskState | undefined
  due?: string | null | undefined
  scheduled?: string | null | undefined
  start?: string | null | undefined
  priority?: Priority | undefined
}

interface Field {
  name: FieldName
  value: string
  /** The whole field, without the blanks before it. */
  start: number
  end: number
  valueStart: number
  isDataview: boolean
}

const emoji: Record<FieldName, string[]> = {
  created: ['➕'],
  start: ['🛫'],
  scheduled: ['⏳', '⌛'],
  due: ['📅', '📆', '🗓'],
  done: ['✅'],
  cancelled: ['❌'],
  priority: [],
  recurrence: ['🔁'],
  id: ['🆔'],
  dependsOn: ['⛔'],
  onCompletion: ['🏁'],
}
const priorityEmoji: Record<string, Priority> = {
  '⏬': 'lowest',
  '🔽': 'low',
  '🔼': 'medium',
  '⏫': 'high',
  '🔺': 'highest',
}
const dataviewNames: Record<string, FieldName> = {
  created: 'created',
  start: 'start',
  scheduled: 'scheduled',
  due: 'due',
  completion: 'done',
  cancelled: 'cancelled',
  priority: 'priority',
  repeat: 'recurrence',
  id: 'id',
  dependsOn: 'dependsOn',
  onCompletion: 'onCompletion',
}
const nameOfEmoji = (sign: string): FieldName | undefined =>
  (Object.keys(emoji) as FieldName[]).find((name) => emoji[name].includes(sign))

const emojiField =
  /(➕|🛫|⏳|⌛|📅|📆|🗓|✅|❌)\uFE0F? *(\d{4}-\d{2}-\d{2})|(🔁)\uFE0F? *([a-zA-Z0-9, !]+)|([⏬🔽🔼⏫🔺])\uFE0F?|(🆔|🏁) *([\w-]+)|(⛔)\uFE0F? *([\w-]+(?: *, *[\w-]+)*)/gu
const dataviewField = /[[(](\w+):: *([^\])]*?) *[\])]/g

const checkbox = /^(\s*(?:>\s*)*(?:[-*+]|\d+[.)])\s+\[)(.)(\])/u

function fieldsOf(line: string): Field[] {
  const fields: Field[] = []
  for (const match of line.matchAll(emojiField)) {
    const sign = match[1] ?? match[3] ?? match[6] ?? match[8]
    const value = (match[2] ?? match[4] ?? match[7] ?? match[9] ?? match[5] ?? '').trimEnd()
    const name = sign === undefined ? 'priority' : nameOfEmoji(sign)
    if (name === undefined) continue
    const end = match.index + match[0].trimEnd().length
    fields.push({ name, value, start: match.index, end, valueStart: end - value.length, isDataview: false })
  }
  for (const match of line.matchAll(dataviewField)) {
    const [whole, written = '', value = ''] = match
    const name = Object.hasOwn(dataviewNames, written) ? dataviewNames[written] : undefined
    if (name === undefined) continue
    const valueStart =
      match.index + whole.indexOf('::') + 2 + (/^ */.exec(whole.slice(whole.indexOf('::') + 2))?.[0].length ?? 0)
    fields.push({ name, value, start: match.index, end: match.index + whole.length, valueStart, isDataview: true })
  }
  return fields.sort((one, other) => one.start - other.start)
}

/** Reads a line with a checkbox; undefined for any other. */
export function readTask(line: string): TaskLine | undefined {
  const box = checkbox.exec(line)
  if (box === null) return undefined
  const fields = fieldsOf(line)
  const dates: Partial<Record<DateField, string>> = {}
  let priority: Priority = 'normal'
  let recurrence: string | undefined
  for (const { name, value } of [...fields].reverse()) {
    // The first of two fields of one name is read, and changed.
    if (isDate(name)) dates[name] = value
    else if (name === 'priority')
      priority = priorityEmoji[value] ?? priorities.find((each) => each === value) ?? priority
    else if (name === 'recurrence') recurrence = value
  }
  let text = line
  for (const { start, end } of [...fields].reverse()) text = text.slice(0, start) + text.slice(end)
  text = text.slice(box[0].length).replace(blockId, '').replace(/\s+/g, ' ').trim()
  return { state: stateOf(box[2] ?? ' '), text, dates, priority, ...(recurrence !== undefined && { recurrence }) }
}

const isDate = (name: FieldName): name is DateField => (dateFields as readonly string[]).includes(name)

const blockId = /\s+\^[\w-]+\s*$/

/** Signs of other plugins are open tasks, as in the Tasks plugin. */
function stateOf(sign: string): TaskState {
  if (sign === 'x' || sign === 'X') return 'done'
  return sign === '-' ? 'cancelled' : sign === '/' ? 'in-progress' : 'open'
}

const signs: Record<TaskState, string> = { open: ' ', 'in-progress': '/', done: 'x', cancelled: '-' }

/**
 * The lines in place of a task's line. A recurring task that is done is preceded by its next one; with `onCompletion`
 * `delete` it is replaced by it. A done date is written only where the line has fields: plain lists stay plain.
 */
export function editTask(line: string, edit: TaskEdit, today: string): string[] {
  const before = readTask(line)
  if (before === undefined) return [line]
  let edited = line
  if (edit.priority !== undefined) edited = withPriority(edited, edit.priority)
  for (const name of ['start', 'scheduled', 'due'] as const) {
    const date = edit[name]
    if (date !== undefined) edited = withDate(edited, name, date)
  }
  if (edit.state === undefined || edit.state === before.state) return [edited]
  const hasFields = fieldsOf(edited).length > 0
  const next = edit.state === 'done' ? nextTask(edited, today) : undefined
  const isDropped =
    edit.state === 'done' && fieldsOf(edited).some((each) => each.name === 'onCompletion' && each.value === 'delete')
  edited = withSign(edited, signs[edit.state])
  edited = withDate(edited, 'done', edit.state === 'done' && hasFields ? today : null)
  edited = withDate(edited, 'cancelled', edit.state === 'cancelled' && hasFields ? today : null)
  return [...(next === undefined ? [] : [next]), ...(isDropped ? [] : [edited])]
}

function withSign(line: string, sign: string): string {
  return line.replace(checkbox, (_, before: string, __, after: string) => before + sign + after)
}

function withDate(line: string, name: DateField, date: string | null): string {
  const field = fieldsOf(line).find((each) => each.name === name)
  if (date === null) return field === undefined ? line : withoutField(line, field)
  if (field !== undefined)
    return line.slice(0, field.valueStart) + date + line.slice(field.valueStart + field.value.length)
  const written = Object.entries(dataviewNames).find(([, each]) => each === name)?.[0] ?? name
  return withNewField(line, `${emoji[name][0]} ${date}`, `[${written}:: ${date}]`)
}

function withPriority(line: string, priority: Priority): string {
  const field = fieldsOf(line).find((each) => each.name === 'priority')
  if (priority === 'normal') return field === undefined ? line : withPriority(withoutField(line, field), priority)
  const sign = Object.keys(priorityEmoji).find((each) => priorityEmoji[each] === priority) ?? ''
  if (field === undefined) return withNewField(line, sign, `[priority:: ${priority}]`)
  const value = field.isDataview ? priority : sign
  return line.slice(0, field.valueStart) + value + line.slice(field.valueStart + field.value.length)
}

/** Without a field and the blanks before it. */
function withoutField(line: string, { start, end }: Field): string {
  let from = start
  while (line[from - 1] === ' ' || line[from - 1] === '\t') from--
  const isAtEnd = /^\s*$/.test(line.slice(end))
  return line.slice(0, from) + (isAtEnd || /^\s/.test(line.slice(end)) ? '' : ' ') + line.slice(end)
}

/** At the end of the line, before its block id, in the form of the fields it has. */
function withNewField(line: string, withEmoji: string, inline: string): string {
  const isDataview = fieldsOf(line).some((field) => field.isDataview)
  const text = line.replace(blockId, '').trimEnd()
  return `${text}${isDataview ? `  ${inline}` : ` ${withEmoji}`}${line.slice(text.length)}`
}

/** The next task of a recurring one that is done today; undefined if it does not recur. */
function nextTask(line: string, today: string): string | undefined {
  const task = readTask(line)
  if (task?.recurrence === undefined) return undefined
  const { recurrence, dates } = task
  const rule = parseRecurrence(recurrence)
  if (rule === undefined) return undefined
  const written = dates.due ?? dates.scheduled ?? dates.start
  const now = dayOfIsoDate(today)
  const reference = written === undefined ? now : dayOfIsoDate(written)
  if (reference === undefined || now === undefined) return undefined
  const next = nextDay(rule, rule.whenDone ? now : reference)
  if (next === undefined) return undefined
  let fresh = withSign(line, ' ')
  for (const name of ['start', 'scheduled', 'due'] as const) {
    const day = dates[name] === undefined ? undefined : dayOfIsoDate(dates[name])
    if (day !== undefined) fresh = withDate(fresh, name, dateOf(next + day - reference))
  }
  if (dates.created !== undefined) fresh = withDate(fresh, 'created', today)
  for (const name of ['done', 'cancelled'] as const) fresh = withDate(fresh, name, null)
  for (const name of ['id', 'dependsOn'] as const) {
    const field = fieldsOf(fresh).find((each) => each.name === name)
    if (field !== undefined) fresh = withoutField(fresh, field)
  }
  // Two blocks of one id cannot be told apart.
  return fresh.replace(blockId, (id) => /\s*$/.exec(id)?.[0] ?? '')
}
