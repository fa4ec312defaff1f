import { describe, expect, it } from 'vitest'
import { correctWords, editDistance } from './correct.js'
import { openSegment } from './segment.js'
import { segmentBuilder } from './segment-builder.js'

function segmentOf(...texts: string[]) {
  const builder = segmentBuilder()
  for (const [at, text] of texts.entries()) {
    builder.add({ id: at + 1, path: '', title: '', aliases: [], extra: '', chunks: [text] })
  }
  return openSegment(builder.build())
}

describe('correcting words the vault does not contain', () => {
  const segment = segmentOf('receive the quantum of solace', 'quantum theory', 'the quaint house', 'wherever 東京')

  it('takes the nearest word, also when neighbours are swapped', () => {
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

  it('never offers a word that only dead notes hold', () => {
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

  it('stops counting beyond what matters', () => {
    expect(editDistance('abcdef', 'uvwxyz', 2)).toBe(3)
  })
})
