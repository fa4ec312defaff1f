import { readAtCommands } from '../at-commands.js'
import type { Failure } from '../errors.js'
import {
  type ModelMessage,
  modelFailureData,
  noCallRule,
  type StepUsage,
  toolMessage,
  userMessage,
} from '../model/index.js'
import type { ToolCall, ToolResult } from '../tools/index.js'
import { cutToFit, requestRoom } from './context-budget.js'
import { callOutcome, openCalls } from './conversation.js'
import { embedsIn, requestMessage, shownFiles } from './file-parts.js'
import { type TurnMemory, turnMemory } from './perform-calls.js'
import type { TimeLimit } from './run.js'
import { answerCalls, runCalls, type StepReply, takeStep } from './step.js'
import { requestText, systemPrompt } from './system-prompt.js'
import type { AgentEvent, AgentSetup, BegunTurn, Turn } from './turn.js'

export interface ModeRun {
  turn: Turn
  setup: AgentSetup
  progress: Progress
  limit: TimeLimit
  /** Results of the `@` commands, which each mode runs first. */
  found: readonly ToolResult[]
}

/** Progress of a turn, shared by the modes so that one can take over from another. */
export interface Progress {
  /** Messages that this turn adds to the conversation. */
  messages: ModelMessage[]
  text: string
  steps: number
  usage: StepUsage
  /** The share of the context window in use; reduced after the server refused a request as too long. */
  share: number
  /** Trimming that the user has been told about. */
  trimmed?: { folded: number; dropped: number }
  /** Notes that calls of this turn found or read. */
  found: Set<string>
  memory: TurnMemory
  /** Something was written or sent: from here on no other mode may start over. */
  hadEffect: boolean
  /** The model was asked about a call it intended and did not make; this happens once per turn. */
  wasAskedBack: boolean
}

export function newProgress(): Progress {
  return {
    messages: [],
    text: '',
    steps: 0,
    usage: {},
    share: 1,
    found: new Set(),
    memory: turnMemory(),
    hadEffect: false,
    wasAskedBack: false,
  }
}

/** How a mode ended; a stop by the user is thrown, not returned. */
export interface Ending {
  reason: 'answered' | 'handed-over' | 'step-limit' | 'failed'
  failure?: Failure
}

export type ModeEvents = AsyncGenerator<AgentEvent, Ending>

const sameCalls = 3

/** The loop: the model calls tools until it has nothing left to call. */
export async function* agent(begun: ModeRun): ModeEvents {
  const run = { ...begun, found: yield* commandedResults(begun) }
  const { turn, setup, progress, limit } = run
  const system = systemPrompt(setup)
  const maxSteps = Math.min(50, Math.max(1, setup.maxSteps ?? setup.profile.stepLimit))
  if (turn.begun === undefined) progress.messages.push(turn.answers ? toolMessage(turn.answers) : requestWith(run))
  else yield* resumeLoop(run, turn.begun)
  const messages = () => [...(turn.history ?? []), ...progress.messages]

  for (let step = 1; step < maxSteps && !limit.isOver(); step++) {
    const reply = yield* takeStep(run, { system, messages: messages(), tools: 'open' })
    if (reply.failure) return yield* failOrPlan(run, reply.failure)
    if (reply.handed?.length) return yield* handOver(run, reply)
    if (reply.calls.length === 0) return { reason: 'answered' }
    const isCircling = reply.calls.some((call) => progress.memory.count(call) >= sameCalls)
    yield* answerCalls(run, reply.calls)
    if (isCircling) {
      yield {
        type: 'notice',
        text: `The model repeated the same call ${sameCalls} times, so it was asked to answer now.`,
      }
      break
    }
  }

  if (limit.isOver())
    yield { type: 'notice', text: 'The time limit was reached. Answering from what was found so far.' }
  const isFirst = progress.steps === 0
  // Stays in the conversation, so that the next turn's request has the same prefix.
  if (!isFirst) progress.messages.push(userMessage(lastWords))
  const last = () => takeStep(run, { system, messages: messages(), tools: isFirst ? 'absent' : 'closed' })
  let reply = yield* last()
  if (!isFirst && isSilent(reply.failure)) {
    progress.messages.push(userMessage(onceMore))
    reply = yield* last()
    if (isSilent(reply.failure)) return yield* sayWhatWasFound(run)
  }
  if (modelFailureData(reply.failure)?.kind === 'tool-choice') {
    yield { type: 'notice', text: 'The model kept calling tools instead of answering.' }
    if (progress.text.trim() === '') return yield* sayWhatWasFound(run)
  } else if (reply.failure) return yield* failOrPlan(run, reply.failure)
  return { reason: isFirst ? 'answered' : 'step-limit' }
}

/**
 * Ends the loop with a failure, or plans the calls once instead. Starting over is only safe before anything was written
 * or sent, and only useful when the calling was the trouble.
 */
