import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { charactersFor, estimateTokens } from './estimate-tokens.js'

describe('estimateTokens', () => {
  // Counts of OpenAI's cl100k_base; the last by its rule of thumb, 100 tokens for 75 words.
  it.each([
    ['Hello, world!', 4],
    ['The quick brown fox jumps over the lazy dog.', 10],
    ['Tomatoes want water in the morning, and warm feet. '.repeat(25), 300],
  ])('is at least the count of a tokenizer for %j, and less than twice as much', (text, tokens) => {
    expect(estimateTokens(text)).toBeGreaterThanOrEqual(tokens)
    expect(estimateTokens(text)).toBeLessThan(2 * tokens)
  })

  it('counts more for scripts with more tokens per character', () => {
    expect(estimateTokens('早上给西红柿浇水')).toBe(8)
    expect(estimateTokens('Помидоры')).toBe(4)
  })

  it('gives the part of a text that fits, at most the whole', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.nat(200), (text, tokens) => {
        const fitting = charactersFor(text, tokens)
        expect(fitting).toBeLessThanOrEqual(text.length)
        if (estimateTokens(text) <= tokens) expect(fitting).toBe(text.length)
      }),
    )
    const even = 'word '.repeat(1000)
    expect(estimateTokens(even.slice(0, charactersFor(even, 100)))).toBeLessThanOrEqual(101)
  })
})
