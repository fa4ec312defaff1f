import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { answerOf, failureOf, testContext } from '../../../../test/tools/call-tool.js'
import { parseInput } from '../tool-input.js'
import { changeNotes } from './change-notes.js'

type Notes = Record<string, string>

async function change(notes: Notes, input: Record<string, unknown>) {
  const context = await testContext(notes)
  const done = await answerOf(changeNotes, input, context)
  const decode = new TextDecoder('utf-8', { ignoreBOM: true })
  const after = Object.fromEntries(
    [...context.memory.snapshot()].map(([path, bytes]) => [path, decode.decode(bytes)]),
  ) as Notes
  return { context, done, after }
}

/** One operation on one note. */
async function changed(text: string, operation: Record<string, unknown>): Promise<string | undefined> {
  const { after } = await change({ 'a.md': text }, { paths: ['a.md'], operations: [operation] })
  return after['a.md']
}

const books: Notes = {
  'Books/Dune.md': '---\ntags: [book, scifi]\nrating: 5 # great\n---\nDune is #long.\n',
  'Books/Emma.md': '---\ntags:\n  - book\nstatus: "read"\n---\nEmma.\r\n',
  'Books/List.md': 'See [[Dune]] and [[Books/Emma|Emma]].\n',
  'Other.md': 'Links to [[Emma]].\n',
}

