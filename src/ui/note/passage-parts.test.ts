import { describe, expect, it } from 'vitest'
import { passageParts } from './passage-parts.js'

const note = [
  '---',
  'a: 1',
  '---',
  '# One',
  '',
  'First.',
  'Still first.',
  '',
  '```',
  'code',
  '',
  'more',
  '```',
  '',
  'End.',
  '',
].join('\n')
const bodyAt = note.indexOf('# One')

describe('a passage of a note', () => {
  it('grows to whole paragraphs', () => {
    expect(passageParts(note, bodyAt, 7).passage).toBe('First.\nStill first.\n\n')
  })

  it('does not split code at its empty lines', () => {
    expect(passageParts(note, bodyAt, 12).passage).toBe('```\ncode\n\nmore\n```\n\n')
  })

  it('begins at a heading that no empty line precedes', () => {
    expect(passageParts('a\n## B\nb\n', 0, 3).passage).toBe('## B\nb\n')
  })

  it('and the rest are the whole text, whatever the lines are', () => {
    for (let first = -1; first < 20; first++) {
      for (let last = first; last < 20; last++) {
        const { before, passage, after } = passageParts(note, bodyAt, first, last)
        expect(before + passage + after).toBe(note.slice(bodyAt))
      }
    }
  })

  it('in the properties marks nothing', () => {
    expect(passageParts(note, bodyAt, 2).passage).toBe('')
  })
})
