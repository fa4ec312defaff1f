import { createInterface } from 'node:readline/promises'
import type { OneKey } from '../keyboard/index.js'
import type { Style, Terminal } from '../terminal/index.js'

/** Someone to talk to: the terminal of a command, or the chat that already owns it. */
export interface Conversation {
  style: Style
  width: number
  say(text: string): void
  /** One line of answer; undefined when the person closed the input, pressed Ctrl-C, or the question became void. */
  ask(question: string, signal: AbortSignal): Promise<string | undefined>
  /** One of these letters at the press of its key, '' for Enter; undefined as above. Without it, a line is asked for. */
  askKey?(question: string, letters: string, signal: AbortSignal): Promise<string | undefined>
  /** Gives the terminal to another program, such as an editor, where someone holds it. */
  aside?<T>(work: () => Promise<T>): Promise<T>
}

/** One key where keys can be read, else a line. */
export function askKey(
  conversation: Conversation,
  question: string,
  letters: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { askKey: ask } = conversation
  return ask ? ask(question, letters, signal) : conversation.ask(question, signal)
}

/** Talks on standard error, so that standard output stays data. Ctrl-C is an answer, unless someone wants to know of it. */
export function terminalConversation(terminal: Terminal, onInterrupt: () => void = () => {}): Conversation {
  let press: OneKey | undefined
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
      const { freshKeyboard, oneKey } = await import('../keyboard/index.js')
      press ??= oneKey()
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
