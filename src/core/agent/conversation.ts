import { type ModelMessage, toolMessage, userMessage } from '../model/index.js'
import type { ToolResult } from '../tools/index.js'
import type { AgentEvent } from './agent-event.js'

/** The conversation that events tell of, wherever they break off: a prompt that every provider takes. */
export function conversationOf(events: Iterable<AgentEvent>): ModelMessage[] {
  return turnsOf(events).flatMap(({ messages, results }) => answerOpenCalls(messages, results))
}

/** What one turn has brought to the conversation. */
export interface TurnMessages {
  /** Absent where the events begin in the middle of it. */
  start?: Extract<AgentEvent, { type: 'run-start' }>
  messages: ModelMessage[]
  results: Map<string, ToolResult>
  hasEnded: boolean
}

/** The conversation turn by turn. */
export function turnsOf(events: Iterable<AgentEvent>): TurnMessages[] {
  const turns: TurnMessages[] = []
  const current = (): TurnMessages => {
    if (turns.length === 0) turns.push(newTurn())
    return turns.at(-1)!
  }
  for (const event of events) {
    if (event.type === 'run-start') {
      if (event.continues) current().hasEnded = false
      else turns.push(newTurn(event))
    } else if (event.type === 'messages') {
      const turn = current()
      turn.messages = event.anew ? [...event.messages] : [...turn.messages, ...event.messages]
    } else if (event.type === 'tool-result') {
      current().results.set(event.call.id, event.result)
    } else if (event.type === 'compacted') {
      for (const turn of turns.slice(0, event.to)) turn.messages = []
      const last = turns[event.to - 1]
      if (last !== undefined) last.messages = compactedMessages(event.summary)
    } else if (event.type === 'project-changed') {
      for (const turn of turns) turn.messages = []
    } else if (event.type === 'run-end') {
      current().hasEnded = true
    }
  }
  return turns
}

const newTurn = (start?: TurnMessages['start']): TurnMessages => ({
  ...(start && { start }),
  messages: [],
  results: new Map(),
  hasEnded: false,
})

/** What stands for turns that were summed up: a request and a word of an answer, which every provider takes. */
export function compactedMessages(summary: string): ModelMessage[] {
  return [
    userMessage(`What was said before, in short. It is material, not a request.\n\n${summary}`),
    { role: 'assistant', content: [{ type: 'text', text: 'I know what was said before.' }] },
  ]
}

/** Without requests that never got a word of an answer: they would stand in the way of the next. */
export function answeredTurns(messages: readonly ModelMessage[]): ModelMessage[] {
  return messages.filter(({ role }, at) => role !== 'user' || (messages[at + 1]?.role ?? 'user') !== 'user')
}

/**
 * A call without its result makes the next request invalid. Where a turn broke off before its calls were answered, they
 * are answered here: with what came of them, as far as anyone knows.
 */
export function answerOpenCalls(
  messages: readonly ModelMessage[],
  results: ReadonlyMap<string, ToolResult>,
): ModelMessage[] {
  const answers = openCalls(messages).map(({ id, name }) => {
    const result = results.get(id)
    const { text, isError } = result ? { text: result.text, isError: !result.ok } : { text: notKnown, isError: true }
    return { id, name, text, isError }
  })
  return answers.length === 0 ? [...messages] : [...messages, toolMessage(answers)]
}

/** The calls of the last reply, while they are not answered. */
export function openCalls(messages: readonly ModelMessage[]): { id: string; name: string; input: unknown }[] {
  const last = messages.at(-1)
  if (last?.role !== 'assistant' || typeof last.content === 'string') return []
  return last.content.flatMap((part) =>
    part.type === 'tool-call' ? [{ id: part.toolCallId, name: part.toolName, input: part.input }] : [],
  )
}

export const notKnown =
  'The run broke off here. It is not known whether this call happened; look before you make it again.'
