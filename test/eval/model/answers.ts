import type { Seen } from './seen.js'
import { isRefusal } from './steps.js'

/** The model's answer when nothing is left to do. */
export type Answer = (seen: Seen) => string

/** States what it has seen, and where: `$0`, `$1` are what was found. Without having seen it, it can only say so. */
export function fact(clue: RegExp, words: string, source: string): Answer {
  return ({ material }) => {
    const found = clue.exec(material)
    if (found === null) return 'I could not find that in your notes.'
    const said = words.replace(/\$(\d)/g, (_, group) => found[Number(group)] ?? '')
    return `${said} [[${source.replace(/\.md$/, '')}]]`
  }
}

/** Says that it is done when the last change was made. */
export function report(words: string): Answer {
  return ({ exchanges }) => {
    const last = exchanges.at(-1)
    if (last === undefined) return 'I have not changed anything.'
    if (isRefusal(last.text) && last.isError) return 'You did not want that, so I left everything as it is.'
    return last.isError ? `That did not work: ${last.text.split('\n')[0]}` : words
  }
}

export const say =
  (words: string): Answer =>
  () =>
    words