describe('change_notes', () => {
  it('changes the notes that a query finds, as one change set with rules, and answers without their names', async () => {
    const { context, done, after } = await change(books, {
      where: 'file.hasTag("book")',
      operations: [
        { op: 'set_property', property: 'status', value: 'done' },
        { op: 'add_tag', tag: '#owned' },
        { op: 'replace_text', find: 'Dune is', replace: 'This is' },
      ],
    })
    expect(after).toEqual({
      ...books,
      'Books/Dune.md': '---\ntags: [book, scifi, owned]\nrating: 5 # great\nstatus: done\n---\nThis is #long.\n',
      'Books/Emma.md': '---\ntags:\n  - book\n  - owned\nstatus: "done"\n---\nEmma.\r\n',
    })
    expect(done.text).toBe(
      'Changed 2 notes:\n- Set status to “done”: 2 notes\n- Add the tag #owned: 2 notes\n- Replace “Dune is” by “This is”: 1 note',
    )
    await context.apply(await context.memory.planUndo({ id: done.changeSet!.id }))
    const undone = [...context.memory.snapshot()].map(([path, bytes]) => [path, new TextDecoder().decode(bytes)])
    expect(Object.fromEntries(undone)).toEqual(books)
  })

  it('names rules, counts and samples for the approval', async () => {
    const context = await testContext(books)
    const input = parseInput(changeNotes, {
      folder: 'Books',
      operations: [
        { op: 'set_property', property: 'rating', value: 5 },
        { op: 'rename_tag', tag: 'book', to: 'type/book' },
      ],
    })
    const { changes } = await changeNotes.plan!(input, context)
    expect(changes.title).toBe('Change 3 notes with 2 rules')
    expect(changes.rules).toEqual([
      {
        title: 'Set rating to “5”',
        notes: 2,
        places: 2,
        changes: [1, 2],
        samples: [
          { path: 'Books/Emma.md', before: '', after: 'rating: 5' },
          { path: 'Books/List.md', before: '', after: '---\nrating: 5\n---' },
        ],
        pointer: '/operations/0',
      },
      {
        title: 'Rename the tag #book to #type/book',
        notes: 2,
        places: 2,
        changes: [0, 1],
        samples: [
          { path: 'Books/Dune.md', before: 'tags: [book, scifi]', after: 'tags: [type/book, scifi]' },
          { path: 'Books/Emma.md', before: '  - book', after: '  - type/book' },
        ],
        pointer: '/operations/1',
      },
    ])
  })

  it('moves notes, updates links in all notes, and edits the moved ones in the same change', async () => {
    const { after, done } = await change(books, {
      tags: ['book'],
      operations: [
        { op: 'move', to: 'Archive/Read' },
        { op: 'append', text: 'Read. See [[Dune]].' },
      ],
    })
    expect(after).toEqual({
      'Archive/Read/Dune.md': `${books['Books/Dune.md']}Read. See [[Dune]].\n`,
      'Archive/Read/Emma.md': `${books['Books/Emma.md']}Read. See [[Dune]].\n`,
      'Books/List.md': 'See [[Dune]] and [[Archive/Read/Emma|Emma]].\n',
      'Other.md': books['Other.md'],
    })
    expect(done.text).toContain('1 link updated')
  })

  it('moves no note onto another', async () => {
    const notes = { 'A/Plan.md': 'a', 'B/Plan.md': 'b', 'C/Plan.md': 'c', 'C/New.md': 'n' }
    const { after, done } = await change(notes, { where: 'true', operations: [{ op: 'move', to: 'B/' }] })
    expect(after).toEqual({ 'A/Plan.md': 'a', 'B/Plan.md': 'b', 'C/Plan.md': 'c', 'B/New.md': 'n' })
    expect(done.text).toContain('A/Plan.md: There is already a file at B/Plan.md.')
    const both = await change(
      { 'A/Plan.md': 'a', 'B/Plan.md': 'b' },
      { where: 'true', operations: [{ op: 'move', to: 'D' }] },
    )
    expect(both.after).toEqual({ 'D/Plan.md': 'a', 'B/Plan.md': 'b' })
  })

  it('leaves a note as it is if one operation cannot change it, and says why', async () => {
    const notes = { 'a.md': '---\nx: [1\n---\ntext\n', 'b.md': 'text\n', 'c.md': '# Log\ntext\n' }
    const { after, done } = await change(notes, {
      where: 'true',
      operations: [
        { op: 'replace_text', find: 'text', replace: 'words' },
        { op: 'prepend', text: '- new', heading: 'Log' },
        { op: 'set_property', property: 'ok', value: true },
      ],
    })
    expect(after).toEqual({ ...notes, 'c.md': '---\nok: true\n---\n# Log\n- new\nwords\n' })
    expect(done.output.notes).toBe(1)
    expect(done.output.not_changed).toHaveLength(2)
    expect(done.output.not_changed[0]).toContain('a.md')
  })

  it('names paths that are not there, and leaves out those of except', async () => {
    const { after, done } = await change(
      { 'a.md': 'a\n', 'b.md': 'b\n' },
      { paths: ['a', 'b', 'nope'], except: ['b.md'], operations: [{ op: 'append', text: 'x' }] },
    )
    expect(after).toEqual({ 'a.md': 'a\nx\n', 'b.md': 'b\n' })
    expect(done.output.not_changed).toEqual(['nope: Note not found: nope'])
  })

  it.each([
    [{ operations: [{ op: 'add_tag', tag: 'x' }] }, 'name the notes with where, folder, tags or paths'],
    [{ where: 'true', operations: [{ op: 'set_property', property: 'x' }] }, 'set_property needs value'],
    [{ where: 'true', operations: [{ op: 'add_tag', tag: 'a b' }] }, 'Not a tag'],
    [{ where: 'true', operations: [{ op: 'add_tag', tag: '123' }] }, 'Not a tag'],
    [{ where: 'true', operations: [{ op: 'replace_text', find: '(a)\\1', regex: true }] }, 'not a regular expression'],
    [{ where: 'true', operations: [] }, 'operations'],
    [{ folder: 'Nowhere', operations: [{ op: 'add_tag', tag: 'x' }] }, 'Folder not found'],
    [{ where: 'rating > >', operations: [{ op: 'add_tag', tag: 'x' }] }, ''],
  ])('refuses %j', async (input, words) => {
    const failed = await failureOf(changeNotes, input, await testContext(books))
    expect(failed.text).toContain(words)
  })

  it('changes nothing where nothing would change', async () => {
    const { done, after } = await change(books, {
      where: 'true',
      operations: [{ op: 'set_property', property: 'status', value: 'read' }],
      paths: ['Emma'],
    })
    expect(after).toEqual(books)
    expect(done.changeSet).toBeUndefined()
    expect(done.text).toBe('Nothing to change.')
  })
})

