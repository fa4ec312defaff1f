import type { AgentEvent, Citation } from '../agent/index.js'
import { shownBranch } from './branches.js'
import { failureText } from './event-text.js'
import type { SessionSummary, StoredEvent } from './session-store.js'

/** One turn as shown afterwards. */
export interface TranscriptTurn {
  number: number
  time: string
  asked: string
  /** Names of its attachments. */
  attached: readonly string[]
  model: string
  calls: ToldCall[]
  answer: string
  citations: readonly Citation[]
  notices: string[]
  /** Absent if the turn was interrupted. */
  ending?: Extract<AgentEvent, { type: 'run-end' }>['reason']
}

interface ToldCall {
  title: string
  /** The outcome; absent if it is unknown. */
  outcome?: string
  ok: boolean
  /** Undone by its id. */
  changeSet?: string
}

/** The turns in a list of events, complete or interrupted. */
export function transcriptOf(events: readonly StoredEvent[]): TranscriptTurn[] {
  const turns: TranscriptTurn[] = []
  const calls = new Map<string, ToldCall>()
  for (const { time, event } of shownBranch(events)) {
    if (event.type === 'run-start' && !event.continues) turns.push(newTurn(turns.length + 1, time, event))
    const turn = turns.at(-1)
    if (turn !== undefined) tell(turn, event, calls)
  }
  return turns
}

function newTurn(number: number, time: string, event: Extract<AgentEvent, { type: 'run-start' }>): TranscriptTurn {
  const { text: asked, attached = [], model } = event
  return { number, time, asked, attached, model, calls: [], answer: '', citations: [], notices: [] }
}

function tell(turn: TranscriptTurn, event: AgentEvent, calls: Map<string, ToldCall>): void {
  switch (event.type) {
    case 'step-start':
      // Text of an earlier step preceded its calls; only the last step's text is the answer.
      turn.answer = ''
      return
    case 'text-delta':
      turn.answer += event.text
      return
    case 'tool-call': {
      const call: ToldCall = { title: event.title, ok: false }
      calls.set(event.call.id, call)
      if (!event.background) turn.calls.push(call)
      return
    }
    case 'tool-result': {
      const { result } = event
      const call = calls.get(event.call.id)
      if (call === undefined) return
      call.ok = result.ok
      call.outcome = result.ok ? result.summary : failureText(result)
      if (result.ok && result.changeSet) call.changeSet = result.changeSet.id
      return
    }
    case 'citations':
      turn.citations = event.citations
      return
    case 'notice':
      turn.notices.push(event.text)
      return
    case 'run-end':
      turn.answer = event.text
      turn.ending = event.reason
      return
    default:
  }
}

/** A session as a note: requests, calls and answers. */
export function sessionAsMarkdown(
  { id, title, createdAt, model }: SessionSummary,
  turns: readonly TranscriptTurn[],
): string {
  const properties = [
    '---',
    `session: ${JSON.stringify(id)}`,
    `created: ${createdAt.slice(0, 10)}`,
    `model: ${JSON.stringify(model)}`,
    '---',
  ]
  return `${properties.join('\n')}\n\n# ${oneLine(title)}\n\n${turns.map(turnAsMarkdown).join('\n\n')}\n`
}

function turnAsMarkdown({ number, asked, attached, calls, answer, ending }: TranscriptTurn): string {
  const rows = calls.map(({ title, outcome = 'unknown', changeSet }) => {
    const undo = changeSet === undefined ? '' : ` (undo: \`${changeSet}\`)`
    return `- ${oneLine(title)}: ${oneLine(outcome)}${undo}`
  })
  const parts = [
    `## ${number}. ${oneLine(asked).slice(0, 80)}`,
    quoted(asked),
    attached.length === 0 ? '' : `Attached: ${attached.map(oneLine).join(', ')}`,
    rows.join('\n'),
    answer.trim() === '' ? `*No answer${ending === undefined ? ': interrupted' : ''}.*` : answer.trim(),
  ]
  return parts.filter((part) => part !== '').join('\n\n')
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

const quoted = (text: string): string =>
  text
    .trim()
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n')
