import { Failure } from '../../errors.js'
import {
  addUsage,
  askModel,
  type ModelMessage,
  type ModelRequest,
  modelFailureData,
  type ReplyCall,
  type ReplyMessage,
  type ReplyPiece,
  sanitizeResponse,
  shouldTruncateStreaming,
  toolMessage,
} from '../../model/index.js'
import type { ToolCall, ToolResult } from '../../tools/index.js'
import type { AgentEvent } from '../agent-event.js'
import { fitRequest, type RequestParts, trimNotice } from '../budget/fit-request.js'
import { cutToFit } from '../budget/fold-message.js'
import { isTight, resultRoom, type Window } from '../budget/window-share.js'
import { performCalls } from '../calls/perform-calls.js'
import { requestMessage } from '../files/file-part.js'
import { withBytes, withoutUnseen } from '../files/send-files.js'
import { shownFiles } from '../files/shown-files.js'
import type { ModeRun } from './mode-run.js'
import { offeredTool } from './offered-tool.js'
import { whileWaiting } from './while-waiting.js'

/** What a mode asks the model for in one step. */
export interface StepRequest {
  system: string
  /** The whole conversation up to now. */
  messages: ModelMessage[]
  /**
   * `closed`: the tools are there, so that the request begins as those before it and no provider misses what earlier
   * calls were about, but the model can only answer.
   */
  tools: 'open' | 'closed' | 'absent'
}

export interface StepReply {
  /** Only of a reply that is complete: what comes of a broken one is never run. */
  calls: ToolCall[]
  /** Calls of the client's own tools. */
  handed?: ReplyCall[]
  /** Set when the step broke off. */
  failure?: Failure
}

/** One step: the model speaks, and what it said is kept. */
export async function* takeStep(run: ModeRun, request: StepRequest): AsyncGenerator<AgentEvent, StepReply> {
  const { progress } = run
  const step = progress.steps++
  yield { type: 'step-start', step: step + 1 }
  const reply = yield* ask(run, request, step)
  // The window was guessed too large, or the tokens too few: once more with less.
  const isTooLong = reply.isRefused === true && modelFailureData(reply.failure)?.kind === 'context'
  if (isTooLong) {
    progress.share *= lessWhenRefused
    run.setup.onTooLong?.()
  }
  const last = isTooLong ? yield* ask(run, request, step) : reply
  if (last.failure) yield { type: 'step-end', step: step + 1, usage: {} }
  return last
}

const lessWhenRefused = 0.6

