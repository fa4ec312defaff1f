import { describe, expect, it } from 'vitest'
import { memoryLine, newestMemories, parseMemories, withoutMemory } from './memory.js'
import { estimateTokens } from './text/index.js'

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
  it('is read item by item in order, including plain lines', () => {
    expect(parseMemories(note).map(({ number, text }) => [number, text])).toEqual([
      [1, 'I garden in zone 7'],
      [2, 'Anna is my sister, and lives in Graz'],
      [3, 'Tea, not coffee.'],
    ])
  })

  it('loses one memory and no other byte, with any kind of line break', () => {
    for (const text of [note, note.replaceAll('\n', '\r\n')]) {
      const all = parseMemories(text)
      for (const memory of all) {
        const rest = withoutMemory(text, memory)
        expect(parseMemories(rest).map((each) => each.text)).toEqual(
          all.filter((each) => each !== memory).map((each) => each.text),
        )
        const lines = text.split('\n')
        expect(rest).toBe([...lines.slice(0, memory.from), ...lines.slice(memory.to)].join('\n'))
      }
    }
  })

  it('writes a memory as one line', () => {
    expect(memoryLine('  two\nlines\tand a tab ')).toBe('- two lines and a tab')
  })

  it('gives the newest memories that fit, newest first', () => {
    const many = parseMemories(Array.from({ length: 500 }, (_, at) => `- fact number ${at}`).join('\n'))
    const kept = newestMemories(many, 100)
    expect(kept[0].text).toBe('fact number 499')
    expect(kept.map(({ number }) => number)).toEqual(kept.map((_, at) => 500 - at))
    expect(estimateTokens(kept.map(({ text }) => `- ${text}\n`).join(''))).toBeLessThanOrEqual(100)
    expect(newestMemories(many, 0)).toEqual([])
  })
})
