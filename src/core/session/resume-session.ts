import { type AgentEvent, answerOpenCalls, type BegunTurn, openCalls, turnsOf, unknownOutcome } from '../agent/index.js'
import type { ModelMessage } from '../model/index.js'
import { isUnfinished, type LoggedCall, type ToolCall, type ToolLog, type ToolResult } from '../tools/index.js'
import { shownBranch } from './branches.js'
import type { KeptState, SessionAbout, SessionStore, SessionWriter, StoredEvent } from './session-store.js'

// `!` is used on the stored start of a run, whose turn was read from one.

/** A session as it was left. */
export interface Resumed {
  writer: SessionWriter
  about: SessionAbout
  state?: KeptState
  /** The messages of each turn. */
  turns: ModelMessage[][]
  /** The last turn, where it broke off while a user was being asked. */
  waiting?: WaitingTurn
}

/** An interrupted turn that can be resumed. */
export interface WaitingTurn {
  start: Extract<AgentEvent, { type: 'run-start' }>
  begun: BegunTurn
}

/** The messages for the prompt, and how far the last turn got. */
export const eventsForPrompt: readonly AgentEvent['type'][] = [
  'run-start',
  'messages',
  'tool-call',
  'tool-result',
  'compacted',
  'project-changed',
  'branch-changed',
  'run-end',
]

/** Opens a session for writing, with its stored state if it exists. */
export async function resumeSession(
  store: SessionStore,
  log: ToolLog,
  id: string,
): Promise<Resumed | { writer: SessionWriter }> {
  const writer = await store.write(id)
  try {
    const kept = await store.find(id)
    if (kept === undefined) return { writer }
    const { about, state } = kept
    const left = await leftIn(shownBranch(await store.read(id, { types: eventsForPrompt })), about, log, id)
    return { writer, about, ...(state && { state }), ...left }
  } catch (error) {
    await writer.release()
    throw error
  }
}

async function leftIn(
  stored: readonly StoredEvent[],
  about: SessionAbout,
  log: ToolLog,
  session: string,
): Promise<Pick<Resumed, 'turns' | 'waiting'>> {
  const turns = turnsOf(stored.map(({ event }) => event))
  const last = turns.at(-1)
  if (last?.start === undefined || last.hasEnded) return { turns: conversation(turns) }

  const { start, messages } = last
  const begunAt = stored.filter(({ event }) => event.type === 'run-start' && event.turn === start.turn)[0]!.time
  const since = new Date(Date.parse(begunAt) - clockDriftMs)
  const logged = await log.callsOf({ session, turn: start.turn, since })
  const calls = callsOf(stored, messages, start.turn)
  const history = conversation(turns.slice(0, -1))
  const results: ToolResult[] = []
  const unmade: ToolCall[] = []
  for (const call of calls) {
    const known = last.results.get(call.id)
    const entry = logged.filter((one) => one.call === call.id).at(-1)
    if (known !== undefined) results.push(known)
    else if (entry !== undefined) results.push(outcomeOf(call, entry))
    else unmade.push(call)
  }
  const answered = new Map([...results, ...unmade.map(notMade)].map((result) => [result.callId, result]))
  const waiting = about.waiting.length > 0 && unmade.length > 0
  return {
    turns: [...history, answerOpenCalls(messages, answered)],
    ...(waiting && { waiting: { start, begun: { messages, results, calls: unmade } } }),
  }
}

const conversation = (turns: ReturnType<typeof turnsOf>): ModelMessage[][] =>
  turns.map(({ messages, results }) => answerOpenCalls(messages, results))

/** The messages of each turn of the shown branch, of events that include those of the types above. */
export const turnsInBranch = (stored: readonly StoredEvent[]): ModelMessage[][] =>
  conversation(turnsOf(shownBranch(stored).map(({ event }) => event)))

/** Two clocks of one machine differ by less. */
const clockDriftMs = 60_000

/** The calls of the last reply; where the mode made the calls, those that had begun. */
function callsOf(stored: readonly StoredEvent[], messages: readonly ModelMessage[], turn: string): ToolCall[] {
  const open = openCalls(messages)
  if (open.length > 0) return open.map((call) => ({ ...call, turn }))
  const at = stored.findIndex(({ event }) => event.type === 'run-start' && event.turn === turn)
  if (messages.at(-1)?.role === 'tool') return []
  return stored.slice(at).flatMap(({ event }) => (event.type === 'tool-call' ? [event.call] : []))
}

function outcomeOf({ id: callId, name }: ToolCall, call: LoggedCall): ToolResult {
  const logId = call.id
  const failed = (code: 'internal' | 'denied', text: string): ToolResult => ({
    callId,
    name,
    ok: false,
    code,
    text,
    logId,
  })
  if (isUnfinished(call)) return failed('internal', unknownOutcome)
  if (call.error !== undefined) return failed('internal', call.error.message)
  if (call.decision === 'denied' || call.decision === 'refused') return failed('denied', 'It was denied.')
  const text = `It was done before the run was interrupted: ${call.result ?? 'the result is unknown'}`
  return { callId, name, ok: true, output: null, text, summary: call.result ?? 'done', provenance: [], logId }
}

function notMade({ id: callId, name }: ToolCall): ToolResult {
  return {
    callId,
    name,
    ok: false,
    code: 'needs-approval',
    text: 'The run was interrupted before this call was made. Nothing was done.',
  }
}
