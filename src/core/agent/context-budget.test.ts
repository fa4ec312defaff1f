import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { howOften } from '../../../test/runner/how-often.js'
import { type ModelMessage, toolMessage, userMessage } from '../model/index.js'
import { fitMessages, messageTokens } from './context-budget.js'

/** A conversation as the agent makes them: requests, steps with calls and results of any length, answers. */
const turns = fc.array(
  fc.record({
    request: fc.integer({ min: 1, max: 60 }),
    steps: fc.array(fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 3 }), { maxLength: 4 }),
    isToldToEnd: fc.boolean(),
    isAnswered: fc.boolean(),
    thinks: fc.boolean(),
  }),
  { minLength: 1, maxLength: 8 },
)

type Turns = typeof turns extends fc.Arbitrary<infer Value> ? Value : never

const words = (count: number) => 'Tomatoes want water. '.repeat(count).trim()

function conversation(made: Turns): { messages: ModelMessage[]; requestAt: number } {
  const messages: ModelMessage[] = []
  let requestAt = 0
  let calls = 0
  for (const [number, turn] of made.entries()) {
    requestAt = messages.length
    messages.push(userMessage(`Request ${number}: ${words(turn.request)}`))
    for (const results of turn.steps) {
      const ids = results.map(() => `call-${++calls}`)
      const thoughts = turn.thinks ? [{ type: 'reasoning' as const, text: words(5) }] : []
      const parts = ids.map((toolCallId) => ({
        type: 'tool-call' as const,
        toolCallId,
        toolName: 'read_note',
        input: { path: 'A.md' },
      }))
      messages.push({ role: 'assistant', content: [...thoughts, ...parts] })
      messages.push(toolMessage(ids.map((id, at) => ({ id, name: 'read_note', text: words(results[at]) }))))
    }
    if (turn.isToldToEnd && turn.steps.length > 0) messages.push(userMessage('No more tools can be called now.'))
    const isLast = number === made.length - 1
    if (!isLast && (turn.isAnswered || turn.steps.length === 0)) {
      messages.push({ role: 'assistant', content: [{ type: 'text', text: words(4) }] })
    }
  }
  return { messages, requestAt }
}

const ids = (message: ModelMessage, type: 'tool-call' | 'tool-result'): string[] =>
  typeof message.content === 'string'
    ? []
    : message.content.flatMap((part) => (part.type === type ? [(part as { toolCallId: string }).toolCallId] : []))

const size = (messages: readonly ModelMessage[]) => messages.reduce((sum, message) => sum + messageTokens(message), 0)

const runs = { numRuns: howOften(80, 2000) }

describe('a conversation that is fitted into a window', () => {
  it('stays as it is while it fits', () => {
    fc.assert(
      fc.property(turns, (made) => {
        const { messages, requestAt } = conversation(made)
        const fitted = fitMessages(messages, size(messages), requestAt)
        expect(fitted.messages).toEqual(messages)
        expect(fitted).toMatchObject({ folded: 0, dropped: 0 })
      }),
      runs,
    )
  })

  it('has no call without its result, begins with a user message, and keeps the newest one whole', () => {
    fc.assert(
      fc.property(turns, fc.integer({ min: 50, max: 2000 }), (made, limit) => {
        const { messages, requestAt } = conversation(made)
        const fitted = fitMessages(messages, limit, requestAt)
        for (const [at, message] of fitted.messages.entries()) {
          const calls = ids(message, 'tool-call')
          if (calls.length > 0) expect(ids(fitted.messages[at + 1], 'tool-result')).toEqual(calls)
          const results = ids(message, 'tool-result')
          if (results.length > 0) expect(ids(fitted.messages[at - 1], 'tool-call')).toEqual(results)
        }
        expect(fitted.messages[0].role).toBe('user')
        expect(fitted.messages).toContain(messages[requestAt])
        expect(fitted.tokens).toBe(size(fitted.messages))
      }),
      runs,
    )
  })

  it('takes no more than the limit, unless the newest message and step alone are too much', () => {
    fc.assert(
      fc.property(turns, fc.integer({ min: 900, max: 2500 }), (made, limit) => {
        const { messages, requestAt } = conversation(made)
        const fitted = fitMessages(messages, limit, requestAt)
        // 120 tokens of each result of the last step, its call and our last message are always kept.
        const least = messageTokens(messages[requestAt]) + 3 * 200
        if (least <= limit) expect(fitted.tokens).toBeLessThanOrEqual(limit)
      }),
      runs,
    )
  })

  it('keeps its prefix: earlier messages are sent again unchanged, until it must be trimmed again', () => {
    fc.assert(
      fc.property(turns, fc.integer({ min: 700, max: 2500 }), (made, limit) => {
        const { messages } = conversation(made)
        let before: readonly ModelMessage[] = []
        let request = 0
        let sent = 0
        for (let end = 1; end <= messages.length; end++) {
          if (messages[end - 1].role === 'user' && messages[end - 2]?.role !== 'tool') request = end - 1
          if (messages[end]?.role !== 'assistant' && end < messages.length) continue
          const { messages: now } = fitMessages(messages.slice(0, end), limit, request)
          const goesOn = before.every((message, at) => JSON.stringify(now[at]) === JSON.stringify(message))
          const grown = size(before) + size(messages.slice(sent, end))
          sent = end
          if (!goesOn) expect(grown).toBeGreaterThan(limit)
          before = now
        }
      }),
      { ...runs, numRuns: howOften(30, 600) },
    )
  })
})
