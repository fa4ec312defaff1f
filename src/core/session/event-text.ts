import type { AgentEvent, Citation } from '../agent/index.js'
import { cancelledTexts } from '../errors.js'
import type { ToolResult } from '../tools/index.js'

/** A call that has ended. Without a result it was interrupted. */
export interface EndedStep {
  title: string
  result?: ToolResult
}

type StepOutcome = 'done' | 'in part' | 'denied' | 'failed' | 'interrupted'

/** The outcome of a call. Denied: the user, a rule or missing approval prevented it. */
export function stepOutcome({ result }: Pick<EndedStep, 'result'>): StepOutcome {
  if (result === undefined) return 'interrupted'
  if (result.ok) return result.inPart ? 'in part' : 'done'
  return isRefused(result.code) ? 'denied' : 'failed'
}

/** Denied by the user or a rule, which is not a failure of the tool. */
export const isRefused = (code: string): boolean => code === 'denied' || code === 'needs-approval'

/**
 * Calls and their outcomes in one line: "Searched notes, read 2 notes, denied: delete a note". By title and outcome, in
 * the order they first came.
 */
export function stepsLine(steps: readonly EndedStep[]): string {
  const groups = new Map<string, { title: string; outcome: StepOutcome; count: number }>()
  for (const step of steps) {
    const outcome = stepOutcome(step)
    const key = `${outcome} ${step.title}`
    const group = groups.get(key) ?? { title: step.title, outcome, count: 0 }
    group.count++
    groups.set(key, group)
  }
  return [...groups.values()]
    .map(groupWords)
    .map((words, at) => (at === 0 ? words : words.charAt(0).toLowerCase() + words.slice(1)))
    .join(', ')
}

function groupWords({ title, outcome, count }: { title: string; outcome: StepOutcome; count: number }): string {
  switch (outcome) {
    case 'done':
      return actionWords(title, count, true)
    case 'in part':
      return `${actionWords(title, count, true)} in part`
    default:
      return `${outcome.charAt(0).toUpperCase()}${outcome.slice(1)}: ${actionWords(title, count, false)}`
  }
}

/** Past tense of the first word of a title. */
const pastTense: Record<string, string> = {
  Append: 'Appended',
  Convert: 'Converted',
  Create: 'Created',
  Delete: 'Deleted',
  Edit: 'Edited',
  Get: 'Got',
  Index: 'Indexed',
  List: 'Listed',
  Read: 'Read',
  Rename: 'Renamed',
  Search: 'Searched',
  Update: 'Updated',
  Write: 'Wrote',
}

/** A tool's title as an action: "Read a note", or "read 3 notes" for calls that were not done. */
export function actionWords(title: string, count: number, isPast: boolean): string {
  const [verb = '', ...rest] = title.split(' ')
  // The title of another server's tool is a name and stays as it is.
  const isVerb = Object.hasOwn(pastTense, verb)
  const shown = isPast ? (isVerb ? pastTense[verb] : 'Used') : isVerb ? verb.toLowerCase() : 'use'
  const words = [shown, ...(isVerb ? rest : [title])].join(' ')
  if (count === 1) return words.replace(/ note$/, ' a note')
  return / note$/.test(words) ? words.replace(/ note$/, ` ${count} notes`) : `${words} ${count} times`
}

type CallEvent = Extract<AgentEvent, { type: 'tool-call' }>

/** Arguments that identify a call, the most informative first. */
const telling = ['query', 'path', 'from', 'url', 'tag', 'expression', 'folder']

/** "Searching notes: winter vegetables". Not escaped: each front end escapes it for its screen. */
export function callLabel({ activity, call }: Pick<CallEvent, 'activity' | 'call'>): string {
  const input = typeof call.input === 'object' && call.input !== null ? (call.input as Record<string, unknown>) : {}
  const about = telling
    .map((name) => input[name])
    .find((value): value is string => typeof value === 'string' && value !== '')
  return about === undefined ? activity : `${activity}: ${about}`
}

type FailedCall = Extract<ToolResult, { ok: false }>

/** For the user: mistakes of the model are not explained. */
export function whyNotDone(result: FailedCall): string {
  if (result.code === 'unknown-tool') return `the model called ${result.name}, which doesn't exist`
  if (result.data?.validation !== undefined) return 'the model sent invalid arguments'
  return firstSentence(failureText(result))
}

/** A failed call in the words of a user. Denials that version 0.1 stored have the model's text alone. */
export function failureText({ code, text, forUser }: FailedCall): string {
  if (forUser !== undefined) return forUser
  const cancelled = code === 'denied' ? Object.values(cancelledTexts).find((each) => text.startsWith(each)) : undefined
  return cancelled === undefined ? text : `Denied${text.slice(cancelled.length)}`
}

const firstSentence = (text: string): string => /^.*?[.!?](?=\s|$)/s.exec(text)?.[0].replace(/[.]$/, '') ?? text

/** `Garden/Tomatoes.md:3-5`; as the answer wrote it where there is no such place. */
export function citedPlace({ path, lines, raw, check }: Citation): string {
  if (path === undefined || check === 'missing') return raw
  if (lines === undefined) return path
  const [first, last] = lines
  return `${path}:${first === last ? first : `${first}-${last}`}`
}

/** The result of checking a citation; '' if there is nothing to add. */
export function citationWords({ check, quote, path }: Citation): string {
  switch (check) {
    case 'differs':
      return `not in the note: ${quote === undefined ? '' : `“${quote}”`}`
    case 'missing':
      return path === undefined ? 'no such note' : 'no such section'
    case 'read':
      return 'read for this answer'
    default:
      // The answer already contains it.
      return ''
  }
}

/** The line shown while the model is silent: "Reading the prompt, 40 s". */
export function waitingLine({ why, seconds }: Extract<AgentEvent, { type: 'waiting' }>): string {
  if (why === 'retry') return `Retrying in ${seconds} s`
  return `${why === 'prompt' ? 'Reading the prompt' : 'Waiting for the model'}, ${seconds} s`
}

/** The line shown when older turns were summarized. */
export function compactedLine({ from, to, before, after }: Extract<AgentEvent, { type: 'compacted' }>): string {
  const number = (tokens: number) => tokens.toLocaleString('en')
  const which = from === to ? `turn ${to}` : `turns ${from}–${to}`
  return `Summarized ${which} (${number(before)} → ${number(after)} tokens).`
}

/** The line shown where a new conversation starts. */
export function projectLine({ project }: Extract<AgentEvent, { type: 'project-changed' }>): string {
  return `New chat in ${project === undefined ? 'the whole vault' : `the project ${project}`}.`
}

/** The line shown before a retry. */
export function retryLine({ why, waitMs, attempt, attempts }: Extract<AgentEvent, { type: 'retrying' }>): string {
  const number = attempt === undefined || attempts === undefined ? '' : ` (${attempt} of ${attempts})`
  return `${why} Retrying in ${Math.ceil(waitMs / 1000)} s${number}.`
}