async function* ask(
  run: ModeRun,
  { system, messages: whole, tools: access }: StepRequest,
  step: number,
): AsyncGenerator<AgentEvent, StepReply & { isRefused?: true }> {
  const { turn, setup, progress, limit } = run
  const { profile, settings, window } = setup
  const tools =
    access === 'absent'
      ? []
      : [...setup.toolset.map((tool) => offeredTool(tool, isTight(window))), ...(setup.clientTools ?? [])]
  const isHanded = (name: string) => setup.clientTools?.some((tool) => tool.name === name) === true
  const seen = withoutUnseen(whole, profile, setup.modelName)
  const fitted = fitting(run, { system, messages: seen.messages, tools })
  if ('failure' in fitted) return { calls: [], failure: fitted.failure }
  const { messages, notices } = await withBytes(fitted.messages, setup.files)
  if (fitted.notice !== undefined) yield { type: 'notice', text: fitted.notice }
  yield* untold([...seen.notices, ...notices], setup)
  // Words of an earlier step were said before its calls; only the last step's are the answer.
  progress.text = ''
  const mayBeCut = profile.premature !== undefined && step === 0
  const isEnough = (soFar: readonly ReplyPiece[]) => shouldTruncateStreaming(profile, soFar, step)
  const toolChoice = access === 'closed' ? 'none' : 'auto'
  const asksBack = progress.wasAskedBack ? 'none' : step === 0 && access === 'open' ? 'all' : 'text-calls'
  const asked: ModelRequest = { system, messages, tools, toolChoice, asksBack, profile, settings, signal: limit.signal }
  const calls: ToolCall[] = []
  const handed: ReplyCall[] = []
  /** Words after a call, not shown until it is clear that they are few. */
  let held = ''
  let isParted = false
  const reply = askModel(setup.model, mayBeCut ? { ...asked, isEnough } : asked)
  const waiting = setup.isNearby ? whileWaiting(reply, 'prompt', limit.leaveOut()) : whileWaiting(reply, 'model')
  for await (const event of waiting) {
    if (held !== '' && event.type !== 'text-delta' && event.type !== 'reasoning-delta') {
      const isCut = event.type === 'finish' && isEnough(event.message.content)
      const text = isCut ? '' : held
      held = ''
      progress.text += text
      if (text !== '') yield { type: 'text-delta', text }
    }
    switch (event.type) {
      case 'text-delta':
        if (mayBeCut && calls.length + handed.length > 0) held += event.text
        else {
          const text = isParted ? `\n\n${event.text}` : event.text
          isParted = false
          progress.text += text
          yield { ...event, text }
        }
        break
      case 'reasoning-delta':
      case 'notice':
      case 'waiting':
        yield event
        break
      case 'tool-call':
        if (isHanded(event.call.name)) handed.push(event.call)
        else calls.push(toolCall(event.call, turn.id))
        break
      case 'retry':
        yield { type: 'retrying', why: event.failure.message, waitMs: event.waitMs }
        break
      case 'finish': {
        calls.splice(mostAnswered)
        const content = [...sanitizeResponse(profile, event.message.content, step)]
        progress.messages.push(repeatable({ ...event.message, content }, [...calls, ...handed]))
        addUsage(progress.usage, event.usage)
        if (calls.length > 0) setup.tools.onStep?.({ step: 'requested', calls: calls.length })
        yield { type: 'step-end', step: step + 1, usage: event.usage }
        if (event.reason === 'length') yield { type: 'notice', text: cutNotice(window) }
        return { calls, handed }
      }
      case 'failed':
        if (event.message) progress.messages.push(event.message)
        return { calls: [], failure: event.failure, ...(window && !event.message && { isRefused: true }) }
      case 'repair':
        progress.wasAskedBack = true
        // What was said stands; what comes now is a paragraph of its own.
        isParted = progress.text.trim() !== ''
        break
      case 'reasoning-signed':
      case 'tool-input-start':
      case 'tool-input-delta':
        break
      default:
        event satisfies never
    }
  }
  throw new Error('A reply ends with finish or failed.')
}

/** Of a file that is not sent the person hears once. */
function* untold(notices: readonly string[], { files }: Pick<ModeRun['setup'], 'files'>): Generator<AgentEvent> {
  for (const text of new Set(notices)) {
    if (files?.told.has(text)) continue
    files?.told.add(text)
    yield { type: 'notice', text }
  }
}

/** The conversation as it fits into the model, and what the person is to know about it. */
function fitting(
  { turn: { history = [] }, setup: { window, modelName }, progress }: ModeRun,
  request: Pick<RequestParts, 'system' | 'messages' | 'tools'>,
): { messages: ModelMessage[]; notice?: string } | { failure: Failure } {
  if (window === undefined) return { messages: [...request.messages] }
  const requestAt = history.length
  const fitted = fitRequest({ ...request, requestAt }, window, { name: modelName, scale: progress.share })
  if (fitted instanceof Failure) return { failure: fitted }
  // Of what was trimmed in earlier turns the person was told then.
  progress.trimmed ??= trimmedBefore(history, request, window, modelName)
  const notice = trimNotice(fitted, progress.trimmed, window)
  progress.trimmed = fitted
  return { messages: fitted.messages, notice }
}

