import type { AgentEvent } from '../../agent/index.js'
import { Failure } from '../../errors.js'
import type { StepUsage } from '../../model/index.js'
import type { Redact } from '../../tools/index.js'
import { addCost, afterEvent, newSession, type SessionAbout } from '../store/session-about.js'
import type { KeptState, SessionStore, SessionWriter, StoredEvent, UsageRow } from '../store/session-store.js'
import { titleFrom } from '../titles/title-from.js'
import { withoutSecrets } from './without-secrets.js'

/** Writes down what happens in one session. */
export interface SessionRecord {
  /** Keeps an event, and what follows from it, before anybody sees it. */
  keep(event: AgentEvent): Promise<void>
  /** Counts what was used besides the steps of a turn. */
  count(usage: StepUsage, turn?: string): Promise<void>
  /** Keeps a file that was handed over, so that a later process can show it again. */
  keepFile(hash: string, bytes: Uint8Array): Promise<void>
  /** A model has given it a title. */
  titled(): void
  isTitled(): boolean
  /** Lets go of the session. */
  close(): Promise<void>
}

export interface RecordSetup {
  store: SessionStore
  id: string
  /** Of a session that goes on: who may write to it, and where it is. */
  writer?: SessionWriter
  about?: SessionAbout
  redact: Redact
  now: () => Date
  /** As the session is at this moment. */
  state: () => KeptState
  /** In US dollars; null where nobody knows. */
  price: (model: string, usage: StepUsage) => number | null
  /** Something was added, for whoever follows the session. */
  onKept: (kept: readonly StoredEvent[]) => void
  onTrouble: (text: string) => void
}

/** These leave a session as it was, and there are many of them. */
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
  /** Nothing is kept any more: the conversation goes on without, or is over. */
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

  /** What cannot be kept ends the keeping, not the conversation. */
  async function writing(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (error instanceof Failure && error.code === 'conflict') throw error
      isLost = true
      onTrouble(`This session is no longer kept: ${(error as Error).message}`)
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
      // How much the person wants to be asked may have changed since the last word.
      if (about.turns > 0) await append([], [])
      isLost = true
      await open.release().catch((error: Error) => onTrouble(`The session could not be closed: ${error.message}`))
    },
  }
}
