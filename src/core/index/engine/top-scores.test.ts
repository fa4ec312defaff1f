import fc from 'fast-check'
import { expect, it } from 'vitest'
import { TopScores } from './top-scores.js'

it('keeps the items that sorting would put first, smaller ids first among ties', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 9 })), fc.integer({ min: 0, max: 12 }), (scores, limit) => {
      const best = new TopScores(limit)
      for (const [id, score] of scores.entries()) best.offer(score, id, id)
      const order = scores.map((_, id) => id).sort((a, b) => scores[b] - scores[a] || a - b)
      expect([...best.sorted()]).toEqual(order.slice(0, limit))
    }),
  )
})
