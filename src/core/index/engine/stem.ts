import { stemmer as arabicStem } from '@orama/stemmers/arabic'
import { stemmer as russianStem } from '@orama/stemmers/russian'

/** The stem of a folded word, by the script of its first letter. */
export function stemOf(word: string): string {
  const code = word.charCodeAt(0)
  if (code < 0x250) return code > 0x60 ? englishStem(word) : word
  if (code >= 0x400 && code < 0x530) return russianStem(word) || word
  if (code >= 0x600 && code < 0x780) return arabicStem(word) || word
  return word
}

/** The Porter2 (Snowball English) stem of a folded Latin word. */
export function englishStem(word: string): string {
  if (word.length < 3) return word
  const special = exceptions.get(word)
  if (special !== undefined) return special
  const marked = markConsonantY(word)
  const first = firstRegion(marked)
  const second = regionAfter(marked, first)
  let stem = stepOneA(marked)
  if (unchanged.has(stem)) return stem
  stem = stepOneB(stem, first)
  stem = stepOneC(stem)
  stem = stepTwo(stem, first)
  stem = stepThree(stem, first, second)
  stem = stepFour(stem, second)
  stem = stepFive(stem, first, second)
  return stem.toLowerCase()
}

const exceptions = new Map([
  ['skis', 'ski'],
  ['skies', 'sky'],
  ['dying', 'die'],
  ['lying', 'lie'],
  ['tying', 'tie'],
  ['idly', 'idl'],
  ['gently', 'gentl'],
  ['ugly', 'ugli'],
  ['early', 'earli'],
  ['only', 'onli'],
  ['singly', 'singl'],
  ...['sky', 'news', 'howe', 'atlas', 'cosmos', 'bias', 'andes'].map((word): [string, string] => [word, word]),
])
const unchanged = new Set(['inning', 'outing', 'canning', 'herring', 'earring', 'proceed', 'exceed', 'succeed'])

/** Consonant y is written Y while stemming. */
function markConsonantY(word: string): string {
  if (!word.includes('y')) return word
  let marked = ''
  for (let at = 0; at < word.length; at++) {
    const isConsonant = word[at] === 'y' && (at === 0 || isVowel(marked.charCodeAt(at - 1)))
    marked += isConsonant ? 'Y' : word[at]
  }
  return marked
}

function isVowel(code: number): boolean {
  return code === 97 || code === 101 || code === 105 || code === 111 || code === 117 || code === 121
}

function firstRegion(word: string): number {
  if (word.startsWith('gener') || word.startsWith('arsen')) return 5
  if (word.startsWith('commun')) return 6
  return regionAfter(word, 0)
}

/** Start of the region after the first consonant that follows a vowel. */
function regionAfter(word: string, from: number): number {
  let at = from
  while (at < word.length && !isVowel(word.charCodeAt(at))) at++
  while (at < word.length && isVowel(word.charCodeAt(at))) at++
  return Math.min(at + 1, word.length)
}

function hasVowel(word: string, end: number): boolean {
  for (let at = 0; at < end; at++) if (isVowel(word.charCodeAt(at))) return true
  return false
}

function endsInShortSyllable(word: string, end = word.length): boolean {
  if (end < 2) return false
  const last = word.charCodeAt(end - 1)
  const middle = word.charCodeAt(end - 2)
  if (end === 2) return isVowel(middle) && !isVowel(last)
  const isClosed = !isVowel(last) && last !== 119 && last !== 120 && last !== 89
  return isClosed && isVowel(middle) && !isVowel(word.charCodeAt(end - 3))
}

function stepOneA(word: string): string {
  if (!word.endsWith('s')) return word.endsWith('ied') ? shortenIe(word) : word
  if (word.endsWith('sses')) return word.slice(0, -2)
  if (word.endsWith('ies')) return shortenIe(word)
  if (word.endsWith('us') || word.endsWith('ss')) return word
  return hasVowel(word, word.length - 2) ? word.slice(0, -1) : word
}

