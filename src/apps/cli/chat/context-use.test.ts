import { describe, expect, it } from 'vitest'
import type { AgentEvent } from '../../../core/agent/index.js'
import type { Session, SessionStore } from '../../../core/session/index.js'
import { contextUse } from './context-use.js'

const answered: AgentEvent = { type: 'text-delta', text: 'x' } as AgentEvent
const step = (usage: object): AgentEvent => ({ type: 'step-end', step: 1, usage }) as AgentEvent
const session = (model: object) => ({ model: async () => ({ provider: 'ollama', ...model }) }) as unknown as Session
const store = (cost: number | null) => ({ find: async () => ({ cost }) }) as unknown as SessionStore
const windowOf = (tokens: number) => ({ window: async () => ({ tokens }) })

async function wordsAfter(events: AgentEvent[], model: object, cost: number | null = null): Promise<string> {
  const use = contextUse('s')
  for (const event of events) use.see(event)
  await use.update(session(model), store(cost))
  return use.words()
}

describe('the use of the context window', () => {
  it('is the share of what the next request contains, with the cost', async () => {
    const events = [answered, step({ input: 3000, output: 100 }), step({ input: 3900, output: 300 })]
    expect(await wordsAfter(events, windowOf(8192), 0.0123)).toBe('context 51% of 8.2k · $0.0123')
    expect(await wordsAfter(events, windowOf(128_000), 0)).toBe('context 3% of 128k · $0.00')
  })

  it('says what is unknown: the window, the tokens, the cost', async () => {
    expect(await wordsAfter([answered, step({ input: 3900 })], {})).toBe('context 3.9k tokens · cost unknown')
    expect(await wordsAfter([answered, step({})], windowOf(8192))).toBe('context unknown · cost unknown')
  })

  it('is not shown before an answer, and not without a language model', async () => {
    expect(await wordsAfter([], windowOf(8192))).toBe('')
    expect(await wordsAfter([answered, step({})], { provider: 'offline' })).toBe('')
  })

  it('is unknown after the older turns were summarized, until the next request', async () => {
    const use = contextUse('s')
    for (const event of [answered, step({ input: 3900 }), { type: 'compacted' } as AgentEvent]) use.see(event)
    expect(use.words()).toBe('context unknown · cost unknown')
    use.see(step({ input: 500 }))
    expect(use.words()).toBe('context 500 tokens · cost unknown')
  })
})
