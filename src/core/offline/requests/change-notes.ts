import type { OfflineGuidance } from '../guidance.js'
import {
  isMarked,
  namedNote,
  notePathFor,
  type PhraseGroups,
  phrases,
  quotedForUser,
  tagsIn,
  unquoted,
} from '../phrases.js'
import type { CallResult } from '../prompt.js'
import {
  askOneAtATime,
  askWhichNote,
  type Call,
  callTask,
  doneText,
  failureText,
  hasSecondRequest,
  lastResult,
  needsAgentModeText,
  notDoneText,
  noteTask,
  type OfflineTask,
  type RequestKind,
  replyWith,
  requestKind,
  searchSimilarNames,
} from '../task.js'
import { dataIn } from '../tool-results.js'

// Requests that change notes: create, add text, rename, delete, tag, set a property, remember.

const makeNote = '(create|make|write|add|start)( me)? (a |an |the )?(new )?(note|page|file)'
const called = '(called|named|titled)'
const holding = '( (with|containing|saying|that says)( the)?( (text|content|words))?:?|:)'
const marked = `(?=["“„«‘'\`[])`

const isComposing = phrases(
  '(create|make|write|draft|compose)( me)? (a |an )?(new |short |long )?(note|page|summary|essay|article|draft) (about|on|of) {topic}',
)

const createNamedNote = requestKind(
  [
    `${makeNote} ${called} {note} in (the )?folder {folder}${holding} {content}`,
    `${makeNote} ${called} {note} in (the )?folder {folder}`,
    `${makeNote} ${called} {note} in {place}${holding} {content}`,
    `${makeNote} ${called} {note}${holding} {content}`,
    `${makeNote} ${marked}{note}${holding} {content}`,
    `${makeNote} ${called} {note} in {place}`,
    `${makeNote} ${called} {note}`,
    `${makeNote} ${marked}{note}`,
    `new note( ${called})?:? {note}${holding} {content}`,
    `new note( ${called})?:? {note}`,
  ],
  ({ note, folder, place, content }) => {
    const name = namedNote(note)
    if (name === undefined) return askWhichNote('create a note called "Name" with the text …')
    if (place !== undefined) return createInFolder(name, place, content)
    const parent = namedNote(folder)?.replace(/\/+$/, '')
    const title = name.slice(name.lastIndexOf('/') + 1).replace(/\.md$/i, '')
    return createAt((parent === undefined ? '' : `${parent}/`) + notePathFor(name), contentFor(title, content))
  },
)

/** "create a note called X with …". Never overwrites a note. */
export const createNote: RequestKind = (request) =>
  createNamedNote(request) ?? (isComposing(request.text) && replyWith(cannotComposeText))

const contentFor = (title: string, content: string | undefined): string =>
  content === undefined ? `# ${title}\n` : `${unquoted(content)}\n`

/** "Shopping in Inbox" is a note in the folder Inbox; "Lost in Translation" is a name, unless there is such a folder. */
function createInFolder(name: string, place: string, content: string | undefined): OfflineTask {
  const folder = namedNote(place)?.replace(/\/+$/, '') ?? place
  const wholeName = `${name} in ${folder}`
  const inFolder = createAt(`${folder}/${notePathFor(name)}`, contentFor(name, content))
  if (/^inbox$/i.test(folder)) return inFolder
  const byWholeName = createAt(notePathFor(wholeName), contentFor(wholeName, content))
  const intended = (results: readonly CallResult[]) =>
    lastResult(results, 'get_file_tree')?.isError ? byWholeName : inFolder
  return {
    tools: ['get_file_tree', ...inFolder.tools],
    writes: true,
    next: (results) =>
      lastResult(results, 'get_file_tree') === undefined
        ? [{ name: 'get_file_tree', input: { folder, depth: 0 } }]
        : intended(results).next(results),
    answer: (results, guidance) =>
      lastResult(results, 'get_note_metadata') === undefined
        ? needsAgentModeText(guidance)
        : intended(results).answer(results, guidance),
  }
}

function createAt(path: string, content: string): OfflineTask {
  return {
    tools: ['get_note_metadata', 'write_note'],
    writes: true,
    next(results) {
      if (lastResult(results, 'write_note')) return []
      const found = lastResult(results, 'get_note_metadata')
      if (found === undefined) return [{ name: 'get_note_metadata', input: { path } }]
      return isFree(found, path) ? [{ name: 'write_note', input: { path, content } }] : []
    },
    answer(results, guidance) {
      const written = lastResult(results, 'write_note')
      if (written !== undefined) return written.isError ? notDoneText(written) : doneText(written, guidance)
      const found = lastResult(results, 'get_note_metadata')
      if (found === undefined || isFree(found, path)) return needsAgentModeText(guidance)
      if (found.isError) return notDoneText(found)
      return `Not done: ${path} already exists. Add to it with \`append … to "${path}"\`, or choose another name.`
    },
  }
}

