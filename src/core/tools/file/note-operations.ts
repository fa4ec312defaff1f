import * as z from 'zod'
import { Failure } from '../../errors.js'
import { editFrontmatter, findFrontmatter, readFrontmatter, scanNote, type Tag } from '../../markdown/index.js'
import { editTasks, priorities, readDate, type TaskEdit, taskStates, tasksIn, taskTest } from '../../tasks/index.js'
import { type BoundedMatch, boundedExpression } from '../../text/index.js'
import { foldCase } from '../../vault/index.js'
import { shortText } from '../result-format.js'
import { validationFailure } from '../tool-input.js'
import { findSection } from './note-parts.js'
import { checkText, lineBreakOf, withLineBreaks } from './written-text.js'

// The operations of `change_notes`: each turns the text of one note into another, or moves the note.

const kinds = [
  'set_property',
  'remove_property',
  'rename_property',
  'add_tag',
  'remove_tag',
  'rename_tag',
  'replace_text',
  'append',
  'prepend',
  'set_task',
  'move',
] as const

/** One object for all operations: its schema is a third as long as a union of them, and models fill it in as well. */
export const noteOperation = z.object({
  op: z.enum(kinds),
  property: z.string().optional(),
  value: z.unknown().optional().describe('For set_task {state, due, …}'),
  tag: z.string().optional(),
  to: z.string().optional().describe('New tag or property, or folder for move'),
  find: z.string().optional(),
  replace: z.string().optional().describe('With regex, $1 is a group'),
  regex: z.boolean().optional(),
  ignore_case: z.boolean().optional(),
  text: z.string().optional().describe('For append and prepend'),
  heading: z.string().optional(),
})

export type NoteOperation = z.infer<typeof noteOperation>

/** The text of a note after an operation, and the number of places that differ. */
export interface EditedText {
  text: string
  places: number
}

/** An operation whose arguments are checked. `edit` fails for a note that it cannot change. */
export type CheckedOperation =
  | { title: string; edit: (text: string, path: string) => EditedText }
  | { title: string; folder: string }

/** Checks the arguments of an operation. `at` is its position in the call, `today` the day of the user. */
export function checkOperation(operation: NoteOperation, at: number, today: string): CheckedOperation {
  const needed = <Name extends keyof NoteOperation>(name: Name): NonNullable<NoteOperation[Name]> => {
    const value = operation[name]
    if (value === undefined || value === null || value === '') {
      throw validationFailure('change_notes', `operations.${at}: ${operation.op} needs ${name}`)
    }
    return value
  }
  switch (operation.op) {
    case 'set_property':
      return setProperty(needed('property'), needed('value'))
    case 'remove_property':
      return removeProperty(needed('property'))
    case 'rename_property':
      return renameProperty(needed('property'), needed('to').trim())
    case 'add_tag':
      return addTag(tagName(needed('tag')))
    case 'remove_tag':
      return removeTag(withoutHash(needed('tag')))
    case 'rename_tag':
      return renameTag(withoutHash(needed('tag')), tagName(needed('to')))
    case 'replace_text':
      return replaceText(needed('find'), operation)
    case 'append':
      return addText('Append', checkText('text', needed('text')), operation.heading)
    case 'prepend':
      return addText('Prepend', checkText('text', needed('text')), operation.heading)
    case 'set_task':
      return setTask(needed('value'), operation.find, today)
    case 'move':
      return { title: `Move to ${quoted(needed('to'))}`, folder: needed('to') }
  }
}

/** The open tasks of a note whose text contains `find`, or all of them. */
function setTask(value: unknown, find: string | undefined, today: string): CheckedOperation {
  const parsed = z.safeParse(taskValue, value)
  if (!parsed.success || Object.keys(parsed.data).length === 0) {
    throw validationFailure(
      'change_notes',
      'value: set_task takes an object with state, due, scheduled, start or priority',
    )
  }
  const { state, priority, ...dates } = parsed.data
  const edit: TaskEdit = { state, priority }
  for (const name of ['due', 'scheduled', 'start'] as const) {
    const date = dates[name]
    if (date !== undefined) edit[name] = date === null || date === 'none' ? null : readDate(name, date, today)
  }
  // A task is reopened where it is done.
  const passes = taskTest({ text: find, ...(state === 'open' && { state: 'any' }) }, today)
  const which = find === undefined ? 'open tasks' : `tasks with ${quoted(find)}`
  return {
    title: `Set ${which} to ${quoted(JSON.stringify(parsed.data))}`,
    edit: (text) => {
      const lines = new Set(tasksIn(text).flatMap((task) => (passes(task) ? [task.line] : [])))
      return { text: editTasks(text, lines, edit, today), places: lines.size }
    },
  }
}

