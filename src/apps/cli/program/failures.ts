import { CommanderError } from 'commander'
import { Failure, type FailureCode, type FailureData, failureData } from '../../../core/errors.js'
import { type Terminal, terminalText } from '../terminal/terminal.js'

/** Prints the error (on standard output as JSON if requested) and returns the exit code. */
export function reportFailure(error: unknown, terminal: Terminal): number {
  // `--help` and `--version` also end by throwing.
  if (error instanceof CommanderError && error.exitCode === 0) return 0
  const failure = described(error)
  const { code, text, hint, command } = failure
  if (terminal.json) terminal.printJson({ ok: false, ...failure })
  else {
    // A no is an answer, not an error.
    const mark = code === 'denied' ? '' : `${terminal.messageStyle.bad('error')} `
    terminal.say(mark + terminalText(text))
    if (hint) terminal.say(terminal.messageStyle.faint(terminalText(withCommand(hint, command))))
  }
  if (code === 'internal' && error instanceof Error) terminal.trace(terminalText(error.stack ?? error.message))
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
  const [first = '', suggestion] = error.message.replace(/^error: /, '').split('\n')
  const hint = suggestion?.replace(/^\((.*)\)$/, '$1') ?? 'Add --help to see how the command is used.'
  return { code: 'invalid-input', text: first, hint }
}

export const interrupted = 130

/** The one place where a failure becomes an exit code. 2: the command should be typed differently. */
export const exitCodes: Record<FailureCode, number> = {
  'invalid-input': 2,
  'unknown-tool': 2,
  ambiguous: 2,
  path: 2,
  'not-found': 3,
  denied: 4,
  'needs-approval': 4,
  network: 5,
  conflict: 6,
  timeout: 1,
  'not-ready': 1,
  'too-large': 1,
  'not-utf8': 1,
  internal: 1,
}

/** A hint with the command to type. Hints from the core name no command, since they are also shown outside of the terminal. */
export function withCommand(advice: string, command: string | undefined): string {
  if (command === undefined) return advice
  return advice.endsWith('.') ? `${advice.slice(0, -1)}: ${command}` : `${advice} (${command})`
}
