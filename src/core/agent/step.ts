import { Failure } from '../errors.js'
import {
  addUsage,
  askModel,
  type ModelMessage,
  type ModelRequest,
  modelFailureData,
  type ReplyCall,
  type ReplyFailed,
  type ReplyMessage,
  type ReplyPiece,
  sanitizeResponse,
  shouldTruncateStreaming,
  toolMessage,
} from '../model/index.js'
import type { ToolCall, ToolResult } from '../tools/index.js'
import {
  cutToFit,
  detailFor,
  fitRequest,
  isTight,
  type RequestParts,
  requestRoom,
  resultRoom,
  trimNotice,
  type Window,
} from './context-budget.js'
import { callOutcome } from './conversation.js'
import { requestMessage, shownFiles, withBytes, withoutUnseen } from './file-parts.js'
import type { ModeRun } from './modes.js'
import { offeredTool } from './offered-tools.js'
import { performCalls } from './perform-calls.js'
import type { AgentEvent } from './turn.js'

/** The request of a mode to the model, for one step. */
interface StepRequest {
  system: string
  /** The whole conversation up to now. */
  messages: ModelMessage[]
  /**
   * `closed`: the tools are listed, so that the request has the prefix of those before it and no provider rejects
   * earlier calls, but the model can only answer.
   */
  tools: 'open' | 'closed' | 'absent'
}

export interface StepReply {
  /** Only of a complete reply: calls of a broken one are never run. */
  calls: ToolCall[]
  /** Calls of the client's own tools. */
  handed?: ReplyCall[]
  /** Set when the step was interrupted. */
  failure?: Failure
}

/**
 * One step: asks the model and keeps its reply. A request that the server refuses as too long is sent once more with a
 * smaller share of the context window.
 */
