import type { EnclosedText } from '../model/index.js'
import type { AnswerGuidance } from './guidance.js'
import type { Language, RequestName } from './languages/language.js'
import { languages, languagesFrom } from './languages/languages.js'
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
  /** The language of the answer; that of the request by default. */
  language?: Language
  /** The calls to make now; none when it can answer. */
  next(results: readonly CallResult[]): Call[]
  answer(results: readonly CallResult[], guidance: AnswerGuidance): string
}

export interface OfflineRequest {
  /** The user's text without polite phrases and `@` commands. */
  text: string
  language: Language
  /** It ends with a question mark and is not a polite request: "delete it?" deletes nothing. */
  isQuestion: boolean
  /** It begins with a slash. */
  isCommand: boolean
  currentNote?: string
  attached: readonly EnclosedText[]
  /** A prompt file of the vault that the user chose with `/name`, filled in. */
  prompt?: { name: string; text: string }
  /** Notes named with `@[[Note]]` or `@note Note`. */
  mentioned: readonly string[]
  /** `@vault`, `@web`, `@memory`. */
  commands: ReadonlySet<string>
}

/** Reads one kind of request; undefined when it is another kind. */
export type RequestKind = (request: OfflineRequest) => OfflineTask | undefined

/** A kind of request that is recognized by its wording in any of the languages. */
export function requestKind(
  name: RequestName,
  taskOf: (match: PhraseGroups, request: OfflineRequest) => OfflineTask | undefined,
): RequestKind {
  const forms = new Map(
    languages.map((language) => [language, phrases(language.forms[name] ?? [], { isUnspaced: language.isUnspaced })]),
  )
  return (request) => {
    for (const language of languagesFrom(request.language)) {
      for (const match of forms.get(language)?.(request.text) ?? []) {
        const task = taskOf(match, { ...request, language })
        if (task !== undefined) return { language, ...task }
      }
    }
    return undefined
  }
}

/** A task without calls: it only says something. */
export const replyWith = (text: (guidance: AnswerGuidance) => string): OfflineTask => ({
  tools: [],
  next: () => [],
  answer: (_results, guidance) => text(guidance),
})

export const lastResult = (results: readonly CallResult[], name: string): CallResult | undefined =>
  results.filter((result) => result.name === name).at(-1)

interface CallTask {
  call: Call
  writes?: boolean
  /** The text for a call that failed; the tool's own words by default. */
  failed?: (result: CallResult, guidance: AnswerGuidance) => string
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
      return result.isError ? failed(result, guidance) : answer(result, guidance)
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
      return result.isError ? failureText(result, name, results, guidance, writes) : answer(result, guidance)
    },
  }
}

/** The search for other notes the user may have meant. */
export function searchSimilarNames(result: CallResult, name: string): Call[] {
  return isMissing(result) ? [{ name: 'search_notes', input: { query: name.replace(/\.md$/i, ''), top_k: 5 } }] : []
}

/** The tool's error text, and notes with similar names. */
export function failureText(
  result: CallResult,
  name: string,
  results: readonly CallResult[],
  guidance: AnswerGuidance,
  writes = false,
): string {
  const { say } = guidance
  const reason = writes ? notDoneText(result, guidance, name) : userText(result, guidance, name)
  if (!isMissing(result)) return reason
  const search = lastResult(results, 'search_notes')
  const hits = search === undefined || search.isError ? [] : parseRecords(search.text).data
  const paths = [...new Set(hits.map(({ path }) => textOrEmpty(path)))].filter((path) => path !== '').slice(0, 5)
  if (paths.length === 0) return reason
  return [reason, '', say('didYouMean'), ...paths.map((path) => `- ${citationLink(path)}`)].join('\n')
}

const isMissing = ({ code }: CallResult): boolean => code === 'not-found'

/** For a request that names no note, or "this note" while none is open. `at` is the example of the language. */
export const askWhichNote = (at: 'read' | 'links' | 'rename' | 'tag'): OfflineTask =>
  replyWith(({ say, language }) => {
    const example = language.examples[{ read: 0, links: 1, rename: 7, tag: 8 }[at]] ?? ''
    return say('whichNote', { example: example.replace('{note}', '"…"') })
  })

/** A second request after the first one would end up in a name. */
export const hasSecondRequest = (words: string): boolean =>
  /\b(?:and|then|,)\s+(?:then\s+)?(?:tag|untag|rename|move|delete|remove|add|append|set|create|write|change)\s/i.test(
    words,
  )

export const askOneAtATime: OfflineTask = replyWith(({ say }) => say('oneAtATime'))

/** The result of a writing tool, and how to undo it. English repeats the tool's report, which says more. */
export function doneText(
  { text, hasChanged }: CallResult,
  { say, language }: AnswerGuidance,
  inOtherLanguages: string,
): string {
  const own = text.trim().replace(/\s*It can be restored with undo\.$/, '')
  const report = language.code === 'en' || !hasChanged ? own : inOtherLanguages
  if (!hasChanged) return report
  const end = /[.!?。]$/.test(report) || report.includes('\n') ? '' : '.'
  return `${report}${end}${report.includes('\n') ? '\n\n' : ' '}${say('undoHint')}`
}

export const notDoneText = (result: CallResult, guidance: AnswerGuidance, name?: string): string =>
  `${guidance.say('notDone')} ${userText(result, guidance, name)}`

/** The failure in the language of the request, as far as its code says it all; else in the words of the tool. */
function userText(
  { text, forUser = text, code }: CallResult,
  { say, language }: AnswerGuidance,
  name?: string,
): string {
  // The candidates are listed below, with links.
  const own = code === 'not-found' ? forUser.replace(/\.?\s+Did you mean .*\?$/s, '.') : forUser
  if (language.code === 'en') return own
  if (code === 'denied') return say('deniedByUser')
  return code === 'not-found' && name !== undefined ? say('noSuchNote', { note: quotedName(name, language) }) : own
}

/** A name as the language quotes it. */
export function quotedName(name: string, { code }: Language): string {
  const words = name
    .replace(/\s+/g, ' ')
    .replace(/[[\]`]/g, '')
    .trim()
    .slice(0, 100)
  const [open, close] = { de: '„“', fr: '«»', es: '«»', it: '«»', ja: '「」' }[code] ?? '“”'
  return code === 'fr' ? `${open} ${words} ${close}` : `${open}${words}${close}`
}

/** For a task of two calls in a mode that makes one. */
export const needsAgentModeText = ({ agentMode, say }: AnswerGuidance): string =>
  say('needsAgentMode', { mode: agentMode })
