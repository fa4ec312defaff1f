import type { AnswerGuidance } from '../guidance.js'
import { englishTime } from '../languages/languages.js'
import { selectPassages } from '../passages.js'
import type { CallResult } from '../prompt.js'
import {
  type Call,
  lastResult,
  type OfflineRequest,
  type OfflineTask,
  quotedName,
  type RequestKind,
  requestKind,
} from '../task.js'
import { termsOf } from '../terms.js'
import { quotableTexts } from '../tool-results.js'
import { writeAnswer } from '../write-answer.js'
import { queryFor } from './ask-question.js'
import { noteList } from './look-up.js'

// "what did I write last week": resolves the dates first, then searches the notes of that time.

const mentionsNotes =
  /\bnotes?\b|\b(?:did|have|had) (?:i|we) (?:write|written|note|noted|change|changed|edit|edited|add|added)\b|\bi wrote\b|\bwhat(?:['’]s| is| has| have| did)? (?:been )?(?:changed?|new|happened)\b|\bwas (?:written|changed|edited|added|created)\b/i
const requestWords =
  /\b(?:notes?|show|list|find|give|get|all|write|wrote|written|noted|change|changed|happened|new|recent(?:ly)?|latest|edit|edited|modified|create|created|add|added|made|from|about|during|dated?)\b/gi

/** "notes from last week about y", "what did I write last week", "recent notes". */
export const notesOfTime: RequestKind = (request) => recentNotes(request) ?? inForms(request) ?? inEnglish(request)

/** Recent notes are at most a week old. */
const recentNotes = requestKind('recentNotes', (_match, request) => notesIn('last 7 days', undefined, '', [], request))

const inForms = requestKind('notesOfTime', ({ time = '', topic = '' }, request) => {
  const expression = englishTime(time, request.language)
  const about = topic.replace(/[\s?？.。!！]+$/u, '')
  return expression === undefined ? undefined : notesIn(expression, time.trim(), about, [], request)
})

/** English times come in more forms than a list holds, and anywhere in a sentence. */
const inEnglish: RequestKind = (request) => {
  const { text } = request
  const expression = mentionsNotes.test(text) ? findTimeExpression(text) : undefined
  if (expression === undefined) return undefined
  const rest = text.replace(expression, ' ')
  const tags = [...rest.matchAll(/(?:^|\s)#([^\s#.,;:!?]+)/g)].map(([, tag = '']) => tag)
  const words = rest.replace(/(^|\s)#[^\s#]+|\btagged\b/gi, '$1 ').replace(requestWords, ' ')
  return notesIn(expression, undefined, queryFor(words, request.language) ?? '', tags, request)
}

/** The notes of a time. `words` is what the user called it; the tool's own words by default. */
function notesIn(
  expression: string,
  words: string | undefined,
  topic: string,
  tags: readonly string[],
  { language }: OfflineRequest,
): OfflineTask {
  return {
    tools: ['get_time_range', 'search_notes'],
    next(results) {
      if (results.some(({ name }) => name === 'search_notes')) return []
      const range = lastResult(results, 'get_time_range')
      if (range === undefined) return [{ name: 'get_time_range', input: { expression } }]
      const dates = range.isError ? undefined : datesIn(range.text)
      return dates === undefined ? [] : [searchInDates(topic, tags, dates)]
    },
    answer(results, guidance) {
      const range = lastResult(results, 'get_time_range')
      const found = lastResult(results, 'search_notes')
      if (found === undefined) return range?.text ?? guidance.closing
      if (found.isError) return found.text
      const when = shownTime(range?.text, words, language.code) ?? expression
      if (topic === '')
        return noteList(guidance.say('notesOf', { when }), guidance.say('noNotesOf', { when }), found.text)
      return topicText({ topic, when, found, guidance })
    },
  }
}

/** The days as the tool writes them; in other languages than its own as plain dates. */
function shownTime(range: string | undefined, words: string | undefined, code: string): string | undefined {
  if (range === undefined) return words
  const text = range.replace(/\s*\(epoch.*$/s, '')
  const dates = datesIn(range)
  if (code === 'en' || dates === undefined) return text
  const days = dates.first === dates.last ? dates.first : `${dates.first} – ${dates.last}`
  return words === undefined ? days : `${words} (${days})`
}

interface TopicQuestion {
  topic: string
  when: string
  found: CallResult
  guidance: AnswerGuidance
}

function topicText({ topic, when, found, guidance }: TopicQuestion): string {
  const { say, closing, language } = guidance
  const selection = selectPassages(termsOf(topic, language), quotableTexts([found]))
  if (selection.passages.length === 0) {
    const none = say('notMentionedIn', { when, topic: quotedName(topic, language) })
    return closing === '' ? none : `${none}\n\n${closing}`
  }
  const heading = say('quotesOf', { when })
  return writeAnswer({ question: topic, selection, results: [found], failures: [], guidance, heading })
}

interface DateRange {
  first: string
  last: string
}

export function datesIn(text: string): DateRange | undefined {
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
