import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { howOften } from '../../../../test/runner/how-often.js'
import { Failure } from '../../errors.js'
import { editFrontmatter, type FrontmatterEdit } from './edit-frontmatter.js'
import { readFrontmatter } from './read-frontmatter.js'

const note = (yaml: string) => `---\n${yaml}---\nbody\n`
const edited = (yaml: string, edit: FrontmatterEdit) => {
  const text = editFrontmatter(note(yaml), edit)
  expect(text.startsWith('---\n') && text.endsWith('---\nbody\n')).toBe(true)
  return text.slice(4, -9)
}

describe('editFrontmatter', () => {
  it('adds a property as exactly one line, with BOM, CRLF, comments and number spellings untouched', () => {
    const before = '\ufeff---\r\ntitle: x # keep me\r\nn: 0o17\r\nz: 1.0\r\nd: 2024-01-02\r\n---\r\nbody\r\n'
    const after = editFrontmatter(before, { set: { added: 1 } })
    expect(after).toBe(before.replace('---\r\nbody', 'added: 1\r\n---\r\nbody'))
  })

  it.each<[string, FrontmatterEdit, string]>([
    ['a: 1 # one\nb: 007\n', { set: { a: 2 } }, 'a: 2 # one\nb: 007\n'],
    ['a:\nb: 1.10\n', { set: { a: 'x' } }, 'a: x\nb: 1.10\n'],
    ['a: # why\nb: 1\n', { set: { a: 'x' } }, 'a: x # why\nb: 1\n'],
    ['a: old\nb: 1\n', { set: { a: null } }, 'a:\nb: 1\n'],
    ['a: |\n  one\n  two\n\nb: 1\n', { set: { a: 'x' } }, 'a: x\n\nb: 1\n'],
    ['a: plain\n  folded\nb: 1\n', { set: { a: 'x' } }, 'a: x\nb: 1\n'],
    ['tags: # mine\n  - a\n  - b\n# next\nb: 1\n', { set: { tags: ['c'] } }, 'tags: # mine\n  - c\n# next\nb: 1\n'],
    ['a: x # c\nb: 1\n', { set: { a: ['p', 'q'] } }, 'a: # c\n  - p\n  - q\nb: 1\n'],
    ['a: 1\n', { set: { a: { k: 'v', l: ['x'] } } }, 'a:\n  k: v\n  l:\n    - x\n'],
    ["'quoted key' : 1\n", { set: { 'quoted key': 2 } }, "'quoted key' : 2\n"],
    ['a: 0o17\n', { set: { a: 15 } }, 'a: 0o17\n'],
    ['', { set: { a: 1 } }, 'a: 1\n'],
    ['# only a comment\n', { set: { a: 1 } }, '# only a comment\na: 1\n'],
  ])('%j with %j becomes %j', (yaml, edit, expected) => {
    expect(edited(yaml, edit)).toBe(expected)
  })

  it.each<[string, string[], string]>([
    ['a: 1\nb: 2 # x\nc: 3\n', ['b'], 'a: 1\nc: 3\n'],
    ['# above\na:\n  - x\n  - y\n# below\nc: 3\n', ['a'], '# above\n# below\nc: 3\n'],
    ['a: >-\n  folded\n  text\nc: 3\n', ['a', 'missing'], 'c: 3\n'],
    ['a: 1\n', ['a'], ''],
  ])('%j without %j becomes %j', (yaml, remove, expected) => {
    expect(edited(yaml, { remove })).toBe(expected)
  })

  it.each<[string, unknown[], string]>([
    ['tags: [a, b] # t\n', ['c'], 'tags: [a, b, c] # t\n'],
    ['tags: [ a,  "b" ]\n', ['c, d'], 'tags: [ a,  "b", "c, d" ]\n'],
    ['tags: [a, b,]\n', ['c'], 'tags: [a, b, c,]\n'],
    ['tags: []\n', ['c', 'd'], 'tags: [c, d]\n'],
    ['tags: [\n  a,\n  b\n]\n', ['c'], 'tags: [\n  a,\n  b, c\n]\n'],
    ['tags:\n- a # first\n- b # last\nx: 1\n', ['c'], 'tags:\n- a # first\n- b # last\n- c\nx: 1\n'],
    ['tags:\n    - a\n\nx: 1\n', ['c', 'a'], 'tags:\n    - a\n    - c\n\nx: 1\n'],
    ['tags:\nx: 1\n', ['c'], 'tags:\n  - c\nx: 1\n'],
    ['x: 1\n', ['c'], 'x: 1\ntags:\n  - c\n'],
    ['tags: one # c\n', ['two'], 'tags: # c\n  - one\n  - two\n'],
    ['tags: one, two\n', ['three'], 'tags:\n  - one\n  - two\n  - three\n'],
    ['tags: [a]\n', ['a'], 'tags: [a]\n'],
  ])('%j with the tags %j becomes %j', (yaml, tags, expected) => {
    expect(edited(yaml, { add: { tags } })).toBe(expected)
  })

  it.each<[string, unknown[], string]>([
    ['tags: [a, b, c] # t\n', ['b'], 'tags: [a, c] # t\n'],
    ['tags: [a, b, c]\n', ['a', 'c'], 'tags: [b]\n'],
    ['tags:\n  - a\n  - b # gone\n  - c\n', ['b'], 'tags:\n  - a\n  - c\n'],
    ['tags:\n  - a\n', ['a'], 'tags: []\n'],
    ['tags: a, b\n', ['a'], 'tags:\n  - b\n'],
    ['tags: [a]\n', ['x'], 'tags: [a]\n'],
  ])('%j without the tags %j becomes %j', (yaml, tags, expected) => {
    expect(edited(yaml, { drop: { tags } })).toBe(expected)
  })

  it('keeps the spelling of a value that becomes the first of a list', () => {
    expect(edited('codes: 007\n', { add: { codes: [8] } })).toBe('codes:\n  - 007\n  - 8\n')
  })

  it('creates frontmatter if there is none, after a BOM and with the note’s line breaks', () => {
    expect(editFrontmatter('body\n', { set: { a: 1 } })).toBe('---\na: 1\n---\nbody\n')
    expect(editFrontmatter('\ufeffbody\r\n', { add: { tags: ['x'] } })).toBe(
      '\ufeff---\r\ntags:\r\n  - x\r\n---\r\nbody\r\n',
    )
    expect(editFrontmatter('', { set: { a: 1 } })).toBe('---\na: 1\n---\n')
    expect(editFrontmatter('body', { remove: ['a'] })).toBe('body')
  })

  it('puts new frontmatter above a block that only looks like it', () => {
    const text = '---js\n{ t: 1 }\n---\nb'
    expect(editFrontmatter(text, { set: { a: 1 } })).toBe(`---\na: 1\n---\n${text}`)
  })

  it('quotes strings only where YAML or Obsidian would misread them', () => {
    const written = (value: unknown) => edited('', { set: { v: value } })
    expect(written('plain text, with commas')).toBe('v: plain text, with commas\n')
    expect(written('2024-01-02')).toBe('v: 2024-01-02\n')
    expect(written('https://example.com/a')).toBe('v: https://example.com/a\n')
    for (const value of [
      '[[Note]]',
      '#tag',
      'yes',
      'No',
      'null',
      '12',
      '1.5',
      '12:30',
      '0x1f',
      '- a',
      '@me',
      'a: b',
      'a #b',
    ]) {
      expect(written(value)).toBe(`v: ${JSON.stringify(value)}\n`)
    }
    expect(written(' padded ')).toBe('v: " padded "\n')
    expect(written('two\nlines')).toBe('v: "two\\nlines"\n')
    expect(written('')).toBe('v: ""\n')
  })

  it('writes a __proto__ key as plain text', () => {
    const text = editFrontmatter(note('title: p\n'), { set: JSON.parse('{"__proto__":{"polluted":1}}') })
    expect(text).toBe(note('title: p\n__proto__:\n  polluted: 1\n'))
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })

  it.each([
    ['broken YAML', 'a: [1\n', { set: { b: 1 } }],
    ['a repeated key', 'a: 1\na: 2\n', { set: { b: 1 } }],
    ['an anchor in the edited value', 'a: &x 1\nb: *x\n', { set: { a: 2 } }],
    ['an anchor in the removed value', 'a:\n  - &x 1\nb: *x\n', { remove: ['a'] }],
    ['a flow mapping as the whole', '{a: 1}\n', { set: { b: 1 } }],
    ['an explicit key', '? a\n: 1\n', { set: { a: 2 } }],
    ['a value that is no data', 'a: 1\n', { set: { a: new Date(0) } }],
    ['adding to an object', 'a:\n  b: 1\n', { add: { a: [1] } }],
    ['a list made by an alias', 'a: &x [1]\nb: *x\n', { add: { b: [2] } }],
  ])('refuses %s', (_, yaml, edit) => {
    expect(() => editFrontmatter(note(yaml), edit)).toThrow(Failure)
  })

  it('can edit a property beside anchors and aliases', () => {
    expect(edited('a: &x 1\nb: *x\nc: 3\n', { set: { c: 4 }, remove: ['b'] })).toBe('a: &x 1\nc: 4\n')
  })

  it('leaves every byte outside the edited property as it was', () => {
    let refused = 0
    const runs = howOften(1000, 10_000)
    fc.assert(
      fc.property(notes, edits, ({ text, places, insertAt }, { key, edit }) => {
        const { start, end } = places.get(key) ?? { start: insertAt, end: insertAt }
        let after: string
        try {
          after = editFrontmatter(text, edit)
        } catch (error) {
          // Adding to an object or a text of several lines.
          expect(error).toBeInstanceOf(Failure)
          refused++
          return
        }
        expect(after.slice(0, start)).toBe(text.slice(0, start))
        expect(after.slice(start).endsWith(text.slice(end))).toBe(true)
      }),
      { numRuns: runs },
    )
    expect(refused).toBeLessThan(runs / 8)
  }, 300_000)

  it('reads back any value it wrote', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme' }), values, (key, value) => {
        const after = editFrontmatter('body', { set: { [key]: value } })
        expect(JSON.stringify(readFrontmatter(after)?.data)).toBe(JSON.stringify({ [key]: value }))
      }),
      { numRuns: 2000 },
    )
  })
})

