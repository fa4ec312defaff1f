import type { Paint } from '../../terminal/style.js'

/** Paints the words of a query, and words that begin with them, wherever they stand in a text. */
export function highlight(text: string, query: string, paint: Paint): string {
  const words = query.match(/[\p{L}\p{M}\p{N}]+/gu)?.slice(0, 32) ?? []
  const patterns = telling(words).map(patternOf)
  if (patterns.length === 0) return text
  return text.replace(new RegExp(patterns.join('|'), 'giu'), (found) => paint(found))
}

/** Short words ("the", "at") stand everywhere: they are painted only where the query has nothing better. */
function telling(words: string[]): string[] {
  const longer = words.filter((word) => word.length > 3 || isUnspaced(word) || /\p{N}|^\p{Lu}+$/u.test(word))
  return longer.length > 0 ? longer : words.filter((word) => word.length > 1)
}

/** Scripts written without spaces match inside a run of characters; others only at the start of a word. */
function patternOf(word: string): string {
  if (isUnspaced(word)) return word
  // The last letters of a long word are its ending: "gardens" also finds "gardening".
  const stem = word.length > 5 ? word.slice(0, -Math.min(3, word.length - 4)) : word
  return `(?<![\\p{L}\\p{M}\\p{N}])(?:${word}|${stem}[\\p{L}\\p{M}]{0,5}(?![\\p{L}\\p{M}\\p{N}]))[\\p{L}\\p{M}\\p{N}]*`
}

function isUnspaced(word: string): boolean {
  return /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(word)
}
