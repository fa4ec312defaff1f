import { isUnspaced } from './folding.js'
import type { Segment } from './segment.js'
import { wordsOf } from './tokens.js'

/** Another way to write what a question says. */
export interface Spelling {
  /** The word it stands for; undefined when it stands for several. */
  of?: string
  /** A row of one is a word of its own. */
  row: string[]
}

/** Other ways to write a question's words, as far as the vault has them. */
export function otherSpellings(segments: readonly Segment[], text: string, words: readonly string[]): Spelling[] {
  const all = [...joined(words), ...humps(text), ...parted(segments, words), ...acrossTheAtlantic(words)]
  // Two ways may lead to one spelling, as humps and known parts of `SQLiteException` do: it counts once.
  const byRow = new Map(all.map((spelling) => [spelling.row.join(' '), spelling]))
  return [...byRow.values()].filter(({ row }) => row.every((word) => isKnown(segments, word)))
}

/** `work spaces` is `workspaces`. */
function joined(words: readonly string[]): Spelling[] {
  const found: Spelling[] = []
  for (let at = 1; at < words.length; at++) {
    if (isOfUnspaced(words[at - 1]) || isOfUnspaced(words[at])) continue
    const whole = words[at - 1] + words[at]
    if (whole.length >= shortestJoined) found.push({ row: [whole] })
  }
  return found
}

/** `cachedRead` is `cached read` too. */
function humps(text: string): Spelling[] {
  if (!/\p{Ll}\p{Lu}/u.test(text)) return []
  const written = text.match(/\p{L}[\p{L}\p{N}]*\p{Ll}\p{Lu}[\p{L}\p{N}]*/gu) ?? []
  return written.map((word) => ({ row: wordsOf(word.replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ')) }))
}

/** `onenote` is `one note` where the vault does not have the whole. */
function parted(segments: readonly Segment[], words: readonly string[]): Spelling[] {
  const found: Spelling[] = []
  for (const word of new Set(words)) {
    if (word.length < shortestJoined || isOfUnspaced(word) || isKnown(segments, word)) continue
    for (let at = shortestPart; at <= word.length - shortestPart; at++) {
      found.push({ of: word, row: [word.slice(0, at), word.slice(at)] })
    }
  }
  return found
}

/** `organise` is `organize`, `colour` is `color`, and the other way round. */
function acrossTheAtlantic(words: readonly string[]): Spelling[] {
  return words.flatMap((word) =>
    endings
      .filter(([ending]) => ending.test(word))
      .map(([ending, other]) => ({ of: word, row: [word.replace(ending, other)] })),
  )
}

const endings: readonly (readonly [RegExp, string])[] = [
  [/^(\w{3,})is(e[ds]?|ers?|ing|ations?)$/, '$1iz$2'],
  [/^(\w{3,})iz(e[ds]?|ers?|ing|ations?)$/, '$1is$2'],
  [/^(\w{3,})ys(e[ds]?|er|ing)$/, '$1yz$2'],
  [/^(\w{3,})yz(e[ds]?|er|ing)$/, '$1ys$2'],
  [/^(\w{2,})our(s|ed|ing|ites?|ful|)$/, '$1or$2'],
  [/^(\w{2,}[lbvin])or(s|ed|ing|ites?|ful|)$/, '$1our$2'],
]

const shortestJoined = 6
const shortestPart = 3
const encoder = new TextEncoder()

const isOfUnspaced = (word: string): boolean => isUnspaced(word.codePointAt(0) as number)

function isKnown(segments: readonly Segment[], word: string): boolean {
  const bytes = encoder.encode(word)
  return segments.some((segment) => {
    const number = segment.findWord(bytes)
    return number >= 0 && segment.notesWithWord(number) > 0
  })
}
