import { functionWordsOf } from '../index/index.js'
import type { Language } from './languages/language.js'
import { english, languageOf } from './languages/languages.js'

/** A word of a question, case-folded for comparison. */
export interface Term {
  text: string
  /** The word without endings of plural and tense. */
  stem: string
}

const wordPattern = /[\p{L}\p{N}\p{M}]+(?:['’][\p{L}]+)*/gu
const unspacedScript = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]+/gu

/** The words of a text in order, case-folded; scripts without spaces are cut into pairs of characters. */
export function wordsIn(text: string): string[] {
  return [...text.matchAll(wordPattern)].flatMap(([word]) => characterPairs(foldWord(word)))
}

/** The words of a question that name its topic; all of them, when there are no others. */
export function termsOf(request: string, language: Language = languageOf(request)): Term[] {
  const question = request.slice(0, 2000)
  const isFrame = isFrameWord(question, language)
  const spoken = language.isUnspaced ? question.replace(framePattern(language), ' ') : question
  const kept = wordsIn(spoken).filter((word) => !isFrame(word))
  const unique = [...new Set(kept.length > 0 ? kept : wordsIn(question))].slice(0, 30)
  return unique.map((text) => ({ text, stem: stemOf(text) }))
}

const wordSets = new Map<Language, ReadonlySet<string>>()

/** Words of requests in a language, and in English, folded. */
function frameWords(language: Language): ReadonlySet<string> {
  const known = wordSets.get(language)
  if (known !== undefined) return known
  const spaced = [english, ...(language.isUnspaced ? [] : [language])]
  const all = spaced.flatMap(({ words, noteWords, frame }) => `${words} ${noteWords} ${frame}`.split(/\s+/))
  const made = new Set(all.filter(Boolean).map(foldWord))
  wordSets.set(language, made)
  return made
}

/** True for words of this question that shape it and are not its topic: "how", "do", "notes", "say". */
export function isFrameWord(question: string, language: Language): (word: string) => boolean {
  const bare = (word: string) => foldWord(word).replaceAll("'", '')
  const joining = functionWordsOf((question.match(wordPattern) ?? []).map(bare))
  const words = frameWords(language)
  return (word) => joining.has(bare(word)) || words.has(foldWord(word))
}

const framePatterns = new Map<Language, RegExp>()

/** Parts of text that shape a question in a script without spaces, the longest first. */
function framePattern(language: Language): RegExp {
  const known = framePatterns.get(language)
  if (known !== undefined) return known
  const parts = language.frame.split(/\s+/).filter(Boolean)
  const made = new RegExp(parts.sort((a, b) => b.length - a.length).join('|'), 'g')
  framePatterns.set(language, made)
  return made
}

/** The question without the words around its topic that mention notes: "what do my notes say about X", "X in my notes". */
export function withoutFrame(question: string, language: Language): string {
  if (language.isUnspaced) return question
  const isFrame = isFrameWord(question, language)
  const nouns = new Set(`${english.noteWords} ${language.noteWords}`.split(' ').map(foldWord))
  const pieces = question.trim().split(/\s+/)
  const bare = pieces.map((piece) => piece.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ''))
  const isLeading = (word: string) => word !== '' && isFrame(word)
  const isNoun = (word: string) => nouns.has(foldWord(word))
  let head = 0
  while (head < bare.length && isLeading(bare[head] ?? '')) head++
  let tail = bare.length
  while (tail > head && isLeading(bare[tail - 1] ?? '')) tail--
  // One noun alone is a topic: "page breaks".
  const start = head >= 3 && bare.slice(0, head).some(isNoun) ? head : 0
  const end = bare.length - tail >= 2 && isNoun(bare.at(-1) ?? '') ? tail : bare.length
  const rest = pieces.slice(start, end).join(' ')
  return /[\p{L}\p{N}]/u.test(rest) ? rest : question
}

