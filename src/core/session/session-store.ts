import type { AgentEvent } from '../agent/index.js'
import type { UserRequest } from '../approval/index.js'
import { Failure } from '../errors.js'
import type { SessionState } from './session.js'

/** An event with its place in the session: numbers begin at 1, go up by one, and are never given twice. */
export interface StoredEvent {
  seq: number
  /** ISO 8601. */
  time: string
  event: AgentEvent
}

/** The fields of a session that lists show, available without reading its events. */
export interface SessionSummary {
  id: string
  title: string
  createdAt: string
  updatedAt: string
  turns: number
  model: string
  project?: string
  /** Kept by the user: listed first, and never deleted for its age. */
  pinned?: boolean
  /** Number of undecided calls. */
  waiting: number
  /** In US dollars; null if unknown. */
  cost: number | null
  /** Size of its events. */
  bytes: number
}

/** The state a session resumes from, besides its events. */
export type KeptState = Omit<SessionState, 'messages'>

export interface KeptSession extends SessionSummary {
  about: SessionAbout
  state?: KeptState | undefined
  /** Number of its last event. */
  last: number
}

/** Stored atomically: all of it or none. */
export interface SessionEntry {
  events: readonly Omit<StoredEvent, 'seq'>[]
  /** State of the session after these events. */
  about: SessionAbout
  /** Absent: as it was. */
  state?: KeptState | undefined
  usage?: readonly UsageRow[]
}

/** One use of a model. Deleting the session keeps this row, without the session id. */
export interface UsageRow {
  time: string
  session?: string | undefined
  turn?: string
  model: string
  project?: string | undefined
  input: number
  output: number
  cached: number
  /** In US dollars; null if unknown. */
  cost: number | null
}

/** A weaker source does not replace a stronger one: the user, the model, the first words of the request. */
export type TitledBy = 'words' | 'model' | 'person'

/** May add to one session, until it is released or its process dies. */
export interface SessionWriter {
  /** Returns the number of the last event. Throws a `conflict` if another process writes here. */
  append(entry: SessionEntry): Promise<number>
  /** Keeps the bytes of a file that was handed over, once, by their hash. */
  keepFile(hash: string, bytes: Uint8Array): Promise<void>
  /** A session to which nothing was added leaves no trace. */
  release(): Promise<void>
}

export interface SessionMatch {
  id: string
  /** The event that has the words; 0 for the title. */
  seq: number
  passage: string
}

/** Keeps the events of sessions, each in the order in which they happened. Nothing in it is ever changed, only added. */
export interface SessionStore {
  /** The newest first. */
  list(): Promise<SessionSummary[]>
  find(id: string): Promise<KeptSession | undefined>
  /** Events after that number, in order; only of the given types, if any are given. */
  read(id: string, question?: { after?: number; types?: readonly AgentEvent['type'][] }): Promise<StoredEvent[]>
  /** A file that is kept with a session. */
  file(id: string, hash: string): Promise<Uint8Array | undefined>
  /** Sessions that contain the words in title, requests or answers, newest first, one hit each. */
  search(words: string): Promise<SessionMatch[]>
  /** Opens a session for writing and creates it if needed. Fails with a `conflict` that names the process writing it. */
  write(id: string): Promise<SessionWriter>
  /** The id of another process that has this session open for writing; undefined if there is none. */
  holder(id: string): Promise<string | undefined>
  /** False when there is no such session, or it has a stronger title. */
  rename(id: string, title: string, by: TitledBy): Promise<boolean>
  /** False when there is no such session. */
  pin(id: string, isPinned: boolean): Promise<boolean>
  /** Deletes all data of a session. False if there is none; a `conflict` while a process writes to it. */
  remove(id: string): Promise<boolean>
  /** Oldest first. */
  usage(since?: Date): Promise<UsageRow[]>
  /** Usage that belongs to no session that is kept. */
  addUsage(row: UsageRow): Promise<void>
  close(): Promise<void>
}

/** Summary data of a session, updated with each event. */
export interface SessionAbout {
  turns: number
  model: string
  project?: string | undefined
  /** Ids of undecided calls. */
  waiting: readonly string[]
  /** In US dollars; null once the price of any usage is unknown, absent before any usage. */
  cost?: number | null
}

export const newSession: SessionAbout = { turns: 0, model: '', waiting: [] }

export function afterEvent(about: SessionAbout, event: AgentEvent): SessionAbout {
  switch (event.type) {
    case 'run-start':
      return { ...about, model: event.model, turns: about.turns + (event.continues ? 0 : 1), waiting: [] }
    case 'approval-asked':
      return { ...about, waiting: [...about.waiting, ...idsIn(event.panel)] }
    case 'approval-decided':
      return { ...about, waiting: about.waiting.filter((id) => id !== event.id) }
    case 'branch-changed':
      return { ...about, turns: event.turns, waiting: [] }
    case 'run-end':
      return about.waiting.length === 0 ? about : { ...about, waiting: [] }
    default:
      return about
  }
}

/** Once a part of a sum is not known, the sum is not. */
export function addCost(sum: number | null | undefined, more: number | null): number | null {
  return sum === null || more === null ? null : (sum ?? 0) + more
}

const idsIn = (panel: UserRequest): string[] =>
  panel.kind === 'batch' ? panel.requests.map(({ id }) => id) : [panel.id]

export function summaryOf(
  { turns, model, project, waiting, cost = null }: SessionAbout,
  row: Pick<SessionSummary, 'id' | 'title' | 'createdAt' | 'updatedAt' | 'bytes' | 'pinned'>,
): SessionSummary {
  const { id, title, createdAt, updatedAt, bytes, pinned } = row
  const about = {
    turns,
    model,
    ...(project !== undefined && { project }),
    ...(pinned && { pinned }),
    waiting: waiting.length,
    cost,
  }
  return { id, title, createdAt, updatedAt, ...about, bytes }
}

const strength: readonly (TitledBy | undefined)[] = [undefined, 'words', 'model', 'person']

/** True if a title may replace the current one; the user's always may. */
export const mayReplaceTitle = (by: TitledBy, than: TitledBy | undefined): boolean =>
  by === 'person' || strength.indexOf(by) > strength.indexOf(than)

/** Two writers would corrupt a conversation; the second may read it, or continue from a copy. */
export function sessionLocked(id: string, who: string): Failure {
  return new Failure('conflict', `The chat ${id} is open in ${who}.`, {
    hint: 'Close it there, read it here, or continue in a copy of it.',
    command: `notewright sessions fork ${id}`,
    data: { session: id, holder: who },
  })
}

/** The searchable text of an event: questions and answers. */
export function searchableText(event: AgentEvent): string | undefined {
  return event.type === 'run-start' || event.type === 'run-end' ? event.text : undefined
}

/** Case and accents that are written in two ways do not matter. */
export const foldWords = (text: string): string => text.normalize('NFC').toLowerCase()

const around = 60

/** The words and the text around them, on one line. */
export function passageWith(text: string, folded: string): string {
  const at = Math.max(0, foldWords(text).indexOf(folded))
  const from = Math.max(0, at - around)
  const to = at + folded.length + around
  const part = text.slice(from, to).replace(/\s+/g, ' ').trim()
  return `${from > 0 ? '…' : ''}${part}${to < text.length ? '…' : ''}`
}
