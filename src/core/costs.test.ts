import { describe, expect, it } from 'vitest'
import { costOf } from './costs.js'

describe('the cost of a step', () => {
  it('is the sum of its tokens times the price of each kind', () => {
    const usage = { input: 10_000, cachedInput: 4_000, cacheWrite: 1_000, output: 2_000 }
    // 5,000 × 3 + 4,000 × 0.3 + 1,000 × 3.75 + 2,000 × 15, each for a million.
    expect(costOf('anthropic/claude-sonnet-4-6', usage)).toBeCloseTo(0.04995, 10)
  })

  it('is the provider’s number, if it reports one', () => {
    expect(costOf('openai/gpt-5', { input: 1_000_000, output: 0, cost: 0.42 })).toBe(0.42)
    expect(costOf('openrouter/some/model', { cost: 0 })).toBe(0)
  })

  it('uses the user’s own price before the table’s', () => {
    const own = { 'openai/gpt-5': { input: 1, output: 2 }, 'ollama/qwen3:8b': { input: 0, output: 0 } }
    expect(costOf('openai/gpt-5', { input: 1_000_000, output: 1_000_000 }, own)).toBe(3)
    expect(costOf('ollama/qwen3:8b', { input: 5, output: 5 }, own)).toBe(0)
  })

  it('is the same for a model with its date', () => {
    const usage = { input: 1_000_000, output: 0 }
    expect(costOf('openai/gpt-5-2025-08-07', usage)).toBe(1.25)
    expect(costOf('anthropic/claude-sonnet-4-6-20260217', usage)).toBe(3)
  })

  it('is unknown, not zero, without a price, without tokens, or beyond the range of the price', () => {
    expect(costOf('ollama/qwen3:8b', { input: 5, output: 5 })).toBeNull()
    expect(costOf('openai/gpt-5', { output: 5 })).toBeNull()
    expect(costOf('gemini/gemini-2.5-pro', { input: 300_000, output: 5 })).toBeNull()
    expect(costOf('gemini/toString', { input: 1, output: 1 })).toBeNull()
  })
})
