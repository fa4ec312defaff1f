import type { Asker } from '../../../../core/approval/index.js'
import type { TurnScreen } from '../../agent/index.js'
import type { Conversation } from '../../approval/index.js'
import { type Keyboard, oneKey } from '../../keyboard/index.js'
import type { Terminal } from '../../terminal/index.js'
import { readPrompt } from './input/index.js'

/** Asks for approval inside the chat, with the keyboard the chat already holds. */
export interface ChatAsker {
  ask: Asker
  conversation(): Conversation
  attach(keys: Keyboard): void
  /** From now on questions belong to this turn; Ctrl-C at one of them stops it. */
  begin(turn: AskingTurn): void
}

interface AskingTurn {
  screen: Pick<TurnScreen, 'pause'>
  stop(): void
  /** Whether the person was writing a moment ago. */
  isTyping(): boolean
  /** Takes what they wrote on. */
  onTyped(text: string): void
}

export function chatAsker(terminal: Terminal): ChatAsker {
  let keys: Keyboard | undefined
  const press = oneKey()
  let turn: AskingTurn | undefined

  const conversation = (): Conversation => ({
    style: terminal.messageStyle,
    width: terminal.messageWidth,
    say: (text) => terminal.say(text),
    async ask(question, signal) {
      if (keys === undefined) return undefined
      // A question can be longer than a line, so the answer is written below it.
      terminal.say(question.trim())
      const typed = await readPrompt(keys, terminal.messages, { mark: '› ', style: terminal.messageStyle, signal })
      if (typed.kind === 'interrupt') turn?.stop()
      return typed.kind === 'text' ? typed.text : undefined
    },
    async askKey(question, letters, signal) {
      if (keys === undefined) return undefined
      terminal.say(question.trim())
      terminal.messages.write('› ')
      const isTyping = turn?.isTyping()
      const answer = await press(keys, { letters, signal, isTyping, onStray: turn?.onTyped })
      terminal.say(answer.kind === 'key' ? answer.key : '')
      if (answer.kind === 'interrupt') turn?.stop()
      return answer.kind === 'key' ? answer.key : undefined
    },
    aside: (work) => (keys === undefined ? work() : keys.aside(work)),
  })

  return {
    ask: (async (panel, signal) => {
      turn?.screen.pause()
      const { terminalAsker } = await import('../../approval/index.js')
      return terminalAsker(conversation())(panel as never, signal)
    }) as Asker,
    conversation,
    attach(given) {
      keys = given
    },
    begin(given) {
      turn = given
    },
  }
}
