import { expect, it, vi } from 'vitest'
import type { LanguageModelV3Prompt } from '../../../core/model/index.js'
import { pausedTurns } from './turn.js'

function turn() {
  return { reply: vi.fn(), give: vi.fn(), abandon: vi.fn() }
}

const asked: LanguageModelV3Prompt = [
  { role: 'system', content: 'You are a note agent.' },
  { role: 'user', content: [{ type: 'text', text: 'search' }] },
]

const called: LanguageModelV3Prompt[number] = {
  role: 'assistant',
  content: [
    { type: 'reasoning', text: 'hm' },
    { type: 'tool-call', toolCallId: 'c1', toolName: 'search', input: {} },
  ],
}

const answered = (value: string, toolCallId = 'c1'): LanguageModelV3Prompt[number] => ({
  role: 'tool',
  content: [{ type: 'tool-result', toolCallId, toolName: 'search', output: { type: 'text', value } }],
})

it('a request with the results resumes the turn that waits for them', () => {
  const parked = pausedTurns(60_000)
  const waiting = turn()
  parked.park(waiting, asked, new Set(['c1']))
  expect(parked.resume([...asked, called, answered('found')])).toBe(waiting)
  expect(waiting.give).toHaveBeenCalledWith(
    new Map([['c1', { contentItems: [{ type: 'inputText', text: 'found' }], success: true }]]),
  )
})

it('a turn is resumed only once', () => {
  const parked = pausedTurns(60_000)
  parked.park(turn(), asked, new Set(['c1']))
  parked.resume([...asked, called, answered('found')])
  expect(parked.resume([...asked, called, answered('found')])).toBeUndefined()
})

it('results of a conversation with another beginning abandon the turn', () => {
  const parked = pausedTurns(60_000)
  const waiting = turn()
  parked.park(waiting, asked, new Set(['c1']))
  const other: LanguageModelV3Prompt = [{ role: 'user', content: [{ type: 'text', text: 'other' }] }]
  expect(parked.resume([...other, called, answered('found')])).toBeUndefined()
  expect(waiting.abandon).toHaveBeenCalled()
})

it('a turn that lacks one of its results is not resumed', () => {
  const parked = pausedTurns(60_000)
  const waiting = turn()
  parked.park(waiting, asked, new Set(['c1', 'c2']))
  expect(parked.resume([...asked, called, answered('found')])).toBeUndefined()
  expect(waiting.abandon).toHaveBeenCalled()
})

it('a conversation without those calls leaves the turn waiting', () => {
  const parked = pausedTurns(60_000)
  const waiting = turn()
  parked.park(waiting, asked, new Set(['c1']))
  expect(parked.resume([...asked, called, answered('found', 'other')])).toBeUndefined()
  expect(waiting.abandon).not.toHaveBeenCalled()
})

it('a turn that is never resumed is abandoned in the end', () => {
  vi.useFakeTimers()
  try {
    const parked = pausedTurns(60_000)
    const waiting = turn()
    parked.park(waiting, asked, new Set(['c1']))
    vi.advanceTimersByTime(60_000)
    expect(waiting.abandon).toHaveBeenCalled()
    expect(parked.resume([...asked, called, answered('found')])).toBeUndefined()
  } finally {
    vi.useRealTimers()
  }
})
