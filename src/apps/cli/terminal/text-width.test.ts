import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cutToWidth, textWidth, wrapToWidth } from './text-width.js'

describe('width in columns', () => {
  it.each([
    ['abc', 3],
    ['é', 1],
    ['e\u0301', 1],
    ['番茄', 4],
    ['한글', 4],
    ['🌱', 2],
    ['', 0],
  ])('%s takes %i', (text, width) => expect(textWidth(text)).toBe(width))
})

const text = fc.string({ unit: fc.constantFrom('a', 'bc', ' ', '番', '🌱', 'é', '…') })

it('cuts to the width, and only when it must', () => {
  expect(cutToWidth('tomatoes', 8)).toBe('tomatoes')
  expect(cutToWidth('tomatoes', 7)).toBe('tomato…')
  expect(cutToWidth('番茄番茄', 7)).toBe('番茄番…')
  fc.assert(
    fc.property(text, fc.integer({ min: 2, max: 30 }), (value, width) => {
      expect(textWidth(cutToWidth(value, width))).toBeLessThanOrEqual(width)
    }),
  )
})

it('wraps at spaces, breaks what has none, and loses no word', () => {
  expect(wrapToWidth('the quick brown fox', 10)).toEqual(['the quick', 'brown fox'])
  expect(wrapToWidth('one two three four', 8, 2)).toEqual(['one two', 'three f…'])
  expect(wrapToWidth('番茄汤番茄汤', 6)).toEqual(['番茄汤', '番茄汤'])
  fc.assert(
    fc.property(text, fc.integer({ min: 2, max: 30 }), (value, width) => {
      const lines = wrapToWidth(value, width)
      for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(width)
      expect(lines.join('').replaceAll(' ', '')).toBe(value.replaceAll(' ', ''))
    }),
  )
})
