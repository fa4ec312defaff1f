import type { LineSpan } from './quote-spans.js'

/** Forms of a word begin with the same letters, as in the previews of the search. */
const sameLetters = 5

const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u

/** Positions of words in a text, also in other forms: `watering` for `water`. Ascending, without overlaps. */
export function wordSpans(text: string, words: readonly string[]): LineSpan[] {
  const wanted = words.map((word) => folded(word))
  const spans: LineSpan[] = []
  for (const { 0: word, index } of text.matchAll(/[\p{L}\p{N}]+/gu)) {
    if (unspaced.test(word)) spans.push(...partsIn(word, wanted, index))
    else if (wanted.some((each) => isFormOf(folded(word), each))) spans.push([index, index + word.length])
  }
  return spans
}

const folded = (word: string): string => word.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** Short words have no other forms. While a word is typed, its beginning fits longer ones. */
function isFormOf(word: string, wanted: string): boolean {
  if (wanted.length < 3) return word === wanted
  const length = Math.min(sameLetters, wanted.length)
  return word.slice(0, length) === wanted.slice(0, length)
}

/** In scripts without spaces the word is a part of a longer run. */
function partsIn(run: string, wanted: readonly string[], offset: number): LineSpan[] {
  const found: LineSpan[] = []
  for (const each of wanted) {
    if (!unspaced.test(each)) continue
    for (let at = run.indexOf(each); at !== -1; at = run.indexOf(each, at + each.length)) {
      if (found.every(([from, to]) => offset + at >= to || offset + at + each.length <= from))
        found.push([offset + at, offset + at + each.length])
    }
  }
  return found.sort(([a], [b]) => a - b)
}
