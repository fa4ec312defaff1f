import { Failure } from '../../../core/errors.js'
import type { FailedCall, ToolResult } from '../../../core/tools/index.js'
import type { Invocation } from '../program/invocation.js'
import { showPlanned } from '../show/changes.js'
import { switchedOff } from '../show/tools.js'
import { checkFirst, visibleLine } from '../terminal/terminal.js'
import { shortId } from './last-change.js'
import type { OpenedSession } from './open-session.js'

/** A call that ended well. */
export type CallDone = Extract<ToolResult, { ok: true }>

interface CommandCall {
  name: string
  input: Record<string, unknown>
  /** "Adding to a note": the subject of the failure when nobody can approve it. */
  needsApproval: string
}

/**
 * Calls a tool for a command that the user typed. Policy, approval, log and undo are those of every call; a failure is
 * thrown in words for the user.
 */
export async function callForCommand(
  { session }: Pick<OpenedSession, 'session'>,
  { name, input, needsApproval }: CommandCall,
  signal: AbortSignal,
): Promise<CallDone> {
  const result = await session.call({ name, input }, signal)
  if (result.ok) return result
  if (result.code === 'unknown-tool') {
    throw new Failure('unknown-tool', switchedOff(name) ?? result.text)
  }
  if (result.code === 'needs-approval') {
    throw new Failure('needs-approval', `${needsApproval} needs your approval.`, {
      hint: checkFirst,
    })
  }
  throw failureForUser(result)
}

/** A failed call as a failure of the command that made it. */
export function failureForUser({ code, text, reason, forUser, hint = '', command, data }: FailedCall): Failure {
  const message = (hint === '' ? forUser : reason) ?? text
  const advice = hint || (code === 'not-found' ? 'To find it: notewright search' : '')
  return new Failure(code, message, {
    ...(advice !== '' && { hint: advice }),
    ...(command !== undefined && { command }),
    ...(data !== undefined && { data }),
  })
}

/** Reports what a call has written, or would write in a dry run. `more` is added to the JSON. */
export function reportChange(done: CallDone, { terminal }: Invocation, more: Record<string, unknown> = {}): void {
  const { changeSet, planned, output, text } = done
  if (terminal.json) {
    const { id, title, changes } = changeSet ?? planned ?? { changes: [] }
    const applied = changeSet !== undefined
    const { path } = output as { path?: string }
    terminal.printJson({ id, title, path, ...more, applied, appliedAt: changeSet?.appliedAt, changes })
    return
  }
  if (planned !== undefined) {
    terminal.print(showPlanned(planned, terminal))
    terminal.say('Nothing was changed (--dry-run).')
    return
  }
  const { good, faint } = terminal.messageStyle
  const undo = changeSet === undefined ? '' : faint(` (undo: notewright undo ${shortId(changeSet.id)})`)
  terminal.say(`${good('✓')} ${visibleLine(text)}${undo}`)
}
