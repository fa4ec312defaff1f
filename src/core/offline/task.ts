import type { EnclosedText } from '../model/index.js'
import type { AnswerGuidance, OfflineGuidance } from './guidance.js'
import { type PhraseGroups, phrases } from './phrases.js'
import type { CallResult } from './prompt.js'
import { citationLink, parseRecords, textOrEmpty } from './tool-results.js'

export interface Call {
  name: string
  input: Record<string, unknown>
}

/** One request and the steps to answer it. Pure: the same results always lead to the same next step. */
export interface OfflineTask {
  /** Tools whose results it answers from; empty when it needs none. `answer` is called once one of them has a result. */
  tools: readonly string[]
  writes?: boolean
  /** The calls to make now; none when it can answer. */
  next(results: readonly CallResult[]): Call[]
  answer(results: readonly CallResult[], guidance: AnswerGuidance): string
}

export interface OfflineRequest {
  /** The user's text without polite phrases and `@` commands. */
  text: string
  /** It ends with a question mark and is not a polite request: "delete it?" deletes nothing. */
  isQuestion: boolean
  currentNote?: string
  attached: readonly EnclosedText[]
  /** Notes named with `@[[Note]]` or `@note Note`. */
  mentioned: readonly string[]
  /** `@vault`, `@web`, `@memory`. */
  commands: ReadonlySet<string>
}

/** Reads one kind of request; undefined when it is another kind. */
export type RequestKind = (request: OfflineRequest) => OfflineTask | undefined

/** A kind of request that is recognized by its wording (see `phrases`). */
export function requestKind(
  forms: readonly string[],
  taskOf: (match: PhraseGroups, request: OfflineRequest) => OfflineTask | undefined,
): RequestKind {
  const match = phrases(...forms)
  return (request) => {
    const matched = match(request.text)
    return matched && taskOf(matched, request)
  }
}

/** A task without calls: it only says something. */
export const replyWith = (text: string | ((guidance: AnswerGuidance) => string)): OfflineTask => ({
  tools: [],
  next: () => [],
  answer: (_results, guidance) => (typeof text === 'string' ? text : text(guidance)),
})

export const lastResult = (results: readonly CallResult[], name: string): CallResult | undefined =>
  results.filter((result) => result.name === name).at(-1)

interface CallTask {
  call: Call
  writes?: boolean
  /** The text for a call that failed; the tool's own words by default. */
  failed?: (result: CallResult) => string
  answer: (result: CallResult, guidance: AnswerGuidance) => string
}

/** A task that is one call. */
export function callTask({ call, writes, failed = ({ text }) => text, answer }: CallTask): OfflineTask {
  return {
    tools: [call.name],
    ...(writes && { writes }),
    next: (results) => (lastResult(results, call.name) ? [] : [call]),
    answer(results, guidance) {
      // `answer` is only called with a result of one of `tools`.
      const result = lastResult(results, call.name)!
      return result.isError ? failed(result) : answer(result, guidance)
    },
  }
}

/** A task that is one call about one note. A missing note is searched for, to suggest similar names, never guessed. */
export function noteTask({ name, call, writes, answer }: CallTask & { name: string }): OfflineTask {
  return {
    ...callTask({ call, ...(writes && { writes }), answer }),
    next(results) {
      const result = lastResult(results, call.name)
      return result === undefined ? [call] : searchSimilarNames(result, name)
    },
    answer(results, guidance) {
      // `answer` is only called with a result of one of `tools`.
      const result = lastResult(results, call.name)!
      return result.isError ? failureText(result, results, writes) : answer(result, guidance)
    },
  }
}

/** The search for other notes the user may have meant. */
export function searchSimilarNames(result: CallResult, name: string): Call[] {
  return isMissing(result) ? [{ name: 'search_notes', input: { query: name.replace(/\.md$/i, ''), top_k: 5 } }] : []
}

/** The tool's error text, and notes with similar names. */
export function failureText(result: CallResult, results: readonly CallResult[], writes = false): string {
  // The candidates are listed below, with links.
  const text = userText(result).replace(/\.?\s+Did you mean .*\?$/s, '.')
  const reason = writes ? notDone(text) : text
  if (!isMissing(result)) return reason
  const search = lastResult(results, 'search_notes')
  const hits = search === undefined || search.isError ? [] : parseRecords(search.text).data
  const paths = [...new Set(hits.map(({ path }) => textOrEmpty(path)))].filter((path) => path !== '').slice(0, 5)
  if (paths.length === 0) return reason
  return [reason, '', 'Did you mean one of these?', ...paths.map((path) => `- ${citationLink(path)}`)].join('\n')
}

const isMissing = ({ code }: CallResult): boolean => code === 'not-found'

/** For a request that names no note, or "this note" while none is open. */
export const askWhichNote = (example: string): OfflineTask =>
  replyWith(`I can't tell which note you mean. Name it, for example: \`${example}\`.`)

/** A second request after the first one would end up in a name. */
export const hasSecondRequest = (words: string): boolean =>
  /\b(?:and|then|,)\s+(?:then\s+)?(?:tag|untag|rename|move|delete|remove|add|append|set|create|write|change)\s/i.test(
    words,
  )

export const askOneAtATime: OfflineTask = replyWith(
  'This looks like several requests. Without a language model I can only handle one at a time. Send them one by one.',
)

/** The result of a writing tool, and how to undo it. */
export function doneText({ text, hasChanged }: CallResult, { undo }: OfflineGuidance): string {
  const report = text.trim().replace(/\s*It can be restored with undo\.$/, '')
  if (!hasChanged) return report
  const end = /[.!?]$/.test(report) || report.includes('\n') ? '' : '.'
  return `${report}${end}${report.includes('\n') ? '\n\n' : ' '}To undo: ${undo}.`
}

export const notDoneText = (result: CallResult): string => notDone(userText(result))

const notDone = (text: string): string => `Not done. ${text}`

const userText = ({ text, forUser = text }: CallResult): string => forUser

/** For a task of two calls in a mode that makes one. */
export const needsAgentModeText = ({ agentMode }: OfflineGuidance): string =>
  `Not done: this needs two steps, and this mode allows only one. Ask again in agent mode (${agentMode}).`
