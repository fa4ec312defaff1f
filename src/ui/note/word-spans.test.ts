import { describe, expect, it } from 'vitest'
import { wordSpans } from './word-spans.js'

const found = (text: string, ...words: string[]) => wordSpans(text, words).map(([from, to]) => text.slice(from, to))

describe('the words of a search in a text', () => {
  it('are found in other forms and cases, and without accents', () => {
    expect(found('Watering cafés: WATER, not watt.', 'water', 'cafe')).toEqual(['Watering', 'cafés', 'WATER'])
  })

  it('are found while they are typed', () => expect(found('The tomatoes', 'tom')).toEqual(['tomatoes']))

  it('of one or two letters are found only as they are', () => expect(found('A b ab', 'a')).toEqual(['A']))

  it('are parts of a run in scripts without spaces', () => expect(found('读书会笔记', '笔记')).toEqual(['笔记']))
})
