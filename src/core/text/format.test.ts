import { expect, it } from 'vitest'
import { groupDigits } from './format.js'

it('formats numbers for reading', () => {
  for (const number of [0, 7, 999, 1000, 12_345, 999_999, 1_000_000, 123_456_789])
    expect(groupDigits(number)).toBe(number.toLocaleString('en'))
})
