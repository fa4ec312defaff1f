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

/** The words of a question without question words; all of them, when there are no others. */
export function termsOf(request: string): Term[] {
  const question = request.slice(0, 2000)
  const kept = wordsIn(question.replace(questionCharacters, ' ')).filter((word) => !isQuestionWord(word))
  const unique = [...new Set(kept.length > 0 ? kept : wordsIn(question))].slice(0, 30)
  return unique.map((text) => ({ text, stem: stemOf(text) }))
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

/** Words that ask, point or join, and say nothing about the topic. */
const questionWordList = `
a about across after again against all also am an and any anyone anything are as at be been before being but by can could
did do does doing done each ever every explain find for from get give go goes going had happen happened happens has have having he help helps her
here him his how i if in into is it its just know let like list look looks made make makes many may me mean means might
mine much must my need next no not note notes now of off on one or our out over please quite really said say says
search see shall she should show so some somebody someone something such tell than that the their them then there
these they thing things this those to too under until up upon us used use uses usually vault very was we were what
what's whats when whenever where wherever which while who whom whose why will with without would write written wrote
you your yours
der die das ein eine einen einem einer und oder ist sind war wie was wann wo wer warum welche welcher welches wir ich
es zu im in mit von den dem des auf für man
le la les un une des du de et ou est sont quel quelle quels quelles quand où qui que quoi comment pourquoi combien
el los las una unos y o es son qué cuál cuándo dónde quién cómo por para con
что как где когда кто почему зачем какой какая какие сколько это и в на с по у о из к ли не мы я вы он она они
`
  .trim()
  .split(/\s+/)

const questionWords = new Set(questionWordList)

export const isQuestionWord = (word: string): boolean => questionWords.has(word.toLowerCase().replace(/’/g, "'"))

/** Question words of Chinese and Japanese, which are written without spaces. */
export const questionCharacters =
  /什么|怎么|怎样|如何|为什么|几点|哪里|哪儿|哪个|多少|请问|告诉我|[吗呢？?]|ですか|ますか|何時/g
