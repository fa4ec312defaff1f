import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { segmentBuilder } from './build-segment.js'
import { openSegment } from './segment.js'
import { correctWords, editDistance } from './spellings.js'

function segmentOf(...texts: string[]) {
  const builder = segmentBuilder()
  for (const [at, text] of texts.entries()) {
    builder.add({ id: at + 1, path: '', title: '', names: [], extra: '', chunks: [text] })
  }
  return openSegment(builder.build())
}

describe('correcting words that the vault lacks', () => {
  const segment = segmentOf('receive the quantum of solace', 'quantum theory', 'the quaint house', 'wherever 東京')

  it('chooses the nearest word, also for swapped letters', () => {
    expect([...correctWords([segment], ['recieve', 'quantm', 'house'])]).toEqual([
      ['recieve', 'receive'],
      ['quantm', 'quantum'],
    ])
  })

  it('completes a last word that is still being typed', () => {
    expect(correctWords([segment], ['the', 'quant']).get('quant')).toBe('quantum')
  })

  it('leaves inflected, short, numeric and unspaced words alone', () => {
    expect(correctWords([segment], ['houses', 'ab', '2025', '大阪', 'xylophone']).size).toBe(0)
  })

  it('does not correct existing words', () => {
    const words = segmentOf('paintings by Monet, a plan for cash and a band, evaluation of an internet reminder')
    for (const word of ['money', 'plant', 'crash', 'brand', 'evolution', 'intercept']) {
      expect(correctWords([words], [word, 'and']).get(word)).toBeUndefined()
    }
  })

  it('corrects a letter that is missing, typed twice or swapped with its neighbour, wherever it is', () => {
    const word = fc.constantFrom('template', 'calendar', 'kanban', 'journal', 'workspace', 'planet')
    const vault = segmentOf('template calendar kanban journal workspace planet')
    const mistake = fc.constantFrom(
      (text: string, at: number) => text.slice(0, at) + text.slice(at + 1),
      (text: string, at: number) => text.slice(0, at) + text.slice(at - 1),
      (text: string, at: number) => text.slice(0, at) + text[at + 1] + text[at] + text.slice(at + 2),
    )
    fc.assert(
      fc.property(word, fc.nat(), mistake, (right, place, make) => {
        // In the middle: three of its pieces or more are still there.
        const typed = make(right, right.length - 2 - (place % 2))
        fc.pre(typed !== right)
        expect(correctWords([vault], [typed, 'and']).get(typed)).toBe(right)
      }),
    )
  })

  it('never suggests a word that only dead notes contain', () => {
    const other = segmentOf('quantum', 'something else')
    other.kill(1)
    expect(correctWords([other], ['quantm']).size).toBe(0)
  })
})

describe('the edit distance', () => {
  it('counts insertions, deletions, replacements and swaps of neighbours', () => {
    expect(editDistance('note', 'notes', 2)).toBe(1)
    expect(editDistance('note', 'noet', 2)).toBe(1)
    expect(editDistance('note', 'mode', 2)).toBe(2)
    expect(editDistance('note', 'note', 2)).toBe(0)
  })

  it('applies the given cost to changed and extra letters, except letters typed twice', () => {
    expect(editDistance('money', 'monet', 2, 2)).toBe(2)
    expect(editDistance('plant', 'plan', 2, 2)).toBe(2)
    expect(editDistance('plann', 'plan', 2, 2)).toBe(1)
    expect(editDistance('pln', 'plan', 2, 2)).toBe(1)
  })

  it('stops counting beyond the limit', () => {
    expect(editDistance('abcdef', 'uvwxyz', 2)).toBe(3)
  })
})