const taskDate = z.nullish(z.string())
const taskValue = z.strictObject({
  state: z.enum(taskStates).optional(),
  priority: z.enum(priorities).optional(),
  due: taskDate,
  scheduled: taskDate,
  start: taskDate,
})

const quoted = (text: string): string => `“${shortText(text, 60)}”`

function setProperty(property: string, value: unknown): CheckedOperation {
  const shown = typeof value === 'string' ? value : JSON.stringify(value)
  return {
    title: `Set ${shortText(property, 60)} to ${quoted(shown)}`,
    edit: (text) => oneProperty(text, editFrontmatter(text, { set: own(property, withoutHashes(property, value)) })),
  }
}

function removeProperty(property: string): CheckedOperation {
  return {
    title: `Remove the property ${shortText(property, 60)}`,
    edit: (text) =>
      hasProperty(text, property) ? oneProperty(text, editFrontmatter(text, { remove: [property] })) : same(text),
  }
}

/** Obsidian treats names that differ only in case as one property. */
function renameProperty(property: string, to: string): CheckedOperation {
  const isMeant = (name: string) => foldCase(name) === foldCase(property)
  return {
    title: `Rename the property ${shortText(property, 60)} to ${shortText(to, 60)}`,
    edit: (text) => {
      const names = Object.keys(readFrontmatter(text)?.data ?? {})
      const found = names.find((name) => name === property) ?? names.find(isMeant)
      if (found === undefined || found === to) return same(text)
      const other = names.find((name) => name !== found && foldCase(name) === foldCase(to))
      if (other !== undefined) throw new Failure('conflict', `It already has a property ${shortText(other, 60)}.`)
      return oneProperty(text, editFrontmatter(text, { rename: own(found, to) }))
    },
  }
}

const oneProperty = (before: string, text: string): EditedText => ({ text, places: before === text ? 0 : 1 })

const same = (text: string): EditedText => ({ text, places: 0 })

/** An object with one property, whose name may be `__proto__`. */
function own<Value>(key: string, value: Value): Record<string, Value> {
  const object = Object.create(null) as Record<string, Value>
  object[key] = value
  return object
}

const namesTags = (property: string): boolean => /^tags?$/i.test(property)

