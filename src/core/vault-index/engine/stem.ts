import { stemmer as arabicStem } from '@orama/stemmers/arabic'
import { stemmer as russianStem } from '@orama/stemmers/russian'
import { englishStem } from './english-stem.js'

/** What a folded word has in common with its inflected forms, by the script of its first letter. */
export function stemOf(word: string): string {
  const code = word.charCodeAt(0)
  if (code < 0x250) return code > 0x60 ? englishStem(word) : word
  if (code >= 0x400 && code < 0x530) return russianStem(word) || word
  if (code >= 0x600 && code < 0x780) return arabicStem(word) || word
  return word
}
