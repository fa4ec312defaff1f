import type { ChangeSet, NotePath } from '../vault/index.js'
import type { ForeignTool } from './offered-name.js'
import type { Effect, Notice, Outbound, Plan, Tool } from './tool.js'
import type { ToolContext } from './tool-context.js'

/** A call that has been understood and has done nothing yet: what a policy rules on and a person looks at. */
export interface ProposedCall {
  callId: string
  session: string
  turn?: string
  tool: Tool
  /** Where the tool comes from: `built-in`, `custom` or `mcp:<server>`. */
  source: string
  /** Which tool of which server it is. */
  foreign?: ForeignTool
  /** Checked, with names resolved: exactly what will run. */
  input: unknown
  /** What this call does, which may be less than the tool can. */
  effects: readonly Effect[]
  notes: readonly ReachedNote[]
  sends: readonly Outbound[]
  /** Notes of which the person picks those to share. */
  pick?: readonly NotePath[]
  plan?: Plan
  /** What a person must know of a call that plans nothing. */
  notices?: readonly Notice[]
  /** True when the person has already changed the arguments. */
  edited: boolean
}

export interface ReachedNote {
  path: NotePath
  access: 'reads' | 'writes' | 'destroys'
}

/** How a call came to run or not, as the log keeps it. */
export type Decision = 'allowed' | 'approved' | 'edited' | 'denied' | 'refused' | 'dry-run'

export type Ruling =
  | {
      verdict: 'allow'
      decision: 'allowed' | 'approved' | 'edited'
      /** The rule, grant or level that decided, as text: `level:ask`, `allow: edit_note(Projects/**)`, `person`. */
      rule: string
      /** The accepted part of the planned changes, when it is not all of them. */
      changes?: ChangeSet
      /** The notes the person picked, when asked to. */
      picked?: readonly NotePath[]
      /** What the model should know about the person's edit: "2 of 3 hunks were accepted". */
      told?: string
    }
  /** The person changed the arguments: understand them again, and rule again on what they come to. */
  | {
      verdict: 'revise'
      input: unknown
      /** The person lets links in hidden notes be rewritten too: the call is understood again with them. */
      touchesHidden?: true
    }
  | {
      verdict: 'deny'
      code: 'denied' | 'needs-approval' | 'conflict'
      rule: string
      /** For the model: `User cancelled tool execution`, or what a rule says. */
      reason: string
      hint?: string
    }

/** Stands before every tool in every front end. Implemented by core/approval. */
export interface Guard {
  /** Decides, asking the person where the policy says so. The context is the whole one. Never throws for a no. */
  rule(proposed: ProposedCall, context: ToolContext): Promise<Ruling>
  /** What a rule denies, found out without asking anybody: a dry run shows only what may come about. */
  forbids(proposed: ProposedCall, context: ToolContext): Promise<Extract<Ruling, { verdict: 'deny' }> | undefined>
  /** The context with notes taken out that the rules do not let the model read. */
  screen(context: ToolContext): ToolContext
  /** What has come into the conversation, and from which notes; rules on later outbound calls depend on it. */
  observe(provenance: readonly Provenance[], notes?: readonly NotePath[]): void
}

/** Where the text of a result comes from. `clipped` is a note that says it was taken from elsewhere. */
export type Provenance = 'own-note' | 'clipped' | 'web' | 'mcp'