const body = 'Body: é\nkeep: this\n'

const scalar = fc.constantFrom(
  '007',
  '1.10',
  '0o17',
  '2024-01-02',
  'yes',
  '"a: b"',
  "'it''s'",
  'text é 漢',
  '~',
  'true',
  '1e3',
)
const comment = fc.constantFrom('', '', ' # note', '   # far off')
const pieceOf = (key: string) =>
  fc.oneof(
    fc.tuple(scalar, comment).map(([value, after]) => `${key}: ${value}${after}\n`),
    fc
      .tuple(fc.array(scalar, { maxLength: 3 }), comment)
      .map(([items, after]) => `${key}: [${items.join(',  ')}]${after}\n`),
    fc
      .tuple(fc.array(scalar, { minLength: 1, maxLength: 3 }), fc.constantFrom('', '  ', '    '), comment)
      .map(
        ([items, indent, after]) => `${key}:${after}\n${items.map((item) => `${indent}- ${item}${after}\n`).join('')}`,
      ),
    fc.constantFrom(
      `${key}:\n`,
      `${key}: |\n  one\n  two # text\n`,
      `${key}: >-\n  folded\n\n  more\n`,
      `"${key}" :  x\n`,
    ),
    fc.constant(`${key}:\n  nested: 1\n  deeper:\n    - 2\n`),
  )
