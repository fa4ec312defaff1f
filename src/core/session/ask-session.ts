import {
  type AgentEvent,
  type AgentSetup,
  answeredTurns,
  conversationOf,
  isTight,
  run,
  type Turn,
} from '../agent/index.js'
import { Failure } from '../errors.js'
import type { LinkedAbort } from '../model/index.js'
import { unsettledSentence } from '../notebook/index.js'
import type { ToolSetup } from '../tools/index.js'
import { joinedDeltas } from './record/joined-deltas.js'
import type { Request } from './session.js'
import { lookUpTools, modelSettings, openedModel, type SessionParts } from './session-parts.js'
import { vaultInstructions } from './vault-instructions.js'

/** One turn of a session. What it says is kept as it comes, so that leaving it loses nothing. */
export function askSession(parts: SessionParts, request: Request, stop: LinkedAbort): AsyncGenerator<AgentEvent> {
  return takeTurn(parts, stop, async (setup) => {
    const { text, ...about } = request
    parts.guard.hear(text)
    // Who asks something else has given up what waited.
    parts.waiting = undefined
    const context = await contextOf(about, setup.tools)
    return { id: crypto.randomUUID(), text, mode: parts.mode, context, history: parts.messages }
  })
}

/** The turn that broke off while a person was being asked, taken up again. */
export async function* goOnInSession(parts: SessionParts, stop: LinkedAbort): AsyncGenerator<AgentEvent> {
  const { waiting } = parts
  if (waiting === undefined) return stop.release()
  const { start, history, begun } = waiting
  yield* takeTurn(parts, stop, async () => {
    parts.waiting = undefined
    parts.messages = history
    return { id: start.turn, text: start.text, mode: start.mode, history, begun }
  })
}

async function* takeTurn(
  parts: SessionParts,
  stop: LinkedAbort,
  begin: (setup: AgentSetup) => Promise<Turn>,
): AsyncGenerator<AgentEvent> {
  if (parts.running !== undefined) {
    throw new Failure('conflict', 'This session is still answering.', { hint: 'Stop it first, or wait.' })
  }
  const kept: AgentEvent[] = []
  let end = () => {}
  parts.running = new Promise((resolve) => {
    end = resolve
  })
  try {
    const setup = await agentSetup(parts, stop.signal)
    const turn = await begin(setup)
    if (turn.begun) kept.push({ type: 'messages', messages: turn.begun.messages })
    const history = answeredTurns(turn.history ?? [])
    for await (const event of joinedDeltas(withNotices(run({ ...turn, history }, setup), parts))) {
      await parts.record?.keep(event)
      if (event.type === 'messages' || event.type === 'tool-result') kept.push(event)
      yield event
    }
  } finally {
    parts.messages = answeredTurns([...parts.messages, ...conversationOf(kept)])
    parts.running = undefined
    stop.release()
    end()
  }
}

async function* withNotices(events: AsyncGenerator<AgentEvent>, parts: SessionParts): AsyncGenerator<AgentEvent> {
  for await (const event of events) {
    yield event
    if (event.type === 'run-start') yield* unsettledNotices(parts)
  }
}

/** For the person alone: the model is told nothing of it. */
async function* unsettledNotices({ vault }: SessionParts): AsyncGenerator<AgentEvent> {
  // A journal that cannot be read says so where it is needed.
  const waiting = await vault.notebook.unsettled().catch(() => [])
  for (const entry of waiting) yield { type: 'notice', text: unsettledSentence(entry) }
}

async function agentSetup(parts: SessionParts, signal: AbortSignal): Promise<AgentSetup> {
  const { options, vault, mode, id } = parts
  const opened = await openedModel(parts)
  const { model, name, profile, isNearby } = opened
  const asked = opened.window?.()
  const { setup, toolset } = await lookUpTools(parts, signal)
  // A note may have been written, or made private, since the turn before. What fails here fails again, and aloud, in the
  // tool that needs it.
  await vault.notebook.refresh({ signal }).catch(() => undefined)
  const hasTools = options.tools !== false && vault.settings.tools.calling
  // Without tools a call is a call to an unknown one; what a mode looks up by itself stays possible.
  const isClosed = !hasTools && (mode === 'agent' || mode === 'chat')
  const window = await asked
  const wishes = await vaultInstructions(setup, (text) => tellOnce(parts, text), window?.tokens)
  const { minutes, steps, stream, temperature, thinking, instructions } = modelSettings(parts, name)
  return {
    model,
    modelName: name,
    profile,
    tools: isClosed ? { ...setup, offered: new Set() } : setup,
    toolset: !hasTools ? [] : isTight(window) ? toolset.few : toolset.tools,
    window,
    isNearby,
    guidance: toolset.guidance,
    instructions: { person: instructions, vault: wishes },
    mark: parts.mark,
    maxSteps: steps,
    maxMs: minutes * 60_000,
    settings: { stream, temperature, thinking },
    approvals: (listener) => vault.desk.listen(id, listener),
    signal,
  }
}

/** What stays the same from turn to turn need not be said in each of them. */
function tellOnce({ told, options }: SessionParts, text: string): void {
  if (told.has(text)) return
  told.add(text)
  options.onTrouble?.(text)
}

/** What the person looks at, as the model may see it. */
async function contextOf(
  { note, selection, attached = [] }: Omit<Request, 'text'>,
  { guard, context }: ToolSetup,
): Promise<Turn['context']> {
  // Nobody knows where a text comes from that was handed in.
  if (attached.length > 0) guard.observe(['clipped'])
  if (note !== undefined || selection !== undefined) guard.observe(['own-note'])
  const currentNote = note === undefined ? undefined : (await guard.screen(context).index.find(note)).path
  return { ...(currentNote && { currentNote }), ...(selection && { selection }), attached: [...attached] }
}
