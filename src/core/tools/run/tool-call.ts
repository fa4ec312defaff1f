import type { FailureCode, FailureData } from '../../errors.js'
import type { AppliedChangeSet, PlannedChanges } from '../../vault/index.js'
import type { Provenance } from '../guard.js'

/** A model, a client or a person asks for a tool. */
export interface ToolCall {
  id: string
  name: string
  /** Arguments as they came: data, or JSON text that has not been read yet. */
  input: unknown
  /** The turn of the conversation it belongs to. */
  turn?: string
  /** Why it cannot run, found before anyone looked at the tool: arguments nobody can read, one call too many. */
  refused?: string
}

export type ToolResult = DoneCall | FailedCall

export interface DoneCall {
  callId: string
  name: string
  ok: true
  output: unknown
  /** What the model reads. */
  text: string
  /** One short line for a person. */
  summary: string
  /** What was written; it can be undone by its id. */
  changeSet?: AppliedChangeSet
  /** A dry run: what would have been written. */
  planned?: PlannedChanges
  /** The person changed the arguments, picked some notes or accepted some hunks. */
  userEdited?: true
  provenance: readonly Provenance[]
  logId: string
}

export interface FailedCall {
  callId: string
  name: string
  ok: false
  code: FailureCode
  /** What the model reads: the reason and what to do about it. */
  text: string
  hint?: string
  /** What a person could type in a terminal. */
  command?: string
  /** Structured facts for a front end: candidates, the diff that would be lost. */
  data?: FailureData['data']
  logId?: string
}
