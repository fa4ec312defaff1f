import { Failure } from '../../../core/errors.js'
import type { Terminal } from './terminal.js'

export interface Question {
  /** "Move it?" */
  text: string
  /** Said when nobody can be asked: "Moving a note needs your approval." */
  needs: string
  signal: AbortSignal
}

/** One of these letters, at the press of its key; '' for Enter, undefined for Esc and Ctrl-D, and a stop for Ctrl-C. */
export async function pressKey(
  terminal: Terminal,
  text: string,
  letters: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { freshKeyboard, oneKey } = await import('../keyboard/index.js')
  const keys = await freshKeyboard(terminal.input, terminal.messages)
  terminal.messages.write(`${text} `)
  try {
    const answer = await oneKey()(keys, { letters, signal })
    terminal.say(answer.kind === 'key' ? answer.key : '')
    signal.throwIfAborted()
    if (answer.kind === 'interrupt') throw new DOMException('Interrupted', 'AbortError')
    return answer.kind === 'key' ? answer.key : undefined
  } finally {
    keys.close()
  }
}

/** Returns only after a clear yes. Anything else (no, Enter, Ctrl-D, nobody there) is a Failure that changes nothing. */
export async function confirm(terminal: Terminal, { text, needs, signal }: Question): Promise<void> {
  if (!terminal.canAsk) {
    throw new Failure('needs-approval', needs, { hint: 'Look at it first with --dry-run, then add --yes.' })
  }
  if ((await pressKey(terminal, `${text} [y/N]`, 'yn', signal)) === 'y') return
  throw new Failure('denied', 'Nothing was changed.')
}