/** Terms as the question spells them, in its order. Overlapping pairs of characters are joined. */
export function spelledIn(question: string, terms: readonly Term[], isUnspaced: boolean): string[] {
  const wanted = new Set(terms.map(({ text }) => text))
  const found: string[] = []
  if (isUnspaced) {
    const characters = [...question.slice(0, 300)]
    let run = ''
    for (const [at, character] of characters.entries()) {
      const pair = `${character}${characters[at + 1] ?? ''}`
      if (wanted.has(pair)) run = run === '' ? pair : run + (characters[at + 1] ?? '')
      else if (run !== '') {
        found.push(run)
        run = ''
      }
    }
    if (run !== '') found.push(run)
  }
  for (const [word] of question.slice(0, 2000).matchAll(wordPattern)) {
    if (wanted.has(foldWord(word)) && !hasUnspacedScript(word)) found.push(word)
  }
  return [...new Set(found)]
}

/** For each term the similarity of the most similar word, from 0 to 1 (the same word). */
export function bestSimilarities(terms: readonly Term[], words: readonly string[]): number[] {
  const others = [...new Set(words)].map((text): Term => ({ text, stem: stemOf(text) }))
  return terms.map((term) =>
    others.reduce((best, word) => (best === 1 ? 1 : Math.max(best, similarity(term, word))), 0),
  )
}

/** Counts neighbouring terms that are also neighbours among the words: "bed 4". */
export function countSharedPairs(terms: readonly Term[], words: readonly string[]): number {
  const others = pairsOf(words.map((text): Term => ({ text, stem: stemOf(text) })))
  const isShared = ([first, second]: [Term, Term]) =>
    others.some(([word, next]) => similarity(first, word) > 0 && similarity(second, next) > 0)
  return pairsOf(terms).filter(isShared).length
}

/** Each element with the one after it. */
function pairsOf<T>(list: readonly T[]): [T, T][] {
  const pairs: [T, T][] = []
  for (const [at, first] of list.entries()) {
    const second = list[at + 1]
    if (second !== undefined) pairs.push([first, second])
  }
  return pairs
}

function similarity(term: Term, { text: word, stem }: Term): number {
  if (word === term.text) return 1
  if (stem === term.stem) return 0.9
  const shorter = Math.min(stem.length, term.stem.length)
  if (shorter < 3 || hasUnspacedScript(word) || /\d/.test(term.text)) return 0
  let shared = 0
  while (shared < shorter && stem[shared] === term.stem[shared]) shared++
  const longer = Math.max(stem.length, term.stem.length)
  if (shared === shorter && longer - shorter <= (shorter < 4 ? 1 : 3)) return 0.7
  // Endings that change a letter or two, as in most inflected languages.
  return shared >= 5 && shared >= shorter - 2 && longer - shared <= 3 ? 0.6 : 0
}

function foldWord(word: string): string {
  return word
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/['’]s$/, '')
    .replace(/['’]/g, "'")
}

function characterPairs(word: string): string[] {
  if (!hasUnspacedScript(word)) return [word]
  const parts: string[] = []
  let from = 0
  for (const match of word.matchAll(unspacedScript)) {
    if (match.index > from) parts.push(word.slice(from, match.index))
    const characters = [...match[0]]
    if (characters.length === 1) parts.push(match[0])
    else parts.push(...pairsOf(characters).map((pair) => pair.join('')))
    from = match.index + match[0].length
  }
  if (from < word.length) parts.push(word.slice(from))
  return parts
}

/** True for a script without spaces, which is compared by pairs of characters. */
export const hasUnspacedScript = (word: string): boolean => word.search(unspacedScript) !== -1

/** Removes endings of plural and tense from English words. Other languages are compared by how words begin. */
function stemOf(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word
  const bare = word
    .replace(/(?:sses|shes|ches|xes|zes|oes)$/, (ending) => ending.slice(0, -2))
    .replace(/ies$/, 'y')
    .replace(/([^s])s$/, '$1')
  const verb = bare.length > 5 ? bare.replace(/(?:ing|ed)$/, '') : bare.replace(/([aeiouy].*[^e])ed$/, '$1')
  return verb.replace(/([bdfgklmnprt])\1$/, '$1').replace(/(.{3})[ey]$/, '$1')
}