/** True if `get_note_metadata` found no note, or a note at another path. */
function isFree(found: CallResult, path: string): boolean {
  if (found.isError) return found.code === 'not-found'
  return pathIn(found)?.normalize().toLowerCase() !== path.normalize().toLowerCase()
}

function pathIn({ text }: CallResult): string | undefined {
  const { path } = dataIn<{ path?: unknown }>(text).data ?? {}
  return typeof path === 'string' ? path : undefined
}

const cannotComposeText = ({ model }: OfflineGuidance): string =>
  `Writing new text needs a language model, and none is configured. ${model} I can save your own words: \`create a note called "Name" with …\`.`

const add = '(append|add|write|put|insert|log|note|jot)( down)?'
const day = String.raw`today|yesterday|tomorrow|\d{4}-\d\d-\d\d`
const daily = `(my |the )?((?<date>${day})'s (daily )?(note|page|entry|journal)|(daily )?(note|page) (of|for) (?<date2>${day})|daily (note|page)|journal)`
const aTask = '(a |an |the )?(new )?(task|todo|to-do)( (to|called|saying)|:)? '

/** "add … to today's note". */
export const addToDailyNote = requestKind(
  [
    `${add} ${aTask}(to|in|into|on) ${daily}:? {task}`,
    `${add} ${aTask}{task} (to|in|into|on) ${daily}`,
    `${add} to ${daily}:? {content}`,
    `${add} {content} (to|in|into|on) ${daily}`,
    `(create|make|start|open)( me)? (a |an )?(new )?${daily}( with|:) {content}`,
    `(create|make|start)( me)? (a |an )?(new )?${daily}`,
  ],
  (match) => {
    const date = match.date ?? match.date2
    const input = {
      ...(date !== undefined && !/^today$/i.test(date) && { date: date.toLowerCase() }),
      ...addedContent(match),
    }
    return callTask({
      call: { name: 'create_daily_note', input },
      writes: true,
      failed: notDoneText,
      answer: doneText,
    })
  },
)

/** "append … to A", "add … to A under Heading". */
export const addToNote = requestKind(
  [
    `(append|add) ${aTask}{task} to (the end of )?{note} under (the )?(heading |section )?{heading}`,
    `(append|add) ${aTask}{task} to (the end of )?{note}`,
    '(append|add) to (the end of )?{note} under (the )?(heading |section )?{heading}: {content}',
    '(append|add) to (the end of )?{note}: {content}',
    '(append|add) {content} to (the end of )?{note} under (the )?(heading |section )?{heading}',
    '(append|add) {content} to (the end of )?{note}',
  ],
  (match, { currentNote }) => {
    const name = namedNote(match.note, currentNote)
    if (name === undefined) return askWhichNote('append some text to "Name of the note"')
    const heading = namedNote(match.heading)
    const input = { path: name, ...addedContent(match), ...(heading !== undefined && { heading }) }
    return noteTask({ name, call: { name: 'append_note', input }, writes: true, answer: doneText })
  },
)

function addedContent({ content, task }: PhraseGroups): { content?: string } {
  if (task !== undefined) return { content: `- [ ] ${unquoted(task)}\n` }
  return content === undefined ? {} : { content: `${unquoted(content)}\n` }
}

/** "rename A to B" stays in the folder of A; "move A to B" goes into the folder B. */
export const renameNoteRequest = requestKind(
  [
    'rename {note} (to|as|into) {target}',
    'move {note} (to|into|in) (the )?folder {folder}',
    'move {note} (to|into|in) (the )?{folder} folder',
    'move {note} (to|into) {target}',
  ],
  ({ note, target: targetWords, folder }, { text, currentNote }) => {
    const words = targetWords ?? folder ?? ''
    if (!isMarked(words) && hasSecondRequest(words)) return askOneAtATime
    if (!isMarked(note) && !isMarked(words) && /\s(?:to|into)\s/i.test(words)) {
      return replyWith(
        `I can't tell the two names apart in ${quotedForUser(text)}. Put them in quotation marks: \`rename "A" to "B"\`.`,
      )
    }
    const name = namedNote(note, currentNote)
    const target = namedNote(words)
    if (name === undefined || target === undefined) return askWhichNote('rename "Old name" to "New name"')
    if (folder !== undefined) return moveTo(name, `${target.replace(/\/+$/, '')}/`)
    const isMove = /^\s*move\b/i.test(text)
    if (isMove) return moveTo(name, /[/]|\.md$/i.test(target) ? target : `${target}/`)
    return target.includes('/') ? moveTo(name, target) : renameInFolder(name, target)
  },
)

const moveTo = (name: string, target: string): OfflineTask =>
  noteTask({ name, call: renameCall(name, target), writes: true, answer: doneText })

