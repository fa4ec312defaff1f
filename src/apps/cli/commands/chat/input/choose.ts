import type { Keyboard } from '../../../keyboard/index.js'
import type { Style } from '../../../terminal/index.js'
import { readPrompt } from './read-prompt.js'
import { type Choice, suggestWords } from './suggest-words.js'

export interface ChooseOptions {
  title: string
  choices: readonly Choice[]
  style: Style
  signal?: AbortSignal
}

const rows = 10

/** Lets a person choose from a list: arrows, or a few letters of it, then Enter. undefined: they left. */
export async function choose(
  keys: Keyboard,
  screen: NodeJS.WriteStream,
  { title, choices, style, signal }: ChooseOptions,
): Promise<string | undefined> {
  const typed = await readPrompt(keys, screen, {
    mark: '› ',
    style,
    status: () => title,
    suggest: (buffer) => suggestWords(buffer, 0, choices),
    rows,
    isChoice: true,
    signal,
  })
  const word = typed.text.trim()
  return typed.kind === 'text' && word !== '' ? word : undefined
}
