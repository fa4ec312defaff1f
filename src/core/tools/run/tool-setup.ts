import type { AppliedChangeSet, ChangeSet } from '../../vault/index.js'
import type { Guard, ProposedCall, Ruling } from '../guard.js'
import type { Registry } from '../registry.js'
import type { ToolContext } from '../tool-context.js'
import type { ToolLog } from '../tool-log.js'
import type { ToolResult } from './tool-call.js'

export interface ToolSetup {
  registry: Registry
  /** Names of the tools that are on; a call to any other is a call to an unknown tool. */
  offered?: ReadonlySet<string>
  context: ToolContext
  guard: Guard
  log: ToolLog
  /** The only way to write. */
  apply(changes: ChangeSet): Promise<AppliedChangeSet>
  /** Show what would happen, and do none of it. */
  dryRun?: boolean
  /** Told of every step, for a person who wants to look over our shoulder. */
  onStep?(step: ToolStep): void
}

export type ToolStep =
  /** A model asked for so many calls at once. */
  | { step: 'requested'; calls: number }
  | { step: 'proposed'; proposed: ProposedCall }
  | { step: 'ruled'; proposed: ProposedCall; ruling: Exclude<Ruling, { verdict: 'revise' }> }
  /** `error`: what really went wrong, for the person and the log; a bug's stack is here and nowhere else. */
  | { step: 'ended'; result: ToolResult; error?: unknown }
