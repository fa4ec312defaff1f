import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findAgain, movedPosition, remainingParts } from './find-again.js'

const block = '\n## a\nword word\n'
const text = `One.${block}Two.${block}`
const written = { block, at: 4, text }

describe('a stretch of a text that others edit', () => {
  it('is found again after edits before or after it, even if the same words occur elsewhere', () => {
    expect(findAgain(written, `Zero. ${text}`)).toBe(10)
    expect(findAgain(written, `${text}Three.`)).toBe(4)
    expect(findAgain(written, text.replace('One.', ''))).toBe(0)
    expect(findAgain(written, `One.${block}New.Two.${block}`)).toBe(4)
  })

  it('is found in a reopened text if it occurs once', () => {
    expect(findAgain({ block, at: 0 }, `x${block}`)).toBe(1)
    expect(findAgain({ block, at: 0 }, text)).toBe(undefined)
  })

  it('is not found after edits inside it, and then the rest of it excludes the edits', () => {
    const once = { block, at: 4, text: `One.${block}Two.` }
    const now = once.text.replace('word word', 'word MINE word')
    const left = remainingParts(once, now, now.indexOf(' word\n'))
    expect(findAgain(once, now)).toBe(undefined)
    expect(left.map(({ from, to }) => now.slice(from, to))).toEqual(['\n## a\nword', ' word\n'])
    const cut = once.text.replace('## a\nword', '')
    expect(
      remainingParts(once, cut, 0)
        .map(({ from, to }) => cut.slice(from, to))
        .join(''),
    ).toBe(block.replace('## a\nword', ''))
  })

  it('is where it was put, whatever is written around it', () => {
    const words = fc.string({ maxLength: 8 })
    fc.assert(
      fc.property(words, words, words, words, fc.boolean(), (before, behind, more, other, isBefore) => {
        const own = { block, at: before.length, text: before + block + behind }
        const [first, last] = isBefore ? [more + other, behind] : [before, more + other]
        const at = findAgain(own, first + block + last)
        expect(at === undefined ? block : (first + block + last).slice(at, at + block.length)).toBe(block)
      }),
    )
  })

  it('is begun where it was meant to, whatever was typed in between', () => {
    expect(movedPosition(4, 'One.', 'One. Two.')).toBe(9)
    expect(movedPosition(2, 'abcd', 'Xabcd')).toBe(3)
    expect(movedPosition(2, 'abcd', 'abcXd')).toBe(2)
  })
})
