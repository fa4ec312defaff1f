import { type FileReference, referenceIn } from '../agent/index.js'
import type { Config } from '../config/index.js'
import { Failure, type FailureDetails } from '../errors.js'
import { nearestNames } from '../text/index.js'
import { shownBranch } from './branches.js'
import { newSessionId } from './session.js'
import {
  afterEvent,
  foldWords,
  type KeptState,
  newSession,
  type SessionStore,
  type SessionSummary,
  type StoredEvent,
} from './session-store.js'

// `!` is used on the only element of a list of one, and on a session that was just found.

/** The session a user means: by its id, by a beginning that only one id has, or by its title. */
export async function findSession(store: SessionStore, name: string): Promise<SessionSummary> {
  const all = await store.list()
  const wanted = name.trim()
  const exact = all.find(({ id }) => id === wanted)
  if (exact !== undefined) return exact
  const title = foldWords(wanted)
  const begun = wanted.length < leastBeginning ? [] : all.filter(({ id }) => id.startsWith(wanted))
  const named = all.filter((session) => title !== '' && foldWords(session.title) === title)
  const found = [...new Set([...begun, ...named])]
  if (found.length === 1) return found[0]!
  if (found.length > 1) {
    throw new Failure('ambiguous', `${found.length} chats match ${wanted}.`, {
      hint: `Name one by its id: ${found.slice(0, 5).map(shown).join(', ')}`,
    })
  }
  throw unknownSession(wanted, all)
}

const leastBeginning = 4

/** Similar ids and titles, for the hint. */
function unknownSession(name: string, all: readonly SessionSummary[]): Failure {
  const near = new Set([
    ...nearestNames(
      name,
      all.slice(0, mostCompared).map(({ id }) => id),
    ),
    ...nearestNames(
      name,
      all.slice(0, mostCompared).map(({ title }) => title),
    ),
  ])
  const meant = all.filter(({ id, title }) => near.has(id) || near.has(title)).slice(0, 3)
  const advice: FailureDetails =
    meant.length > 0
      ? { hint: `Did you mean ${meant.map(shown).join(' or ')}?` }
      : all.length > 0
        ? { hint: 'List the saved chats.', command: 'notewright sessions list' }
        : { hint: 'This vault has no saved chats yet.' }
  return new Failure('not-found', `Chat not found: ${name}`, {
    ...advice,
    data: { near: meant.map(({ id }) => id) },
  })
}

const mostCompared = 2000

const shown = ({ id, title }: SessionSummary): string => (title === '' ? id : `${id} (${title})`)

/** Options of a fork. */
interface Fork {
  /** Up to and with this turn; all of them by default. */
  at?: number | undefined
  now: Date
}

/** Creates a session that continues from a turn of another. Taint carries over; grants do not. */
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
  const events = upTo(shownBranch(await store.read(id)), at ?? turns)
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
    // The cost starts at zero: earlier turns are counted in the original session.
    await writer.append({ events, about: { ...about, waiting: [] }, ...(state && { state }) })
  } finally {
    await writer.release()
  }
  const copied = `${title.slice(0, longestTitle - copyMark.length)}${copyMark}`
  await store.rename(copy, copied, 'person')
  return { id: copy, title: copied }
}

const longestTitle = 60
const copyMark = ' (branch)'

function upTo(events: readonly StoredEvent[], turns: number): StoredEvent[] {
  let begun = 0
  return events.filter(({ event }) => {
    if (event.type === 'run-start' && !event.continues) begun++
    return begun <= turns
  })
}

/** The attachments, by the hashes that the messages name. */
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

/** Deletes sessions past the retention limits, except pinned ones. Sessions being written to are skipped until the next time. */
export async function forgetOldSessions(store: SessionStore, { days, megabytes }: Config['sessions']): Promise<void> {
  for (const id of outdatedSessions(await store.list(), { days, bytes: megabytes * 1_000_000 })) {
    await store.remove(id).catch(() => false)
  }
}

interface Retention {
  days: number
  bytes: number
}

const dayMs = 86_400_000

/**
 * The sessions that are too old, or too much, oldest last as they are listed. From one session to the next at most a
 * day is counted, so that neither a long pause nor a clock that jumped makes everything old at once.
 */
export function outdatedSessions(newestFirst: readonly SessionSummary[], { days, bytes }: Retention): string[] {
  let age = 0
  let size = 0
  let before: number | undefined
  return newestFirst.flatMap(({ id, updatedAt, bytes: own, pinned }) => {
    const time = Date.parse(updatedAt)
    if (before !== undefined) age += Math.min(dayMs, Math.max(0, before - time))
    before = time
    size += own
    return !pinned && (age > days * dayMs || size > bytes) ? [id] : []
  })
}
