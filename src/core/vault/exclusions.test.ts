import { describe, expect, it } from 'vitest'
import { exclusions } from './exclusions.js'

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
