import type { AgentEvent, Citation } from '../agent/index.js'
import { forPeople } from '../text/index.js'
import type { ToolResult } from '../tools/index.js'

type CallEvent = Extract<AgentEvent, { type: 'tool-call' }>

/** Arguments that say what a call is about, the most telling first. */
const telling = ['query', 'path', 'from', 'url', 'tag', 'expression', 'folder']

/** "Searching notes: winter vegetables". Not made visible: whoever draws it does so for its screen. */
export function callLabel({ activity, call }: Pick<CallEvent, 'activity' | 'call'>): string {
  const input = typeof call.input === 'object' && call.input !== null ? (call.input as Record<string, unknown>) : {}
  const about = telling
    .map((name) => input[name])
    .find((value): value is string => typeof value === 'string' && value !== '')
  return about === undefined ? activity : `${activity}: ${about}`
}

/** For the person who looks on: what a model did wrong is not explained to them. */
export function whyNotDone({ code, name, text }: Extract<ToolResult, { ok: false }>): string {
  if (code === 'unknown-tool') return `the model asked for ${name}, which is not there`
  if (/^Tool \S+ validation failed/.test(text)) return 'the model called it wrongly'
  return firstSentence(forPeople(text))
}

/** The person or a rule said no, which is not a failure of the tool. */
export const isRefused = (code: string): boolean => code === 'denied' || code === 'needs-approval'

const firstSentence = (text: string): string => /^.*?[.!?](?=\s|$)/s.exec(text)?.[0].replace(/[.]$/, '') ?? text

/** `Garden/Tomatoes.md:3-5`; as the answer wrote it where there is no such place. */
export function citedPlace({ path, lines, raw, check }: Citation): string {
  if (path === undefined || check === 'missing') return raw
  if (lines === undefined) return path
  const [first, last] = lines
  return `${path}:${first === last ? first : `${first}-${last}`}`
}

/** What checking a citation has shown; '' where there is nothing to warn of or add. */
export function citationWords({ check, quote, path }: Citation): string {
  switch (check) {
    case 'differs':
      return `not in the note: ${quote === undefined ? '' : `“${quote}”`}`
    case 'missing':
      return path === undefined ? 'no such note' : 'no such section'
    case 'read':
      return 'read for this answer'
    default:
      // The answer has just said it.
      return ''
  }
}
