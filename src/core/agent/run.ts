import { Failure, failureData } from '../errors.js'
import { type LinkedAbort, linkedAbort, modelFailureData, stoppedByLeaving } from '../model/index.js'
import type { ToolResult } from '../tools/index.js'
import type { AgentEvent, RunEnd } from './agent-event.js'
import { atCommands, commandedCall } from './at-commands.js'
import { type Citation, checkCitations } from './citations/index.js'
import { embedsIn } from './files/embeds-in.js'
import { messageTeller } from './message-teller.js'
import { agent } from './modes/agent.js'
import { chat } from './modes/chat.js'
import { goOnPlanned } from './modes/go-on.js'
import type { Ending, ModeEvents, ModeRun } from './modes/mode-run.js'
import { plan } from './modes/plan.js'
import { runCalls } from './modes/take-step.js'
import { vaultQa } from './modes/vault-qa.js'
import { newProgress, type Progress } from './progress.js'
import { timeLimit } from './time-limit.js'
import type { AgentSetup, Mode, Turn } from './turn.js'

const modes: Record<Mode, (run: ModeRun) => ModeEvents> = { agent, chat, plan, 'vault-qa': vaultQa }
const defaultMs = 5 * 60_000

/**
 * Runs one turn and tells everything that happens. Always ends with one `run-end`; never throws for what can go wrong.
 * Who leaves it stops it at once, the model's reply and running tools, even while the next event is still awaited.
 */
export function run(turn: Turn, setup: AgentSetup): AsyncGenerator<AgentEvent> {
  const stop = linkedAbort(setup.signal)
  return stoppedByLeaving(runTurn(turn, { ...setup, signal: stop.signal }, stop), stop)
}

async function* runTurn(turn: Turn, setup: AgentSetup, stop: LinkedAbort): AsyncGenerator<AgentEvent> {
  const limit = timeLimit(setup.maxMs ?? defaultMs, setup.signal)
  const progress = newProgress()
  const conversation = messageTeller(progress, turn.begun?.messages)
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
    const { failure, reason } = yield* conversation.telling(runMode({ turn, setup, progress, limit, found: [] }))
    if (reason !== 'failed' && reason !== 'handed-over') yield* citations(progress, setup)
    ending = { reason, ...(failure && { failure: failureData(failure) }) }
  } catch (error) {
    ending = setup.signal.aborted ? { reason: 'stopped' } : failedEnding(error, limit.signal)
  } finally {
    limit.stop()
    stop.release()
  }
  // Calls that were handed over stay open until the client answers them.
  if (ending.reason !== 'handed-over') yield* conversation.rest()
  const { text, messages, steps, usage } = progress
  yield { type: 'run-end', text, messages, steps, usage, ...ending }
}

async function* runMode(begun: ModeRun): ModeEvents {
  const { turn, progress } = begun
  if (turn.begun && (turn.mode !== 'agent' || turn.begun.messages.length === 0))
    return yield* goOnPlanned(begun, turn.begun)
  const modeRun = { ...begun, found: turn.begun ? [] : yield* commandedResults(begun) }
  const ending = yield* modes[turn.mode](modeRun)
  if (turn.mode !== 'agent' || !mayPlanInstead(ending, progress)) return ending
  yield { type: 'notice', text: `${asSentence(ending.failure?.message ?? '')} Planning the calls once instead.` }
  Object.assign(progress, { ...newProgress(), steps: progress.steps, usage: progress.usage })
  return yield* modes.plan(modeRun)
}

/** What the person asks for with `@` is done in every mode, whether or not the model is offered tools. */
async function* commandedResults(begun: ModeRun): AsyncGenerator<AgentEvent, ToolResult[]> {
  const { turn, setup } = begun
  const calls = (turn.answers ? [] : atCommands(turn.text).calls).map((call) => ({ ...call, turn: turn.id }))
  if (calls.length === 0) return []
  const commanding = { ...begun, setup: { ...setup, tools: setup.commands ?? setup.tools } }
  const named = yield* runCalls(commanding, calls)
  const results = [...named, ...(yield* embeddedFiles(commanding, named))]
  for (const result of results) {
    // Who said no knows it.
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
    yield { type: 'notice', text: `${what} not sent: ${modelName} takes no pictures.` }
    return []
  }
  const calls = embedded.slice(0, mostEmbedded).map((path) => commandedCall('view_file', { path }))
  if (embedded.length > mostEmbedded) {
    yield { type: 'notice', text: `Of ${embedded.length} embedded files the first ${mostEmbedded} are looked at.` }
  }
  return yield* runCalls(
    run,
    calls.map((call) => ({ ...call, turn: run.turn.id })),
  )
}

const mostEmbedded = 8

const asSentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)

/** Starting over is only safe before anything was written or sent, and only useful when the calling was the trouble. */
function mayPlanInstead({ failure }: Ending, { hadEffect }: Progress): boolean {
  const kind = modelFailureData(failure)?.kind
  return !hadEffect && kind !== undefined && ['malformed', 'empty'].includes(kind)
}

/** What the answer names; where it names nothing, what was read for it. */
async function* citations(
  { text, hadEffect, memory }: Progress,
  { tools, modelName }: AgentSetup,
): AsyncGenerator<AgentEvent> {
  const named = await checkCitations(text, tools.guard.screen(tools.context))
  // Without a model an answer names all it is made of.
  const isToldFrom = named.length === 0 && !hadEffect && text.trim() !== '' && modelName !== 'offline'
  const unnamed = [...memory.notesRead].filter((path) => !text.includes(path)).slice(0, mostRead)
  const read = unnamed.map((path): Citation => ({ path, raw: '', check: 'read' }))
  const found = isToldFrom ? read : named
  if (found.length > 0) yield { type: 'citations', citations: found }
}

const mostRead = 10

function failedEnding(error: unknown, signal: AbortSignal): Pick<RunEnd, 'reason' | 'failure'> {
  if (error instanceof Failure) return { reason: 'failed', failure: failureData(error) }
  const [code, text] = signal.aborted
    ? (['timeout', 'The time limit for this turn is over.'] as const)
    : (['internal', 'The turn failed unexpectedly.'] as const)
  const stack = code === 'internal' && error instanceof Error ? error.stack : undefined
  return { reason: 'failed', failure: { code, text, data: { error: String(error), ...(stack && { stack }) } } }
}
