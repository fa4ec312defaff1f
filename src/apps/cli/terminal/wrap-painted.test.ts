import fc from 'fast-check'
import { expect, it } from 'vitest'
import { style } from './style.js'
import { textWidth } from './text-width.js'
import { wrapPainted } from './wrap-painted.js'

const plain = (text: string) => text.replace(/\x1b\[[0-9;]*m/g, '')

it('breaks a line at its words, below its own beginning', () => {
  expect(wrapPainted('  ! This note can be seen by others, and loads a picture', 30)).toBe(
    '  ! This note can be seen by\n    others, and loads a\n    picture',
  )
  expect(wrapPainted('  +    3  Tomatoes want sun and rain and sun', 26)).toBe(
    '  +    3  Tomatoes want\n          sun and rain and\n          sun',
  )
})

it('keeps what is behind a bar behind it', () => {
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
