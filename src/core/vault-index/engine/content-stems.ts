import { functionWordsOf } from './function-words.js'
import { stemOf } from './stem.js'
import { wordsOf } from './tokens.js'

/** What a short text is about: its words as search compares them, without those that only join or ask. */
export function contentStems(text: string): Set<string> {
  const words = wordsOf(text)
  const joining = functionWordsOf(words)
  return new Set(words.filter((word) => !joining.has(word)).map(stemOf))
}
