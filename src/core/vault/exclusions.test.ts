import { describe, expect, it } from 'vitest'
import { decodeRules, exclusions } from './exclusions.js'

describe('exclusions', () => {
  it('follow gitignore: comments, negation, anchors, folders', () => {
    const { hides } = exclusions('\uFEFF# mine\r\n\r\nprivate/\r\n*.secret.md\r\n!open.secret.md\r\n/top.md\r\n')
    expect(['private/a.md', 'x/private/b.md', 'a.secret.md', 'top.md'].map((path) => hides(path))).toEqual(
      Array(4).fill(true),
    )
    expect(['open.secret.md', 'x/top.md', 'privately.md'].map((path) => hides(path))).toEqual(Array(3).fill(false))
  })

  it('hide whole folders', () => {
    expect(exclusions('Diary/').hides('diary', 'folder')).toBe(true)
    expect(exclusions('Diary/').hides('diary', 'file')).toBe(false)
  })

  it('compare folded: case, normalisation and full folding', () => {
    const { hides } = exclusions('Stra\u00dfe/\nCafe\u0301.md')
    expect(hides('STRASSE/a.md')).toBe(true)
    expect(hides('CAF\u00c9.md')).toBe(true)
  })

  it('take more globs from the settings', () => {
    expect(exclusions('', ['Work/**']).hides('work/deep/a.md')).toBe(true)
  })

  it.each([
    ['Diary?/', 'Diary./x.md'],
    ['Diary?/', 'Diary /x.md'],
    ['Diary?/', 'Diary1. /x.md'],
    ['Diary.', 'Diary./x.md'],
    ['Diary./', 'Diary/x.md'],
    ['Diary/', 'Diary. ./x.md'],
    ['Diary?/Caf?/', 'Diary./Cafe\u0301./x.md'],
    ['Cafe?/', 'Cafe\u0301/x.md'],
    ['Diary/', 'Ｄｉａｒｙ/x.md'],
    ['Ｄｉａｒｙ／', 'Diary/x.md'],
    ['Diary/', 'Di\u200bary/x.md'],
    ['Di\u00adary/', 'Diary/x.md'],
    ['Diary/\u00a0', 'Diary/x.md'],
    ['  Diary/', 'Diary/x.md'],
    ['Diary/\u200b', 'Diary/x.md'],
    ['Work\\Diary', 'Work/Diary/x.md'],
    ['Work\\Diary\\', 'Work/Diary/x.md'],
    ['# mine\rDiary/\rOther/\r', 'Diary/x.md'],
  ])('%j hide %j, whatever the spelling', (rules, path) => expect(exclusions(rules).hides(path)).toBe(true))

  it.each([
    ['Diary?/', 'Diary/x.md'],
    ['*.', 'x.md'],
    ['\\*', 'x.md'],
    ['Diary/\n!Diary/', 'Diary/x.md'],
    ['Diary/*\n!Diary/Open.md', 'Diary/Open.md'],
  ])('%j leave %j', (rules, path) => expect(exclusions(rules).hides(path)).toBe(false))

  it('hide nothing without rules', () => {
    expect(exclusions('\n# nothing\n').hides('a.md')).toBe(false)
  })

  it('have nothing to say about a name of blanks', () => {
    expect(exclusions('Journal/').hides('  ')).toBe(false)
  })
})

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
