import { scanNote } from '../markdown/index.js'
import type { AnswerGuidance } from './guidance.js'
import type { Language } from './languages/language.js'
import type { Passage, PassageSelection } from './passages.js'
import type { CallResult } from './prompt.js'
import { quotedName } from './task.js'
import { spelledIn, type Term } from './terms.js'
import { citationLink, parseRecords } from './tool-results.js'

interface Quotations {
  question: string
  selection: PassageSelection
  results: readonly CallResult[]
  /** Error texts of notes that the user named and that could not be read. */
  failures: readonly string[]
  guidance: AnswerGuidance
  heading?: string
  /** The user named or attached what is quoted. */
  isChosen?: boolean
}

/** Writes quotations grouped by note, each followed by a link; or says what was not found. */
export function writeAnswer({
  question,
  selection,
  results,
  failures,
  guidance,
  heading,
  isChosen = false,
}: Quotations): string {
  const searches = results.filter(({ name }) => name === 'search_notes')
  const remarks = [...new Set(searches.flatMap(({ text, isError }) => (isError ? [text] : parseRecords(text).remarks)))]
  const lines = selection.passages.flatMap((passage, at, all) => citedLines(passage, at, all, guidance))
  const isQuoted = lines.some((line) => /^\s*- /.test(line))
  const isRelevant = isChosen || heading !== undefined || selection.relevance !== 'none'
  const body =
    isQuoted && isRelevant
      ? [heading ?? headingFor(question, selection, isChosen, guidance), ...lines]
      : [nothingAbout(question, selection, guidance), guidance.say('tryOtherWords')]
  return [...failures, ...body, ...remarks.slice(0, 5).map((remark) => `*${plainLine(remark)}*`), guidance.closing]
    .filter((part) => part !== '')
    .join('\n\n')
    .replace(/\n\n(?= *- )/g, '\n')
}

/** Says how far the quotations answer the question. */
function headingFor(
  question: string,
  { relevance, missing, covered }: PassageSelection,
  isChosen: boolean,
  { say, language }: AnswerGuidance,
): string {
  if (isChosen || relevance === 'full') return say('fromNotes')
  const topic = listOfWords(missing, question, language, say)
  const rest = listOfWords(covered, question, language, say)
  return topic === '' || rest === '' ? say('mayNotAnswer') : say('nothingAboutBut', { topic, covered: rest })
}

function nothingAbout(question: string, { missing }: PassageSelection, { say, language }: AnswerGuidance): string {
  const words = language.isUnspaced ? '' : listOfWords(missing, question, language, say)
  const topic = words === '' ? quotedName(plainLine(question).replace(/[\s?？.。!！]+$/u, ''), language) : words
  return say('nothingAbout', { topic })
}

const mostWordsNamed = 4

/** The words as the question spells them; pairs of characters are no words, so the parts of text they make up. */
function listOfWords(terms: readonly Term[], question: string, language: Language, say: AnswerGuidance['say']): string {
  const spellings = spelledIn(question, terms, language.isUnspaced === true)
  const named = spellings.slice(0, mostWordsNamed).map((word) => quotedName(word, language))
  const last = named.pop()
  if (last === undefined) return ''
  const comma = language.isUnspaced ? '、' : ', '
  return named.length === 0 ? last : say('or', { a: named.join(comma), b: last })
}

/** A line with its link, below the note's title. Skips lines that the check of citations could misread. */
function citedLines(passage: Passage, at: number, all: readonly Passage[], { say }: AnswerGuidance): string[] {
  const { path, title, heading, text, isProperty } = passage
  const quoted = isProperty ? `${say('propertyLabel')} ${plainLine(text)}` : quote(text)
  if (quoted === undefined) return []
  const link = path === undefined ? undefined : citationLink(path, heading)
  const line = link === undefined ? `- ${quoted} (${plainLine(title)})` : `- ${quoted} ${link}`
  const links = scanNote(line).links.filter(({ kind }) => kind !== 'external')
  const [onlyLink] = links
  const isAsWritten =
    link === undefined ? onlyLink === undefined : onlyLink !== undefined && line.endsWith(onlyLink.raw)
  if (links.length > 1 || !isAsWritten) return []
  const previous = at === 0 ? undefined : all[at - 1]
  const isFirst = previous?.path !== path || previous?.title !== title
  // Items are short and follow their introduction; one with a link could be read as a citation.
  const items = (passage.items ?? [])
    .map((item) => item.replace(/\s+/g, ' ').trim())
    .filter((item) => scanNote(item).links.length === 0)
    .map((item) => `  - ${item.length > maxQuoteLength ? `${item.slice(0, maxQuoteLength)}…` : item}`)
  return [...(isFirst ? [`**${plainLine(title)}**`] : []), line, ...items]
}

/** The text on one line, without markup. */
const plainLine = (text: string): string =>
  text
    .replace(/[[\]*`|<>"“”]/g, '')
    .replace(/\s+/g, ' ')
    .trim()

const maxQuoteLength = 400
const quotationMarks: readonly [string, string][] = [
  ['"', '"'],
  ['“', '”'],
  ['«', '»'],
]

/** The sentence in quotation marks that do not occur in it; undefined when it cannot be quoted. */
export function quote(sentence: string): string | undefined {
  const { words, isCut } = shortened(sentence.trim())
  const marks = quotationMarks.find((pair) => !pair.some((mark) => words.includes(mark)))
  if (words.length < 3 || marks === undefined) return undefined
  return `${marks[0]}${words}${marks[1]}${isCut ? '…' : ''}`
}

function shortened(text: string): { words: string; isCut: boolean } {
  if (text.length <= maxQuoteLength) return { words: text, isCut: false }
  const cut = text.slice(0, maxQuoteLength)
  const space = cut.lastIndexOf(' ')
  const length = space > maxQuoteLength / 2 ? space : maxQuoteLength - (/[\ud800-\udbff]$/.test(cut) ? 1 : 0)
  return { words: cut.slice(0, length), isCut: true }
}
