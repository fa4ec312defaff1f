import { noteList } from '../answers/look-around.js'
import { selectPassages } from '../answers/select-passages.js'
import { sourcesIn } from '../answers/sources.js'
import { writeAnswer } from '../answers/write-answer.js'
import type { Result } from '../prompt/index.js'
import { queryFor } from '../words/queries.js'
import { termsOf } from '../words/terms.js'
import { findTimeExpression } from '../words/time-expression.js'
import { phrases } from './phrases.js'
import { type Call, type Intent, resultOf } from './task.js'

const asksForNotes =
  /\bnotes?\b|\b(?:did|have|had) (?:i|we) (?:write|written|note|noted|change|changed|edit|edited|add|added)\b|\bi wrote\b|\bwhat(?:['’]s| is| has| have| did)? (?:been )?(?:changed?|new|happened)\b|\bwas (?:written|changed|edited|added|created)\b/i
const framing =
  /\b(?:notes?|show|list|find|give|get|all|write|wrote|written|noted|change|changed|happened|new|recent(?:ly)?|latest|edit|edited|modified|create|created|add|added|made|from|about|during|dated?)\b/gi

/** "notes from last week about y": the dates first, then a search among the notes of that time. */
export const notesOfTime: Intent = ({ text }) => {
  const expression = asksForNotes.test(text) ? (findTimeExpression(text) ?? recently(text)) : undefined
  if (expression === undefined) return undefined
  const rest = text.replace(expression, ' ')
  const tags = [...rest.matchAll(/(?:^|\s)#([^\s#.,;:!?]+)/g)].map(([, tag]) => tag)
  const topic = queryFor(rest.replace(/(^|\s)#[^\s#]+|\btagged\b/gi, '$1 ').replace(framing, ' ')) ?? ''

  return {
    tools: ['get_time_range', 'search_notes'],
    next(results) {
      if (results.some(({ name }) => name === 'search_notes')) return []
      const range = resultOf(results, 'get_time_range')
      if (range === undefined) return [{ name: 'get_time_range', input: { expression } }]
      const dates = range.isError ? undefined : datesIn(range.text)
      return dates === undefined ? [] : [search(topic, tags, dates)]
    },
    answer(results, { closing }) {
      const range = resultOf(results, 'get_time_range')
      const found = resultOf(results, 'search_notes')
      if (found === undefined) return range?.text ?? closing
      if (found.isError) return found.text
      const when = range === undefined ? expression : range.text.replace(/\s*\(epoch.*$/s, '')
      if (topic === '') return noteList(`Notes of ${when}:`, `There are no notes of ${when}.`, found.text)
      return topical(text, topic, when, [found], closing)
    },
  }
}

function topical(question: string, topic: string, when: string, found: Result[], closing: string): string {
  const selection = selectPassages(termsOf(topic), sourcesIn(found))
  if (selection.passages.length === 0) {
    const heading = `Nothing in the notes of ${when} speaks of it in so many words. These are nearest:`
    const list = noteList(heading, `There is nothing about this in the notes of ${when}.`, found[0].text)
    return closing === '' ? list : `${list}\n\n${closing}`
  }
  return writeAnswer({
    question,
    selection,
    results: found,
    failures: [],
    closing,
    heading: `From the notes of ${when}:`,
  })
}

const asksForRecent = phrases(
  '((show|list|find|give|get) )?(me )?(the |my |all )?(recent|latest|recently (changed|edited|modified|written|added)) notes?',
  "what(['’]s| is| has)? (been )?(changed|new)( recently| lately)?",
)

/** Recent is what is not older than a week. */
const recently = (text: string): string | undefined => (asksForRecent(text) ? 'last 7 days' : undefined)

interface Dates {
  first: string
  last: string
}

function datesIn(text: string): Dates | undefined {
  const days = text.replace(/\(epoch.*$/s, '').match(/\d{4}-\d\d-\d\d/g)
  return days === null ? undefined : { first: days[0], last: days.at(-1)! }
}

function search(query: string, tags: readonly string[], { first, last }: Dates): Call {
  const dates = { date_after: first, date_before: last, date_field: 'any' }
  const filter = { ...(tags.length > 0 && { tags }), ...dates }
  return { name: 'search_notes', input: { query, top_k: query === '' ? 20 : 8, filter } }
}
