import { readAtCommands } from '../at-commands.js'
import type { LanguageModelV3CallOptions } from '../model/index.js'
import { chatText, closingLine, type OfflineGuidance, offlineHelp } from './guidance.js'
import { type ParsedPrompt, parsePrompt } from './prompt.js'
import { askQuestion, notesOfTime } from './requests/ask-question.js'
import {
  addToDailyNote,
  addToNote,
  createNote,
  deleteNoteRequest,
  rememberRequest,
  renameNoteRequest,
  setProperty,
  tagNote,
  untagNote,
} from './requests/change-notes.js'
import {
  askTime,
  backlinks,
  countNotes,
  forwardLinks,
  listTags,
  notesInFolder,
  notesWithTag,
  openTasks,
  randomNote,
  readNoteRequest,
  searchWeb,
} from './requests/look-up.js'
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
function readRequest({ text: typed, currentNote, attached }: ParsedPrompt): OfflineRequest {
  const { text: withoutCommands, notes, commands } = readAtCommands(typed)
  const bare = withoutCommands.trim().replace(/^\/(?=\p{L})/u, '')
  let text = bare
  let isPolite = false
  for (let rest = text.replace(politePrefix, ''); rest !== text; rest = text.replace(politePrefix, '')) {
    isPolite = true
    text = rest
  }
  return {
    text: text.replace(politeSuffix, '').trim(),
    isQuestion: !isPolite && /\?\s*$/.test(bare),
    ...(currentNote !== undefined && { currentNote }),
    attached,
    mentioned: [...new Set(notes)].filter((note) => note !== ''),
    commands,
  }
}

const politePrefix =
  /^(?:please|pls|kindly|hey notewright|notewright|ok(?:ay)?|now|then|(?:can|could|would|will) you(?: please)?|i(?:['’]d| would) like you to|i want you to|go ahead and)[\s,:]+/i
const politeSuffix = /[\s,]{1,9}(?:please|thanks|thank you)[\s.!]{0,9}$/i

/** The task for a request. Any other text is a question about the notes. */
function taskFor(request: OfflineRequest): OfflineTask {
  for (const kind of requestKinds) {
    const task = kind(request)
    if (task !== undefined && !(task.writes && request.isQuestion)) return task
  }
  return askQuestion(request)
}

/** Undo belongs to the user, so there is no tool for it. */
const undo = requestKind(
  [
    '(undo|revert|take back|roll back)( (that|this|it|all|everything|(the |my |your )?(last )?(change|changes|edit|rename|move)))?',
    'take (that|this|it) back',
  ],
  () =>
    replyWith(
      ({ undo, history }) =>
        `I can't undo changes from here, but you can: ${undo} undoes the last change, and ${history} lists all changes.`,
    ),
)

const thanks = requestKind(
  [
    '(many )?(thanks|thank you|thank u|thx|ty|cheers|danke( schön)?|merci|gracias|grazie|obrigad[oa]|спасибо|谢谢|ありがとう)( (a lot|so much|very much|you|notewright|again))?',
    '(great|perfect|cool|nice|good|fine|awesome|got it|well done|ok|okay|alright|bye|goodbye|good (night|bye)|see you)( (job|work|answer|then))?',
  ],
  () => replyWith('You are welcome.'),
)

const greeting = requestKind(
  [
    '(hi|hello|hey|good (morning|afternoon|evening))( (there|notewright))?',
    'help( me)?',
    'what can (you|I) do( here)?',
    '(who|what) are you',
    'how (do you|does this) work',
  ],
  () => replyWith(offlineHelp),
)

const emptyRequest: RequestKind = ({ text }) => (text === '' ? replyWith(offlineHelp) : undefined)

/** Every request that is understood without a language model. The first kind that reads the request handles it. */
const requestKinds: readonly RequestKind[] = [
  undo,
  emptyRequest,
  greeting,
  thanks,
  rememberRequest,
  searchWeb,
  askTime,
  randomNote,
  listTags,
  notesWithTag,
  openTasks,
  countNotes,
  notesInFolder,
  backlinks,
  forwardLinks,
  renameNoteRequest,
  tagNote,
  untagNote,
  setProperty,
  createNote,
  addToDailyNote,
  addToNote,
  deleteNoteRequest,
  notesOfTime,
  readNoteRequest,
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
  const answerGuidance = { ...guidance, closing: hasSaidNoModel ? '' : closingLine(guidance.model) }
  const [firstTool] = task.tools
  const hasResult = results.some(({ name }) => task.tools.includes(name))
  if (hasResult || firstTool === undefined) return task.answer(results, answerGuidance)
  if (task.writes && offered.size === 0 && results.length > 0) {
    return `Not done: this needs a tool that this mode can't call. Ask again in agent mode (${guidance.agentMode}).`
  }
  if (results.length > 0 || request.attached.length > 0) return askQuestion(request).answer(results, answerGuidance)
  if (offered.size === 0) return chatText(guidance.model)
  const name = missing[0]?.name ?? firstTool
  return `Not done: this needs the tool \`${name}\`, which is off. ${guidance.enable(name)}`
}
