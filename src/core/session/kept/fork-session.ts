import { type FileReference, referenceIn } from '../../agent/index.js'
import { Failure } from '../../errors.js'
import { newSessionId } from '../session-id.js'
import { afterEvent, newSession } from '../store/session-about.js'
import type { KeptState, SessionStore, StoredEvent } from '../store/session-store.js'
import { findSession } from './find-session.js'

/** What a copy is made with. */
interface Fork {
  /** Up to and with this turn; all of them unless told. */
  at?: number
  now: Date
}

/**
 * A new session that goes on from a turn of another. What came into the conversation counts in it too; what was allowed
 * for the other session does not.
 */
export async function forkSession(
  store: SessionStore,
  name: string,
  { at, now }: Fork,
): Promise<{ id: string; title: string }> {
  const { id, title, turns } = await findSession(store, name)
  if (at !== undefined && (at < 1 || at > turns)) {
    throw new Failure('invalid-input', `There is no turn ${at} in ${id}: it has ${turns}.`, {
      hint: 'Choose one of its turns.',
      command: `notewright sessions show ${id}`,
    })
  }
  const kept = (await store.find(id))!
  const events = upTo(await store.read(id), at ?? turns)
  let about = newSession
  for (const { event } of events) about = afterEvent(about, event)
  const copy = newSessionId(now)
  const writer = await store.write(copy)
  try {
    for (const hash of filesIn(events)) {
      const bytes = await store.file(id, hash)
      if (bytes !== undefined) await writer.keepFile(hash, bytes)
    }
    const state = kept.state && forkedState(kept.state, events)
    // It has cost nothing yet: what the turns before cost is counted where they were made.
    await writer.append({ events, about: { ...about, waiting: [] }, ...(state && { state }) })
  } finally {
    await writer.release()
  }
  const copied = `${title.slice(0, longestTitle - copyMark.length)}${copyMark}`
  await store.rename(copy, copied, 'person')
  return { id: copy, title: copied }
}

const longestTitle = 60
const copyMark = ' (fork)'

function upTo(events: readonly StoredEvent[], turns: number): StoredEvent[] {
  let begun = 0
  return events.filter(({ event }) => {
    if (event.type === 'run-start' && !event.continues) begun++
    return begun <= turns
  })
}

/** What was handed over, by the hashes that its messages name. */
function filesIn(events: readonly StoredEvent[]): Set<string> {
  const messages = events.flatMap(({ event }) => (event.type === 'messages' ? event.messages : []))
  const files = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content.flatMap(fileIn)))
  return new Set(files.flatMap(({ from, hash }) => (from === 'given' ? [hash] : [])))
}

const fileIn = (part: object): FileReference[] => {
  const reference = referenceIn(part)
  return reference === undefined ? [] : [reference]
}

function forkedState(state: KeptState, events: readonly StoredEvent[]): KeptState {
  const typed = events.flatMap(({ event }) => (event.type === 'run-start' && !event.continues ? [event.text] : []))
  return { ...state, typed, grants: [] }
}