/** A name alone says nothing about the folder, so the note is looked up first. */
function renameInFolder(name: string, target: string): OfflineTask {
  return {
    tools: ['get_note_metadata', 'rename_note'],
    writes: true,
    next(results) {
      if (lastResult(results, 'rename_note')) return []
      const found = lastResult(results, 'get_note_metadata')
      if (found === undefined) return [{ name: 'get_note_metadata', input: { path: name } }]
      if (found.isError) return searchSimilarNames(found, name)
      const path = pathIn(found)
      return path === undefined ? [] : [renameCall(path, path.slice(0, path.lastIndexOf('/') + 1) + target)]
    },
    answer(results, guidance) {
      const renamed = lastResult(results, 'rename_note')
      if (renamed !== undefined) return renamed.isError ? notDoneText(renamed) : doneText(renamed, guidance)
      const found = lastResult(results, 'get_note_metadata')
      return found?.isError ? failureText(found, results, true) : needsAgentModeText(guidance)
    },
  }
}

const renameCall = (path: string, target: string): Call => ({ name: 'rename_note', input: { path, new_path: target } })

/** "delete A". A part of a note is not a note. */
export const deleteNoteRequest = requestKind(
  ['(delete|trash) {note}', 'remove (?=(the |my |our )?(note|file|page) ){note}', 'throw away {note}'],
  ({ note = '' }, { currentNote }) => {
    if (!isMarked(note) && hasSecondRequest(note)) return askOneAtATime
    if (!isMarked(note) && /\s(?:from|in|of)\s/i.test(note)) {
      return replyWith(
        'I can only delete whole notes. If this is the name of a note, put it in quotation marks: `delete "Name"`.',
      )
    }
    const name = namedNote(note, currentNote)
    if (name === undefined) return askWhichNote('delete "Name of the note"')
    return noteTask({ name, call: { name: 'delete_note', input: { path: name } }, writes: true, answer: doneText })
  },
)

export const tagNote = requestKind(
  [
    'tag {note} (with|as) (the )?(tags? )?{tags}',
    'tag {note} (?=#){tags}',
    '(add|put) (the )?tags? {tags} (to|on) {note}',
    '(add|put) (?=#){tags} (to|on) {note}',
  ],
  (match, { currentNote }) => changeTags('add', match, currentNote),
)

export const untagNote = requestKind(
  [
    '(remove|delete|drop|take) (the )?tags? {tags} (from|off) {note}',
    '(remove|delete|drop|take) (?=#){tags} (from|off) {note}',
    'untag {note} (from |as )?(?=#){tags}',
  ],
  (match, { currentNote }) => changeTags('remove', match, currentNote),
)

function changeTags(
  change: 'add' | 'remove',
  { note, tags: words }: PhraseGroups,
  currentNote: string | undefined,
): OfflineTask {
  const name = namedNote(note, currentNote)
  if (name === undefined) return askWhichNote('tag "Name of the note" with tag')
  const tags = tagsIn(words)
  if (tags === undefined) {
    const near = unquoted(words).replace(/^#/, '').trim().replace(/\s+/g, '-').slice(0, 60)
    return replyWith(`A tag is one word, without spaces or punctuation. Did you mean \`#${near}\`?`)
  }
  const call = { name: 'update_frontmatter', input: { path: name, [change]: { tags } } }
  return noteTask({ name, call, writes: true, answer: doneText })
}

/** "set status of A to done", "remove the property status from A". */
export const setProperty = requestKind(
  [
    '(set|change|update) (the )?(property )?{property} (of|in|on|for) {note} to {value}',
    "(set|change|update) {note}'s {property} to {value}",
    '(remove|delete|clear|unset) (the )?property {property} (of|from|in) {note}',
  ],
  ({ property: propertyWords, note, value }, { currentNote }) => {
    const property = unquoted(propertyWords).replace(/^(?:the|property)\s+/i, '')
    if (!/^[\p{L}_][\p{L}\p{N}_ -]{0,60}$/u.test(property)) return undefined
    const name = namedNote(note, currentNote)
    if (name === undefined) return askWhichNote('set status of "Name of the note" to done')
    if (!isMarked(value) && hasSecondRequest(value ?? '')) return askOneAtATime
    if (!isMarked(note) && !isMarked(value) && /\sto\s/i.test(value ?? '')) {
      return replyWith(
        'I can\'t tell where the note name ends. Put it in quotation marks: `set status of "A" to done`.',
      )
    }
    const updates = { [property]: value === undefined ? null : propertyValue(value) }
    const call = { name: 'update_frontmatter', input: { path: name, updates } }
    return noteTask({ name, call, writes: true, answer: doneText })
  },
)

/** The value as YAML would read it unquoted; in quotation marks it is text. */
function propertyValue(words: string): unknown {
  const text = unquoted(words)
  if (text !== words.trim()) return text
  if (/^(?:true|false)$/i.test(text)) return text.toLowerCase() === 'true'
  return /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,10})?$/.test(text) ? Number(text) : text
}

/** "@memory I garden in zone 7". */
export const rememberRequest: RequestKind = ({ text, commands }) => {
  if (!commands.has('memory')) return undefined
  if (text === '') return replyWith('Write what to remember after `@memory`.')
  return callTask({ call: { name: 'remember', input: { text } }, failed: notDoneText, answer: doneText })
}
