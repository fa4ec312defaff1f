import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { howOften } from '../../../test/runner/how-often.js'
import { type ConflictChoice, mergeLines } from './merge-lines.js'

const runs = { numRuns: howOften(100, 3000) }

const lineBreak = fc.constantFrom('\n', '\r\n')
/** Few different lines, so that many are alike; with and without a byte order mark and a last line break. */
const anyText = fc
  .tuple(
    fc.constantFrom('', '\uFEFF'),
    fc.array(fc.tuple(fc.constantFrom('', 'a', 'b', 'c', '\r', '- x', '🙂'), lineBreak), { maxLength: 12 }),
    fc.boolean(),
  )
  .map(([mark, lines, isEnded]) => {
    const text = mark + lines.map((line) => line.join('')).join('')
    return isEnded ? text : text.replace(/\r?\n$/, '')
  })

const merged = (before: string, after: string, now: string, settled: ConflictChoice) => {
  const lines = mergeLines({ before, after, now })
  return lines.text(lines.conflicts.map(() => settled))
}

const linesOf = (text: string) => text.split(/\r?\n/).filter((line) => line !== '')

describe('taking a change out of a text by lines', () => {
  it('restores the earlier bytes if nothing was edited since', () => {
    fc.assert(
      fc.property(anyText, anyText, (before, after) => {
        const lines = mergeLines({ before, after, now: after })
        expect(lines.conflicts).toEqual([])
        expect(lines.text([])).toBe(before)
      }),
      runs,
    )
  })

  it('changes nothing where the change is gone already, or there was none', () => {
    fc.assert(
      fc.property(anyText, anyText, (before, other) => {
        expect(merged(before, other, before, 'keep-mine')).toBe(before)
        expect(merged(other, other, before, 'keep-mine')).toBe(before)
      }),
      runs,
    )
  })

  /** Lines that are all different; some are changed by the change, some others by the user. */
  const edits = fc.array(
    fc.record({
      who: fc.constantFrom('change', 'person', 'nobody'),
      how: fc.constantFrom('replace', 'delete', 'double'),
    }),
    { minLength: 1, maxLength: 20 },
  )
  // A deleted line is marked at the line above.
  const plain = (at: number, how: string) => (how === 'delete' ? [`above ${at}`, `${at}`] : [`${at}`])
  const edited = (at: number, how: string, by: string) =>
    how === 'replace' ? [`${at} ${by}`] : how === 'delete' ? [`above ${at}`] : [`${at}`, `${at} ${by}`]

  it('gives both where they are on different lines', () => {
    fc.assert(
      fc.property(edits, lineBreak, fc.boolean(), (plan, end, isEnded) => {
        const make = (...whose: string[]) => {
          const lines = plan.flatMap(({ who, how }, at) =>
            whose.includes(who) ? edited(at, how, who) : plain(at, how),
          )
          return lines.join(end) + (isEnded && lines.length > 0 ? end : '')
        }
        const lines = mergeLines({ before: make(), after: make('change'), now: make('change', 'person') })
        expect(lines.conflicts).toEqual([])
        expect(linesOf(lines.text([]))).toEqual(linesOf(make('person')))
        // Merged again it stays as it is.
        expect(merged(make(), make('change'), lines.text([]), 'keep-mine')).toBe(lines.text([]))
      }),
      runs,
    )
  })

  it('loses no line of the user unless that is chosen', () => {
    fc.assert(
      fc.property(anyText, anyText, anyText, (before, after, edit) => {
        // Lines that only the user has written.
        const now = edit.replace(/[ab]/g, 'mine')
        const own = (text: string) => linesOf(text).filter((line) => line.includes('mine'))
        expect(own(merged(before, after, now, 'keep-mine'))).toEqual(own(now))
        const { conflicts } = mergeLines({ before, after, now })
        const asked = conflicts.flatMap(({ mine }) => mine.flatMap(own))
        const left = own(merged(before, after, now, 'take-back'))
        expect([...left, ...asked].sort()).toEqual(own(now).sort())
      }),
      runs,
    )
  })

  it('is deterministic, and reports the position of each conflict', () => {
    fc.assert(
      fc.property(anyText, anyText, anyText, (before, after, now) => {
        const [one, other] = [mergeLines({ before, after, now }), mergeLines({ before, after, now })]
        expect(one.conflicts).toEqual(other.conflicts)
        for (const settled of ['keep-mine', 'take-back'] as const) {
          expect(merged(before, after, now, settled)).toBe(merged(before, after, now, settled))
        }
        const lines = now.match(/[^\n]*\n|[^\n]+/g) ?? []
        for (const { line, mine } of one.conflicts) expect(lines.slice(line - 1, line - 1 + mine.length)).toEqual(mine)
      }),
      runs,
    )
  })

  it.each([
    ['an edit of the next line', 'a\nb\n', 'A\nb\n', 'A\nB\n', 'a\nB\n'],
    ['lines added before, between and after', 'a\nb\n', 'A\nb\n', '0\nA\n1\nb\n2\n', '0\na\n1\nb\n2\n'],
    ['a last line that had no end and got one', 'a', 'A', 'A\nmore', 'a\nmore'],
    ['a last line without an end under CRLF', 'x\r\na', 'x\r\nA', 'x\r\nA\r\nmore', 'x\r\na\r\nmore'],
    ['line breaks that an editor has changed everywhere', 'a\nb\n', 'A\nb\n', 'A\r\nb\r\n', 'a\nb\r\n'],
    ['a line deleted by the change, others added by the person', 'a\nb\nc\n', 'a\nc\n', 'a\nc\nd\n', 'a\nb\nc\nd\n'],
    ['lines appended by the change, more by the person', 'a\n', 'a\nX\n', 'a\nX\nY\n', 'a\nY\n'],
  ])('keeps %s', (_, before, after, now, expected) => {
    const lines = mergeLines({ before, after, now })
    expect(lines.conflicts).toEqual([])
    expect(lines.text([])).toBe(expected)
  })

  it.each([
    ['the same line', 'a\n', 'A\n', 'A!\n'],
    ['a line put where one was taken away', 'a\nb\nc\n', 'a\nc\n', 'a\nx\nc\n'],
    ['a line deleted that had been changed', 'a\nb\n', 'A\nb\n', 'b\n'],
  ])('calls a conflict what touches %s', (_, before, after, now) => {
    expect(mergeLines({ before, after, now }).conflicts).toHaveLength(1)
    expect(merged(before, after, now, 'keep-mine')).toBe(now)
    expect(merged(before, after, now, 'take-back')).toBe(before)
  })
})
