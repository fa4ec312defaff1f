import { type AgentEvent, conversationOf } from '../../agent/index.js'
import type { ModelMessage } from '../../model/index.js'
import type { SessionAbout } from '../store/session-about.js'
import type { KeptState, SessionStore, SessionWriter } from '../store/session-store.js'

/** A session as it was left. */
export interface Resumed {
  writer: SessionWriter
  about: SessionAbout
  state?: KeptState
  messages: ModelMessage[]
}

/** What a prompt is made of. */
const told: readonly AgentEvent['type'][] = ['run-start', 'messages', 'tool-result']

/** Opens a session of that name for adding to it, with what it goes on from if there is one already. */
export async function resumeSession(store: SessionStore, id: string): Promise<Resumed | { writer: SessionWriter }> {
  const writer = await store.write(id)
  try {
    const kept = await store.find(id)
    if (kept === undefined) return { writer }
    const events = await store.read(id, { types: told })
    const { about, state } = kept
    return { writer, about, ...(state && { state }), messages: conversationOf(events.map(({ event }) => event)) }
  } catch (error) {
    await writer.release()
    throw error
  }
}