function shortenIe(word: string): string {
  return word.length > 4 ? word.slice(0, -2) : word.slice(0, -1)
}

function stepOneB(word: string, first: number): string {
  for (const suffix of ['eedly', 'eed']) {
    if (!word.endsWith(suffix)) continue
    const start = word.length - suffix.length
    return start >= first ? `${word.slice(0, start)}ee` : word
  }
  for (const suffix of ['ingly', 'edly', 'ing', 'ed']) {
    if (!word.endsWith(suffix)) continue
    const start = word.length - suffix.length
    return hasVowel(word, start) ? repairEnd(word.slice(0, start), first) : word
  }
  return word
}

function repairEnd(stem: string, first: number): string {
  if (stem.endsWith('at') || stem.endsWith('bl') || stem.endsWith('iz')) return `${stem}e`
  const last = stem.slice(-1)
  if (last === stem[stem.length - 2] && 'bdfgmnprt'.includes(last)) return stem.slice(0, -1)
  return first >= stem.length && endsInShortSyllable(stem) ? `${stem}e` : stem
}

function stepOneC(word: string): string {
  const last = word[word.length - 1]
  const turns = (last === 'y' || last === 'Y') && word.length > 2 && !isVowel(word.charCodeAt(word.length - 2))
  return turns ? `${word.slice(0, -1)}i` : word
}

// The longest ending first: the first that fits decides.
const secondSuffixes: readonly (readonly [string, string])[] = [
  ['ational', 'ate'],
  ['ization', 'ize'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['iveness', 'ive'],
  ['tional', 'tion'],
  ['biliti', 'ble'],
  ['lessli', 'less'],
  ['entli', 'ent'],
  ['ation', 'ate'],
  ['alism', 'al'],
  ['aliti', 'al'],
  ['ousli', 'ous'],
  ['iviti', 'ive'],
  ['fulli', 'ful'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['abli', 'able'],
  ['izer', 'ize'],
  ['ator', 'ate'],
  ['alli', 'al'],
  ['bli', 'ble'],
  ['ogi', 'og'],
  ['li', ''],
]

function stepTwo(word: string, first: number): string {
  for (const [suffix, instead] of secondSuffixes) {
    if (!word.endsWith(suffix)) continue
    const start = word.length - suffix.length
    if (start < first) return word
    if (suffix === 'ogi' && word[start - 1] !== 'l') return word
    if (suffix === 'li' && !'cdeghkmnrt'.includes(word[start - 1] ?? ' ')) return word
    return word.slice(0, start) + instead
  }
  return word
}

const thirdSuffixes: readonly (readonly [string, string])[] = [
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['alize', 'al'],
  ['icate', 'ic'],
  ['iciti', 'ic'],
  ['ative', ''],
  ['ical', 'ic'],
  ['ness', ''],
  ['ful', ''],
]

function stepThree(word: string, first: number, second: number): string {
  for (const [suffix, instead] of thirdSuffixes) {
    if (!word.endsWith(suffix)) continue
    const start = word.length - suffix.length
    return start >= (suffix === 'ative' ? second : first) ? word.slice(0, start) + instead : word
  }
  return word
}

const fourthSuffixes = 'ement ance ence able ible ment ant ent ism ate iti ous ive ize ion al er ic'.split(' ')

function stepFour(word: string, second: number): string {
  for (const suffix of fourthSuffixes) {
    if (!word.endsWith(suffix)) continue
    const start = word.length - suffix.length
    if (start < second) return word
    if (suffix === 'ion' && word[start - 1] !== 's' && word[start - 1] !== 't') return word
    return word.slice(0, start)
  }
  return word
}

function stepFive(word: string, first: number, second: number): string {
  const start = word.length - 1
  if (word.endsWith('e')) {
    const goes = start >= second || (start >= first && !endsInShortSyllable(word, start))
    return goes ? word.slice(0, start) : word
  }
  return word.endsWith('ll') && start >= second ? word.slice(0, start) : word
}
