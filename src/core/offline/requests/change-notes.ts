import type { AnswerGuidance } from '../guidance.js'
import type { Language } from '../languages/language.js'
import { englishTime } from '../languages/languages.js'
import { isMarked, namedNote, notePathFor, type PhraseGroups, quotedForUser, tagsIn, unquoted } from '../phrases.js'
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
  type OfflineRequest,
  type OfflineTask,
  quotedName,
  type RequestKind,
  replyWith,
  requestKind,
  searchSimilarNames,
} from '../task.js'
import { citationLink, dataIn } from '../tool-results.js'
import { parseTasks, taskLine } from './list-tasks.js'

// Requests that change notes: create, add text, rename, delete, tag, set a property, tick a task, remember, undo.

/** Undoes the last change of this chat. Older ones need the user's own undo. */
export const undo = requestKind('undo', () => ({
  ...callTask({
    call: { name: 'undo_changes', input: {} },
    failed: (result, guidance) =>
      result.code === 'not-found' ? guidance.say('nothingToUndo') : notDoneText(result, guidance),
    answer: ({ text }, { say, language }) => (language.code === 'en' ? text.trim() : say('undone')),
  }),
  writes: true,
}))

const isComposing = requestKind('compose', () => replyWith(({ say }) => say('needsModel')))

const createNamedNote = requestKind('createNote', ({ note, folder, place, content }) => {
  const name = namedNote(note)
  if (name === undefined) return askWhichNote('read')
  if (place !== undefined) return createInFolder(name, place, content)
  const parent = namedNote(folder)?.replace(/\/+$/, '')
  const title = name.slice(name.lastIndexOf('/') + 1).replace(/\.md$/i, '')
  return createAt((parent === undefined ? '' : `${parent}/`) + notePathFor(name), contentFor(title, content))
})

/** "create a note called X with …". Never overwrites a note. A note about something needs a model. */
export const createNote: RequestKind = (request) => {
  const named = createNamedNote(request)
  const composed = isComposing(request)
  // "write a note about love" has no name; the English forms say "called".
  return request.language.code === 'en' || composed === undefined ? (named ?? composed) : composed
}

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
      if (written !== undefined)
        return written.isError
          ? notDoneText(written, guidance)
          : doneText(written, guidance, guidance.say('created', { note: citationLink(path) }))
      const found = lastResult(results, 'get_note_metadata')
      if (found === undefined || isFree(found, path)) return needsAgentModeText(guidance)
      if (found.isError) return notDoneText(found, guidance)
      const example = addExample(path, guidance.language)
      return guidance.say('alreadyExists', { path, example })
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

const addExample = (path: string, { code }: Language): string =>
  ({
    de: `füge … zu "${path}" hinzu`,
    fr: `ajoute … à "${path}"`,
    es: `añade … a "${path}"`,
    it: `aggiungi … a "${path}"`,
    pt: `adicionar … a "${path}"`,
    zh: `在 "${path}" 里添加 …`,
    ja: `「${path}」に…を追加して`,
  })[code] ?? `append … to "${path}"`

/** "add … to today's note". */
export const addToDailyNote = requestKind('addToDaily', (match, { language }) => {
  const words = match.date ?? match.date2
  const date = words === undefined ? undefined : dayIn(words, language)
  const input = { ...(date !== undefined && date !== 'today' && { date }), ...addedContent(match) }
  return callTask({
    call: { name: 'create_daily_note', input },
    writes: true,
    failed: notDoneText,
    answer: (result, guidance) => doneText(result, guidance, dailyText(result, guidance)),
  })
})

const dayIn = (words: string, language: Language): string =>
  (language.code === 'en' ? undefined : englishTime(words, language)) ?? words.toLowerCase()

