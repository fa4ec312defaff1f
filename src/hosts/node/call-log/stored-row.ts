import type { LoggedCall, LoggedRequest, LogIntent, LogOutcome } from '../../../core/tools/index.js'
import type { Link } from './chained-row.js'

/** A call leaves two rows: what it is about to do, and how it ended. Each file begins with a row of its own. */
export type LogRow =
  | { row: 'file'; number: number }
  | ({ row: 'intent'; id: string; pid: number } & LogIntent)
  | ({ row: 'request' } & LoggedRequest)
  | ({ row: 'outcome'; id: string; timestamp: string } & LogOutcome)

export type StoredRow = LogRow & Link

/** The call as people and scripts see it. */
export function joined(intent: LogRow & { row: 'intent' }, outcome?: LogRow & { row: 'outcome' }): LoggedCall {
  const { id, timestamp, session, turn, call, tool_name, decision, rule, egress, change_set } = intent
  const { result, duration_ms, error } = outcome ?? {}
  return {
    id,
    timestamp,
    session,
    ...(turn !== undefined && { turn }),
    ...(call !== undefined && { call }),
    tool_name,
    arguments: intent.arguments,
    decision,
    rule,
    ...(egress !== undefined && { egress }),
    ...(change_set !== undefined && { change_set }),
    ...(result !== undefined && { result }),
    ...(duration_ms !== undefined && { duration_ms }),
    ...(error !== undefined && { error }),
  }
}
