import { type ModelMessage, toolMessage } from '../model/index.js'
import type { ToolResult } from '../tools/index.js'
import type { AgentEvent } from './agent-event.js'

/** The conversation that events tell of, wherever they break off: a prompt that every provider takes. */
export function conversationOf(events: Iterable<AgentEvent>): ModelMessage[] {
  const conversation: ModelMessage[] = []
  let turn: ModelMessage[] = []
  let results = new Map<string, ToolResult>()
  for (const event of events) {
    if (event.type === 'run-start') {
      conversation.push(...answerOpenCalls(turn, results))
      turn = []
      results = new Map()
    } else if (event.type === 'messages') {
      turn = event.anew ? [...event.messages] : [...turn, ...event.messages]
    } else if (event.type === 'tool-result') {
      results.set(event.call.id, event.result)
    }
  }
  return [...conversation, ...answerOpenCalls(turn, results)]
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
  const last = messages.at(-1)
  if (last?.role !== 'assistant' || typeof last.content === 'string') return [...messages]
  const answers = last.content.flatMap((part) => {
    if (part.type !== 'tool-call') return []
    const result = results.get(part.toolCallId)
    const { text, isError } = result ? { text: result.text, isError: !result.ok } : { text: notKnown, isError: true }
    return [{ id: part.toolCallId, name: part.toolName, text, isError }]
  })
  return answers.length === 0 ? [...messages] : [...messages, toolMessage(answers)]
}

const notKnown = 'The run broke off here. It is not known whether this call happened; look before you make it again.'
