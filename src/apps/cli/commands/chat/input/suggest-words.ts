import { padToWidth, textWidth } from '../../../terminal/index.js'
import type { Buffer } from './edit-buffer.js'
import type { Suggestions } from './read-prompt.js'

/** A word that can be taken, and what it means. */
export interface Choice {
  word: string
  about?: string
}

/** The choices that begin with, or else contain, what was typed from `start` on. Enter takes one and sends it. */
export function suggestWords({ text }: Buffer, start: number, choices: readonly Choice[]): Suggestions | undefined {
  const typed = text.slice(start).toLowerCase()
  const begin = choices.filter(({ word }) => word.toLowerCase().startsWith(typed))
  const others = choices.filter((choice) => !begin.includes(choice) && choice.word.toLowerCase().includes(typed))
  const fitting = [...begin, ...others]
  if (fitting.length === 0) return undefined
  const width = Math.min(40, Math.max(...fitting.map(({ word }) => textWidth(word))))
  return {
    names: fitting.map(({ word, about }) => (about ? `${padToWidth(word, width)}  ${about}` : word)),
    isSentByEnter: true,
    take(at) {
      const taken = text.slice(0, start) + fitting[at].word
      return { text: taken, cursor: taken.length }
    },
  }
}
