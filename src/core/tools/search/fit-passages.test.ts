import { describe, expect, it } from 'vitest'
import { estimateTokens } from '../../text/index.js'
import { fitPassages } from './fit-passages.js'

const filler = 'They spoke about the weather and the coffee for a long while. '.repeat(20)

describe('passages that do not all fit', () => {
  it('stay as they are while there is room', () => {
    const hits = [{ chunk: filler }, { chunk: 'short' }]
    expect(fitPassages(hits, 'warehouse')).toEqual({ hits })
    expect(fitPassages(hits, 'warehouse', 10_000)).toEqual({ hits })
  })

  it('keep the part that speaks of what was asked, wherever it stands', () => {
    const fact = 'The warehouse in Lille is rented from 1 September.'
    for (const chunk of [`${fact} ${filler}`, `${filler}${fact} ${filler}`, `${filler}${fact}`]) {
      const { hits, remark } = fitPassages([{ chunk }], 'warehouse Lille rented', 150)
      expect(hits[0].chunk).toContain(fact)
      expect(estimateTokens(hits[0].chunk)).toBeLessThan(160)
      expect(remark).toContain('Shortened to fit')
    }
  })

  it('are fewer when each would say nothing', () => {
    const { hits, remark } = fitPassages(
      Array.from({ length: 10 }, () => ({ chunk: filler })),
      'coffee',
      450,
    )
    expect(hits).toHaveLength(3)
    expect(remark).toContain('the first 3 of 10')
  })
})