/** The tool names the note it wrote. */
function dailyText({ text }: CallResult, { say }: AnswerGuidance): string {
  const path = /([^\s:"]+\.md)/.exec(text)?.[1]
  return path === undefined ? text.trim() : say('added', { note: citationLink(path) })
}

/** "append … to A", "add … to A under Heading". */
export const addToNote = requestKind('addToNote', (match, { currentNote, language }) => {
  const name = namedNote(match.note, currentNote)
  if (name === undefined) return askWhichNote('read')
  const heading = namedNote(match.heading)
  const input = { path: name, ...addedContent(match), ...(heading !== undefined && { heading }) }
  const answer = changeText('added', name, language)
  return noteTask({ name, call: { name: 'append_note', input }, writes: true, answer })
})

type ChangeSentence = 'added' | 'changed' | 'deleted' | 'renamed'

/** The report of a change to a note, as the user named it. */
const changeText =
  (sentence: ChangeSentence, name: string, language: Language) =>
  (result: CallResult, guidance: AnswerGuidance): string =>
    doneText(result, guidance, guidance.say(sentence, { note: quotedName(name, language) }))

function addedContent({ content, task }: PhraseGroups): { content?: string } {
  if (task !== undefined) return { content: `- [ ] ${unquoted(task)}\n` }
  return content === undefined ? {} : { content: `${unquoted(content)}\n` }
}

/** "rename A to B" stays in the folder of A. */
export const renameNoteRequest = requestKind('renameNote', ({ note, target: words = '' }, request) => {
  const named = twoNames(note, words, request)
  if (!('name' in named)) return named
  const { name, target } = named
  return target.includes('/') ? moveTo(name, target, request.language) : renameInFolder(name, target, request.language)
})

/** "move A to B" goes into the folder B. */
export const moveNoteRequest = requestKind('moveNote', ({ note, target: targetWords, folder }, request) => {
  const named = twoNames(note, targetWords ?? folder ?? '', request)
  if (!('name' in named)) return named
  const { name, target } = named
  if (folder !== undefined) return moveTo(name, `${target.replace(/\/+$/, '')}/`, request.language)
  return moveTo(name, /[/]|\.md$/i.test(target) ? target : `${target}/`, request.language)
})

/** The name of a note and its new one, or the question which they are. */
function twoNames(
  note: string | undefined,
  words: string,
  { text, currentNote, language }: Pick<OfflineRequest, 'text' | 'currentNote' | 'language'>,
): { name: string; target: string } | OfflineTask {
  if (!isMarked(words) && hasSecondRequest(words)) return askOneAtATime
  if (language.code === 'en' && !isMarked(note) && !isMarked(words) && /\s(?:to|into)\s/i.test(words)) {
    return replyWith(({ say }) => say('quoteNames', { text: quotedForUser(text), example: 'rename "A" to "B"' }))
  }
  const name = namedNote(note, currentNote)
  const target = namedNote(words)
  return name === undefined || target === undefined ? askWhichNote('rename') : { name, target }
}

const moveTo = (name: string, target: string, language: Language): OfflineTask =>
  noteTask({ name, call: renameCall(name, target), writes: true, answer: changeText('renamed', target, language) })

/** A name alone says nothing about the folder, so the note is looked up first. */
function renameInFolder(name: string, target: string, language: Language): OfflineTask {
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
      if (renamed !== undefined)
        return renamed.isError
          ? notDoneText(renamed, guidance)
          : changeText('renamed', target, language)(renamed, guidance)
      const found = lastResult(results, 'get_note_metadata')
      return found?.isError ? failureText(found, name, results, guidance, true) : needsAgentModeText(guidance)
    },
  }
}

const renameCall = (path: string, target: string): Call => ({ name: 'rename_note', input: { path, new_path: target } })

const deletePart = requestKind('deletePart', ({ note }) =>
  isMarked(note)
    ? undefined
    : replyWith(({ say, language }) =>
        say('onlyWholeNotes', { example: language.code === 'en' ? 'delete "Name"' : '"…"' }),
      ),
)

/** "delete A". A part of a note is not a note. */
export const deleteNoteRequest = requestKind('deleteNote', ({ note = '' }, request) => {
  const { currentNote, language } = request
  if (!isMarked(note) && hasSecondRequest(note)) return askOneAtATime
  const part = isMarked(note) ? undefined : deletePart(request)
  if (part !== undefined) return part
  const name = namedNote(note, currentNote)
  if (name === undefined) return askWhichNote('read')
  const answer = changeText('deleted', name, language)
  return noteTask({ name, call: { name: 'delete_note', input: { path: name } }, writes: true, answer })
})

export const tagNote = requestKind('tagNote', (match, request) => changeTags('add', match, request))

export const untagNote = requestKind('untagNote', (match, request) => changeTags('remove', match, request))

