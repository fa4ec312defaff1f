import { scanNote } from '../../markdown/index.js'
import type { Result } from '../prompt/index.js'
import { citationLink } from './citation-link.js'
import { quote } from './quote.js'
import { recordsIn, textOf } from './result-data.js'
import type { Passage, Selection } from './select-passages.js'

export interface AnswerParts {
  question: string
  selection: Selection
  results: readonly Result[]
  /** Notes the person named that could not be read. */
  failures: readonly string[]
  closing: string
  heading?: string
}

/** The answer: quotations grouped by note, each followed by its place; or plainly that there is nothing. */
export function writeAnswer({ question, selection, results, failures, closing, heading }: AnswerParts): string {
  const searches = results.filter(({ name }) => name === 'search_notes')
  const remarks = [...new Set(searches.flatMap(({ text, isError }) => (isError ? [text] : recordsIn(text).remarks)))]
  const lines = selection.passages.flatMap(citedLines)
  const isQuoted = lines.some((line) => line.startsWith('- '))
  const body = isQuoted
    ? [heading ?? (selection.coverage < 1 ? closest : 'From your notes:'), ...lines]
    : nothing(question, selection.coverage === 0 ? [] : searches)
  return [...failures, ...body, ...remarks.slice(0, 5).map((remark) => `*${flat(remark)}*`), closing]
    .filter((part) => part !== '')
    .join('\n\n')
    .replace(/\n\n- /g, '\n- ')
}

const closest = 'The closest I found in your notes:'

/** A new note begins with its title. What the check of citations could misread is left out. */
function citedLines(passage: Passage, at: number, all: readonly Passage[]): string[] {
  const { path, title, heading, text, isProperty } = passage
  const words = isProperty ? `Property ${flat(text)}` : quote(text)
  if (words === undefined) return []
  const link = path === undefined ? undefined : citationLink(path, heading)
  const line = link === undefined ? `- ${words} (${flat(title)})` : `- ${words} ${link}`
  const links = scanNote(line).links.filter(({ kind }) => kind !== 'external')
  if (links.length !== (link === undefined ? 0 : 1) || (link !== undefined && !line.endsWith(links[0].raw))) return []
  const isFirst = at === 0 || all[at - 1].path !== path || all[at - 1].title !== title
  return isFirst ? [`**${flat(title)}**`, line] : [line]
}

function nothing(question: string, searches: readonly Result[]): string[] {
  const paths = searches.flatMap(({ text }) => recordsIn(text).data.map(({ path }) => textOf(path)))
  const nearest = [...new Set(paths.filter((path) => path !== ''))].slice(0, 3)
  if (nearest.length === 0) {
    return [`I found nothing in the notes about: ${flat(question).slice(0, 100)}`, otherWords]
  }
  return [
    'The notes do not speak of this in so many words. The nearest are:',
    ...nearest.map((path) => `- ${citationLink(path)}`),
    otherWords,
  ]
}

const otherWords = 'Other words, or fewer of them, may find more.'

/** One line in which nothing is marked up. */
const flat = (text: string): string =>
  text
    .replace(/[[\]*`|<>"“”]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