const extra = fc.constantFrom('', '', '# a comment\n', '\n')

const notes = fc
  .tuple(
    fc
      .subarray(['one', 'two', 'three', 'four', 'five'])
      .chain((keys) =>
        fc.tuple(
          ...keys.map((key) => fc.tuple(pieceOf(key), extra).map(([source, after]) => ({ key, source, after }))),
        ),
      ),
    fc.boolean(),
    fc.boolean(),
  )
  .map(([found, isCrlf, hasMark]) => {
    const lines = (source: string) => (isCrlf ? source.replaceAll('\n', '\r\n') : source)
    const places = new Map<string, { start: number; end: number }>()
    let text = hasMark ? '\ufeff' : ''
    if (found.length > 0) text += lines('---\n')
    for (const { key, source, after } of found) {
      const start = text.length
      text += lines(source)
      places.set(key, { start, end: text.length })
      text += lines(after)
    }
    const insertAt = text.length
    return { text: text + lines(found.length > 0 ? `---\n${body}` : body), places, insertAt }
  })

const values = fc.oneof(
  fc.string({ maxLength: 30, unit: 'grapheme' }),
  fc.constantFrom(
    '[[Note]]',
    'yes',
    '2024-01-02',
    'a: b',
    '- x',
    '',
    ' ',
    '1_000',
    '---',
    '...',
    'x\ny',
    '\u2028',
    '\ud800',
  ),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.array(fc.oneof(fc.string({ maxLength: 8 }), fc.integer()), { maxLength: 4 }),
  fc
    .dictionary(fc.string({ minLength: 1, maxLength: 6 }), fc.string({ maxLength: 6 }), { maxKeys: 3 })
    .map((object) => ({ ...object })),
)

const edits = fc
  .tuple(fc.constantFrom('one', 'three', 'five', 'six'), values, fc.constantFrom('set', 'set', 'remove', 'add', 'drop'))
  .map(([key, value, kind]) => {
    const edit: FrontmatterEdit =
      kind === 'set'
        ? { set: { [key]: value } }
        : kind === 'remove'
          ? { remove: [key] }
          : kind === 'add'
            ? { add: { [key]: [value, 'new'] } }
            : { drop: { [key]: [7, 'yes', true, null, "it's"] } }
    return { key, edit }
  })
