import { createInterface } from 'node:readline/promises'
import type { KeyReader } from '../terminal/keyboard.js'
import type { Style, Terminal } from '../terminal/terminal.js'

/** Access to the user: the terminal of a command, or the chat that already owns it. */
export interface TerminalQuestions {
  style: Style
  width: number
  say(text: string): void
  /** Reads one line; undefined when the user closed the input or pressed Ctrl-C, or when the question was withdrawn. */
  ask(question: string, signal: AbortSignal): Promise<string | undefined>
  /** Reads one of these letters as a single key, '' for Enter; undefined as above. Without this method a line is read. */
  askKey?(question: string, letters: string, signal: AbortSignal): Promise<string | undefined>
  /** Lends the terminal to another program, such as an editor. */
  aside?<T>(work: () => Promise<T>): Promise<T>
}

/** Reads one key where the terminal allows it, otherwise a line. */
export function askKey(
  conversation: TerminalQuestions,
  question: string,
  letters: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { askKey: ask } = conversation
  return ask ? ask(question, letters, signal) : conversation.ask(question, signal)
}

/** Uses standard error, so that standard output stays data. Ctrl-C is an answer unless `onInterrupt` is given. */
export function terminalQuestions(terminal: Terminal, onInterrupt: () => void = () => {}): TerminalQuestions {
  let press: KeyReader | undefined
  return {
    style: terminal.messageStyle,
    width: terminal.messageWidth,
    say: (text) => terminal.say(text),
    async ask(question, signal) {
      const lines = createInterface({ input: terminal.input, output: terminal.messages })
      const interrupted = new AbortController()
      lines.once('SIGINT', () => {
        interrupted.abort()
        onInterrupt()
      })
      const closed = new Promise<undefined>((resolve) => lines.once('close', () => resolve(undefined)))
      try {
        const stop = AbortSignal.any([signal, interrupted.signal])
        return await Promise.race([lines.question(question, { signal: stop }), closed])
      } catch {
        return undefined
      } finally {
        lines.close()
      }
    },
    async askKey(question, letters, signal) {
      const { freshKeyboard, keyReader } = await import('../terminal/keyboard.js')
      press ??= keyReader()
      const keys = await freshKeyboard(terminal.input, terminal.messages)
      terminal.messages.write(question)
      try {
        const answer = await press(keys, { letters, signal })
        terminal.say(answer.kind === 'key' ? answer.key : '')
        if (answer.kind === 'interrupt') onInterrupt()
        return answer.kind === 'key' ? answer.key : undefined
      } finally {
        keys.close()
      }
    },
  }
}
