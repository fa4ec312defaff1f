import type { UpdatableIndex } from '../index/index.js'
import type { Skill } from '../skills.js'
import type { ChangeSet, HistoryEntry, JournaledVault, UndoTarget, Vault } from '../vault/index.js'

/** Everything a tool can access. There is no writing, and no network except `web`. */
export interface ToolContext {
  vault: ReadableVault
  /** As visible to the model: without hidden notes. */
  index: UpdatableIndex
  clock: Clock
  settings: ToolSettings
  /** Absent where the host offers no network. */
  web?: Web | undefined
  timers: Timers
  /** The journal of changes. Absent where tools cannot undo. */
  changes?: ChangeHistory
  /** Skills: instructions written by the user. */
  skills?: readonly Skill[]
  /** Names the session in change sets, so that it can be undone as one. */
  session: string
  /** Approximate token limit of a result; longer ones are split or shortened. */
  room?: number
  /** True for a text of a note that the model can still see in the conversation. */
  isShown?: (text: string) => boolean
  /** For this call the user lets links in notes be rewritten that nothing else may touch. */
  touchesHidden?: true
  signal: AbortSignal
  /** Pauses the call's timeout while the user decides. Returns a function that resumes it. */
  holdClock?(): () => void
  /** For work that takes a while: "Indexing", 120 of 4000. */
  report: (progress: ToolProgress) => void
}

/** Past changes of the vault, of every session, and of notes that may be hidden now. */
export interface ChangeHistory {
  /** Newest first. */
  history(): Promise<HistoryEntry[]>
  planUndo(target: UndoTarget): Promise<ChangeSet>
}

export interface ToolProgress {
  text: string
  done?: number
  total?: number
}

export type ReadableVault = Pick<Vault, 'files' | 'stat' | 'read' | 'isClosed'> & Pick<JournaledVault, 'readPart'>

/** The current time and time zone. */
export interface Clock {
  now(): Date
  /** IANA name: "Europe/Berlin". */
  timeZone: string
}

/** Settings used by tools; parsed where an app starts. */
export interface ToolSettings {
  /** Daily notes as the vault is configured for Obsidian; read when asked, since the user may change it meanwhile. */
  dailyNotes(): Promise<DailyNoteSettings>
  webSearch?: WebSearchSettings | undefined
  /** The note with memories. Default: `Notewright memory.md`. */
  memoryNote?: string
}

/** Folder, name and template of daily notes. */
export interface DailyNoteSettings {
  /** '' for the vault's top. */
  folder: string
  /** Moment format, e.g. `YYYY-MM-DD` or `YYYY/MM/YYYY-MM-DD`. */
  format: string
  /** Path of a template note, with or without `.md`. */
  template?: string
}

export interface WebSearchSettings {
  engine: 'searxng' | 'brave' | 'custom'
  /** Address of the engine. The user configured it, so it may be on this machine. */
  url: string
  key?: string
}

/** The one way out. The host keeps it away from private addresses and bounds size, time and redirects. */
export interface Web {
  /** A sentence for the user about a protection that this web access lacks. */
  readonly caution?: string
  get(url: string, options: WebRequest): Promise<WebResponse>
  /** The readable part of a page. */
  readable(html: string, url: string): Promise<{ title: string; text: string }>
}

/** A request that a tool sends to the network. */
export interface WebRequest {
  signal: AbortSignal
  headers?: Record<string, string>
  method?: 'GET' | 'POST'
  body?: string
  /** Default 5 MB; above it the request fails as `too-large`. */
  maxBytes?: number
  /** The approval covers one host, so a redirect to another is reported, not followed. */
  sameHost?: boolean
  /** The address comes from the user's own settings: private addresses and any port are fine, redirects are not followed elsewhere. */
  configured?: boolean
}

/** The response to a `WebRequest`. */
export interface WebResponse {
  /** After redirects. */
  url: string
  status: number
  /** Lower-case names. */
  headers: Record<string, string>
  /** Decoded by the response's charset. */
  text: string
}

/** Running timers of this person, kept by the host across processes where it can. */
export interface Timers {
  get(name: string): Promise<Timer | undefined>
  set(name: string, timer: Timer | undefined): Promise<void>
}

export interface Timer {
  /** Milliseconds since the epoch. */
  startedAt: number
  minutes: number
  /** The user was notified of its end. */
  isTold?: true
}
