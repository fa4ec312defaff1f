import { describe, expect, it } from 'vitest'
import { atCommands } from './modes.js'

const read = (request: string) => {
  const { text, calls } = atCommands(request)
  return [text, calls.map(({ name, input }) => [name, input])]
}

describe('@commands', () => {
  it('add the calls they name and leave the request', () => {
    expect(read('@vault what feeds the soil?')).toEqual([
      'what feeds the soil?',
      [['search_notes', { query: 'what feeds the soil?' }]],
    ])
    expect(read('compare @vault and @websearch for blight')).toEqual([
      'compare and for blight',
      [
        ['search_notes', { query: 'compare and for blight' }],
        ['web_search', { query: 'compare and for blight' }],
      ],
    ])
  })

  it('name notes with or without brackets', () => {
    expect(read('sum up @[[Garden/Soil|the soil]] and @note "Old plan"')).toEqual([
      'sum up [[Garden/Soil]] and [[Old plan]]',
      [
        ['read_note', { path: 'Garden/Soil' }],
        ['read_note', { path: 'Old plan' }],
      ],
    ])
  })

  it('keep a memory', () => {
    expect(read('@memory I garden in zone 7')[1]).toEqual([['remember', { text: 'I garden in zone 7' }]])
  })

  it('are not addresses or other words', () => {
    for (const request of ['write to ada@web.example', 'the @vaults', '@webmaster', 'me@@vault']) {
      expect(read(request)).toEqual([request, []])
    }
  })
})
