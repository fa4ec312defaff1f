import type { LanguageModelV3Message, LanguageModelV3Prompt } from '../../../core/model/index.js'
import type { ToolCallAnswer } from './protocol.js'
import { toolAnswer } from './thread-request.js'
import type { Turn } from './turn.js'

/** Turns that wait for the results of calls. */
export interface ParkedTurns {
  park(turn: Turn, prompt: LanguageModelV3Prompt, calls: ReadonlySet<string>): void
  /** The turn that a request goes on with, its results given to it; undefined when it must begin anew. */
  resume(prompt: LanguageModelV3Prompt): Turn | undefined
}

interface Parked {
  turn: Turn
  conversation: readonly string[]
  calls: ReadonlySet<string>
  expiry: NodeJS.Timeout
}

export function parkedTurns(expiryMs: number): ParkedTurns {
  const parked = new Set<Parked>()

  function unpark(found: Parked): void {
    clearTimeout(found.expiry)
    parked.delete(found)
  }

  return {
    park(turn, prompt, calls) {
      const entry: Parked = {
        turn,
        conversation: conversationOf(prompt),
        calls: new Set(calls),
        expiry: setTimeout(() => {
          unpark(entry)
          turn.abandon()
        }, expiryMs).unref(),
      }
      parked.add(entry)
    },
    resume(prompt) {
      const results = lastResults(prompt)
      const found = [...parked].find(({ calls }) => [...calls].some((id) => results.has(id)))
      if (found === undefined) return undefined
      unpark(found)
      if (goesOn(found, prompt, results)) {
        found.turn.give(results)
        return found.turn
      }
      // The conversation took another way.
      found.turn.abandon()
      return undefined
    },
  }
}

/** Whether a request is the parked conversation, its calls, and a result for each of them. */
function goesOn({ conversation, calls }: Parked, prompt: LanguageModelV3Prompt, results: ReadonlyMap<string, unknown>) {
  const now = conversationOf(prompt)
  const isSame = conversation.every((message, at) => message === now[at]) && now.length === conversation.length + 2
  return isSame && calls.size === results.size && [...calls].every((id) => results.has(id))
}

function lastResults(prompt: LanguageModelV3Prompt): Map<string, ToolCallAnswer> {
  const results = new Map<string, ToolCallAnswer>()
  for (const message of [...prompt].reverse()) {
    if (message.role !== 'tool') break
    for (const part of message.content) {
      if (part.type === 'tool-result') results.set(part.toolCallId, toolAnswer(part.output))
    }
  }
  return results
}

/** A conversation as texts that can be compared, one for all neighbours of a role. */
function conversationOf(prompt: LanguageModelV3Prompt): string[] {
  const joined: { role: string; parts: unknown[] }[] = []
  for (const message of prompt) {
    const last = joined.at(-1)
    if (last?.role === message.role) last.parts.push(...partsOf(message))
    else joined.push({ role: message.role, parts: partsOf(message) })
  }
  return joined.map((message) => JSON.stringify(message))
}

/** Without what clients drop or change: thoughts, empty texts, and details for providers. */
function partsOf(message: LanguageModelV3Message): unknown[] {
  if (message.role === 'system') return [message.content]
  return message.content.flatMap((part): unknown[] => {
    switch (part.type) {
      case 'text':
        return part.text === '' ? [] : [part.text]
      case 'tool-call':
        return [[part.toolCallId, part.toolName]]
      case 'tool-result':
        return [[part.toolCallId, part.output]]
      case 'file':
        return [part.mediaType, part.data]
      default:
        return []
    }
  })
}
