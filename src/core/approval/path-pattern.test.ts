import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { literalPattern, pathPattern } from './path-pattern.js'

describe('a path pattern', () => {
  it.each([
    // pattern, path, exactly, widely
    ['Inbox/**', 'Inbox/x.md', true, true],
    ['Inbox/**', 'Inbox/deep/er/x.md', true, true],
    ['Inbox/**', 'Inbox', false, false],
    ['Inbox/**', 'Inbox-evil/x.md', false, false],
    ['Inbox/**', 'inbox/x.md', false, true],
    ['Inbox/**', 'Other/Inbox/x.md', false, false],
    ['Inbox/', 'Inbox/x.md', true, true],
    ['Inbox', 'Inbox/x.md', true, true],
    ['Inbox', 'Inbox-evil/x.md', false, false],
    ['Inbox/*', 'Inbox/x.md', true, true],
    // A match could be a folder: restricting rules include its contents, as gitignore does.
    ['Inbox/*', 'Inbox/deep/x.md', false, true],
    ['Diar*', 'a/Diary/x.md', false, true],
    ['Inbox/*.md', 'Inbox/deep/x.md', false, false],
    ['Inbox/*.md', 'Inbox/x.md', true, true],
    ['**/x.md', 'x.md', true, true],
    ['**/x.md', 'a/b/x.md', true, true],
    ['a/**/x.md', 'a/x.md', true, true],
    ['a/**/x.md', 'a/b/c/x.md', true, true],
    ['a/**/b/**/x.md', 'a/b/b/c/x.md', true, true],
    // Without a slash: at any depth for rules that restrict, at the top for rules that allow.
    ['x.md', 'x.md', true, true],
    ['x.md', 'a/x.md', false, true],
    ['*.md', 'a/x.md', false, true],
    ['x.md', 'x.md/y.md', false, false],
    // A note by its bare name.
    ['Diary', 'Diary.md', false, true],
    ['Diary', 'a/diary.MD', false, true],
    ['Work/Plan', 'Work/Plan.md', false, true],
    ['Work/Plan', 'Work/Planned.md', false, false],
    ['day-?.md', 'day-1.md', true, true],
    ['day-?.md', 'day-12.md', false, false],
    ['day-?.md', 'day-😀.md', true, true],
    ['a\\*.md', 'a*.md', true, true],
    ['a\\*.md', 'ab.md', false, false],
    ['Café/**', 'Cafe\u0301/x.md', false, true],
    ['STRASSE/**', 'straße/x.md', false, true],
    ['**', 'any/thing.md', true, true],
    // Dots and spaces at the end are part of the name here and not elsewhere.
    ['Diary?/**', 'Diary./x.md', false, true],
    ['Diary?/**', 'Diary /x.md', false, true],
    ['Diary?/**', 'Diary1/x.md', true, true],
    ['Diary?/**', 'Diary1. ./x.md', false, true],
    ['Diary?/**', 'Diary/x.md', false, false],
    ['Diary?/**', 'Diary12/x.md', false, false],
    ['Diary*/**', 'Diary./x.md', true, true],
    ['Diary.*/**', 'Diary./x.md', false, true],
    ['Diary./**', 'Diary/x.md', false, true],
    ['Diary/**', 'Diary. /x.md', false, true],
    ['Diar?./**', 'Diary/x.md', false, true],
    ['x?.md', 'x1.md.', false, true],
    ['Work/Plan', 'Work/Plan.md. ', false, true],
    // Each name in its own spelling.
    ['Diary?/Caf?/**', 'Diary./Cafe\u0301./x.md', false, true],
    ['Caf?/**', 'Cafe\u0301/x.md', false, true],
    ['Cafe?/**', 'Cafe\u0301/x.md', false, true],
    ['Cafe?/**', 'Café/x.md', false, true],
    ['Caf?/**', 'Café/x.md', false, true],
    ['Stra?e/**', 'Straße/x.md', false, true],
    ['Stra??e/**', 'Straße/x.md', false, true],
    ['e*/**', 'e\u0301x/x.md', false, true],
    ['a\u0308?/**', 'a\u0308\u0323/x.md', false, true],
    ['한?/**', '한국/x.md', false, true],
    ['한?/**', `${'한국'.normalize('NFD')}/x.md`, false, true],
    // Fullwidth, and characters that some systems do not see.
    ['Diary/**', 'Ｄｉａｒｙ/x.md', false, true],
    ['Diary/**', 'Ｄｉａｒｙ／x.md', false, true],
    ['Ｄｉａｒｙ／＊＊', 'Diary/x.md', false, true],
    ['Diary/**', 'Di\u200bary/x.md', false, true],
    ['Di\u00adary/**', 'Diary/x.md', false, true],
    ['Diary?/**', 'Diary\u200b/x.md', false, true],
    ['Diary.md', 'Diary．ｍｄ', false, true],
    ['Diary/**', 'Dairy/x.md', false, false],
    ['Diary/**', 'Díary/x.md', false, false],
  ])('%s and %s: exactly %s, widely %s', (pattern, path, exactly, widely) => {
    expect(pathPattern(pattern, 'exact')(path)).toBe(exactly)
    expect(pathPattern(pattern, 'wide')(path)).toBe(widely)
  })

  const name = fc.string({ unit: fc.constantFrom('a', 'b', 'B', '.', 'é', '*', '?'), minLength: 1, maxLength: 5 })
  const path = fc
    .array(name, { minLength: 1, maxLength: 4 })
    .map((names) => names.join('/'))
    // No note has such a path.
    .filter((text) => !/(?:^|\/)\.{1,2}(?:\/|$)/.test(text))

  it('means exactly one path when written literally', () => {
    fc.assert(
      fc.property(path, path, (one, other) => {
        const matches = pathPattern(`${literalPattern(one)}.md`, 'exact')
        expect(matches(`${one}.md`)).toBe(true)
        expect(matches(`${other}.md`)).toBe(one === other)
      }),
    )
  })

  it('never means less to rules that restrict than to rules that allow', () => {
    fc.assert(
      fc.property(path, path, (pattern, other) => {
        if (pathPattern(pattern, 'exact')(other)) expect(pathPattern(pattern, 'wide')(other)).toBe(true)
      }),
    )
  })

  it('does not take long, whatever the pattern', () => {
    const hostile = pathPattern(`${'*a'.repeat(400)}/${'**/'.repeat(50)}${'*a*b'.repeat(100)}`, 'wide')
    expect(hostile(`${'a'.repeat(2000)}/${'a/'.repeat(500)}${'a'.repeat(1000)}`)).toBe(false)
  })
})
