import type { AgentEvent, RunEnd } from '../../src/core/agent/index.js'
import type { Task } from './tasks/index.js'

/** The outcome of a task. */
export interface Outcome {
  end: RunEnd
  events: readonly AgentEvent[]
  before: Readonly<Record<string, string>>
  after: Readonly<Record<string, string>>
}

/** Why a task is not done; undefined when it is. */
export function judge({ expects }: Task, outcome: Outcome): string | undefined {
  const { end, events } = outcome
  const raw = rawCall(end.text)
  if (raw !== undefined) return `a raw call is the answer: ${oneLine(raw)}`
  if (end.reason === 'failed') return `failed: ${end.failure?.text}`
  if (end.reason === 'stopped') return 'stopped'
  return (
    wrongNotes(expects.notes ?? {}, outcome) ??
    wrongWords(expects, end.text) ??
    (expects.cites && !isNamed(expects.cites, events)
      ? `does not name ${expects.cites}: ${oneLine(end.text)}`
      : undefined) ??
    (expects.calls && !isCalled(expects.calls, events) ? `none of ${expects.calls.join(', ')} was called` : undefined)
  )
}

const callShapes = [
  /<\/?(?:tool_call|use_tool|function_calls?|invoke)\b/,
  /"(?:name|tool|tool_name|function)"\s*:\s*"\w+"[\s\S]{0,40}"(?:arguments|parameters|args|input)"\s*:/,
  /^\s*\[?(?:search_notes|read_note|edit_note|append_note|rename_note|update_frontmatter|create_daily_note)\(/m,
]

/** A call that a user gets to read as the answer. */
export function rawCall(text: string): string | undefined {
  return callShapes.some((shape) => shape.test(text)) ? text : undefined
}

function wrongNotes(expected: NonNullable<Task['expects']['notes']>, { before, after }: Outcome): string | undefined {
  const paths = new Set([...Object.keys(before), ...Object.keys(after), ...Object.keys(expected)])
  for (const path of paths) {
    const wanted = expected[path]
    if (wanted === undefined) {
      if (before[path] !== after[path]) return `${path} was changed`
    } else if (wanted === null) {
      if (after[path] !== undefined) return `${path} is still there`
    } else if (after[path] === undefined) return `${path} is missing`
    else {
      if (wanted.some((one) => !isMet(one, after[path]))) return `${path} is not as asked for`
    }
  }
  return undefined
}

function isMet(wanted: RegExp | { not: RegExp } | { once: string }, text: string): boolean {
  if ('once' in wanted) return text.split(wanted.once).length === 2
  return 'not' in wanted ? !wanted.not.test(text) : wanted.test(text)
}

function wrongWords({ says = [], silentOn = [] }: Task['expects'], text: string): string | undefined {
  if (text.trim() === '') return 'no answer'
  if (says.some((words) => !words.test(text))) return `answers: ${oneLine(text)}`
  return silentOn.some((words) => words.test(text)) ? `says what it must not: ${oneLine(text)}` : undefined
}

/** Named in the answer, or shown to the user as what the answer comes from. */
function isNamed(path: string, events: readonly AgentEvent[]): boolean {
  return events.some(
    (event) => event.type === 'citations' && event.citations.some((citation) => citation.path === path),
  )
}

function isCalled(names: readonly string[], events: readonly AgentEvent[]): boolean {
  return events.some(({ type, ...event }) => {
    if (type !== 'tool-result') return false
    const { result } = event as Extract<AgentEvent, { type: 'tool-result' }>
    return result.ok && names.includes(result.name)
  })
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').slice(0, 110)