function trimmedBefore(
  history: readonly ModelMessage[],
  request: Pick<RequestParts, 'system' | 'tools'>,
  window: Window,
  name: string,
): { folded: number; dropped: number } {
  const before = fitRequest({ ...request, messages: history, requestAt: history.length }, window, { name })
  return before instanceof Failure ? { folded: 0, dropped: 0 } : before
}

function cutNotice(window: Window | undefined): string {
  const why = 'The answer was cut: the model reached the end of its room.'
  return window === undefined
    ? why
    : `${why} ${(window.hint ?? '').replace('{tokens}', String(2 * window.tokens))}`.trim()
}

function toolCall({ id, name, input, error }: ReplyCall, turn: string): ToolCall {
  return { id, name, input, turn, ...(error && { refused: `Tool ${name} validation failed: ${error}` }) }
}

/** Calls beyond this are not even answered one by one: neither they nor their refusals are sent back to the model. */
const mostAnswered = 100
const longestInput = 200_000

/** The reply as later steps repeat it, without what no later step could bear. */
function repeatable(message: ReplyMessage, calls: readonly { id: string }[]): ReplyMessage {
  const kept = new Set(calls.map(({ id }) => id))
  const content = message.content.flatMap((part): ReplyPiece[] => {
    if (part.type !== 'tool-call') return [part]
    if (!kept.has(part.toolCallId)) return []
    const { length } = JSON.stringify(part.input) ?? ''
    return [length > longestInput ? { ...part, input: { left_out: `${length} characters` } } : part]
  })
  return { ...message, content }
}

/** Runs the calls of a step and keeps their results where the model will see them. */
export async function* answerCalls(
  run: ModeRun,
  calls: readonly ToolCall[],
  before: KnownResults = {},
): AsyncGenerator<AgentEvent, ToolResult[]> {
  const { progress, setup } = run
  const results = yield* runCalls(run, calls, before)
  const room = setup.window && resultRoom(setup.window)
  const text = (result: ToolResult) => (room === undefined ? result.text : cutToFit(result.text, room * tolerance))
  progress.messages.push(
    toolMessage(
      results.map((result) => ({ id: result.callId, name: result.name, text: text(result), isError: !result.ok })),
    ),
  )
  const files = shownFiles(results, setup.tools)
  // Results are text for most providers, so what is to be seen follows them.
  if (files.length > 0) progress.messages.push(requestMessage('This is what view_file looked at.', files))
  return results
}

/** What came of some calls already, and in which order all are told. */
interface KnownResults {
  known?: readonly ToolResult[]
  order?: readonly { id: string }[]
}

/** Runs calls that the model did not make: they are no part of its conversation yet. */
export async function* runCalls(
  { progress, setup, limit }: ModeRun,
  calls: readonly ToolCall[],
  { known = [], order = calls }: KnownResults = {},
): AsyncGenerator<AgentEvent, ToolResult[]> {
  const room = setup.window && resultRoom(setup.window)
  const context = { ...setup.tools.context, signal: limit.signal, ...(room && { room }) }
  const tools = limit.watch({ ...setup.tools, context })
  const made = yield* performCalls(calls, { tools, memory: progress.memory, approvals: setup.approvals })
  const results = order.flatMap(({ id }) => [...known, ...made].find(({ callId }) => callId === id) ?? [])
  const hasEffect = ({ name, ok }: ToolResult) =>
    ok && setup.tools.registry.find(name)?.tool.effects.some((effect) => effect !== 'reads')
  if (results.some(hasEffect)) progress.hadEffect = true
  for (const path of results.flatMap((result) => notesIn(result, setup.tools))) progress.found.add(path)
  return results
}

/** Tools cut at lines and words, so that a part may be a little longer than it was to be. */
const tolerance = 1.5

function notesIn(result: ToolResult, { registry }: ModeRun['setup']['tools']): readonly string[] {
  return result.ok && result.output !== null ? (registry.find(result.name)?.tool.notesIn?.(result.output) ?? []) : []
}
