import { describe, expect, it } from 'vitest'
import { selectTerms, vocabularyLimit } from './vocabulary.js'

describe('the terms of a model', () => {
  it('occur in at least two units and at most half of them, and stand in the order of their stems', () => {
    const terms = ['zebra', 'once', 'apple', 'always', 'half']
    expect([...selectTerms(terms, Int32Array.of(2, 1, 4, 9, 5), 10)]).toEqual([2, 4, 0])
  })

  it('are the most frequent ones when there are too many, ties going to the first stem', () => {
    const count = vocabularyLimit + 50
    const terms = Array.from({ length: count }, (_, i) => `t${String(count - i).padStart(6, '0')}`)
    const frequency = Int32Array.from(terms, (_, i) => (i < 20 ? 30 : 3))
    const chosen = [...selectTerms(terms, frequency, 100)]
    expect(chosen).toHaveLength(vocabularyLimit)
    // Stems run against the numbers, so among the ties the highest numbers win; the frequent ones are all in.
    expect(chosen.slice(0, 2)).toEqual([count - 1, count - 2])
    expect(chosen.slice(-20)).toEqual(Array.from({ length: 20 }, (_, i) => 19 - i))
  })

  it('are none in an empty vault', () => {
    expect(selectTerms([], new Int32Array(0), 0)).toHaveLength(0)
    expect(selectTerms(['a'], Int32Array.of(1), 1)).toHaveLength(0)
  })
})
