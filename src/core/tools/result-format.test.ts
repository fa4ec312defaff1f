import { describe, expect, it } from 'vitest'
import { cutText, jsonText, remarks, shortText } from './result-format.js'

describe('short text', () => {
  it('is one line of bounded length without half a character', () => {
    expect(shortText('  two\n lines ')).toBe('two lines')
    expect(shortText('🙂'.repeat(300), 101)).toBe(`${'🙂'.repeat(50)}…`)
    expect(cutText('a🙂', 2)).toBe('a')
    expect(shortText('x'.repeat(10_000_000))).toHaveLength(201)
    expect(shortText(`${' '.repeat(10_000)}x`)).toBe('…')
  })
})

describe('remarks on a result', () => {
  it('are a field if there are any, and follow the JSON', () => {
    expect(remarks(undefined, 'There is more.')).toEqual({ remarks: ['There is more.'] })
    expect(remarks(undefined)).toEqual({})
    expect(jsonText([1, 2], ['There is more.'])).toBe('[1,2]\nThere is more.')
    expect(jsonText([1, 2])).toBe('[1,2]')
  })

  it('shows hidden characters of names in JSON that still means the same', () => {
    const text = jsonText([{ path: 'a\u{e0041}.md' }])
    expect(text).toBe('[{"path":"a\\udb40\\udc41.md"}]')
    expect(JSON.parse(text)).toEqual([{ path: 'a\u{e0041}.md' }])
  })
})
