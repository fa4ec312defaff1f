import { Failure } from '../../../../core/errors.js'
import { mostText } from '../../../../core/files/index.js'
import { bytes } from '../../show/quantities.js'
import type { Terminal } from '../../terminal/index.js'

const patienceMs = 2000

/** The text piped into a command; undefined when there is none. Says so when it has to wait for it. */
export async function readInput(terminal: Terminal, signal: AbortSignal): Promise<string | undefined> {
  const { input } = terminal
  signal.throwIfAborted()
  if (input.isTTY) return undefined
  const patience = setTimeout(() => {
    terminal.say('Reading standard input until it ends. Without any: < /dev/null')
  }, patienceMs)
  const stop = () => input.destroy()
  signal.addEventListener('abort', stop, { once: true })
  try {
    const parts: Buffer[] = []
    let size = 0
    for await (const part of input) {
      clearTimeout(patience)
      parts.push(part as Buffer)
      size += (part as Buffer).length
      if (size > mostText) throw tooMuch()
    }
    const text = Buffer.concat(parts).toString('utf8')
    return text.trim() === '' ? undefined : text
  } catch (error) {
    signal.throwIfAborted()
    throw error
  } finally {
    clearTimeout(patience)
    signal.removeEventListener('abort', stop)
  }
}

function tooMuch(): Failure {
  return new Failure(
    'too-large',
    `Standard input is longer than ${bytes(mostText)}, which is too much for one question.`,
    {
      hint: 'Pipe in the part it is about, or save it as a note and ask about the note.',
    },
  )
}
