import { readAtCommands } from '../at-commands.js'
import type { LanguageModelV3CallOptions } from '../model/index.js'
import { guidanceIn, type OfflineGuidance, offlineHelp } from './guidance.js'
import type { Language } from './languages/language.js'
import { languageOf, languages } from './languages/languages.js'
import { type ParsedPrompt, parsePrompt } from './prompt.js'
import { askQuestion, searchFor } from './requests/ask-question.js'
import {
  addToDailyNote,
  addToNote,
  createNote,
  deleteNoteRequest,
  moveNoteRequest,
  rememberRequest,
  renameNoteRequest,
  setProperty,
  tagNote,
  tickTask,
  undo,
  untagNote,
} from './requests/change-notes.js'
import { countNotes } from './requests/count-notes.js'
import { openTasks, tasksDue } from './requests/list-tasks.js'
import {
  askTime,
  backlinks,
  forwardLinks,
  listTags,
  notesInFolder,
  notesWithTag,
  randomNote,
  readNoteRequest,
  searchWeb,
} from './requests/look-up.js'
import { changeOfMany, explainRequests, promptFile, unknownName } from './requests/not-understood.js'
import { notesOfTime } from './requests/notes-of-time.js'
import { type Call, type OfflineRequest, type OfflineTask, type RequestKind, replyWith, requestKind } from './task.js'

/** Decides the next step from the prompt alone: call tools, or answer. */
export function decide(options: LanguageModelV3CallOptions, guidance: OfflineGuidance): Decision {
  const prompt = parsePrompt(options)
  const request = readRequest(prompt)
  const task = taskFor(request)
  const calls = prompt.rounds < maxRounds ? newCalls(task.next(prompt.results), prompt) : []
  const offeredCalls = calls.filter(({ name }) => prompt.offered.has(name))
  if (offeredCalls.length > 0) return { calls: offeredCalls }
  return { text: answerText(request, task, calls, prompt, guidance) }
}

type Decision = { calls: Call[] } | { text: string }

/** No task needs more rounds; with this limit every turn ends, regardless of the results. */
const maxRounds = 3

/** The request as request kinds read it: without `@` commands, polite phrases and a leading slash. */
function readRequest({ text: typed, currentNote, attached, prompt }: ParsedPrompt): OfflineRequest {
  const { text: withoutCommands, notes, commands } = readAtCommands(typed)
  const isCommand = /^\s*\/\p{L}/u.test(withoutCommands)
  const bare = withoutCommands.trim().replace(/^\/(?=\p{L})/u, '')
  const language = languageOf(bare)
  const { text, isPolite } = withoutPoliteWords(bare, language)
  return {
    text,
    language,
    isQuestion: !isPolite && /[?？]\s*$/.test(bare),
    isCommand,
    ...(currentNote !== undefined && { currentNote }),
    ...(prompt !== undefined && { prompt }),
    attached,
    mentioned: [...new Set(notes)].filter((note) => note !== ''),
    commands,
  }
}

function withoutPoliteWords(typed: string, language: Language): { text: string; isPolite: boolean } {
  const { before, after } = politeWords(language)
  let text = typed
  let isPolite = false
  for (let rest = text.replace(before, ''); rest !== text; rest = text.replace(before, '')) {
    isPolite = true
    text = rest
  }
  const rest = text.replace(after, '').trim()
  // A text of nothing but polite words is thanks.
  return { text: rest === '' ? typed.trim() : rest, isPolite }
}

const politePatterns = new Map<Language, { before: RegExp; after: RegExp }>()

/** Polite words of a language, and of English. */
function politeWords(language: Language): { before: RegExp; after: RegExp } {
  const known = politePatterns.get(language)
  if (known !== undefined) return known
  const all = [...new Set([language, ...languages.slice(0, 1)])]
  const [before, after] = [
    all.map(({ politeBefore }) => politeBefore).join('|'),
    all.map(({ politeAfter }) => politeAfter).join('|'),
  ].map((words) => words.replace(/'/g, "['’]"))
  const gap = language.isUnspaced ? '[\\s,:，、]{0,9}' : '[\\s,:]+'
  const made = {
    before: new RegExp(`^[¿¡]?(?:${before})${gap}`, 'iu'),
    after: new RegExp(`[\\s,，、]{${language.isUnspaced ? 0 : 1},9}(?:${after})[\\s.!。！]{0,9}$`, 'iu'),
  }
  politePatterns.set(language, made)
  return made
}

/** The task for a request. Any other text is a question about the notes. */
function taskFor(request: OfflineRequest): OfflineTask {
  for (const kind of requestKinds) {
    const task = kind(request)
    if (task !== undefined && !(task.writes && request.isQuestion)) return task
  }
  return askQuestion(request)
}

const thanks = requestKind('thanks', () => replyWith(({ say }) => say('welcome')))
const help = requestKind('help', () => explainRequests(offlineHelp))
const emptyRequest: RequestKind = ({ text, prompt }) =>
  text === '' && prompt === undefined ? explainRequests(offlineHelp) : undefined

/** Every request that is understood without a language model. The first kind that reads the request handles it. */
const requestKinds: readonly RequestKind[] = [
  promptFile,
  undo,
  emptyRequest,
  help,
  thanks,
  rememberRequest,
  searchWeb,
  askTime,
  randomNote,
  listTags,
  notesWithTag,
  tasksDue,
  openTasks,
  tickTask,
  countNotes,
  notesInFolder,
  backlinks,
  forwardLinks,
  changeOfMany,
  renameNoteRequest,
  moveNoteRequest,
  tagNote,
  untagNote,
  setProperty,
  createNote,
  addToDailyNote,
  addToNote,
  deleteNoteRequest,
  notesOfTime,
  readNoteRequest,
  searchFor,
  unknownName,
]

/** Drops calls that were made before: they would give the same result again. */
function newCalls(calls: readonly Call[], { results }: ParsedPrompt): Call[] {
  const key = (name: string, input: unknown) => `${name} ${JSON.stringify(input)}`
  const made = new Set(results.map(({ name, input }) => key(name, input)))
  return calls.filter(({ name, input }) => !made.has(key(name, input)))
}

function answerText(
  request: OfflineRequest,
  task: OfflineTask,
  missing: readonly Call[],
  { results, offered, hasSaidNoModel }: ParsedPrompt,
  guidance: OfflineGuidance,
): string {
  const answerGuidance = guidanceIn(task.language ?? request.language, guidance, hasSaidNoModel)
  const { say, agentMode } = answerGuidance
  const [firstTool] = task.tools
  const hasResult = results.some(({ name }) => task.tools.includes(name))
  if (hasResult || firstTool === undefined) return task.answer(results, answerGuidance)
  if (task.writes && offered.size === 0 && results.length > 0) return say('noToolsInMode', { mode: agentMode })
  if (results.length > 0 || request.attached.length > 0) return askQuestion(request).answer(results, answerGuidance)
  if (offered.size === 0) return say('chatOnly')
  const tool = missing[0]?.name ?? firstTool
  return say('needsTool', { tool, place: guidance.enable(tool) })
}
