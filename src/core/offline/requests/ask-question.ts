import { offlineHelp } from '../guidance.js'
import { selectPassages } from '../passages.js'
import { phrases } from '../phrases.js'
import type { CallResult } from '../prompt.js'
import {
  type Call,
  failureText,
  lastResult,
  type OfflineRequest,
  type OfflineTask,
  type RequestKind,
  replyWith,
} from '../task.js'
import { isQuestionWord, questionCharacters, termsOf } from '../terms.js'
import { quotableTexts } from '../tool-results.js'
import { writeAnswer } from '../write-answer.js'
import { noteList } from './look-up.js'

const hitsPerQuery = 10
const maxNotesRead = 3

/** A question to the notes: search, read further where the passages do not cover it, and quote. */
export function askQuestion(request: OfflineRequest): OfflineTask {
  const { text, mentioned, commands, attached } = request
  const queries = queriesFor(text)
  if (queries.length === 0 && attached.length === 0) return replyWith(offlineHelp)
  const terms = termsOf(text)
  const reads = mentioned.slice(0, maxNotesRead).map((path): Call => ({ name: 'read_note', input: { path } }))
  const wantsSearch = mentioned.length === 0 || commands.has('vault')
  const searches = wantsSearch ? queries.map(searchCall) : []
  const select = (results: readonly CallResult[]) => selectPassages(terms, quotableTexts(results, attached))

  return {
    tools: ['search_notes', 'read_note'],
    next(results) {
      if (results.length === 0) return [...reads, ...searches]
      if (results.some(({ name }) => name === 'read_note')) return []
      const { best, coverage, unquoted, linkedNote } = select(results)
      const unread = new Set([...(best !== undefined && coverage < 1 ? [best] : []), ...unquoted])
      const paths = [...[...unread].slice(0, maxNotesRead), ...(linkedNote === undefined ? [] : [`[[${linkedNote}]]`])]
      return paths.map((path) => ({ name: 'read_note', input: { path } }))
    },
    answer(results, { closing }) {
      const failures = results
        .filter(({ name, input, isError }) => name === 'read_note' && isError && isOneOf(input, reads))
        .map((result) => failureText(result, results))
      return writeAnswer({ question: text, selection: select(results), results, failures, closing })
    },
  }
}

const searchCall = (query: string): Call => ({ name: 'search_notes', input: { query, top_k: hitsPerQuery } })

const isOneOf = (input: CallResult['input'], reads: readonly Call[]): boolean =>
  input === undefined || reads.some((call) => call.input.path === input.path)

const maxQueries = 3
const maxQueryLength = 300
/** A longer text is cut: it is not a question. */
const maxQuestionLength = 2000

/** One search query for each part of a compound question; none when there are no words at all. */
function queriesFor(question: string): string[] {
  const parts = question
    .slice(0, maxQuestionLength)
    .split(
      /[?？;；\n]+|,?\s+(?:and|und|et|y|и)\s+(?=(?:also\s+)?(?:what|how|when|where|who|why|which|do|does|is|are)\b)/iu,
    )
  // Question words stay in: the search weighs them itself, with better results.
  const queries = parts.filter((part) => queryFor(part) !== undefined).map(inOneLine)
  const unique = [...new Set(queries)].slice(0, maxQueries)
  if (unique.length > 0) return unique
  const whole = inOneLine(question)
  return /[\p{L}\p{N}]/u.test(whole) ? [whole] : []
}

const inOneLine = (text: string): string =>
  text.slice(0, maxQuestionLength).replace(/\s+/g, ' ').trim().slice(0, maxQueryLength).trim()

