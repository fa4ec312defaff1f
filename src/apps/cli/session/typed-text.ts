import type { Command } from 'commander'
import { Failure } from '../../../core/errors.js'
import { maxAttachedTextBytes } from '../../../core/files.js'
import { bytes } from '../../../core/text/index.js'
import type { Invocation } from '../program/invocation.js'
import type { Terminal } from '../terminal/terminal.js'

/** Lets text begin with a dash, as a list item does. `textFrom` refuses what looks like an option. */
export const textArgument = (command: Command): Command =>
  command.argument('[text...]', 'the text, or - to read it from standard input').allowUnknownOption()

/** The words typed; `-` alone is standard input. undefined: there is no text. */
export async function textFrom(words: string[], { terminal, signal }: Invocation): Promise<string | undefined> {
  const option = words.find((word) => /^--?[\w-]*$/.test(word) && word !== '-' && !/^-+$/.test(word))
  if (option !== undefined) {
    throw new Failure('invalid-input', `unknown option '${option}'`, {
      hint: 'Add --help to see how the command is used. If the text begins with a dash, pipe it in and type - instead.',
    })
  }
  const isPiped = words.length === 1 && words[0] === '-'
  if (isPiped && terminal.input.isTTY) {
    throw new Failure('invalid-input', 'The text - reads standard input, but nothing is piped in.')
  }
  if (!isPiped && words.length > 0) return words.join(' ').trim() === '' ? undefined : words.join(' ')
  return isPiped ? (await readStandardInput(terminal, signal))?.replace(/\r?\n$/, '') : undefined
}

const patienceMs = 2000

/** The text piped into a command; undefined if there is none. Prints a notice if it has to wait for it. */
export async function readStandardInput(terminal: Terminal, signal: AbortSignal): Promise<string | undefined> {
  const { input } = terminal
  signal.throwIfAborted()
  if (input.isTTY) return undefined
  const patience = setTimeout(() => {
    terminal.say('Reading standard input until it ends. To skip it, add < /dev/null.')
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
      if (size > maxAttachedTextBytes) throw tooMuch()
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
  return new Failure('too-large', `Standard input is too long: at most ${bytes(maxAttachedTextBytes)} can be read.`, {
    hint: 'Pipe only the relevant part, or save the text as a file in the vault.',
  })
}