function changeTags(
  change: 'add' | 'remove',
  { note, tags: words }: PhraseGroups,
  { currentNote, language }: Pick<OfflineRequest, 'currentNote' | 'language'>,
): OfflineTask {
  const name = namedNote(note, currentNote)
  if (name === undefined) return askWhichNote('tag')
  const tags = tagsIn(words)
  if (tags === undefined) {
    const near = unquoted(words).replace(/^#/, '').trim().replace(/\s+/g, '-').slice(0, 60)
    return replyWith(({ say }) => say('tagIsOneWord', { tag: near }))
  }
  const call = { name: 'update_frontmatter', input: { path: name, [change]: { tags } } }
  return noteTask({ name, call, writes: true, answer: changeText('changed', name, language) })
}

/** "set status of A to done", "remove the property status from A". */
export const setProperty = requestKind(
  'setProperty',
  ({ property: propertyWords, note, value }, { currentNote, language }) => {
    const property = unquoted(propertyWords).replace(/^(?:the|property)\s+/i, '')
    if (!/^[\p{L}_][\p{L}\p{N}_ -]{0,60}$/u.test(property)) return undefined
    const name = namedNote(note, currentNote)
    if (name === undefined) return askWhichNote('read')
    if (!isMarked(value) && hasSecondRequest(value ?? '')) return askOneAtATime
    if (language.code === 'en' && !isMarked(note) && !isMarked(value) && /\sto\s/i.test(value ?? '')) {
      const example = 'set status of "A" to done'
      return replyWith(({ say }) => say('quoteNames', { text: quotedForUser(value ?? ''), example }))
    }
    const updates = { [property]: value === undefined ? null : propertyValue(value) }
    const call = { name: 'update_frontmatter', input: { path: name, updates } }
    return noteTask({ name, call, writes: true, answer: changeText('changed', name, language) })
  },
)

/** "tick buy pots", "mark buy pots as done". Only a task that is meant without doubt is ticked. */
export const tickTask = requestKind('tickTask', ({ task = '' }, { language }): OfflineTask | undefined => {
  const wanted = unquoted(task.trim().replace(/[\s.。!！]+$|^[「『]|[」』]$/gu, ''))
  if (wanted === '' || wanted.length > 200 || wanted.includes('\n')) return undefined
  const matching = (results: readonly CallResult[]) => {
    const listed = lastResult(results, 'list_tasks')
    const { tasks } = listed === undefined || listed.isError ? { tasks: [] } : parseTasks(listed.text)
    const same = tasks.filter(({ text }) => text.trim().toLowerCase() === wanted.toLowerCase())
    return same.length > 0 ? same : tasks
  }
  return {
    tools: ['list_tasks', 'update_tasks'],
    writes: true,
    next(results) {
      if (lastResult(results, 'update_tasks')) return []
      if (!lastResult(results, 'list_tasks')) return [{ name: 'list_tasks', input: { text: wanted, limit: 20 } }]
      const [only, ...others] = matching(results)
      if (only === undefined || others.length > 0) return []
      return [{ name: 'update_tasks', input: { tasks: [only.id], state: 'done' } }]
    },
    answer(results, guidance) {
      const { say } = guidance
      const updated = lastResult(results, 'update_tasks')
      const tasks = matching(results)
      const [only] = tasks
      if (updated?.isError) return notDoneText(updated, guidance)
      if (updated !== undefined && only !== undefined) {
        const report = `${say('ticked', { task: only.text.replace(/[[\]]/g, '') })} ${citationLink(only.path)}`
        return updated.hasChanged ? `${report}. ${say('undoHint')}` : report
      }
      if (only === undefined) return say('noSuchTask', { task: quotedName(wanted, language) })
      if (tasks.length === 1) return needsAgentModeText(guidance)
      const lines = tasks.map((each) => `${taskLine(each, say)} ${citationLink(each.path)}`)
      return [say('whichTask'), '', ...lines].join('\n')
    },
  }
})

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
  if (text === '') return replyWith(() => 'Write what to remember after `@memory`.')
  return callTask({
    call: { name: 'remember', input: { text } },
    failed: notDoneText,
    answer: (result, guidance) => doneText(result, guidance, result.text.trim()),
  })
}
