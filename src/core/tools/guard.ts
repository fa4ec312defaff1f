import type { ChangeSet, NotePath } from '../vault/index.js'
import type { GroupMember } from './run/call-group.js'
import type { Effect, ForeignTool, Notice, Outbound, Plan, Provenance, Tool } from './tool.js'
import type { ToolContext } from './tool-context.js'

/** A checked call that has not run yet. The policy decides on it, and the user sees it. */
export interface ProposedCall {
  callId: string
  session: string
  turn?: string | undefined
  tool: Tool
  /** Origin of the tool: `built-in`, `custom` or `mcp:<server>`. */
  source: string
  /** The server and tool it comes from. */
  foreign?: ForeignTool
  /** Checked, with names resolved: exactly what will run. */
  input: unknown
  /** Effects of this call, which may be fewer than those of the tool. */
  effects: readonly Effect[]
  notes: readonly ReachedNote[]
  sends: readonly Outbound[]
  /** Notes of which the user picks those to share. */
  pick?: readonly NotePath[]
  plan?: Plan
  /** Notices for the user about a call without a plan. */
  notices?: readonly Notice[]
  /** True when the user has already changed the arguments or the text. */
  edited: boolean
  /** Notes of which the user edited the planned text. */
  editedText?: readonly NotePath[]
}

export interface ReachedNote {
  path: NotePath
  access: 'reads' | 'writes' | 'destroys'
}

/** A decision in the call log. */
export type LoggedDecision = 'allowed' | 'approved' | 'edited' | 'denied' | 'refused' | 'dry-run'

/** The decision of a guard on a call. */
export type Decision = Allow | Revise | Deny

export interface Allow {
  verdict: 'allow'
  loggedAs: 'allowed' | 'approved' | 'edited'
  /** The rule, grant or level that decided, as text: `level:ask`, `allow: edit_note(Projects/**)`, `person`. */
  rule: string
  /** The accepted part of the planned changes, if not all were accepted. */
  changes?: ChangeSet
  /** The notes that the user picked, if they were asked to. */
  picked?: readonly NotePath[]
  /** Tells the model about the user's edit: "2 of 3 hunks were accepted". */
  noteForModel?: string
}

/** The user changed the call: it is proposed and decided again. */
interface Revise {
  verdict: 'revise'
  input: unknown
  /** The user allows rewriting links in hidden notes too. */
  touchesHidden?: true
  /** The user edited the text that the changes leave; the arguments are as they were. */
  results?: readonly EditedResult[]
}

/** The text of one change as the user edited it: of the whole note, or the text to append. */
export interface EditedResult {
  /** Position of the change in the set. */
  change: number
  text: string
}

export interface Deny {
  verdict: 'deny'
  code: 'denied' | 'needs-approval' | 'conflict'
  rule: string
  /** For the model: `User cancelled tool execution`, or the reason of a rule. */
  reason: string
  hint?: string
  /** Advice for the model alone. */
  modelHint?: string
  /** The denial in the words of a user. Default: the reason and the hint. */
  forUser?: string
}

/** Checks every tool call of every front end. Implemented by core/approval. */
export interface Guard {
  /**
   * Decides, asking the user if the policy says so. `context` is unfiltered. A denial is returned, not thrown. A member
   * of a group is asked about together with the other calls of its reply.
   */
  decide(proposed: ProposedCall, context: ToolContext, member?: GroupMember): Promise<Decision>
  /** The denial by a rule, determined without asking the user: a dry run shows only permitted effects. */
  findDenial(proposed: ProposedCall, context: ToolContext): Promise<Deny | undefined>
  /** The context without the notes that the model may not read. */
  filterVisible(context: ToolContext): ToolContext
  /** Records the sources that entered the conversation. Later outbound calls are decided by them. */
  observe(provenance: readonly Provenance[], notes?: readonly NotePath[]): void
}
