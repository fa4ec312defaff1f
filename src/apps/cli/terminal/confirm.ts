import { createInterface } from 'node:readline/promises'
import { Failure } from '../../../core/errors.js'
import type { Terminal } from './terminal.js'

export interface Question {
  /** "Move it?" */
  text: string
  /** Said when nobody can be asked: "Moving a note needs your approval." */
  needs: string
  signal: AbortSignal
}

/** One line of the person's; '' for Ctrl-D, and a stop for Ctrl-C. */
export async function askLine(terminal: Terminal, text: string, signal: AbortSignal): Promise<string> {
  const lines = createInterface({ input: terminal.input, output: terminal.messages })
  // Ctrl-C inside the question: readline takes the signal from the terminal, so it is handed on.
  const interrupted = new AbortController()
  lines.once('SIGINT', () => interrupted.abort())
  const closed = new Promise<string>((resolve) => lines.once('close', () => resolve('')))
  try {
    const stop = AbortSignal.any([signal, interrupted.signal])
    return await Promise.race([lines.question(`${text} `, { signal: stop }), closed])
  } finally {
    lines.close()
  }
}

/** Returns only after a clear yes. Anything else (no, Enter, Ctrl-D, nobody there) is a Failure that changes nothing. */
export async function confirm(terminal: Terminal, { text, needs, signal }: Question): Promise<void> {
  if (!terminal.canAsk) {
    throw new Failure('needs-approval', needs, { hint: 'Look at it first with --dry-run, then add --yes.' })
  }
  const answer = await askLine(terminal, `${text} [y/N]`, signal)
  if (/^\s*y(es)?\s*$/i.test(answer)) return
  throw new Failure('denied', 'Nothing was changed.')
}
