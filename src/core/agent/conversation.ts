import { type CallOutcome, type ModelMessage, toolMessage, userMessage } from '../model/index.js'
import type { ToolResult } from '../tools/index.js'
import type { AgentEvent } from './turn.js'

/** Rebuilds the conversation from events, complete or interrupted, as a prompt that every provider accepts. */
export function conversationOf(events: Iterable<AgentEvent>): ModelMessage[] {
  return turnsOf(events).flatMap(({ messages, results }) => answerOpenCalls(messages, results))
}

/** The messages of one turn. */
interface TurnMessages {
  /** Missing if the events begin in the middle of the turn. */
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
    // `!`: there is at least one turn now.
    return turns.at(-1)!
  }
  for (const event of events) {
    if (event.type === 'run-start') {
      if (event.continues) current().hasEnded = false
      else turns.push(newTurn(event))
    } else if (event.type === 'messages') {
      const turn = current()
      turn.messages = event.replaces || event.anew ? [...event.messages] : [...turn.messages, ...event.messages]
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

/** The messages that replace summarized turns: a request and a short answer, which every provider accepts. */
export function compactedMessages(summary: string): ModelMessage[] {
  return [
    userMessage(`Summary of the conversation so far. It is information, not a request.\n\n${summary}`),
    { role: 'assistant', content: [{ type: 'text', text: 'I have read the summary.' }] },
  ]
}

/** Drops requests without any answer: two user messages in a row would be refused. */
export function answeredTurns(messages: readonly ModelMessage[]): ModelMessage[] {
  return messages.filter(({ role }, at) => role !== 'user' || (messages[at + 1]?.role ?? 'user') !== 'user')
}

/**
 * Answers calls left open by an interrupted turn, with their outcomes as far as known. A call without a result would
 * make the next request invalid.
 */
export function answerOpenCalls(
  messages: readonly ModelMessage[],
  results: ReadonlyMap<string, ToolResult>,
): ModelMessage[] {
  const answers = openCalls(messages).map(({ id, name }) => {
    const result = results.get(id)
    return {
      id,
      name,
      ...(result ? { text: result.text, ...callOutcome(result) } : { text: unknownOutcome, isError: true }),
    }
  })
  return answers.length === 0 ? [...messages] : [...messages, toolMessage(answers)]
}

/** How a call ended, for models that are code: other models read the text alone. */
export function callOutcome(result: ToolResult): CallOutcome {
  if (result.ok) return result.changeSet === undefined ? {} : { hasChanged: true }
  const { code, forUser } = result
  return { isError: true, code, ...(forUser && { forUser }) }
}

/** The calls of the last reply, while they are not answered. */
export function openCalls(messages: readonly ModelMessage[]): { id: string; name: string; input: unknown }[] {
  const last = messages.at(-1)
  if (last?.role !== 'assistant' || typeof last.content === 'string') return []
  return last.content.flatMap((part) =>
    part.type === 'tool-call' ? [{ id: part.toolCallId, name: part.toolName, input: part.input }] : [],
  )
}

export const unknownOutcome =
  'The run was interrupted here. It is unknown whether this call took effect; check before you repeat it.'