async function* failOrPlan(run: ModeRun, failure: Failure): ModeEvents {
  const { progress } = run
  const kind = modelFailureData(failure)?.kind
  if (progress.hadEffect || kind === undefined || !['malformed', 'empty'].includes(kind)) {
    return { reason: 'failed', failure }
  }
  yield { type: 'notice', text: `${asSentence(failure.message)} Trying again with all calls planned at once.` }
  Object.assign(progress, { ...newProgress(), steps: progress.steps, usage: progress.usage })
  return yield* planWith(run)
}

const asSentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)

/** Runs our own calls of the step; the client runs the others and returns their results. */
async function* handOver(run: ModeRun, { calls, handed = [] }: StepReply): ModeEvents {
  if (calls.length > 0) yield* answerCalls(run, calls)
  for (const { id, name, argumentsText } of handed) yield { type: 'call-handed', call: { id, name, argumentsText } }
  return { reason: 'handed-over' }
}

const isSilent = (failure: Failure | undefined): boolean => modelFailureData(failure)?.kind === 'empty'

/** The model said nothing, so the user gets the notes that were found. */
async function* sayWhatWasFound({ progress }: ModeRun): ModeEvents {
  const notes = [...progress.found].slice(0, mostNamed)
  const more = progress.found.size - notes.length
  const links = notes.map((path) => `- [[${path.replace(/\.md$/i, '')}]]`)
  const text =
    notes.length === 0
      ? 'The model ended without an answer, and no note was found.'
      : `The model ended without an answer. These notes were found:\n\n${links.join('\n')}${more > 0 ? `\nand ${more} more` : ''}`
  progress.text = text
  progress.messages.push({ role: 'assistant', content: [{ type: 'text', text }] })
  yield { type: 'text-delta', text }
  return { reason: 'step-limit' }
}

const mostNamed = 10
const onceMore = 'Your reply was empty. Answer the request now, in a few sentences, from what was found.'
const lastWords = `No more tools can be called now. Answer from what was found, and say what is still missing. ${noCallRule}`

/** The model plans its calls once, and the answer is written from what they found. */
export async function* plan(begun: ModeRun): ModeEvents {
  return yield* planWith({ ...begun, found: yield* commandedResults(begun) })
}

async function* planWith(run: ModeRun): ModeEvents {
  const { progress } = run
  const planned = yield* plannedCalls(run)
  if ('failure' in planned) return { reason: 'failed', failure: planned.failure }
  if (planned.calls.length === 0) {
    if (progress.text.trim() !== '') return { reason: 'answered' }
    return yield* answerFrom(run, [])
  }
  return yield* answerFrom(run, yield* answerCalls(run, planned.calls))
}

async function* plannedCalls(run: ModeRun) {
  const { turn, setup, progress, found } = run
  if (setup.toolset.length === 0) return { calls: [] }
  const isHelped = found.length > 0
  progress.messages = [requestWith(run)]
  const rule = isHelped
    ? 'The calls that the user requested with @ have been made. Call more tools only if needed.'
    : 'Call all the tools you need now, in this one reply. You cannot call tools later. If you need none, answer.'
  const system = `${systemPrompt(setup)}\n\n${rule}`
  const messages = [...(turn.history ?? []), ...progress.messages]
  const reply = yield* takeStep(run, { system, messages, tools: 'open' })
  // @ commands are answered whatever the model planned.
  if (reply.failure && !(isHelped && modelFailureData(reply.failure)?.kind === 'empty'))
    return { failure: reply.failure }
  return { calls: reply.calls }
}

/** Retrieve, then answer with citations. */
export async function* vaultQa(begun: ModeRun): ModeEvents {
  const run = { ...begun, found: yield* commandedResults(begun) }
  const { turn, found } = run
  const query = atCommands(turn.text).text
  const isLookedUp = query === '' || found.some(({ name }) => name === 'search_notes' || name === 'remember')
  if (isLookedUp) return yield* answerFrom(run, [])
  const search = { id: crypto.randomUUID(), name: 'search_notes', input: { query }, turn: turn.id }
  return yield* answerFrom(run, yield* runCalls(run, [search]))
}

/** A chat without tools, except those the user names with `@`. */
export async function* chat(begun: ModeRun): ModeEvents {
  return yield* answerFrom({ ...begun, found: yield* commandedResults(begun) }, [])
}

/** Resumes the loop: runs the calls that had not run, and answers all of them. */
async function* resumeLoop(run: ModeRun, { messages, results, calls }: BegunTurn): AsyncGenerator<AgentEvent> {
  run.progress.messages.push(...messages)
  yield* answerCalls(run, calls, { known: results, order: openCalls(messages) })
}

/** Resumes a plan, in which all calls run once, before the answer. */
export async function* resumePlanned(run: ModeRun, { results, calls }: BegunTurn): ModeEvents {
  const made = yield* answerCalls(run, calls)
  return yield* answerFrom(run, [...results, ...made])
}