export async function* takeStep(run: ModeRun, request: StepRequest): AsyncGenerator<AgentEvent, StepReply> {
  const { turn, setup, progress, limit } = run
  const { profile, window } = setup
  const step = progress.steps++
  const isHanded = (name: string) => setup.clientTools?.some((tool) => tool.name === name) === true
  const isEnough = (soFar: readonly ReplyPiece[]) => shouldTruncateStreaming(profile, soFar, step)
  yield { type: 'step-start', step: step + 1 }
  for (let isAgain = false; ; isAgain = true) {
    const prepared = await prepareRequest(run, request, step)
    if ('failure' in prepared) {
      yield { type: 'step-end', step: step + 1, usage: {} }
      return { calls: [], failure: prepared.failure }
    }
    for (const text of prepared.notices) yield { type: 'notice', text }
    // Text of an earlier step preceded its calls; only the last step's text is the answer.
    progress.text = ''
    const mayBeCut = profile.premature !== undefined && step === 0
    const calls: ToolCall[] = []
    const handed: ReplyCall[] = []
    /** Words after a call, not shown until it is clear that they are few. */
    let held = ''
    let isParted = false
    let failed: ReplyFailed | undefined
    const reply = askModel(setup.model, mayBeCut ? { ...prepared.asked, isEnough } : prepared.asked)
    const silence = setup.isNearby ? silenceReport('prompt', limit.leaveOut()) : silenceReport('model')
    try {
      while (failed === undefined) {
        const next = reply.next()
        // If the consumer leaves while waiting, nobody handles the rejection.
        next.catch(() => {})
        for (let waiting = await silence.until(next); waiting; waiting = await silence.until(next)) yield waiting
        const { done, value: event } = await next
        if (done) throw new Error('A reply ends with finish or failed.')
        silence.see(event)
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
            yield event
            break
          case 'tool-call':
            if (isHanded(event.call.name)) handed.push(event.call)
            else calls.push(toolCall(event.call, turn.id))
            break
          case 'retry': {
            const { attempt, attempts, waitMs, failure } = event
            yield { type: 'retrying', why: failure.message, waitMs, attempt, attempts }
            break
          }
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
            failed = event
            break
          case 'repair':
            progress.wasAskedBack = true
            // The earlier text stays; the repaired reply starts a new paragraph.
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
    } finally {
      silence.end()
      await reply.return()
    }
    // The window was guessed too large, or the tokens too few: once more with less.
    if (!isAgain && window && !failed.message && modelFailureData(failed.failure)?.kind === 'context') {
      progress.share *= lessWhenRefused
      setup.onTooLong?.()
      continue
    }
    yield { type: 'step-end', step: step + 1, usage: {} }
    return { calls: [], failure: failed.failure }
  }
}

const lessWhenRefused = 0.6

/** A conversation below this share of the window is not cut by the next results. */
const roomyShare = 0.3

/** The request of a step as it fits into the model, and what the user should know about it. */
async function prepareRequest(
  run: ModeRun,
  { system, messages: whole, tools: access }: StepRequest,
  step: number,
): Promise<{ asked: ModelRequest; notices: readonly string[] } | { failure: Failure }> {
  const { setup, progress, limit } = run
  const { profile, settings, window } = setup
  const tools =
    access === 'absent'
      ? []
      : [...setup.toolset.map((tool) => offeredTool(tool, detailFor(window))), ...(setup.clientTools ?? [])]
  const seen = withoutUnseen(whole, profile, setup.modelName)
  const fitted = fitting(run, { system, messages: seen.messages, tools })
  if ('failure' in fitted) return { failure: fitted.failure }
  const { messages, notices } = await withBytes(fitted.messages, setup.files)
  const toolChoice = access === 'closed' ? 'none' : 'auto'
  const asksBack = progress.wasAskedBack ? 'none' : step === 0 && access === 'open' ? 'all' : 'text-calls'
  return {
    asked: {
      system,
      messages,
      tools,
      toolChoice,
      retryMalformedCalls: asksBack,
      profile,
      settings,
      signal: limit.signal,
    },
    notices: [...(fitted.notice === undefined ? [] : [fitted.notice]), ...untold([...seen.notices, ...notices], setup)],
  }
}

/** Shows each 'file not sent' notice once. */
function* untold(notices: readonly string[], { files }: Pick<ModeRun['setup'], 'files'>): Generator<string> {
  for (const text of new Set(notices)) {
    if (files?.reported.has(text)) continue
    files?.reported.add(text)
    yield text
  }
}

/** The conversation fitted into the window, and the notices about it. */
function fitting(
  { turn: { history = [] }, setup: { window, modelName }, progress }: ModeRun,
  request: Pick<RequestParts, 'system' | 'messages' | 'tools'>,
): { messages: ModelMessage[]; notice?: string | undefined } | { failure: Failure } {
  if (window === undefined) {
    progress.inView = request.messages
    return { messages: [...request.messages] }
  }
  const requestAt = history.length
  const fitted = fitRequest({ ...request, requestAt }, window, { name: modelName, scale: progress.share })
  if (fitted instanceof Failure) return { failure: fitted }
  // The user already saw the notice for earlier turns.
  progress.trimmed ??= trimmedBefore(history, request, window, modelName)
  const notice = trimNotice(fitted, progress.trimmed, window)
  progress.trimmed = fitted
  // A conversation that may soon be cut cannot be referred to.
  const isRoomy = !isTight(window) && fitted.tokens < requestRoom(window) * roomyShare
  progress.inView = isRoomy && fitted.folded + fitted.dropped === 0 ? fitted.messages : undefined
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
  const why = 'The answer is incomplete: the model reached its output limit.'
  return window === undefined
    ? why
    : `${why} ${(window.hint ?? '').replace('{tokens}', String(2 * window.tokens))}`.trim()
}

function toolCall({ id, name, input, error }: ReplyCall, turn: string): ToolCall {
  return { id, name, input, turn, ...(error && { unreadable: error }) }
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

/** Runs the calls of a step and adds their results to the conversation. */
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
      results.map((result) => ({ id: result.callId, name: result.name, text: text(result), ...callOutcome(result) })),
    ),
  )
  const files = shownFiles(results, setup.tools)
  // Results are text for most providers, so files follow them.
  if (files.length > 0) progress.messages.push(requestMessage('This is the file that view_file opened.', files))
  return results
}

