import type { AgentEvent } from '../../../src/core/agent/index.js'
import type { SessionEntry, SessionStore } from '../../../src/core/session/index.js'

export const begin = (text: string, turn = 't1'): AgentEvent => ({
  type: 'run-start',
  turn,
  mode: 'agent',
  model: 'offline',
  text,
})

export const say = (text: string): AgentEvent => ({ type: 'text-delta', text })

export const end = (text: string): AgentEvent => ({
  type: 'run-end',
  reason: 'answered',
  text,
  messages: [],
  steps: 1,
  usage: {},
})

let clock = Date.parse('2026-03-01T10:00:00Z')

export function entry(events: readonly AgentEvent[], more: Partial<SessionEntry> = {}): SessionEntry {
  const about = { turns: 1, model: 'offline', waiting: [] }
  return {
    events: events.map((event) => ({ time: new Date(clock++).toISOString(), event })),
    about,
    ...more,
  }
}

/** A session of one turn that has been released. */
export async function keep(store: SessionStore, id: string, asked = 'What feeds the soil?'): Promise<void> {
  const writer = await store.write(id)
  await writer.append(entry([begin(asked), say('Compost'), end('Compost feeds it.')]))
  await writer.release()
}
