import { describe, expect, it } from 'vitest'
import { isPrivateNote } from './private-note.js'

describe('isPrivateNote', () => {
  it.each([
    '---\nprivate: true\n---\n',
    '\uFEFF---\r\ntitle: x\r\nPrivate: "true"\r\n---\r\n',
    '---\n"priv\\u0061te": true\n---\n',
    '---\nnote: |\n  ---not a fence\nprivate: true\n---\n',
    '---\nprivate: true\nbroken: [\n---\n',
  ])('hides %j', (text) => expect(isPrivateNote(text)).toBe(true))

  it.each([
    'private: true',
    '---\nprivate: false\n---\n',
    '---\ntitle: private: true\n---\n',
    '---\ntags: [private]\n---\nprivate: true',
    '---\nunclosed\nprivate: true\n',
    '\n---\nprivate: true\n---\n',
  ])('shows %j', (text) => expect(isPrivateNote(text)).toBe(false))
})