/** One step without tools: the request and the results of the calls. */
async function* answerFrom(run: ModeRun, results: readonly ToolResult[]): ModeEvents {
  const { turn, setup, progress } = run
  // The calls were ours, not the model's: in its conversation they are part of the request.
  progress.messages = [requestWith(run, results)]
  const messages = [...(turn.history ?? []), ...progress.messages]
  const system = systemPrompt({ ...setup, toolset: [] })
  const { failure } = yield* takeStep(run, { system, messages, tools: 'absent' })
  return failure ? { reason: 'failed', failure } : { reason: 'answered' }
}

const resultShare = 0.6

/** The request for the model, with the results found before the model was asked. */
function requestWith({ turn, setup, found }: ModeRun, more: readonly ToolResult[] = []): ModelMessage {
  const results = [...found, ...more]
  // Here they are part of the request, which is never trimmed, so they share what may be theirs.
  const share = setup.window && Math.floor((requestRoom(setup.window) * resultShare) / Math.max(1, results.length))
  const shown = (text: string) => (share === undefined ? text : cutToFit(text, share))
  const enclosed = results.map((result) => ({
    part: { kind: 'result' as const, name: result.name, ...callOutcome(result) },
    label: `result of ${result.name}`,
    text: shown(result.text),
  }))
  const files = [...(turn.context?.files ?? []), ...shownFiles(results, setup.tools)]
  const { text, parts } = requestText(turn, enclosed)
  const message = requestMessage(text, files)
  if (parts.currentNote === undefined && parts.enclosed.length === 0) return message
  const request = { ...parts, enclosed: [...files.map(() => ({ kind: 'file' as const })), ...parts.enclosed] }
  return { ...message, providerOptions: { notewright: { request } } }
}

/** Runs the `@` commands. They work in every mode, whether or not the model is offered tools. */
async function* commandedResults(begun: ModeRun): AsyncGenerator<AgentEvent, ToolResult[]> {
  const { turn, setup } = begun
  const calls = (turn.begun || turn.answers ? [] : atCommands(turn.text).calls).map((call) => ({
    ...call,
    turn: turn.id,
  }))
  if (calls.length === 0) return []
  const commanding = { ...begun, setup: { ...setup, tools: setup.commands ?? setup.tools } }
  const named = yield* runCalls(commanding, calls)
  const results = [...named, ...(yield* embeddedFiles(commanding, named))]
  for (const result of results) {
    // No notice for calls the user denied.
    const isNews = !result.ok && result.code !== 'denied' && result.code !== 'needs-approval'
    if (isNews) yield { type: 'notice', text: `Not done: ${result.text}` }
  }
  return results
}

/** A note that the person chose is read with the pictures in it, where the model sees them. */
async function* embeddedFiles(
  run: ModeRun,
  results: readonly ToolResult[],
): AsyncGenerator<AgentEvent, readonly ToolResult[]> {
  const { tools, profile, modelName } = run.setup
  const embedded = await embedsIn(results, tools)
  if (embedded.length === 0) return []
  if (Object.keys(profile.files).length === 0) {
    const [first] = embedded
    const what = embedded.length === 1 ? `${first} was` : `${first} and ${embedded.length - 1} more were`
    yield { type: 'notice', text: `${what} not sent: ${modelName} doesn't accept pictures.` }
    return []
  }
  const calls = embedded.slice(0, mostEmbedded).map((path) => commandedCall('view_file', { path }))
  if (embedded.length > mostEmbedded) {
    yield { type: 'notice', text: `Reading the first ${mostEmbedded} of ${embedded.length} embedded files.` }
  }
  return yield* runCalls(
    run,
    calls.map((call) => ({ ...call, turn: run.turn.id })),
  )
}

const mostEmbedded = 8

interface CommandedCalls {
  /** The request without its commands. */
  text: string
  calls: ToolCall[]
}

/** The calls that the `@` commands of a request come to. */
export function atCommands(request: string): CommandedCalls {
  const { text: bare, notes, files, commands } = readAtCommands(request)
  const text = bare.replace(/[ \t]{2,}/g, ' ').trim()
  const calls: [name: string, input: Record<string, unknown>][] = [
    ...notes.map((path): [string, Record<string, unknown>] => ['read_note', { path }]),
    ...files.map((path): [string, Record<string, unknown>] => ['view_file', { path }]),
  ]
  if (commands.has('vault')) calls.push(['search_notes', { query: text }])
  if (commands.has('web')) calls.push(['web_search', { query: text }])
  if (commands.has('memory')) calls.push(['remember', { text }])
  return { text, calls: calls.map(([name, input]) => commandedCall(name, input)) }
}

/** A call that the user requests with `@`, rather than the model. */
const commandedCall = (name: string, input: Record<string, unknown>): ToolCall => ({
  id: `at-${crypto.randomUUID()}`,
  name,
  input,
})
