import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { editableText, mergeEdits, withEdits } from './edited-text.js'

const someLine = fc.constantFrom('', 'a', 'b', 'c d', 'ü\rx', '- e')
const someText = fc
  .array(fc.tuple(someLine, fc.constantFrom('\n', '\r\n')), { maxLength: 12 })
  .map((lines) => lines.map(([line, lineBreak]) => line + lineBreak).join(''))
const original = fc.tuple(fc.constantFrom('', '\ufeff'), someText, someLine).map((parts) => parts.join(''))

describe('a note that is edited as text with LF', () => {
  it('has every byte it had where nothing was edited', () => {
    fc.assert(fc.property(original, (text) => withEdits(text, editableText(text)) === text))
  })

  it('has exactly the edited text, whatever its line breaks are', () => {
    fc.assert(
      fc.property(
        original,
        someText.map(editableText),
        (text, edited) => editableText(withEdits(text, edited)) === edited,
      ),
    )
  })

  it('keeps the line breaks of lines that were not edited, and gives new ones the more frequent', () => {
    expect(withEdits('a\r\nb\nc\r\n', 'a\nB\nnew\nc\n')).toBe('a\r\nB\r\nnew\r\nc\r\n')
    expect(withEdits('\ufeffa\nb', 'a\nb\n')).toBe('\ufeffa\nb\n')
  })
})

describe('two edits of the same note', () => {
  const base = 'one\ntwo\nthree\n'

  it('are merged without a conflict where they touch different lines', () => {
    expect(mergeEdits({ base, typed: 'ONE\ntwo\nthree\n', saved: 'one\ntwo\nTHREE\n' })).toEqual({
      conflicts: 0,
      text: 'ONE\ntwo\nTHREE\n',
    })
  })

  it('both stay where they touch the same line, the saved one first', () => {
    expect(mergeEdits({ base, typed: 'one\nmine\nthree\n', saved: 'one\ntheirs\nthree\n' })).toEqual({
      conflicts: 1,
      text: 'one\ntheirs\nmine\nthree\n',
    })
  })
})
