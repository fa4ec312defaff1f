import type { AgentEvent } from '../agent/index.js'
import { Failure } from '../errors.js'
import type { ModelMessage, StepUsage } from '../model/index.js'
import { maySpellSecret, type Redact } from '../tools/index.js'
import {
  addCost,
  afterEvent,
  type KeptState,
  newSession,
  type SessionAbout,
  type SessionStore,
  type SessionWriter,
  type StoredEvent,
  type UsageRow,
} from './session-store.js'
import { titleFrom } from './titles.js'

// `!` is used on the result that ended the race, on a match of an expression that matches any text, and on messages of
// two lists of equal length.

/** Stores the events of one session. */
export interface SessionRecord {
  /** Stores an event, and its effects on the session, before it is shown. */
  keep(event: AgentEvent): Promise<void>
  /** Records usage outside the steps of a turn. */
  count(usage: StepUsage, turn?: string): Promise<void>
  /** Keeps a file that was handed over, so that a later process can show it again. */
  keepFile(hash: string, bytes: Uint8Array): Promise<void>
  /** A model has given it a title. */
  titled(): void
  isTitled(): boolean
  /** Lets go of the session. */
  close(): Promise<void>
}

interface RecordSetup {
  store: SessionStore
  id: string
  /** For a resumed session: its writer and its stored state. */
  writer?: SessionWriter | undefined
  about?: SessionAbout | undefined
  redact: Redact
  now: () => Date
  /** Current state of the session. */
  state: () => KeptState
  /** In US dollars; null if unknown. */
  price: (model: string, usage: StepUsage) => number | null
  /** Called after something was stored, for followers of the session. */
  onKept: (kept: readonly StoredEvent[]) => void
  onTrouble: (text: string) => void
}

/** Frequent events that do not change a session's state. */
const withoutConsequence: ReadonlySet<AgentEvent['type']> = new Set([
  'text-delta',
  'reasoning-delta',
  'tool-progress',
  'waiting',
])

export function sessionRecord(setup: RecordSetup): SessionRecord {
  const { store, id, redact, now, state, price, onKept, onTrouble } = setup
  let writer = setup.writer
  let about = setup.about ?? newSession
  let keptState = ''
  let turn: string | undefined
  let isTitled = false
  /** Storing has stopped: the conversation continues without it, or is over. */
  let isLost = false

  async function append(events: readonly AgentEvent[], usage: readonly UsageRow[]): Promise<void> {
    if (isLost) return
    const time = now().toISOString()
    const stored = events.map((event) => ({ time, event: withoutSecrets(event, redact) }))
    const mayBeNew = events.every(({ type }) => !withoutConsequence.has(type))
    const next = mayBeNew ? (redact(state()) as KeptState) : undefined
    const text = next === undefined ? keptState : JSON.stringify(next)
    await writing(async () => {
      writer ??= await store.write(id)
      const last = await writer.append({ events: stored, about, ...(text !== keptState && { state: next }), usage })
      keptState = text
      onKept(stored.map((one, at) => ({ seq: last - stored.length + 1 + at, ...one })))
    })
  }

  /** A failed write ends the recording, not the conversation. */
  async function writing(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (error instanceof Failure && error.code === 'conflict') throw error
      isLost = true
      onTrouble(`This chat is no longer saved: ${(error as Error).message}`)
    }
  }

  function rowOf(usage: StepUsage, cost: number | null, of = turn): UsageRow {
    const { model, project } = about
    const { input = 0, output = 0, cachedInput: cached = 0 } = usage
    const whose = { session: id, ...(of && { turn: of }), ...(project && { project }) }
    return { time: now().toISOString(), ...whose, model, input, output, cached, cost }
  }

  /** Usage of which a provider says nothing is not counted as none. */
  function spend(usage: StepUsage, of?: string): UsageRow[] {
    if (Object.keys(usage).length === 0) return []
    const cost = usage.cost ?? price(about.model, usage)
    about = { ...about, cost: addCost(about.cost, cost) }
    return [rowOf(usage, cost, of)]
  }

  return {
    async keep(event) {
      const isFirst = about.turns === 0
      if (event.type === 'run-start') turn = event.turn
      about = { ...about, project: state().project }
      about = afterEvent(about, event)
      await append([event], event.type === 'step-end' ? spend(event.usage) : [])
      if (isFirst && event.type === 'run-start' && !isLost) {
        await store.rename(id, titleFrom(redact(event.text) as string), 'words')
      }
    },
    async keepFile(hash, bytes) {
      if (isLost) return
      await writing(async () => {
        writer ??= await store.write(id)
        await writer.keepFile(hash, bytes)
      })
    },
    count: (usage, of) => append([], spend(usage, of)),
    titled() {
      isTitled = true
    },
    isTitled: () => isTitled,
    async close() {
      const open = writer
      if (open === undefined || isLost) return
      // The approval level may have changed since the last event.
      if (about.turns > 0) await append([], [])
      isLost = true
      await open.release().catch((error: Error) => onTrouble(`The chat could not be closed: ${error.message}`))
    },
  }
}

