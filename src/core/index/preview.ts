// `!` is used on occurrences from `first` to `last`, on words by their number, and on characters before the end of the
// text.

const length = 240
const lead = 60

/**
 * About 240 readable characters of a passage, on one line: around most of the query's words, else its beginning. Words
 * are compared by their first five letters, so that other forms match.
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

/** Start of the part of this length that contains most of the query's words. */
export function bestPartStart(query: string): (content: string, characters: number) => number {
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

/** Starts a little before the words. */
const startOf = (content: string, at: number): number => (at <= lead ? 0 : wordStart(content, at - lead))

/** The text from a position on, at least as much as is shown. */
function shownFrom(content: string, start: number): string {
  const few = onOneLine(content.slice(start, start + length + lead))
  // Collapsed line breaks and indents make room for more text.
  return few.length > length + 1 ? few : onOneLine(content.slice(start, start + length * 4))
}

/** Single spaces are not replaced: replacing each of them would take longer than everything else. */
const onOneLine = (text: string): string => text.replace(/[^\S ]\s*| \s+/g, ' ').trim()

interface Occurrence {
  at: number
  word: number
}

/** Start of the window of this length with the most distinct words, weighted by length. */
function bestPlace(text: string, words: readonly string[], stretch: number): number {
  const haystack = text.toLowerCase()
  // Folding can change the length of a text ("İ"); then positions do not correspond.
  if (haystack.length !== text.length) return 0
  const found: Occurrence[] = []
  for (let number = 0; number < words.length; number++) addOccurrences(haystack, words[number]!, number, found)
  found.sort((a, b) => a.at - b.at)

  let best = 0
  let place = 0
  let weight = 0
  let first = 0
  const inside = new Int32Array(words.length)
  for (const { at, word } of found) {
    if (inside[word]!++ === 0) weight += words[word]!.length
    while (at - found[first]!.at > stretch) weight -= leave(found[first++]!, inside, words)
    if (weight <= best) continue
    best = weight
    place = found[first]!.at
  }
  return place
}

function leave({ word }: Occurrence, inside: Int32Array, words: readonly string[]): number {
  return --inside[word]! === 0 ? words[word]!.length : 0
}

function soughtWords(query: string): string[] {
  const words = query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  return [...new Set(words.flatMap(wordStarts))].slice(0, 24)
}

/** A word's first letters; for scripts without spaces, every two characters. */
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
  for (let at = from; at < Math.min(from + 30, text.length); at++) if (/\s/.test(text[at]!)) return at + 1
  return avoidHalfPair(text, from)
}

function cutBefore(text: string, end: number): number {
  if (end === text.length) return end
  const space = text.lastIndexOf(' ', end)
  return space > end - 30 ? space : avoidHalfPair(text, end)
}

/** Never splits a surrogate pair. */
function avoidHalfPair(text: string, at: number): number {
  const code = text.charCodeAt(at)
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at
}

const comment = /%%[\s\S]*?%%|<!--[\s\S]*?-->/g
const picture = /!\[[^[\]\n]*\]\([^()\n]*\)/g
/** HTML tags common in notes; `Map<string, number>` is none. */
const tag =
  /<\/?(?:a|abbr|b|br|button|center|code|details|div|em|figure|font|h[1-6]|hr|i|iframe|img|kbd|li|mark|ol|p|pre|s|small|span|strong|sub|summary|sup|table|tbody|td|th|thead|tr|u|ul|video)(?:\s[^<>\n]*)?\/?>/gi
const link = /\[([^[\]\n]*)\]\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)/g
const wikilink = /!?\[\[([^[\]|\n]*)(?:\|([^[\]\n]*))?\]\]/g

/**
 * A passage without comments, images, HTML tags and link targets. Fast and approximate, for previews; quotations use
 * `readLines`.
 */
function withoutMarkup(passage: string): string {
  return passage
    .replace(comment, ' ')
    .replace(picture, ' ')
    .replace(tag, ' ')
    .replace(link, '$1')
    .replace(wikilink, (_, note: string, shown: string | undefined) => shown ?? note)
}
