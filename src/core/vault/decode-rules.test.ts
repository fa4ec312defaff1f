import { describe, expect, it } from 'vitest'
import { decodeRules } from './decode-rules.js'

const text = '# mine\r\nTagebücher/\r\n日記/\r\n'

function utf16(of: string, end: 'le' | 'be'): Uint8Array {
  const bytes = Buffer.from(of, 'utf16le')
  return end === 'le' ? bytes : bytes.swap16()
}

describe('the text of rules', () => {
  it.each([
    ['UTF-8', Buffer.from(text)],
    ['UTF-8 with a mark', Buffer.from(`\uFEFF${text}`)],
    ['UTF-16 LE with a mark, as a Windows shell writes it', utf16(`\uFEFF${text}`, 'le')],
    ['UTF-16 BE with a mark', utf16(`\uFEFF${text}`, 'be')],
    ['UTF-16 LE', utf16(text, 'le')],
    ['UTF-16 BE', utf16(text, 'be')],
  ])('is read from %s', (_name, bytes) => expect(decodeRules(bytes)).toBe(text))

  it.each([
    ['Latin-1', Buffer.from('Tagebücher/\n', 'latin1')],
    ['half a letter of UTF-16', utf16(`\uFEFF${text}`, 'le').subarray(0, -1)],
    ['UTF-32', Buffer.from([0xff, 0xfe, 0, 0, 0x61, 0, 0, 0])],
    ['a lone surrogate', Buffer.from([0xff, 0xfe, 0x61, 0, 0, 0xd8])],
    ['bytes that are no text', Buffer.from([0x50, 0x4b, 3, 4, 0, 0, 8, 0])],
    ['zeros', new Uint8Array(4096)],
    ['a cut-off file of zeros and rules', Buffer.from('Diary/\n\0\0\0\0\0')],
  ])('is nothing where it would be guesswork: %s', (_name, bytes) => expect(decodeRules(bytes)).toBeUndefined())

  it('is empty for an empty file', () => expect(decodeRules(new Uint8Array())).toBe(''))
})
