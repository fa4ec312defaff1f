import { Failure, failureData } from '../errors.js'
import { abortOnReturn, type LinkedAbort, linkedAbort, type ModelMessage } from '../model/index.js'
import type { ToolResult, ToolSetup } from '../tools/index.js'
import { type Citation, checkCitations } from './citations.js'
import { answerOpenCalls } from './conversation.js'
import {
  agent,
  chat,
  type Ending,
  type ModeEvents,
  type ModeRun,
  newProgress,
  type Progress,
  plan,
  resumePlanned,
  vaultQa,
} from './modes.js'
import type { AgentEvent, AgentSetup, Mode, RunEnd, Turn } from './turn.js'

const modes: Record<Mode, (run: ModeRun) => ModeEvents> = { agent, chat, plan, 'vault-qa': vaultQa }
const defaultMs = 5 * 60_000

/**
 * Runs one turn and yields all its events. Always ends with one `run-end`; expected errors are never thrown. Ending the
 * iteration stops the model's reply and running tools immediately, even while the next event is awaited.
 */
export function run(turn: Turn, setup: AgentSetup): AsyncGenerator<AgentEvent> {
  const stop = linkedAbort(setup.signal)
  return abortOnReturn(runTurn(turn, { ...setup, signal: stop.signal }, stop), stop)
}

async function* runTurn(turn: Turn, setup: AgentSetup, stop: LinkedAbort): AsyncGenerator<AgentEvent> {
  const limit = timeLimit(setup.maxMs ?? defaultMs, setup.signal)
  const progress = newProgress()
  const results = new Map<string, ToolResult>()
  const newMessages = messageReporter(progress, turn.begun?.messages)
  const attached = [...(turn.context?.attached ?? []), ...(turn.context?.files ?? [])].map(({ name }) => name)
  yield {
    type: 'run-start',
    turn: turn.id,
    mode: turn.mode,
    model: setup.modelName,
    text: turn.text,
    ...(attached.length > 0 && { attached }),
    ...(turn.begun && { continues: true as const }),
  }
  let ending: Pick<RunEnd, 'reason' | 'failure'>
  try {
    const events = startMode({ turn, setup, progress, limit, found: [] })
    let ended: Ending | undefined
    try {
      while (ended === undefined) {
        const { done, value } = await events.next()
        yield* newMessages()
        if (done) ended = value
        else {
          if (value.type === 'tool-result') results.set(value.call.id, value.result)
          yield value
        }
      }
    } finally {
      // Leaving the stream here also ends the mode.
      await events.return(undefined as never)
    }
    const { failure, reason } = ended
    if (reason !== 'failed' && reason !== 'handed-over') {
      const found = await citationsOf(progress, setup)
      if (found.length > 0) yield { type: 'citations', citations: found }
    }
    ending = { reason, ...(failure && { failure: failureData(failure) }) }
  } catch (error) {
    ending = setup.signal.aborted ? { reason: 'stopped' } : failedEnding(error, limit.signal)
  } finally {
    limit.stop()
    stop.release()
  }
  // Calls that were handed over stay open until the client answers them.
  if (ending.reason !== 'handed-over') {
    progress.messages = answerOpenCalls(progress.messages, results)
    yield* newMessages()
  }
  const { text, messages, steps, usage } = progress
  yield { type: 'run-end', text, messages, steps, usage, ...ending }
}

function startMode(begun: ModeRun): ModeEvents {
  const { turn } = begun
  if (turn.begun && (turn.mode !== 'agent' || turn.begun.messages.length === 0)) {
    return resumePlanned(begun, turn.begun)
  }
  return modes[turn.mode](begun)
}

/** Citations of the answer; if it cites nothing, the notes that were read for it. */
async function citationsOf(
  { text, hadEffect, memory }: Progress,
  { tools, modelName }: AgentSetup,
): Promise<Citation[]> {
  const named = await checkCitations(text, tools.guard.filterVisible(tools.context), memory.notesChanged)
  // Without a model, an answer names all its sources.
  const isToldFrom = named.length === 0 && !hadEffect && text.trim() !== '' && modelName !== 'offline'
  const unnamed = [...memory.notesRead].filter((path) => !text.includes(path)).slice(0, mostRead)
  const read = unnamed.map((path): Citation => ({ path, raw: '', check: 'read' }))
  return isToldFrom ? read : named
}

const mostRead = 10

function failedEnding(error: unknown, signal: AbortSignal): Pick<RunEnd, 'reason' | 'failure'> {
  if (error instanceof Failure) return { reason: 'failed', failure: failureData(error) }
  const [code, text] = signal.aborted
    ? (['timeout', 'The time limit for this turn was reached.'] as const)
    : (['internal', 'The turn failed unexpectedly.'] as const)
  const stack = code === 'internal' && error instanceof Error ? error.stack : undefined
  return { reason: 'failed', failure: { code, text, data: { error: String(error), ...(stack && { stack }) } } }
}

/** Events about what a turn adds to the conversation: a run that dies leaves the messages it has reported. */
function messageReporter(progress: Progress, known: readonly ModelMessage[] = []) {
  let told = known
  return function news(): AgentEvent[] {
    const now = [...progress.messages]
    const isMore = told.every((message, at) => now[at] === message)
    const messages = isMore ? now.slice(told.length) : now
    told = now
    return messages.length > 0 ? [{ type: 'messages', messages, ...(!isMore && { replaces: true as const }) }] : []
  }
}

/** Measures the time of a turn, without the time in which the user was deciding or a local model read a prompt. */
export interface TimeLimit {
  isOver(): boolean
  /** Aborts when the user stops, or when a step runs long past the limit. */
  signal: AbortSignal
  /** Watches the tools, to leave out the waiting. */
  watch(tools: ToolSetup): ToolSetup
  /** Stops the clock until the returned function is called. */
  leaveOut(): () => void
  stop(): void
}

/** Extra time for a last answer after the limit. */
const graceMs = 60_000

export function timeLimit(ms: number, outer: AbortSignal): TimeLimit {
  const startedAt = performance.now()
  let waited = 0
  const waiting = new Set<unknown>()
  let waitingSince = 0
  const inner = linkedAbort(outer)
  const elapsed = () => {
    const now = performance.now()
    const current = waiting.size === 0 ? 0 : now - waitingSince
    return now - startedAt - waited - current
  }
  let timer: ReturnType<typeof setTimeout>
  const check = () => {
    const left = ms + graceMs - elapsed()
    if (left <= 0) inner.abort(new Error('The time limit was reached.'))
    else timer = setTimeout(check, Math.max(left, 1000))
  }
  timer = setTimeout(check, ms + graceMs)

  /** Overlapping waits are one wait, from the start of the first to the end of the last. */
  const beginWait = (of: unknown) => {
    if (waiting.size === 0) waitingSince = performance.now()
    waiting.add(of)
  }
  const endWait = (of: unknown) => {
    if (waiting.delete(of) && waiting.size === 0) waited += performance.now() - waitingSince
  }

  return {
    isOver: () => elapsed() > ms,
    signal: inner.signal,
    watch: (tools) => ({
      ...tools,
      onStep(step) {
        tools.onStep?.(step)
        if (step.step === 'proposed') beginWait(step.proposed.callId)
        else if (step.step === 'decided') endWait(step.proposed.callId)
        else if (step.step === 'ended') endWait(step.result.callId)
      },
    }),
    leaveOut() {
      const wait = {}
      beginWait(wait)
      return () => endWait(wait)
    },
    stop() {
      clearTimeout(timer)
      inner.release()
    },
  }
}
