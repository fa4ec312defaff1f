import { withoutMarkup } from './without-markup.js'

const length = 240
const lead = 60

/**
 * About 240 readable characters of a passage, on one line: where most of the query's words stand together, else its beginning.
 * Words count by their first five letters, so that other forms of a word are found too.
 */
export function previewOf(query: string): (content: string) => string {
  let words: string[] | undefined
  return (content) => {
    const readable = withoutMarkup(content)
    if (readable.length <= length) return onOneLine(readable)
    words ??= soughtWords(query)
    return shownPart(readable, words)
  }
}

/** Where a part of so many characters begins that holds most of the query's words. */
export function partStart(query: string): (content: string, characters: number) => number {
  const words = soughtWords(query)
  return (content, characters) => {
    const last = content.length - characters
    if (last <= 0) return 0
    const start = startOf(content, bestPlace(content, words, characters - lead))
    return start > last ? wordStart(content, last) : start
  }
}

function shownPart(content: string, words: readonly string[]): string {
  const start = startOf(content, bestPlace(content, words, length - lead))
  const text = shownFrom(content, start)
  const isCut = text.length > length || start + length * 4 < content.length
  return `${start > 0 ? '…' : ''}${text.slice(0, cutBefore(text, Math.min(length, text.length))).trim()}${isCut ? '…' : ''}`
}

/** A little before the words themselves. */
const startOf = (content: string, at: number): number => (at <= lead ? 0 : wordStart(content, at - lead))

/** The text from a place on, at least as much of it as is shown. */
function shownFrom(content: string, start: number): string {
  const few = onOneLine(content.slice(start, start + length + lead))
  // Line breaks and indents that fall together make room for more.
  return few.length > length + 1 ? few : onOneLine(content.slice(start, start + length * 4))
}

/** Single spaces, most of what there is, are left alone: replacing them by themselves takes longer than all the rest. */
const onOneLine = (text: string): string => text.replace(/[^\S ]\s*| \s+/g, ' ').trim()

interface Occurrence {
  at: number
  word: number
}

/** Where the stretch of that length begins that holds the most different words, long ones counting for more. */
function bestPlace(text: string, words: readonly string[], stretch: number): number {
  const haystack = text.toLowerCase()
  // Folding can change the length of a text ("İ"); then places in one are not places in the other.
  if (haystack.length !== text.length) return 0
  const found: Occurrence[] = []
  for (let number = 0; number < words.length; number++) addOccurrences(haystack, words[number], number, found)
  found.sort((a, b) => a.at - b.at)

  let best = 0
  let place = 0
  let weight = 0
  let first = 0
  const inside = new Int32Array(words.length)
  for (const { at, word } of found) {
    if (inside[word]++ === 0) weight += words[word].length
    while (at - found[first].at > stretch) weight -= leave(found[first++], inside, words)
    if (weight <= best) continue
    best = weight
    place = found[first].at
  }
  return place
}

function leave({ word }: Occurrence, inside: Int32Array, words: readonly string[]): number {
  return --inside[word] === 0 ? words[word].length : 0
}

function soughtWords(query: string): string[] {
  const words = query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  return [...new Set(words.flatMap(wordStarts))].slice(0, 24)
}

/** A word's first letters; of a script without spaces every two characters. */
function wordStarts(word: string): string[] {
  if (!/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u.test(word)) {
    return word.length < 3 ? [] : [word.slice(0, 5)]
  }
  return word.length < 2 ? [word] : Array.from({ length: word.length - 1 }, (_, at) => word.slice(at, at + 2))
}

const mostOccurrences = 200

function addOccurrences(text: string, sought: string, word: number, into: Occurrence[]): void {
  const most = into.length + mostOccurrences
  for (let at = text.indexOf(sought); at !== -1 && into.length < most; at = text.indexOf(sought, at + 1)) {
    into.push({ at, word })
  }
}

function wordStart(text: string, from: number): number {
  for (let at = from; at < Math.min(from + 30, text.length); at++) if (/\s/.test(text[at])) return at + 1
  return avoidHalfPair(text, from)
}

function cutBefore(text: string, end: number): number {
  if (end === text.length) return end
  const space = text.lastIndexOf(' ', end)
  return space > end - 30 ? space : avoidHalfPair(text, end)
}

/** Never cuts a surrogate pair in two. */
function avoidHalfPair(text: string, at: number): number {
  const code = text.charCodeAt(at)
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at
}
