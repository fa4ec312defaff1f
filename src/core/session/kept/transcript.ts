import type { AgentEvent, Citation } from '../../agent/index.js'
import type { StoredEvent } from '../store/session-store.js'

/** One turn as a person reads it afterwards. */
export interface ToldTurn {
  number: number
  time: string
  asked: string
  /** Names of what was handed over with it. */
  attached: readonly string[]
  model: string
  calls: ToldCall[]
  answer: string
  citations: readonly Citation[]
  notices: string[]
  /** Absent: it broke off. */
  ending?: Extract<AgentEvent, { type: 'run-end' }>['reason']
}

export interface ToldCall {
  title: string
  /** What came of it; absent where nobody knows. */
  outcome?: string
  ok: boolean
  /** Undone by its id. */
  changeSet?: string
}

/** The turns that events tell of, wherever they break off. */
export function transcriptOf(events: readonly StoredEvent[]): ToldTurn[] {
  const turns: ToldTurn[] = []
  const calls = new Map<string, ToldCall>()
  for (const { time, event } of events) {
    if (event.type === 'run-start' && !event.continues) turns.push(newTurn(turns.length + 1, time, event))
    const turn = turns.at(-1)
    if (turn !== undefined) tell(turn, event, calls)
  }
  return turns
}

function newTurn(number: number, time: string, event: Extract<AgentEvent, { type: 'run-start' }>): ToldTurn {
  const { text: asked, attached = [], model } = event
  return { number, time, asked, attached, model, calls: [], answer: '', citations: [], notices: [] }
}

function tell(turn: ToldTurn, event: AgentEvent, calls: Map<string, ToldCall>): void {
  switch (event.type) {
    case 'step-start':
      // Words of an earlier step were said before its calls; only the last step's are the answer.
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
      call.outcome = result.ok ? result.summary : result.text
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