/** The question without question words; phrases in quotation marks stay as they are. */
function queryFor(question: string): string | undefined {
  const pieces = question.slice(0, maxQuestionLength).match(/["“][^"”\n]{2,200}["”]|\S+/g) ?? []
  const kept = pieces.flatMap((piece) => {
    const phrase = /^["“]([^"”]+)["”]$/.exec(piece)?.[1]
    if (phrase !== undefined) return [`"${phrase.trim()}"`]
    const word = piece
      .replace(/\[\[|\]\]/g, '')
      .replace(questionCharacters, ' ')
      .replace(/^[^\p{L}\p{N}#]+|[^\p{L}\p{N}%°+#]+$/gu, '')
    return word === '' || isQuestionWord(word) || isQuestionWord(word.replace(/['’]s$/, '')) ? [] : [word]
  })
  const query = kept.join(' ').replace(/\s+/g, ' ').trim().slice(0, maxQueryLength).trim()
  return query === '' ? undefined : query
}

const mentionsNotes =
  /\bnotes?\b|\b(?:did|have|had) (?:i|we) (?:write|written|note|noted|change|changed|edit|edited|add|added)\b|\bi wrote\b|\bwhat(?:['’]s| is| has| have| did)? (?:been )?(?:changed?|new|happened)\b|\bwas (?:written|changed|edited|added|created)\b/i
const requestWords =
  /\b(?:notes?|show|list|find|give|get|all|write|wrote|written|noted|change|changed|happened|new|recent(?:ly)?|latest|edit|edited|modified|create|created|add|added|made|from|about|during|dated?)\b/gi

/** "notes from last week about y": resolves the dates first, then searches the notes of that time. */
export const notesOfTime: RequestKind = ({ text }) => {
  const expression = mentionsNotes.test(text) ? (findTimeExpression(text) ?? recentExpression(text)) : undefined
  if (expression === undefined) return undefined
  const rest = text.replace(expression, ' ')
  const tags = [...rest.matchAll(/(?:^|\s)#([^\s#.,;:!?]+)/g)].map(([, tag = '']) => tag)
  const topic = queryFor(rest.replace(/(^|\s)#[^\s#]+|\btagged\b/gi, '$1 ').replace(requestWords, ' ')) ?? ''

  return {
    tools: ['get_time_range', 'search_notes'],
    next(results) {
      if (results.some(({ name }) => name === 'search_notes')) return []
      const range = lastResult(results, 'get_time_range')
      if (range === undefined) return [{ name: 'get_time_range', input: { expression } }]
      const dates = range.isError ? undefined : datesIn(range.text)
      return dates === undefined ? [] : [searchInDates(topic, tags, dates)]
    },
    answer(results, { closing }) {
      const range = lastResult(results, 'get_time_range')
      const found = lastResult(results, 'search_notes')
      if (found === undefined) return range?.text ?? closing
      if (found.isError) return found.text
      const when = range === undefined ? expression : range.text.replace(/\s*\(epoch.*$/s, '')
      if (topic === '') return noteList(`Notes of ${when}:`, `There are no notes from ${when}.`, found.text)
      return topicText({ question: text, topic, when, found, closing })
    },
  }
}

interface TopicQuestion {
  question: string
  topic: string
  when: string
  found: CallResult
  closing: string
}

function topicText({ question, topic, when, found, closing }: TopicQuestion): string {
  const selection = selectPassages(termsOf(topic), quotableTexts([found]))
  if (selection.passages.length === 0) {
    const heading = `No exact match in the notes from ${when}. Closest notes:`
    const list = noteList(heading, `The notes from ${when} don't mention this.`, found.text)
    return closing === '' ? list : `${list}\n\n${closing}`
  }
  return writeAnswer({
    question,
    selection,
    results: [found],
    failures: [],
    closing,
    heading: `From the notes of ${when}:`,
  })
}

const asksForRecentNotes = phrases(
  '((show|list|find|give|get) )?(me )?(the |my |all )?(recent|latest|recently (changed|edited|modified|written|added)) notes?',
  "what(['’]s| is| has)? (been )?(changed|new)( recently| lately)?",
)

/** Recent notes are at most a week old. */
const recentExpression = (text: string): string | undefined => (asksForRecentNotes(text) ? 'last 7 days' : undefined)

interface DateRange {
  first: string
  last: string
}

function datesIn(text: string): DateRange | undefined {
  const days = text.replace(/\(epoch.*$/s, '').match(/\d{4}-\d\d-\d\d/g)
  const [first, last = first] = [days?.[0], days?.at(-1)]
  return first === undefined || last === undefined ? undefined : { first, last }
}

function searchInDates(query: string, tags: readonly string[], { first, last }: DateRange): Call {
  const dates = { date_after: first, date_before: last, date_field: 'any' }
  const filter = { ...(tags.length > 0 && { tags }), ...dates }
  return { name: 'search_notes', input: { query, top_k: query === '' ? 20 : 8, filter } }
}

const months =
  'jan(?:uary)?|feb(?:ruary)?|apr(?:il)?|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?'
/** Months that are also verbs. */
const ambiguousMonths = 'mar(?:ch)?|may'
const weekdays = 'monday|tuesday|wednesday|thursday|friday|saturday|sunday'
const units = 'days?|weeks?|weekend|months?|years?|quarter'
const isoDay = String.raw`\d{4}-\d\d(?:-\d\d)?`
const day = `(?:${isoDay}|(?:${months}|${ambiguousMonths})(?: \\d{1,2})?(?:,? \\d{4})?|last (?:week|month|year|${weekdays})|yesterday|today|now|${weekdays})`

const timeExpressions = [
  `(?:from|between) ${day} (?:to|until|till|and|through) ${day}`,
  `since ${day}`,
  `(?:last|past|previous|this) (?:(?:\\d{1,3}|two|three|four|five|six|seven|ten) )?(?:${units}|${weekdays}|${months})`,
  `(?:last|previous) (?:${ambiguousMonths})`,
  '(?:\\d{1,3}|a|two|three|four|five|six) (?:day|week|month|year)s? ago',
  'the day before yesterday|yesterday|today',
  `week of ${day}`,
  String.raw`\d{4}-w\d\d|q[1-4](?: \d{4})?`,
  isoDay,
  `(?:${months})(?: \\d{1,2}(?!\\d))?(?:,? \\d{4})?`,
  `(?:${ambiguousMonths})(?: \\d{1,2})?,? \\d{4}`,
]
const timePattern = new RegExp(
  `(?<before>^|[^\\p{L}\\p{N}])(?:(?<time>${timeExpressions.join('|')})|(?<month>(?:${ambiguousMonths})(?: \\d{1,2}(?!\\d))?)|(?<year>(?:19|20)\\d\\d))(?![\\p{L}\\p{N}])`,
  'giu',
)
// "may" and "march" are months, and a number is a year, only after one of these words.
const beforeMonth = /(?:^|\s)(?:in|of|during|from|on|by|until) $/i
const beforeYear = /(?:in|of|from|during) $/i

/** The first time expression of a text: "last week", "March 2025", "since Monday". */
function findTimeExpression(text: string): string | undefined {
  const line = text.slice(0, 1000).replace(/\s/g, ' ')
  for (const { index, groups } of line.matchAll(timePattern)) {
    const { before = '', time, month, year } = groups ?? {}
    if (time !== undefined) return time
    const at = index + before.length
    const words = line.slice(Math.max(0, at - 'during '.length), at)
    if ((month === undefined ? beforeYear : beforeMonth).test(words)) return month ?? year
  }
  return undefined
}
