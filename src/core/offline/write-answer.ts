import { scanNote } from '../markdown/index.js'
import type { Passage, PassageSelection } from './passages.js'
import type { CallResult } from './prompt.js'
import { citationLink, parseRecords, textOrEmpty } from './tool-results.js'

interface Quotations {
  question: string
  selection: PassageSelection
  results: readonly CallResult[]
  /** Error texts of notes that the user named and that could not be read. */
  failures: readonly string[]
  closing: string
  heading?: string
}

/** Writes quotations grouped by note, each followed by a link; or says that nothing was found. */
export function writeAnswer({ question, selection, results, failures, closing, heading }: Quotations): string {
  const searches = results.filter(({ name }) => name === 'search_notes')
  const remarks = [...new Set(searches.flatMap(({ text, isError }) => (isError ? [text] : parseRecords(text).remarks)))]
  const lines = selection.passages.flatMap(citedLines)
  const isQuoted = lines.some((line) => line.startsWith('- '))
  const body = isQuoted
    ? [heading ?? (selection.coverage < 1 ? closestHeading : 'From your notes:'), ...lines]
    : nothingFound(question, selection.coverage === 0 ? [] : searches)
  return [...failures, ...body, ...remarks.slice(0, 5).map((remark) => `*${plainLine(remark)}*`), closing]
    .filter((part) => part !== '')
    .join('\n\n')
    .replace(/\n\n- /g, '\n- ')
}

const closestHeading = 'Closest matches in your notes:'

/** A line with its link, below the note's title. Skips lines that the check of citations could misread. */
function citedLines(passage: Passage, at: number, all: readonly Passage[]): string[] {
  const { path, title, heading, text, isProperty } = passage
  const quoted = isProperty ? `Property ${plainLine(text)}` : quote(text)
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
  return isFirst ? [`**${plainLine(title)}**`, line] : [line]
}

function nothingFound(question: string, searches: readonly CallResult[]): string[] {
  const paths = searches.flatMap(({ text }) => parseRecords(text).data.map(({ path }) => textOrEmpty(path)))
  const closest = [...new Set(paths.filter((path) => path !== ''))].slice(0, 3)
  if (closest.length === 0) {
    return [`No matches in your notes for: ${plainLine(question).slice(0, 100)}`, tryOtherWords]
  }
  return ['No exact match. Closest notes:', ...closest.map((path) => `- ${citationLink(path)}`), tryOtherWords]
}

const tryOtherWords = 'Try fewer or different words.'

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
