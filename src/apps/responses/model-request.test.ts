import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { messageTokens } from '../../core/agent/index.js'
import type { ModelMessage } from '../../core/model/index.js'
import { conversationRoom, withoutOldest } from './model-request.js'

const user = (text: string): ModelMessage => ({ role: 'user', content: text })
const said = (text: string): ModelMessage => ({ role: 'assistant', content: text })
const called = (...ids: string[]): ModelMessage => ({
  role: 'assistant',
  content: ids.map((toolCallId) => ({ type: 'tool-call', toolCallId, toolName: 'look', input: {} })),
})
const answered = (...ids: string[]): ModelMessage => ({
  role: 'tool',
  content: ids.map((toolCallId) => ({
    type: 'tool-result',
    toolCallId,
    toolName: 'look',
    output: { type: 'text', value: 'x'.repeat(400) },
  })),
})
const tokens = (messages: readonly ModelMessage[]) => messages.reduce((sum, one) => sum + messageTokens(one), 0)
const idsIn = (messages: readonly ModelMessage[], type: string) =>
  messages.flatMap(({ content }) =>
    typeof content === 'string'
      ? []
      : content.flatMap((part) => (part.type === type ? [(part as { toolCallId: string }).toolCallId] : [])),
  )

describe('a conversation that does not fit', () => {
  it('is unchanged while it fits', () => {
    const all = [user('a'), said('b'), user('c')]
    expect(withoutOldest(all, tokens(all))).toEqual(all)
  })

  it('loses its oldest turns first, then the oldest steps of the last turn, but not the last question and step', () => {
    const first = [user('a'.repeat(900)), said('b')]
    const last = [user('c'), called('1'), answered('1'), called('2', '3'), answered('3', '2'), said('d'.repeat(300))]
    const all = [...first, ...last]
    expect(withoutOldest(all, tokens(last))).toEqual(last)
    expect(withoutOldest(all, tokens(last) - 1)).toEqual([last[0], ...last.slice(3)])
    expect(withoutOldest(all, 1)).toEqual([last[0], last[5]])
  })

  it('is not cut between a call and an output that comes after the next question', () => {
    const all = [user('a'), called('1'), user('b'), answered('1'), user('c')]
    expect(withoutOldest(all, 1)).toEqual([user('c')])
    expect(withoutOldest(all, tokens(all) - 1)).toEqual([user('c')])
  })

  it('never has a call without its output, nor an output without its call', () => {
    const part = fc.constantFrom('user', 'said', 'step')
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 12 }), fc.nat(2000), (parts, room) => {
        const all = parts.flatMap((kind, at) =>
          kind === 'user'
            ? [user(`q${at}`)]
            : kind === 'said'
              ? [said('w'.repeat(200))]
              : [called(`${at}a`, `${at}b`), answered(`${at}b`, `${at}a`)],
        )
        const rest = withoutOldest(all, room)
        expect(idsIn(rest, 'tool-call').sort()).toEqual(idsIn(rest, 'tool-result').sort())
        expect(rest.at(-1)).toEqual(all.at(-1))
        expect(all.filter((one) => rest.includes(one))).toEqual(rest)
      }),
    )
  })
})

it('drops nothing for a guessed context window, and reserves room for system prompt, tools and answer', () => {
  const around = { system: 'x'.repeat(4000), tools: [], request: { maxOutputTokens: 1000 } }
  expect(conversationRoom({ ...around, window: { tokens: 8192, from: 'unknown' } })).toBe(Number.POSITIVE_INFINITY)
  const room = conversationRoom({ ...around, window: { tokens: 8192, from: 'server' } })
  expect(room).toBeLessThan(8192 - 1000 - 500)
  expect(room).toBeGreaterThan(4000)
})
