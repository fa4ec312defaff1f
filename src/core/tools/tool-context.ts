import type { Skill } from '../guides/index.js'
import type { JournaledVault, Vault } from '../vault/index.js'
import type { UpdatableIndex } from '../vault-index/index.js'

/** Everything a tool may touch. What is missing here it cannot do: there is no writing, and no network but `web`. */
export interface ToolContext {
  vault: ReadableVault
  /** As it is for the model: hidden notes are not in it. */
  index: UpdatableIndex
  clock: Clock
  settings: ToolSettings
  /** Absent where the host offers no network. */
  web?: Web
  timers: Timers
  /** What someone wrote down about how to do things. */
  skills?: readonly Skill[]
  /** Names the session in change sets, so that it can be undone as one. */
  session: string
  /** About how many tokens a result may take; what is longer comes in parts, or with less in it. */
  room?: number
  /** For this call the person lets links in notes be rewritten that nothing else may touch. */
  touchesHidden?: true
  signal: AbortSignal
  /** While a person is asked, the call's time does not count. Answers how to let it go on. */
  holdClock?(): () => void
  /** For work that takes a while: "Indexing", 120 of 4000. */
  report: (progress: ToolProgress) => void
}

export interface ToolProgress {
  text: string
  done?: number
  total?: number
}

export type ReadableVault = Pick<Vault, 'files' | 'stat' | 'read' | 'isClosed'> & Pick<JournaledVault, 'readPart'>

export interface Clock {
  now(): Date
  /** IANA name: "Europe/Berlin". */
  timeZone: string
}

/** Settings that tools look at; parsed at an app's door. */
export interface ToolSettings {
  /** Daily notes as the vault is configured for Obsidian; read when asked, since the person may change it meanwhile. */
  dailyNotes(): Promise<DailyNoteSettings>
  webSearch?: WebSearchSettings
  /** The note that memories are kept in; `Notewright memory.md` unless told. */
  memoryNote?: string
}

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
  /** Where to ask. The person configured it, so it may be on this machine. */
  url: string
  key?: string
}

/** The one way out. The host keeps it away from private addresses and bounds size, time and redirects. */
export interface Web {
  /** What it cannot see to, in a sentence for the person who is asked. */
  readonly caution?: string
  get(url: string, options: WebRequest): Promise<WebResponse>
  /** The readable part of a page. */
  readable(html: string, url: string): Promise<{ title: string; text: string }>
}

export interface WebRequest {
  signal: AbortSignal
  headers?: Record<string, string>
  method?: 'GET' | 'POST'
  body?: string
  /** Default 5 MB; above it the request fails as `too-large`. */
  maxBytes?: number
  /** Nobody was asked about other hosts, so a redirect to one is not followed but said. */
  sameHost?: boolean
  /** The address comes from the person's own settings: private addresses and any port are fine, redirects are not followed elsewhere. */
  configured?: boolean
}

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
  /** The person has been told that it is over. */
  isTold?: true
}
