import { askingCharacters, isQuestionWord } from './question-words.js'

/** A word or phrase someone asks about, folded for comparing. */
export interface Term {
  text: string
  /** Ends like another form of the word are taken off. */
  stem: string
}

const wordPattern = /[\p{L}\p{N}\p{M}]+(?:['’][\p{L}]+)*/gu
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]+/gu

/** The words of a text in order, folded; scripts without spaces come as pairs of characters. */
export function wordsIn(text: string): string[] {
  return [...text.matchAll(wordPattern)].flatMap(([word]) => split(folded(word)))
}

/** What a question is about: its words without those that only ask. All of them, when there are no others. */
export function termsOf(request: string): Term[] {
  const question = request.slice(0, 2000)
  const kept = wordsIn(question.replace(askingCharacters, ' ')).filter((word) => !isQuestionWord(word))
  const unique = [...new Set(kept.length > 0 ? kept : wordsIn(question))].slice(0, 30)
  return unique.map((text) => ({ text, stem: stemOf(text) }))
}

/** For each term how near the nearest word comes to it: 1 the same, 0 another word. */
export function nearest(terms: readonly Term[], words: readonly string[]): number[] {
  const others = [...new Set(words)].map((text): Term => ({ text, stem: stemOf(text) }))
  return terms.map((term) => others.reduce((best, word) => (best === 1 ? 1 : Math.max(best, closeness(term, word))), 0))
}

/** How many terms that follow each other also do so among the words: "bed 4". */
export function pairsAmong(terms: readonly Term[], words: readonly string[]): number {
  const others = words.map((text): Term => ({ text, stem: stemOf(text) }))
  let pairs = 0
  for (let at = 0; at + 1 < terms.length; at++) {
    const follows = (word: Term, place: number) =>
      place + 1 < others.length && closeness(terms[at], word) > 0 && closeness(terms[at + 1], others[place + 1]) > 0
    if (others.some(follows)) pairs++
  }
  return pairs
}

function closeness(term: Term, { text: word, stem }: Term): number {
  if (word === term.text) return 1
  if (stem === term.stem) return 0.9
  const shorter = Math.min(stem.length, term.stem.length)
  if (shorter < 3 || isUnspaced(word) || /\d/.test(term.text)) return 0
  let shared = 0
  while (shared < shorter && stem[shared] === term.stem[shared]) shared++
  const longer = Math.max(stem.length, term.stem.length)
  if (shared === shorter && longer - shorter <= (shorter < 4 ? 1 : 3)) return 0.7
  // Endings that change a letter or two, as in most inflected languages.
  return shared >= 5 && shared >= shorter - 2 && longer - shared <= 3 ? 0.6 : 0
}

function folded(word: string): string {
  return word
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/['’]s$/, '')
    .replace(/['’]/g, "'")
}

function split(word: string): string[] {
  if (!isUnspaced(word)) return [word]
  const parts: string[] = []
  let from = 0
  for (const match of word.matchAll(unspaced)) {
    if (match.index > from) parts.push(word.slice(from, match.index))
    const characters = [...match[0]]
    if (characters.length === 1) parts.push(match[0])
    for (let at = 0; at + 1 < characters.length; at++) parts.push(characters[at] + characters[at + 1])
    from = match.index + match[0].length
  }
  if (from < word.length) parts.push(word.slice(from))
  return parts
}

/** Of a script without spaces, which is compared by pairs of characters. */
export const isUnspaced = (word: string): boolean => word.search(unspaced) !== -1

/** A light hand: plural and tense of English words. Other languages are compared by how words begin. */
function stemOf(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word
  const bare = word
    .replace(/(?:sses|shes|ches|xes|zes|oes)$/, (ending) => ending.slice(0, -2))
    .replace(/ies$/, 'y')
    .replace(/([^s])s$/, '$1')
  const verb = bare.length > 5 ? bare.replace(/(?:ing|ed)$/, '') : bare.replace(/([aeiouy].*[^e])ed$/, '$1')
  return verb.replace(/([bdfgklmnprt])\1$/, '$1').replace(/(.{3})[ey]$/, '$1')
}
