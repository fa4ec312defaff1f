import { messageTokens } from '../../core/agent/index.js'
import type { ModelMessage, OfferedTool } from '../../core/model/index.js'
import { estimateTokens } from '../../core/text/index.js'
import type { Asked } from './request/asked.js'
import type { Window } from './setup.js'

interface Around {
  system: string
  tools: readonly OfferedTool[]
  asked: Pick<Asked, 'maxOutputTokens'>
  window: Window
}

/** What an answer is given where the client does not say: a quarter, within reason. */
const answerRoom = (tokens: number): number => Math.min(8192, Math.max(512, Math.floor(tokens / 4)))

/** What a conversation may take beside the rules, the tools and the answer. */
export function roomFor({ system, tools, asked, window: { tokens, from } }: Around): number {
  if (from === 'unknown') return Number.POSITIVE_INFINITY
  const fixed = estimateTokens(system) + (tools.length === 0 ? 0 : estimateTokens(JSON.stringify(tools)))
  return tokens - fixed - (asked.maxOutputTokens ?? answerRoom(tokens))
}

/**
 * The conversation without its oldest parts, so that the rest fits. It is cut where a turn begins, and within the last
 * turn where a step does: a call is never left without its output, nor an output without its call. The last question
 * and what came of the last calls stay; where even they are too much, the backend says so.
 */
export function withoutOldest(messages: readonly ModelMessage[], room: number): ModelMessage[] {
  const kept = [...messages]
  let sum = kept.reduce((tokens, message) => tokens + messageTokens(message), 0)
  while (sum > room) {
    const [start, end] = oldestPart(kept)
    if (start === end) break
    for (const message of kept.splice(start, end - start)) sum -= messageTokens(message)
  }
  return kept
}

/** Where the oldest turn stands, or the oldest step of the only one; nothing where there is neither to spare. */
function oldestPart(messages: readonly ModelMessage[]): [number, number] {
  const next = messages.findIndex(({ role }, at) => at > 0 && role === 'user' && isClosed(messages, at))
  if (next !== -1) return [0, next]
  const steps = messages.flatMap(({ role }, at) => (role === 'assistant' ? [at] : []))
  return steps.length > 1 ? [steps[0], steps[1]] : [0, 0]
}

/** Whether no call before has its output after. */
function isClosed(messages: readonly ModelMessage[], at: number): boolean {
  const ids = (role: ModelMessage['role'], type: string) => (message: ModelMessage) =>
    message.role !== role || typeof message.content === 'string'
      ? []
      : message.content.flatMap((part) => (part.type === type && 'toolCallId' in part ? [part.toolCallId] : []))
  const calls = new Set(messages.slice(0, at).flatMap(ids('assistant', 'tool-call')))
  return !messages
    .slice(at)
    .flatMap(ids('tool', 'tool-result'))
    .some((id) => calls.has(id))
}
