import { expect, it } from 'vitest'
import { freshnessWords } from './freshness-words.js'

it('says how far the index is', () => {
  expect(freshnessWords('fresh')).toBe('The index is up to date.')
  expect(freshnessWords('catching up (13703 left)')).toBe('13,703 files still to be read.')
  expect(freshnessWords('catching up (1 left)')).toBe('1 file still to be read.')
  expect(freshnessWords('without vectors')).toContain('by words alone')
})
