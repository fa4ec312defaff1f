import { CommanderError } from 'commander'
import { Failure, type FailureData, failureData } from '../../../core/errors.js'
import { type Terminal, visibleText } from '../terminal/index.js'
import { exitCodes } from './exit-codes.js'
import { withCommand } from './with-command.js'

/** Says what went wrong (on standard output as JSON when that was asked for) and answers the exit code. */
export function reportFailure(error: unknown, terminal: Terminal): number {
  // `--help` and `--version` also end by throwing.
  if (error instanceof CommanderError && error.exitCode === 0) return 0
  const failure = described(error)
  const { code, text, hint, command } = failure
  if (terminal.json) terminal.printJson({ ok: false, ...failure })
  else {
    // A no is an answer, not an error.
    const mark = code === 'denied' ? '' : `${terminal.messageStyle.bad('error')} `
    terminal.say(mark + visibleText(text))
    if (hint) terminal.say(terminal.messageStyle.faint(visibleText(withCommand(hint, command))))
  }
  if (code === 'internal' && error instanceof Error) terminal.trace(visibleText(error.stack ?? error.message))
  return exitCodes[code]
}

function described(error: unknown): FailureData {
  if (error instanceof Failure) return failureData(error)
  if (error instanceof CommanderError) return describedUsage(error)
  const system = error as NodeJS.ErrnoException
  const text = error instanceof Error ? error.message : String(error)
  const hint = system?.code ? undefined : 'This is a bug in Notewright; --verbose shows where it happened.'
  return { code: 'internal', text, hint }
}

/** Commander writes `error: unknown option '--jsn'` and its suggestion, if any, in brackets on a second line. */
function describedUsage(error: CommanderError): FailureData {
  const [first, suggestion] = error.message.replace(/^error: /, '').split('\n')
  const hint = suggestion?.replace(/^\((.*)\)$/, '$1') ?? 'Add --help to see how the command is used.'
  return { code: 'invalid-input', text: first, hint }
}