/** Results that are already known, and the order of all results. */
interface KnownResults {
  known?: readonly ToolResult[]
  order?: readonly { id: string }[]
}

/** Runs calls that the model did not make: they are not part of its conversation yet. */
export async function* runCalls(
  { progress, setup, limit }: ModeRun,
  calls: readonly ToolCall[],
  { known = [], order = calls }: KnownResults = {},
): AsyncGenerator<AgentEvent, ToolResult[]> {
  const room = setup.window && resultRoom(setup.window)
  const { inView } = progress
  // The answers without a model read each result alone.
  const isShown = (text: string): boolean => setup.modelName !== 'offline' && inView !== undefined && isIn(inView, text)
  const context = { ...setup.tools.context, signal: limit.signal, isShown, ...(room && { room }) }
  const tools = limit.watch({ ...setup.tools, context })
  const made = yield* performCalls(calls, { tools, memory: progress.memory, approvals: setup.approvals })
  const results = order.flatMap(({ id }) => [...known, ...made].find(({ callId }) => callId === id) ?? [])
  const hasEffect = ({ name, ok }: ToolResult) =>
    ok && setup.tools.registry.find(name)?.tool.effects.some((effect) => effect !== 'reads')
  if (results.some(hasEffect)) progress.hadEffect = true
  for (const path of results.flatMap((result) => notesIn(result, setup.tools))) progress.found.add(path)
  return results
}

/** True if a result of a search in the conversation contains the text. Results are JSON. */
function isIn(messages: readonly ModelMessage[], text: string): boolean {
  const wanted = JSON.stringify(text)
  return messages.some(
    ({ role, content }) =>
      role === 'tool' &&
      content.some(
        (part) => part.type === 'tool-result' && part.output.type === 'text' && part.output.value.includes(wanted),
      ),
  )
}

/** Tools cut at lines and words, so that a part may be a little longer than it was to be. */
const tolerance = 1.5

function notesIn(result: ToolResult, { registry }: ModeRun['setup']['tools']): readonly string[] {
  return result.ok && result.output !== null ? (registry.find(result.name)?.tool.notesIn?.(result.output) ?? []) : []
}

type Waiting = Extract<AgentEvent, { type: 'waiting' }>

const everyMs = 5000

/** Reports every few seconds how long a model has been silent, until the first event of its reply. */
export function silenceReport(why: 'prompt' | 'model', onFirst: () => void = () => {}) {
  let isOver = false
  let startedAt = 0
  /** How long the next event is not expected; undefined while it is awaited. */
  let restMs: number | undefined = 0

  function end(): void {
    isOver = true
    onFirst()
  }

  return {
    /** Resolves to a report when the next event is late, or to undefined when it has arrived. */
    async until(next: Promise<unknown>): Promise<Waiting | undefined> {
      if (isOver) return undefined
      if (restMs !== undefined) startedAt = performance.now() + restMs
      restMs = undefined
      if (await comesSoon(next)) return undefined
      const ms = performance.now() - startedAt
      return { type: 'waiting', why: ms < 0 ? 'retry' : why, seconds: Math.round(Math.abs(ms) / 1000) }
    },
    see({ type, waitMs = 0 }: { type: string; waitMs?: number }): void {
      if (isOver) return
      // After these the request is sent again, or for the first time.
      if (type === 'retry' || type === 'notice' || type === 'repair') restMs = waitMs
      else end()
    },
    end,
  }
}

async function comesSoon(next: Promise<unknown>): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const tick = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), everyMs)
  })
  try {
    return await Promise.race([next.then(() => true), tick])
  } finally {
    clearTimeout(timer)
  }
}
