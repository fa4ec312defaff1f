import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { style } from './terminal.js'
import { cutPath, cutToWidth, textWidth, wrapPainted, wrapToWidth } from './text-width.js'

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

it('cuts a path in its middle, so that its beginning and its name stay', () => {
  expect(cutPath('Projects/Garden/2024/Beds/Tomatoes.md', 24)).toBe('Projects/Ga…/Tomatoes.md')
  expect(cutPath('Projects/Garden/Tomatoes.md', 40)).toBe('Projects/Garden/Tomatoes.md')
  expect(cutPath('a few words without any path at all', 12)).toBe('a few words…')
  expect(cutPath('A/An endlessly long name of a note about tomatoes.md', 20)).toMatch(/^A\/An.+….+toes\.md$/)
})

it('cuts any path to its width, with its first and its last character', () => {
  const path = fc.array(fc.stringMatching(/^[a-z番é ]{1,12}$/), { minLength: 2, maxLength: 6 })
  fc.assert(
    fc.property(path, fc.integer({ min: 10, max: 60 }), (parts, width) => {
      const whole = parts.join('/')
      const cut = cutPath(whole, width)
      expect(textWidth(cut)).toBeLessThanOrEqual(width)
      const [head, tail] = cut === whole ? [whole, whole] : cut.split('…')
      expect(cut === whole).toBe(textWidth(whole) <= width)
      expect(whole.startsWith(head) && whole.endsWith(tail) && head !== '' && tail !== '').toBe(true)
    }),
  )
})

const plain = (text: string) => text.replace(/\x1b\[[0-9;]*m/g, '')

it('breaks a line at its words, below its own beginning', () => {
  expect(wrapPainted('  ! This note can be seen by others, and loads a picture', 30)).toBe(
    '  ! This note can be seen by\n    others, and loads a\n    picture',
  )
  expect(wrapPainted('  +    3  Tomatoes want sun and rain and sun', 26)).toBe(
    '  +    3  Tomatoes want\n          sun and rain and\n          sun',
  )
})

it('keeps text after a bar after it', () => {
  for (const line of wrapPainted(`    │ ${'Allow it? [y/N] y '.repeat(20)}`, 40).split('\n')) {
    expect(line).toMatch(/^ {4}│ /)
  }
})

it('keeps a long run of spaces, which may be there to hide what follows', () => {
  const line = `  query: Safe.md${' '.repeat(300)}.exe and more words than fit into the line that it is`
  expect(wrapPainted(line, 60)).toContain(`query: Safe.md${' '.repeat(300)}.exe`)
  expect(wrapPainted(`  query: Safe.md${' '.repeat(300)}`, 60)).toBe(`  query: Safe.md${' '.repeat(300)}`)
})

it('loses nothing, adds nothing and fits, with any paint', () => {
  const paints = Object.values(style(true))
  const piece = fc.tuple(fc.stringMatching(/^(?:[a-z番.]{0,12} ){0,3}[a-z番.]{0,12}$/), fc.constantFrom(...paints))
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), fc.integer({ min: 30, max: 90 }), (pieces, width) => {
      const line = `  ${pieces.map(([text, paint]) => paint(text)).join('')}`
      const rows = wrapPainted(line, width).split('\n')
      for (const row of rows) {
        const words = plain(row).trim().split(/\s+/)
        const hasRun = / {3}/.test(plain(row).trim())
        expect(words.length === 1 || hasRun || textWidth(plain(row).trimEnd()) <= width).toBe(true)
      }
      const letters = (text: string) => plain(text).replace(/\s/g, '')
      expect(letters(rows.join(''))).toBe(letters(line))
    }),
  )
})