/** Properties hold tags without `#`. */
function withoutHashes(property: string, value: unknown): unknown {
  if (!namesTags(property)) return value
  if (Array.isArray(value)) return value.map((item: unknown) => (typeof item === 'string' ? withoutHash(item) : item))
  return typeof value === 'string' ? value.replace(/(^|[\s,])#/g, '$1') : value
}

function hasProperty(text: string, property: string): boolean {
  const frontmatter = readFrontmatter(text)
  // Unreadable properties may include it: the edit says why it is refused.
  return frontmatter !== undefined && (frontmatter.data === undefined || Object.hasOwn(frontmatter.data, property))
}

const withoutHash = (tag: string): string => tag.trim().replace(/^#/, '')

/** A tag as Obsidian reads it. */
function tagName(wanted: string): string {
  const tag = withoutHash(wanted)
  if (scanNote(`#${tag}`).tags[0]?.name === tag) return tag
  throw new Failure('invalid-input', `Not a tag: ${shortText(wanted, 60)}`, {
    hint: 'A tag has letters, digits, _, - and /, at least one of them not a digit.',
  })
}

const isTag = (name: string, wanted: string): boolean => foldCase(name) === foldCase(wanted)

const isBelowTag = (name: string, wanted: string): boolean => foldCase(name).startsWith(`${foldCase(wanted)}/`)

/** The tags of a note that pass; without scanning one that cannot have them. */
function tagsOf(text: string, wanted: string, isMeant: (name: string) => boolean): Tag[] {
  if (isAscii.test(wanted) && !text.toLowerCase().includes(wanted.toLowerCase())) return []
  return scanNote(text).tags.filter(({ name }) => isMeant(name))
}

const isAscii = /^\p{ASCII}*$/u

function addTag(tag: string): CheckedOperation {
  return {
    title: `Add the tag #${tag}`,
    edit: (text) => {
      if (tagsOf(text, tag, (name) => isTag(name, tag)).length > 0) return same(text)
      return oneProperty(text, editFrontmatter(text, { add: own(tagProperty(text), [tag]) }))
    },
  }
}

/** The property in which a note has its tags. */
function tagProperty(text: string): string {
  const names = Object.keys(readFrontmatter(text)?.data ?? {})
  return names.find((name) => /^tags$/i.test(name)) ?? names.find(namesTags) ?? 'tags'
}

function removeTag(tag: string): CheckedOperation {
  return {
    title: `Remove the tag #${shortText(tag, 60)}`,
    edit: (text) => {
      const found = tagsOf(text, tag, (name) => isTag(name, tag))
      const inline = found.filter(({ from }) => from === 'inline')
      const body = withoutSpans(text, inline)
      return { text: dropTags(body, found), places: found.length }
    },
  }
}

/** Without these tags in the frontmatter, in any spelling. */
function dropTags(text: string, tags: readonly Tag[]): string {
  const names = tags.flatMap(({ from, name }) => (from === 'frontmatter' ? [name, `#${name}`] : []))
  if (names.length === 0) return text
  const properties = Object.keys(readFrontmatter(text)?.data ?? {}).filter(namesTags)
  return editFrontmatter(text, { drop: Object.fromEntries(properties.map((property) => [property, names])) })
}

/** Removes tags together with the blank before each, or the one after it at the start of a line. */
function withoutSpans(text: string, tags: readonly Tag[]): string {
  let rest = text
  for (const { start, end } of [...tags].reverse()) {
    const isAfterBlank = /[ \t]/.test(rest.charAt(start - 1))
    const isBeforeBlank = /[ \t]/.test(rest.charAt(end))
    const isAtEnd = end >= rest.length || /[\r\n]/.test(rest.charAt(end))
    const from = isAfterBlank && (isBeforeBlank || isAtEnd) ? start - 1 : start
    const to = !isAfterBlank && isBeforeBlank ? end + 1 : end
    rest = rest.slice(0, from) + rest.slice(to)
  }
  return rest
}

/** Tags below it are renamed with it: `#old/part` becomes `#new/part`. */
function renameTag(tag: string, to: string): CheckedOperation {
  const isMeant = (name: string) => isTag(name, tag) || isBelowTag(name, tag)
  const depth = tag.split('/').length
  const newName = (name: string) => [to, ...name.split('/').slice(depth)].join('/')
  return {
    title: `Rename the tag #${shortText(tag, 60)} to #${to}`,
    edit: (text) => {
      const found = tagsOf(text, tag, isMeant).filter(({ name }) => newName(name) !== name)
      if (found.length === 0) return same(text)
      const others = scanNote(text).tags.filter(({ from, name }) => from === 'frontmatter' && !isMeant(name))
      const isThere = ({ from, name }: Tag) =>
        from === 'frontmatter' && others.some((other) => isTag(other.name, newName(name)))
      let renamed = text
      for (const { name, start, end } of found.filter((each) => !isThere(each)).reverse()) {
        const written = text.slice(start, end)
        const hash = written.startsWith('#') ? '#' : ''
        if (written.slice(hash.length) !== name) throw tagOutOfReach(name)
        renamed = renamed.slice(0, start) + hash + newName(name) + renamed.slice(end)
      }
      return { text: dropTags(renamed, found.filter(isThere)), places: found.length }
    },
  }
}

const tagOutOfReach = (name: string): Failure =>
  new Failure('invalid-input', `Its property with the tag ${name} is written in a form that cannot be edited safely.`)

function replaceText(
  find: string,
  { replace = '', regex = false, ignore_case: ignoreCase = false }: NoteOperation,
): CheckedOperation {
  const replacement = checkText('replace', replace)
  const title = `Replace ${regex ? 'matches of ' : ''}${quoted(find)} ${replace === '' ? 'with nothing' : `by ${quoted(replace)}`}`
  if (regex && boundedExpression(find) === undefined) {
    throw validationFailure('change_notes', 'find: not a regular expression, too long, or one with back references')
  }
  if (regex || ignoreCase) {
    const expression = regex ? find : find.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
    return {
      title,
      edit: (text) => checked(text, replaceMatches(text, expression, replacement, { ignoreCase, regex })),
    }
  }
  return {
    title,
    edit: (text) => {
      const [wanted, written] = [find, replacement].map((part) => withLineBreaks(part, lineBreakOf(text))) as [
        string,
        string,
      ]
      const pieces = text.split(wanted)
      return pieces.length === 1 ? same(text) : checked(text, { text: pieces.join(written), places: pieces.length - 1 })
    },
  }
}

/** Work per character that a usual expression needs at most; the limit grows with the note. */
const stepsPerCharacter = 200

function replaceMatches(
  text: string,
  source: string,
  replacement: string,
  { ignoreCase, regex }: { ignoreCase: boolean; regex: boolean },
): EditedText {
  const expression = boundedExpression(source, {
    ignoreCase,
    multiline: true,
    mostSteps: 50_000 + stepsPerCharacter * text.length,
  })
  if (expression === undefined) throw new Failure('invalid-input', 'find is too long.')
  const written = withLineBreaks(replacement, lineBreakOf(text))
  const pieces: string[] = []
  let done = 0
  let places = 0
  for (let from = 0; from <= text.length; ) {
    const match = expression.exec(text, from)
    if (match === undefined) break
    pieces.push(text.slice(done, match.start), regex ? withGroups(written, text, match) : written)
    done = match.end
    places++
    from = match.end > match.start ? match.end : nextCharacter(text, match.end)
  }
  return { text: pieces.join('') + text.slice(done), places }
}

const nextCharacter = (text: string, at: number): number => at + ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1)

/** `$1` to `$99`, `$&` for the match and `$$` for a dollar sign. */
function withGroups(replacement: string, text: string, { start, end, groups }: BoundedMatch): string {
  return replacement.replace(/\$(\$|&|\d{1,2})/g, (written, name: string) => {
    if (name === '$') return '$'
    if (name === '&') return text.slice(start, end)
    const group = Number(name)
    return group === 0 || group > groups.length ? written : (groups[group - 1] ?? '')
  })
}

/** Refuses text that makes readable properties unreadable. */
function checked(before: string, edited: EditedText): EditedText {
  if (edited.text === before) return same(before)
  const was = readFrontmatter(before)
  const is = readFrontmatter(edited.text)
  if (was?.data !== undefined && is?.data === undefined) {
    throw new Failure('invalid-input', 'The replacement would make its properties unreadable.')
  }
  return edited
}

function addText(verb: 'Append' | 'Prepend', content: string, heading: string | undefined): CheckedOperation {
  const where = heading === undefined ? '' : ` under ${quoted(heading)}`
  return {
    title: `${verb} ${quoted(content)}${where}`,
    edit: (text, path) => {
      const at = verb === 'Append' ? endOf(text, path, heading) : startOf(text, path, heading)
      return { text: text.slice(0, at) + linesAt(text, at, content) + text.slice(at), places: 1 }
    },
  }
}

/** Text as whole lines for this place of a note, with the note's line breaks. */
function linesAt(text: string, at: number, content: string): string {
  const lineBreak = lineBreakOf(text)
  const isLineStart = at === 0 || text[at - 1] === '\n' || (at === 1 && text.startsWith('\ufeff'))
  const lines = withLineBreaks(content, lineBreak)
  return (isLineStart ? '' : lineBreak) + lines + (lines.endsWith('\n') ? '' : lineBreak)
}

const endOf = (text: string, path: string, heading: string | undefined): number =>
  heading === undefined ? text.length : findSection(path, text, heading).lastText

/** After the heading's line, or after the frontmatter. */
function startOf(text: string, path: string, wanted: string | undefined): number {
  if (wanted === undefined) return findFrontmatter(text)?.end ?? (text.startsWith('\ufeff') ? 1 : 0)
  const { heading } = findSection(path, text, wanted)
  const lineFeed = text.indexOf('\n', heading.end)
  return lineFeed < 0 ? text.length : lineFeed + 1
}