type Delta = Extract<AgentEvent, { type: 'text-delta' | 'reasoning-delta' }>

/** Deltas that arrive faster than this are joined, since each one costs a write. */
const joinMs = 30

/** A pause this long inside a word is treated as the end of the text. */
const pauseMs = 400

/**
 * The same events with fewer deltas. An incomplete word, and a line that may contain a secret, are held back until
 * complete, so that stored text can be redacted as a whole.
 */
export async function* joinedDeltas(events: AsyncGenerator<AgentEvent, unknown>): AsyncGenerator<AgentEvent> {
  let held: Delta | undefined
  let toldAt = Number.NEGATIVE_INFINITY
  let next: Promise<IteratorResult<AgentEvent, unknown>> | undefined
  try {
    for (;;) {
      next ??= events.next()
      const result = await (held === undefined ? next : within(next, patience(held.text, toldAt)))
      if (result === undefined && held !== undefined) {
        const { text } = held
        const length = wholeLength(text) || text.length
        yield { ...held, text: text.slice(0, length) }
        toldAt = performance.now()
        held = length < text.length ? { ...held, text: text.slice(length) } : undefined
        continue
      }
      const { done, value } = result!
      next = undefined
      if (!done && isDelta(value) && (held === undefined || held.type === value.type)) {
        held = { ...value, text: (held?.text ?? '') + value.text }
        continue
      }
      if (held !== undefined) yield held
      held = !done && isDelta(value) ? value : undefined
      if (done) return
      if (held === undefined) yield value
    }
  } finally {
    await events.return(undefined)
  }
}

/** How long to wait for more text before emitting this. */
function patience(text: string, toldAt: number): number {
  if (wholeLength(text) > 0) return toldAt + joinMs - performance.now()
  return maySpellSecret(text) ? Number.POSITIVE_INFINITY : pauseMs
}

const isDelta = (event: AgentEvent): event is Delta => event.type === 'text-delta' || event.type === 'reasoning-delta'

/** Undefined when it takes longer. */
function within<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  if (ms === Number.POSITIVE_INFINITY) return promise
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(undefined), Math.max(0, ms))
    promise.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

/** Longer text is emitted in any case. */
const longestHeld = 4000

/** Length of text that can be emitted: up to the last word, or to the line before a possible secret. */
function wholeLength(text: string): number {
  if (text.length > longestHeld) return text.length
  const lineAt = text.lastIndexOf('\n') + 1
  if (maySpellSecret(text.slice(lineAt))) return lineAt
  const [word] = /[\w+/=.~-]*$/.exec(text)!
  return text.length - word.length
}

/** An event as it is kept: complete, but for secrets. */
function withoutSecrets(event: AgentEvent, redact: Redact): AgentEvent {
  const kept = redact(event) as AgentEvent
  if (kept.type !== 'messages' || event.type !== 'messages') return kept
  return { ...kept, messages: kept.messages.map((message, at) => withoutAlteredThoughts(message, event.messages[at]!)) }
}

/** A provider signs a model's thoughts, and refuses them when a word in them is another. */
function withoutAlteredThoughts(kept: ModelMessage, said: ModelMessage): ModelMessage {
  if (kept.role !== 'assistant' || typeof kept.content === 'string' || typeof said.content === 'string') return kept
  const textAt = (at: number) => (said.content[at] as { text?: string }).text
  const content = kept.content.filter((part, at) => part.type !== 'reasoning' || part.text === textAt(at))
  return content.length === kept.content.length ? kept : { ...kept, content }
}
