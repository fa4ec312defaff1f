import { chinese } from './chinese.js'
import { english } from './english.js'
import { french } from './french.js'
import { german } from './german.js'
import { italian } from './italian.js'
import { japanese } from './japanese.js'
import type { Language } from './language.js'
import { portuguese } from './portuguese.js'
import { spanish } from './spanish.js'

/** The languages of requests and answers. A new one is a file and a line here. */
export const languages: readonly Language[] = [english, german, french, spanish, italian, portuguese, chinese, japanese]

export { english }

const wordSets = new Map<Language, ReadonlySet<string>>()

function wordsOf(language: Language): ReadonlySet<string> {
  const known = wordSets.get(language)
  if (known !== undefined) return known
  const made = new Set(`${language.words} ${language.noteWords} ${language.frame}`.split(/\s+/).filter(Boolean))
  wordSets.set(language, made)
  return made
}

/** The language of a text, by its script or by its most common words. English for all others. */
export function languageOf(text: string): Language {
  const start = text.slice(0, 1000)
  const scripted = languages.find(({ script }) => script?.test(start))
  if (scripted !== undefined) return scripted
  if (/\p{Script=Han}/u.test(start)) return chinese
  const words = start.toLowerCase().match(/[\p{L}\p{M}]+/gu) ?? []
  let best: Language = english
  let most = 0
  for (const language of languages) {
    const met = words.filter((word) => wordsOf(language).has(word)).length
    if (met > most) [best, most] = [language, met]
  }
  return best
}

/** This language first, then English, which is mixed into others, then the rest. */
export const languagesFrom = (first: Language): Language[] => [...new Set([first, english, ...languages])]

/** The English time expression for one in this language; undefined if it is none. */
export function englishTime(words: string, { times, months }: Language): string | undefined {
  const text = words.normalize('NFC').trim().toLowerCase().replace(/’/g, "'")
  if (/^\d{4}-\d\d(?:-\d\d)?$/.test(text)) return text
  for (const [pattern, inEnglish] of times) {
    const match = new RegExp(`^(?:${pattern})$`, 'iu').exec(text)
    // A month of a year needs two digits.
    const digits = inEnglish === '$1-$2' ? 2 : 1
    if (match !== null)
      return inEnglish.replace(/\$(\d)/g, (_, group: string) => (match[Number(group)] ?? '').padStart(digits, '0'))
  }
  const [month = '', year] = text
    .replace(/^(?:im |in |en |em |de |di |a |ad |nel |du |mois d[e'] ?)+/, '')
    .split(/\s+(?:de |del |di )?/)
  const at = months.split(' ').indexOf(month)
  if (at === -1 || months === '') return undefined
  return `${englishMonths[at]}${year !== undefined && /^\d{4}$/.test(year) ? ` ${year}` : ''}`
}

const englishMonths = english.months.split(' ')
