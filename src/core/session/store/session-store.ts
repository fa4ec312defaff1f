import type { AgentEvent } from '../../agent/index.js'
import type { SessionState } from '../session.js'
import type { SessionAbout } from './session-about.js'

/** An event with its place in the session: numbers begin at 1, go up by one, and are never given twice. */
export interface StoredEvent {
  seq: number
  /** ISO 8601. */
  time: string
  event: AgentEvent
}

/** What a list shows of a session, known without reading its events. */
export interface SessionSummary {
  id: string
  title: string
  createdAt: string
  updatedAt: string
  turns: number
  model: string
  project?: string
  /** Calls that nobody has decided about yet. */
  waiting: number
  /** In US dollars; null where nobody knows. */
  cost: number | null
  /** What its events take. */
  bytes: number
}

/** What a session goes on from besides its events. */
export type KeptState = Omit<SessionState, 'messages'>

export interface KeptSession extends SessionSummary {
  about: SessionAbout
  state?: KeptState
  /** Number of its last event. */
  last: number
}

/** One stroke of the pen: all of it is kept or none. */
export interface SessionEntry {
  events: readonly Omit<StoredEvent, 'seq'>[]
  /** As the session is after them. */
  about: SessionAbout
  /** Absent: as it was. */
  state?: KeptState
  usage?: readonly UsageRow[]
}

/** What was used of a model at one time. Stays when its session is deleted, and then says no more whose it was. */
export interface UsageRow {
  time: string
  session?: string
  turn?: string
  model: string
  project?: string
  input: number
  output: number
  cached: number
  /** In US dollars; null where nobody knows. */
  cost: number | null
}

/** A stronger word is not taken back by a weaker one: the person's, the model's, the first words of the request. */
export type TitledBy = 'words' | 'model' | 'person'

/** May add to one session, until it is released or its process dies. */
export interface SessionWriter {
  /** Answers the number of the last event. A `conflict` once somebody else writes here. */
  append(entry: SessionEntry): Promise<number>
  /** Keeps the bytes of a file that was handed over, once, by their hash. */
  keepFile(hash: string, bytes: Uint8Array): Promise<void>
  /** A session to which nothing was added leaves no trace. */
  release(): Promise<void>
}

export interface FoundInSession {
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
  /** What came after that number, in order; of the given types alone, where some are given. */
  read(id: string, question?: { after?: number; types?: readonly AgentEvent['type'][] }): Promise<StoredEvent[]>
  /** A file that is kept with a session. */
  file(id: string, hash: string): Promise<Uint8Array | undefined>
  /** Sessions in whose title, requests or answers the words stand, the newest first, one find each. */
  search(words: string): Promise<FoundInSession[]>
  /** Opens a session for adding, one that is not there yet as well. A `conflict` that names who holds it. */
  write(id: string): Promise<SessionWriter>
  /** False when there is no such session, or it has a stronger title. */
  rename(id: string, title: string, by: TitledBy): Promise<boolean>
  /** Leaves nothing of it behind. False when there is none; a `conflict` while somebody writes to it. */
  remove(id: string): Promise<boolean>
  /** Oldest first. */
  usage(since?: Date): Promise<UsageRow[]>
  /** Usage that belongs to no session that is kept. */
  addUsage(row: UsageRow): Promise<void>
  close(): Promise<void>
}
