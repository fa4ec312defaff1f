import { helpText } from '../answers/help-text.js'
import { selectPassages } from '../answers/select-passages.js'
import { sourcesIn } from '../answers/sources.js'
import { writeAnswer } from '../answers/write-answer.js'
import type { Result } from '../prompt/index.js'
import { queriesFor } from '../words/queries.js'
import { termsOf } from '../words/terms.js'
import { failed } from './one-note.js'
import { type Call, type Request, saying, type Task } from './task.js'

const hitsPerQuery = 10
const mostRead = 3

/** A question: search, read on where the passages do not say it all, and quote. */
export function askQuestion(request: Request): Task {
  const { text, mentioned, commands, attached } = request
  const queries = queriesFor(text)
  if (queries.length === 0 && attached.length === 0) return saying(helpText)
  const terms = termsOf(text)
  const reads = mentioned.slice(0, 3).map((path): Call => ({ name: 'read_note', input: { path } }))
  const wantsSearch = mentioned.length === 0 || commands.has('vault')
  const searches = wantsSearch ? queries.map((query): Call => search(query)) : []
  const select = (results: readonly Result[]) => selectPassages(terms, sourcesIn(results, attached))

  return {
    tools: ['search_notes', 'read_note'],
    next(results) {
      if (results.length === 0) return [...reads, ...searches]
      if (results.some(({ name }) => name === 'read_note')) return []
      const { best, coverage, silent, onward } = select(results)
      const unread = new Set([...(best !== undefined && coverage < 1 ? [best] : []), ...silent])
      const paths = [...[...unread].slice(0, mostRead), ...(onward === undefined ? [] : [`[[${onward}]]`])]
      return paths.map((path) => ({ name: 'read_note', input: { path } }))
    },
    answer(results, { closing }) {
      const asked = results.filter(({ name, input, isError }) => name === 'read_note' && isError && isOf(input, reads))
      const failures = asked.map((result) => failed(result, results))
      return writeAnswer({ question: text, selection: select(results), results, failures, closing })
    },
  }
}

const search = (query: string): Call => ({ name: 'search_notes', input: { query, top_k: hitsPerQuery } })

const isOf = (input: Result['input'], reads: readonly Call[]): boolean =>
  input === undefined || reads.some((call) => call.input.path === input.path)
