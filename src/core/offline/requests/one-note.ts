import { forPeople } from '../../text/index.js'
import { candidateText } from '../answers/candidates.js'
import type { AnswerWords } from '../answers/offline-words.js'
import { notDone } from '../answers/report.js'
import type { Result } from '../prompt/index.js'
import { type Call, resultOf, saying, type Task } from './task.js'

export interface OneNote {
  /** The name as the person wrote it. */
  name: string
  /** The call that is the task itself. */
  call: Call
  writes?: boolean
  answer: (result: Result, words: AnswerWords) => string
}

/** A task that is one call about one note. A note that is not there is looked for, to say what is near; never guessed. */
export function aboutOneNote({ name, call, writes, answer }: OneNote): Task {
  return {
    tools: [call.name],
    ...(writes && { writes }),
    next(results) {
      const result = resultOf(results, call.name)
      return result === undefined ? [call] : nearNames(result, name)
    },
    answer(results, words) {
      const result = resultOf(results, call.name)!
      return result.isError ? failed(result, results, writes) : answer(result, words)
    },
  }
}

/** The search that finds what else may have been meant. */
export function nearNames(result: Result, name: string): Call[] {
  return isMissing(result) ? [{ name: 'search_notes', input: { query: name.replace(/\.md$/i, ''), top_k: 5 } }] : []
}

/** What the tool said, and which notes come near. */
export function failed(result: Result, results: readonly Result[], writes = false): string {
  // Which notes come near is told below, with links.
  const words = forPeople(result.text).replace(/\.?\s+Did you mean .*\?$/s, '.')
  const said = writes ? notDone({ ...result, text: words }) : words
  return isMissing(result) ? candidateText(said, resultOf(results, 'search_notes')) : said
}

const isMissing = ({ isError, text }: Result): boolean => isError && /^(?:Note|File) not found/.test(text)

/** When a request names no note, or "this note" while none is open. */
export const whichNote = (example: string): Task =>
  saying(`I cannot tell which note you mean. Name it, for example: \`${example}\`.`)

/** A second request in the tail of the first would end up in a name. */
export const holdsSecondRequest = (words: string): boolean =>
  /\b(?:and|then|,)\s+(?:then\s+)?(?:tag|untag|rename|move|delete|remove|add|append|set|create|write|change)\s/i.test(
    words,
  )

export const oneAtATime: Task = saying(
  'That sounds like several requests at once. Without a language model I do one at a time: please send them one by one.',
)
