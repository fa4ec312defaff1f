import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Failure } from '../errors.js'
import { foldPath, isAllowedIn, newNotePath, notePath } from './note-path.js'

const refusal = (check: (path: string) => string, path: string) => {
  try {
    check(path)
  } catch (error) {
    if (error instanceof Failure && error.code === 'path') return error.message
    throw error
  }
  return undefined
}

describe('notePath', () => {
  it('leaves legal names as they are', () => {
    const legal = [
      'a.md',
      'a..b.md',
      'Ordner/Ä ö.md',
      'cafe\u0301.md',
      '日本/語.md',
      "it's (1) & more, ok+.md",
      'ab:c.md',
      'x/CON.md',
      '👩‍👩‍👧.md',
      '%2e%2e/a.md',
      'a b /c.md',
    ]
    for (const path of legal) expect(notePath(path)).toBe(path)
  })

  it.each([
    ['', 'empty'],
    ['/etc/passwd', 'absolute'],
    ['//server/x.md', 'absolute'],
    ['../outside/secret.md', '".."'],
    ['a/../../x.md', '".."'],
    ['C:/Windows/win.ini', 'drive'],
    ['C:\\Windows\\win.ini', 'backslash'],
    ['..\\outside.md', 'backslash'],
    ['\\\\server\\share\\x.md', 'backslash'],
    ['file:///etc/passwd', 'a folder name is empty'],
    ['a//b.md', 'a folder name is empty'],
    ['a/', 'a folder name is empty'],
    ['Note.md\u0000.png', 'control'],
    ['a\nb.md', 'control'],
    ['a\u0085b.md', 'control'],
    ['a\u2028b.md', 'control'],
    ['a\u202egpj.md', 'direction'],
    ['a\u2066b.md', 'direction'],
    ['\ud800.md', 'Unicode'],
    ['.obsidian/app.json', 'dot'],
    ['.OBSIDIAN/app.json', 'dot'],
    ['.obsidian./app.json', 'dot'],
    ['.ob\u017fidian/app.json', 'dot'],
    ['./.obsidian/app.json', 'dot'],
    ['a/../.obsidian/app.json', '".."'],
    ['notes/.hidden/x.md', 'dot'],
    ['\u200c.git/config', 'dot'],
    ['a'.repeat(5000), 'too long'],
  ])('refuses %j with a reason', (path, reason) => {
    const message = refusal(notePath, path)
    expect(message).toMatch(/^Path must be within vault directory: /)
    expect(message).toContain(reason)
  })

  it('never lets a refused character into its own message', () => {
    expect(refusal(notePath, 'a\u202eb\u2028\u0007\u0090.md')).not.toMatch(
      /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/,
    )
  })

  it('never accepts a path that a file system could take out of the vault', () => {
    const piece = fc.constantFrom(
      '..',
      '.',
      '/',
      '\\',
      'a',
      'B.md',
      '\u0000',
      '.git',
      'C:',
      '\u200b',
      ' ',
      '\u202e',
      '~',
      '%2e',
      '．．',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const path = pieces.join('')
        if (refusal(notePath, path) !== undefined) return
        expect(path.split('/').some((name) => name === '' || name.startsWith('.') || /[\\\u0000]/.test(name))).toBe(
          false,
        )
      }),
      { numRuns: 5000 },
    )
  })
})

describe('isAllowedIn', () => {
  it('says of every character what notePath says, first in a name and later', () => {
    const wrong: string[] = []
    for (let code = 0; code < 0x10000; code++) {
      const character = String.fromCharCode(code)
      if (character === '/') continue
      for (const name of [`${character}.git`, `a${character}b`]) {
        if (isAllowedIn('', name) !== (refusal(notePath, name) === undefined)) wrong.push(name)
      }
    }
    expect(wrong).toEqual([])
  })

  it('says of every name in an allowed folder what notePath would say of the path', () => {
    const odd = fc.constantFrom(
      '.',
      '..',
      '.git',
      'C:x.md',
      'a\\b',
      'a\n',
      '\u200c.git',
      '\u202ea',
      '',
      'a'.repeat(4090),
    )
    const name = fc.oneof(odd, fc.string({ maxLength: 12 }), fc.stringMatching(/^[\w .()+-]{1,12}$/))
    const folder = fc.constantFrom('', 'a', 'Notes/b c', '日本', 'deep/er/still')
    fc.assert(
      fc.property(folder, name, (above, below) => {
        fc.pre(!below.includes('/'))
        const path = above === '' ? below : `${above}/${below}`
        expect(isAllowedIn(above, below)).toBe(refusal(notePath, path) === undefined)
      }),
      { numRuns: 5000 },
    )
  })
})

describe('newNotePath', () => {
  it.each(['CON.md', 'aux.md', 'NUL', 'com1.md', 'LPT9.md', 'CONIN$.md', 'x/prn.txt.md', 'COM¹.md', 'nul .md'])(
    'refuses the device name %s',
    (path) => expect(refusal(newNotePath, path)).toContain('device name'),
  )

  it.each(['a:b.md', 'a:$DATA.md', 't.md.', 't.md ', 'a?b.md', 'a<b.md', 'a|b.md', 'a"b.md', 'a*b.md', 'dir /a.md'])(
    'refuses %j, which not every system allows',
    (path) => expect(refusal(newNotePath, path)).toContain('not every system allows'),
  )

  it('counts a name in bytes', () => {
    expect(refusal(newNotePath, `${'é'.repeat(126)}.md`)).toBeUndefined()
    expect(refusal(newNotePath, `${'é'.repeat(127)}.md`)).toContain('255 bytes')
    expect(refusal(newNotePath, `${'abcdefgh/'.repeat(120)}a.md`)).toContain('too long')
  })

  it('keeps ordinary names, also ones that only look like devices', () => {
    for (const path of ['console.md', 'Auxiliary.md', 'com10.md', 'nullable/a.md', 'Été/日本語.md']) {
      expect(newNotePath(path)).toBe(path)
    }
  })
})

describe('foldPath', () => {
  it.each([
    ['Café.md', 'cafe\u0301.MD'],
    ['Straße.md', 'STRASSE.md'],
    ['STRAẞE.md', 'strasse.md'],
    ['ſ.md', 'S.md'],
    ['\u212a.md', 'k.md'],
    ['ΟΔΟΣ.md', 'οδος.md'],
    ['οδοσ.md', 'οδος.md'],
    ['µ.md', 'μ.md'],
    ['a./b .md', 'A/b .md'],
    ['note.md.', 'note.md'],
    ['note.md  ', 'NOTE.md'],
  ])('makes %j and %j the same', (one, other) => expect(foldPath(one)).toBe(foldPath(other)))

  it.each([
    ['kı.md', 'ki.md'],
    ['a.md', 'b.md'],
    ['a b.md', 'ab.md'],
    ['a/b.md', 'a b.md'],
  ])('keeps %j and %j apart', (one, other) => expect(foldPath(one)).not.toBe(foldPath(other)))

  it('folds what is folded to itself, and does not mind normalisation', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const folded = foldPath(text)
        expect(foldPath(folded)).toBe(folded)
        expect(foldPath(text.normalize('NFD'))).toBe(folded)
      }),
    )
  })
})