describe('operations', () => {
  it.each([
    ['---\nl: [a, "b"]\n---\n', { op: 'set_property', property: 'l', value: ['a', 'c'] }, '---\nl: [a, "c"]\n---\n'],
    ["---\nl: ['a'] # x\n---\n", { op: 'add_tag', tag: 'b' }, "---\nl: ['a'] # x\ntags:\n  - b\n---\n"],
    ["---\ntags: ['a']\n---\n", { op: 'add_tag', tag: 'b' }, "---\ntags: ['a', 'b']\n---\n"],
    ["---\nt: 'it'\n---\n", { op: 'set_property', property: 't', value: "it's" }, "---\nt: 'it''s'\n---\n"],
    ['---\nl:\n- a\n- b\n---\n', { op: 'set_property', property: 'l', value: ['b', 'c'] }, '---\nl:\n- b\n- c\n---\n'],
    ['---\na: 1\nb: 2\n---\nx', { op: 'remove_property', property: 'a' }, '---\nb: 2\n---\nx'],
    ['x', { op: 'remove_property', property: 'a' }, 'x'],
    ['---\nTags: a\n---\n', { op: 'add_tag', tag: 'b' }, '---\nTags:\n  - a\n  - b\n---\n'],
    ['Uses #Work here\n', { op: 'add_tag', tag: 'work' }, 'Uses #Work here\n'],
    [
      '---\ntags: [x, Work]\n---\nA #work b #work/sub.\n#work c\n',
      { op: 'remove_tag', tag: '#work' },
      '---\ntags: [x]\n---\nA b #work/sub.\nc\n',
    ],
    [
      '---\ntags: [old, new]\n---\n#old/a `#old` #older\n',
      { op: 'rename_tag', tag: 'old', to: 'new' },
      '---\ntags: [new]\n---\n#new/a `#old` #older\n',
    ],
    ['---\ntags: "#old, x"\n---\n', { op: 'rename_tag', tag: 'OLD', to: 'new' }, '---\ntags: "#new, x"\n---\n'],
    ['a\r\nb\r\na\r\nb', { op: 'replace_text', find: 'a\nb', replace: 'c\nd' }, 'c\r\nd\r\nc\r\nd'],
    ['Cat cat', { op: 'replace_text', find: 'CAT', replace: '$1', ignore_case: true }, '$1 $1'],
    [
      '2024-01-02 x',
      { op: 'replace_text', find: '(\\d+)-(\\d+)-(\\d+)', replace: '$3.$2.$1 $$ $&', regex: true },
      '02.01.2024 $ 2024-01-02 x',
    ],
    ['a\nb\n', { op: 'replace_text', find: '^', replace: '> ', regex: true }, '> a\n> b\n> '],
    ['\ufeffx', { op: 'prepend', text: 'a' }, '\ufeffa\nx'],
    ['---\na: 1\n---\nx', { op: 'prepend', text: 'y' }, '---\na: 1\n---\ny\nx'],
    ['# A\nx\n\n# B', { op: 'append', text: '- y', heading: 'A' }, '# A\nx\n- y\n\n# B'],
    ['# A\nx\n\n# B', { op: 'append', text: '- y', heading: 'B' }, '# A\nx\n\n# B\n- y\n'],
  ])('%j with %j', async (before, operation, after) => {
    expect(await changed(before, operation)).toBe(after)
  })

  it('refuses a replacement that makes properties unreadable', async () => {
    const { after, done } = await change(
      { 'a.md': '---\na: [x]\n---\nx]' },
      { paths: ['a.md'], operations: [{ op: 'replace_text', find: 'x]', replace: 'y' }] },
    )
    expect(after['a.md']).toBe('---\na: [x]\n---\nx]')
    expect(done.output.not_changed[0]).toContain('unreadable')
  })

  it('keeps every byte outside the lines of a property, in any note', async () => {
    const line = fc.constantFrom(
      'a: 1',
      "b: 'x'",
      'c: [p, "q"]',
      'd:',
      'tags: [t, u]',
      '# note',
      'e: "é"',
      'f: >-\n  folded',
    )
    const body = fc.string({ unit: 'binary', maxLength: 40 }).map((text) => text.replace(/\p{Surrogate}/gu, ''))
    const cases = fc.record({
      lines: fc.uniqueArray(line, { minLength: 1, maxLength: 6 }),
      lineBreak: fc.constantFrom('\n', '\r\n'),
      mark: fc.constantFrom('', '\ufeff'),
      body,
    })
    await fc.assert(
      fc.asyncProperty(cases, async ({ lines, lineBreak, mark, body }) => {
        const head = lines.flatMap((each) => each.split('\n')).map((each) => each + lineBreak)
        const before = [`${mark}---${lineBreak}`, ...head, `---${lineBreak}`, body]
        const text = await changed(before.join(''), { op: 'set_property', property: 'zz', value: 'new' })
        const added = [...before.slice(0, -2), `zz: new${lineBreak}`, ...before.slice(-2)]
        expect(text).toBe(added.join(''))
      }),
      { numRuns: 60 },
    )
  })
})
