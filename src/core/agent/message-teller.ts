import type { ModelMessage } from '../model/index.js'
import type { ToolResult } from '../tools/index.js'
import type { AgentEvent } from './agent-event.js'
import { answerOpenCalls } from './conversation.js'
import type { ModeEvents } from './modes/mode-run.js'
import type { Progress } from './progress.js'

/** Tells what a turn adds to the conversation as soon as it is added: a run that dies leaves it behind. */
export interface MessageTeller {
  /** A mode's events, with the messages between them. */
  telling(events: ModeEvents): ModeEvents
  /** What is left to tell when the turn is over; calls that it left open are answered. */
  rest(): Generator<AgentEvent>
}

export function messageTeller(progress: Progress, known: readonly ModelMessage[] = []): MessageTeller {
  const results = new Map<string, ToolResult>()
  let told = known

  function* news(): Generator<AgentEvent> {
    const now = [...progress.messages]
    const isMore = told.every((message, at) => now[at] === message)
    const messages = isMore ? now.slice(told.length) : now
    told = now
    if (messages.length > 0) yield { type: 'messages', messages, ...(!isMore && { anew: true as const }) }
  }

  return {
    async *telling(events) {
      try {
        for (;;) {
          const next = await events.next()
          yield* news()
          if (next.done) return next.value
          if (next.value.type === 'tool-result') results.set(next.value.call.id, next.value.result)
          yield next.value
        }
      } finally {
        // Whoever leaves the stream here leaves all that is behind it.
        await events.return(undefined as never)
      }
    },
    *rest() {
      progress.messages = answerOpenCalls(progress.messages, results)
      yield* news()
    },
  }
}
