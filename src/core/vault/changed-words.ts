import { diffWordsWithSpace } from 'diff'
import { visibleText } from '../text/index.js'

/** A piece of a line; `changed` where only this side has it. */
export interface WordPart {
  text: string
  changed: boolean
}

/** Lines longer than this are compared as wholes: nobody sees words in them anyway. */
const longest = 2000

/** A replaced line and the one in its place, each with the words that differ set apart. */
export function changedWords(before: string, after: string): { before: WordPart[]; after: WordPart[] } {
  const whole = { before: [{ text: before, changed: false }], after: [{ text: after, changed: false }] }
  if (before.length + after.length > longest) return whole
  const parts = diffWordsWithSpace(before, after)
  // What is hidden may belong to a character of the next part, and marks are not to be taken apart.
  if (parts.some(({ value }) => visibleText(value).text !== value)) return whole
  return {
    before: parts.filter(({ added }) => !added).map(({ value, removed }) => ({ text: value, changed: removed })),
    after: parts.filter(({ removed }) => !removed).map(({ value, added }) => ({ text: value, changed: added })),
  }
}
