import { expect, it } from 'vitest'
import { grouped } from './quantities.js'

it('a number is written as a person reads it', () => {
  for (const number of [0, 7, 999, 1000, 12_345, 999_999, 1_000_000, 123_456_789])
    expect(grouped(number)).toBe(number.toLocaleString('en'))
})
