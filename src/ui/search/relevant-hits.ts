import type { SearchAnswer, SearchHit } from '../../core/index/index.js'
import { plainPassage } from '../note/plain-text.js'
import { wordSpans } from '../note/word-spans.js'

/** Why a note is a hit, from the facts of the ranking. */
type HitReason = 'words' | 'meaning' | 'filter'

/**
 * The hits that have to do with the query: a word of it occurs in the note or its names, the note is near it by meaning,
 * or the query has only filters. Function words such as articles are in every note and count for nothing.
 */
export function relevantHits(answer: SearchAnswer): SearchHit[] {
  return answer.hits.filter((hit) => reasonOf(hit, answer) !== undefined)
}

/** undefined for a hit that the query has nothing in common with. */
export function reasonOf(
  { title, path, text, preview, why }: SearchHit,
  { words }: SearchAnswer,
): HitReason | undefined {
  // Without an explanation nothing is known against it.
  if (why === undefined || words === undefined) return 'filter'
  if (Array.isArray(why.contentTerms) && why.contentTerms.length > 0) return 'words'
  if (numberIn(why.name) > 0) return 'words'
  // The beginning of a word that is still being typed.
  if (wordSpans(`${title} ${path} ${text ?? preview}`, words).length > 0) return 'words'
  return numberIn(why.noteMeaning) + numberIn(why.passageMeaning) > 0 ? 'meaning' : undefined
}

const numberIn = (value: unknown): number => (typeof value === 'number' ? value : 0)

/** Text with the parts that match. */
interface MarkedText {
  text: string
  isMatch: boolean
}

/** A text in parts, with the words of the query apart. */
export function markedText(text: string, words: readonly string[]): MarkedText[] {
  const parts: MarkedText[] = []
  let end = 0
  for (const [from, to] of wordSpans(text, words)) {
    // Words beside each other are one mark.
    const last = parts[parts.length - 1]
    if (last?.isMatch && from > end && text.slice(end, from) === ' ') last.text += text.slice(end, to)
    else {
      if (from > end) parts.push({ text: text.slice(end, from), isMatch: false })
      parts.push({ text: text.slice(from, to), isMatch: true })
    }
    end = to
  }
  if (end < text.length) parts.push({ text: text.slice(end), isMatch: false })
  return parts
}

/** The line of the passage with most of the words, 1-based: where a reader looks first. */
export function bestLine({ text = '', lines }: SearchHit, words: readonly string[]): number {
  let best = lines[0]
  let most = 0
  for (const [at, line] of text.split('\n').entries()) {
    const distinct = new Set(wordSpans(line, words).map(([from, to]) => line.slice(from, to).toLowerCase().slice(0, 5)))
    // A heading alone says less than the text below it.
    const found = /^#{1,6}\s/.test(line) ? Math.min(distinct.size, 0.5) : distinct.size
    if (found <= most || lines[0] + at > lines[1]) continue
    most = found
    best = lines[0] + at
  }
  return best
}

const snippetLength = 220
const lead = 40

/** The part of a passage with most of the words, as plain text on one line. */
export function snippetOf({ text, preview, heading }: SearchHit, words: readonly string[]): string {
  const plain = plainPassage(text ?? preview, heading)
  if (plain.length <= snippetLength) return plain
  const spans = wordSpans(plain, words)
  let best = 0
  let most = 0
  for (const [from] of spans) {
    const inside = spans.filter(([start, end]) => start >= from && end <= from + snippetLength - lead)
    const distinct = new Set(inside.map(([start, end]) => plain.slice(start, end).toLowerCase().slice(0, 5))).size
    if (distinct <= most) continue
    most = distinct
    best = from
  }
  const start = best <= lead ? 0 : plain.indexOf(' ', best - lead) + 1
  const end = start + snippetLength
  const isCut = end < plain.length
  const last = isCut ? Math.max(plain.lastIndexOf(' ', end), start + 1) : plain.length
  return `${start > 0 ? '…' : ''}${plain.slice(start, last).trim()}${isCut ? '…' : ''}`
}
