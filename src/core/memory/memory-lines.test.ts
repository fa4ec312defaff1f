import { describe, expect, it } from 'vitest'
import { estimateTokens } from '../text/index.js'
import { memoryLine, newestWithin, rememberedIn, withoutMemory } from './index.js'

const note = [
  '---',
  'tags: [memory]',
  '---',
  '# What to remember',
  '',
  '- I garden in zone 7',
  '- Anna is my sister,',
  '  and lives in Graz',
  'Tea, not coffee.',
  '',
].join('\n')

describe('the memory note', () => {
  it('is read item by item, in its order, with what a person wrote plainly', () => {
    expect(rememberedIn(note).map(({ number, text }) => [number, text])).toEqual([
      [1, 'I garden in zone 7'],
      [2, 'Anna is my sister, and lives in Graz'],
      [3, 'Tea, not coffee.'],
    ])
  })

  it('loses one memory and no other byte, with any line break', () => {
    for (const text of [note, note.replaceAll('\n', '\r\n')]) {
      const all = rememberedIn(text)
      for (const memory of all) {
        const rest = withoutMemory(text, memory)
        expect(rememberedIn(rest).map((each) => each.text)).toEqual(
          all.filter((each) => each !== memory).map((each) => each.text),
        )
        const lines = text.split('\n')
        expect(rest).toBe([...lines.slice(0, memory.from), ...lines.slice(memory.to)].join('\n'))
      }
    }
  })

  it('takes one line however it was said', () => {
    expect(memoryLine('  two\nlines\tand a tab ')).toBe('- two lines and a tab')
  })

  it('gives the newest that fit, newest first', () => {
    const many = rememberedIn(Array.from({ length: 500 }, (_, at) => `- fact number ${at}`).join('\n'))
    const kept = newestWithin(many, 100)
    expect(kept[0].text).toBe('fact number 499')
    expect(kept.map(({ number }) => number)).toEqual(kept.map((_, at) => 500 - at))
    expect(estimateTokens(kept.map(({ text }) => `- ${text}\n`).join(''))).toBeLessThanOrEqual(100)
    expect(newestWithin(many, 0)).toEqual([])
  })
})
