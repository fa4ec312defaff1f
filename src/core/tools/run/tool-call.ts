import type { FailureCode, FailureData } from '../../errors.js'
import type { AppliedChangeSet, ApplyProgress, ChangeSet, NotePath, PlannedChanges } from '../../vault/index.js'
import type { Allow, Deny, Guard, ProposedCall } from '../guard.js'
import type { RegisteredTool, Registry } from '../registry.js'
import type { Provenance } from '../tool.js'
import type { ToolContext } from '../tool-context.js'
import type { ToolLog } from '../tool-log.js'

/** A model, a client or a user asks for a tool. */
export interface ToolCall {
  id: string
  name: string
  /** Arguments as they came: data, or JSON text that has not been read yet. */
  input: unknown
  /** The turn of the conversation it belongs to. */
  turn?: string
  /** Why the call is refused before the tool is looked up, e.g. too many calls in one reply. */
  refused?: string
  /** Why the arguments could not be read. */
  unreadable?: string
}

/** The result of a call: its output and text, or a failure. */
export type ToolResult = DoneCall | FailedCall

export interface DoneCall {
  callId: string
  name: string
  ok: true
  output: unknown
  /** Text for the model. */
  text: string
  /** One short line for a user. */
  summary: string
  /** The written changes, which can be undone by their id. */
  changeSet?: AppliedChangeSet
  /** A dry run: what would have been written. */
  planned?: PlannedChanges
  /** The user changed the arguments, picked some notes or accepted some hunks. */
  userEdited?: true
  /** Only some of the planned changes were accepted and written. */
  inPart?: true
  provenance: readonly Provenance[]
  logId: string
}

export interface FailedCall {
  callId: string
  name: string
  ok: false
  code: FailureCode
  /** Text for the model: the reason and what to do about it. */
  text: string
  /** The text without its hints. Default: `text`. */
  reason?: string
  /** Text for the user. Default: `text`. */
  forUser?: string
  hint?: string
  /** Advice for the model alone. */
  modelHint?: string
  /** A command that the user could type in a terminal. */
  command?: string
  /** Structured facts for a front end: candidates, the diff that would be lost. */
  data?: FailureData['data']
  logId?: string
}

/** Everything needed to run tools: registry, guard, log and notes. */
export interface ToolSetup {
  registry: Registry
  /** Names of the tools that are on; a call to any other is a call to an unknown tool. */
  offered?: ReadonlySet<string> | undefined
  /** Names of those that were described to the model, which are the ones an error may recommend. Default: `offered`. */
  described?: ReadonlySet<string>
  context: ToolContext
  guard: Guard
  log: ToolLog
  /** The only way to write. */
  apply(changes: ChangeSet, onProgress?: ApplyProgress): Promise<AppliedChangeSet>
  /** Shows the effects without running anything. */
  dryRun?: boolean
  /** Called for every step, for tracing. */
  onStep?(step: ToolStep): void
}

export type ToolStep =
  /** A model requested this number of calls in one reply. */
  | { step: 'requested'; calls: number }
  | { step: 'proposed'; proposed: ProposedCall }
  | { step: 'decided'; proposed: ProposedCall; decision: Allow | Deny }
  /** `error`: the original error, for the user and the log; only here with the stack of a bug. */
  | { step: 'ended'; result: ToolResult; error?: unknown }

/** Mutable state of one call, shared by its steps and by the error handler. */
export interface RunningCall {
  call: ToolCall
  setup: ToolSetup
  startedAt: number
  /** Set once the tool is found. */
  registered?: RegisteredTool
  /** Set once the intent is logged. */
  logId?: string | undefined
  /** Notes that the call has read so far: an error message may quote them. */
  readNotes: Set<NotePath>
  /** The tool itself has started, not only its planning. */
  hasRun: boolean
  error?: unknown
}
