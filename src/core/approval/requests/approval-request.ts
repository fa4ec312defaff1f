import type { Effect, JsonSchema, Notice, ReachedNote } from '../../tools/index.js'
import type { AcceptedHunks, Hunk, NotePath, ShownChange } from '../../vault/index.js'
import type { MoveImpact } from '../../vault-index/index.js'
import type { WordOrigin } from '../leaving/index.js'
import type { LoadedFrom } from '../policy/index.js'
import type { Question, QuestionAnswer } from './question.js'

/** What a front end puts before a person: a call, a list of calls, or a question of somebody's. */
export type Panel = ApprovalRequest | ApprovalBatch | Question
export type PanelAnswer = ApprovalAnswer | BatchAnswer | QuestionAnswer

/** Everything a person sees before saying yes, and all a front end needs to show it. Plain data. */
export interface ApprovalRequest {
  kind: 'call' | 'executable'
  id: string
  /** Binds the answer to what is shown; sent back with it. */
  hash: string
  session: string
  turn?: string
  callId: string
  /** Milliseconds since the epoch. */
  createdAt: number
  expiresAt: number
  tool: { name: string; title: string; source: string; effects: readonly Effect[] }
  /** What will happen, in one line. */
  title: string
  /** Why it asks, the strongest reason first. */
  reasons: readonly string[]
  /** The arguments, complete. */
  input: unknown
  /** What arguments the tool takes, for a form to change them in; absent where they are not asked about. */
  schema?: JsonSchema
  /** The person has already changed the arguments once. */
  edited: boolean
  notes: readonly ReachedNote[]
  /** Each planned change with its diff. */
  changes?: readonly ShownChange[]
  /** The parts of edits that can be accepted one by one; absent where there are not two of them. */
  hunks?: readonly ChangeHunks[]
  impact?: MoveImpact
  notices: readonly Notice[]
  /** How many characters of all this cannot be seen unless they are marked (`visibleText`). */
  hidden?: number
  /** What would leave the machine: full addresses and payloads. */
  sends: readonly { url: string; payload?: string; bytes: number }[]
  /** What opening a note would load from elsewhere once this is written: full addresses. */
  loads: readonly LoadedFrom[]
  /** Where the words come from that would leave by `sends` or `loads`, when it asks because of them. */
  words: readonly WordOrigin[]
  /** Notes of which the person picks those to share. */
  pick?: readonly NotePath[]
  /** How large those are, in bytes. */
  pickBytes?: Readonly<Record<string, number>>
  /** The scopes that make sense here. `session` and `always` write down one of `offers`. */
  scopes: readonly Scope[]
  /** The literal rules that `session` or `always` would remember, the narrowest first. */
  offers: readonly Offer[]
  /** What Enter may mean. Never `allow` for anything but plain reading. */
  safeDefault: 'allow' | 'deny'
  /** How often was asked in the last minute, this time included. */
  askedLately: number
}

/** The hunks of one change, counted as `acceptHunks` counts them. */
export interface ChangeHunks {
  /** Position of the change in the set. */
  change: number
  path: NotePath
  hunks: readonly Hunk[]
}

export interface Offer {
  rule: string
  about: 'note' | 'folder' | 'domain' | 'tool'
}

/** More asks than a person can look at one by one: all that wait, in one list. Nothing passes that is not ticked. */
export interface ApprovalBatch {
  kind: 'batch'
  id: string
  /** Binds the answer to all that is listed. */
  hash: string
  session: string
  requests: readonly ApprovalRequest[]
  expiresAt: number
}

export type Scope = 'once' | 'change-set' | 'session' | 'always'

export type ApprovalAnswer =
  | {
      verdict: 'allow'
      /** `once` unless told. */
      scope?: Scope
      /** With `session` and `always`: which of the offers; the first unless told. */
      rule?: string
      /** The notes to share, where the request lets pick. */
      picked?: readonly string[]
      /** The hunks to accept; changes that are not named are accepted whole. */
      hunks?: readonly AcceptedHunks[]
      /** Other arguments: the call is understood and ruled on again. */
      input?: unknown
      /** Links in hidden notes are to be rewritten too, where there are any: shown again with them. */
      touchesHidden?: true
    }
  | { verdict: 'deny'; words?: string }

/** An answer for each request of a batch by its id; those left out are denied. */
export interface BatchAnswer {
  verdict: 'each'
  answers: Readonly<Record<string, ApprovalAnswer>>
}

/** A front end. Anything but an answer (undefined, an exception) means no. The signal aborts when the panel is void. */
export type Asker = (panel: Panel, signal: AbortSignal) => Promise<PanelAnswer | undefined>

/** What a desk tells: a panel is shown, and each request in it is decided once. */
export type ApprovalEvent =
  | { type: 'approval-asked'; panel: Panel }
  | {
      type: 'approval-decided'
      /** Of the request; of a list, one event for each request in it. */
      id: string
      verdict: 'allow' | 'deny'
      scope?: Scope
      by: DecidedBy
    }

/** `closed`: the front end went away; `stopped`: the run did. */
export type DecidedBy = 'person' | 'expired' | 'closed' | 'stopped'
