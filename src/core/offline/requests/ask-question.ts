import { offlineHelp } from '../guidance.js'
import type { Language } from '../languages/language.js'
import { selectPassages } from '../passages.js'
import type { CallResult } from '../prompt.js'
import {
  type Call,
  failureText,
  type OfflineRequest,
  type OfflineTask,
  type RequestKind,
  replyWith,
  requestKind,
} from '../task.js'
import { isFrameWord, termsOf, withoutFrame } from '../terms.js'
import { quotableTexts, textOrEmpty } from '../tool-results.js'
import { writeAnswer } from '../write-answer.js'

const hitsPerQuery = 10
const maxNotesRead = 3

/** A question to the notes: search, read further where the passages do not cover it, and quote. */
export function askQuestion(request: OfflineRequest): OfflineTask {
  const { text, mentioned, commands, attached, language } = request
  const queries = queriesFor(text, language)
  if (queries.length === 0 && attached.length === 0) return replyWith((guidance) => offlineHelp(guidance))
  const terms = termsOf(text, language)
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
    answer(results, guidance) {
      const failures = results
        .filter(({ name, input, isError }) => name === 'read_note' && isError && isOneOf(input, reads))
        .map((result) => failureText(result, textOrEmpty(result.input?.path), results, guidance))
      // The user attached or named these texts, so they are quoted without a doubt.
      const isChosen = attached.length > 0 || mentioned.length > 0
      return writeAnswer({ question: text, selection: select(results), results, failures, guidance, isChosen })
    },
  }
}

/** "search for bread", "find notes about bread". */
export const searchFor: RequestKind = requestKind('search', ({ query = '' }, request) => {
  const text = query.replace(/[\s?？.。!！]+$/u, '')
  return text === '' ? undefined : askQuestion({ ...request, text })
})

const searchCall = (query: string): Call => ({ name: 'search_notes', input: { query, top_k: hitsPerQuery } })

const isOneOf = (input: CallResult['input'], reads: readonly Call[]): boolean =>
  input === undefined || reads.some((call) => call.input.path === input.path)

const maxQueries = 3
const maxQueryLength = 300
/** A longer text is cut: it is not a question. */
const maxQuestionLength = 2000

/** One search query for each part of a compound question; none when there are no words at all. */
function queriesFor(question: string, language: Language): string[] {
  const parts = question
    .slice(0, maxQuestionLength)
    .split(
      /[?？;；\n]+|,?\s+(?:and|und|et|y|и)\s+(?=(?:also\s+)?(?:what|how|when|where|who|why|which|do|does|is|are)\b)/iu,
    )
  // Question words stay in: the search weighs them itself, with better results. Words for notes do not.
  const queries = parts
    .filter((part) => queryFor(part, language) !== undefined)
    .map((part) => inOneLine(withoutFrame(part, language)))
  const unique = [...new Set(queries)].slice(0, maxQueries)
  if (unique.length > 0) return unique
  const whole = inOneLine(question)
  return /[\p{L}\p{N}]/u.test(whole) ? [whole] : []
}

const inOneLine = (text: string): string =>
  text.slice(0, maxQuestionLength).replace(/\s+/g, ' ').trim().slice(0, maxQueryLength).trim()

/** The question without question words; phrases in quotation marks stay as they are. */
export function queryFor(question: string, language: Language): string | undefined {
  const pieces = question.slice(0, maxQuestionLength).match(/["“][^"”\n]{2,200}["”]|\S+/g) ?? []
  const isFrame = isFrameWord(question, language)
  const kept = pieces.flatMap((piece) => {
    const phrase = /^["“]([^"”]+)["”]$/.exec(piece)?.[1]
    if (phrase !== undefined) return [`"${phrase.trim()}"`]
    const word = piece.replace(/\[\[|\]\]/g, '').replace(/^[^\p{L}\p{N}#]+|[^\p{L}\p{N}%°+#]+$/gu, '')
    return word === '' || isFrame(word) ? [] : [word]
  })
  const query = kept.join(' ').replace(/\s+/g, ' ').trim().slice(0, maxQueryLength).trim()
  return query === '' ? undefined : query
}
