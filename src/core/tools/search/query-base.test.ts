import { describe, expect, it } from 'vitest'
import { answerOf, failureOf, testContext } from '../../../../test/tools/call-tool.js'
import { queryBase } from './query-base.js'

// The example of the page "Bases syntax" of Obsidian's help, with data for it.
const base = `filters:
  or:
    - file.hasTag("tag")
    - and:
        - file.hasTag("book")
        - file.hasLink("Textbook")
    - not:
        - file.hasTag("book")
        - file.inFolder("Required Reading")
        - file.ext != "md"
formulas:
  formatted_price: 'if(price, price.toFixed(2) + " dollars")'
  ppu: "(price / age).toFixed(2)"
properties:
  status:
    displayName: Status
  formula.formatted_price:
    displayName: "Price"
  file.ext:
    displayName: Extension
summaries:
  customAverage: 'values.mean().round(3)'
views:
  - type: table
    name: "My table"
    limit: 10
    groupBy:
      property: note.age
      direction: DESC
    filters:
      and:
        - 'status != "done"'
        - or:
            - "formula.ppu > 5"
            - "price > 2.1"
    order:
      - file.name
      - file.ext
      - note.age
      - formula.ppu
      - formula.formatted_price
    summaries:
      note.age: customAverage
      formula.ppu: Filled
  - type: list
    name: All
`
const notes = {
  'Books.base': base,
  'Required Reading/A.md': '---\nprice: 10\nage: 2\ntags: [book]\n---\n[[Textbook]]\n',
  'B.md': '---\nprice: 3\nage: 4\nstatus: open\n---\n',
  'C.md': '---\nprice: 30\nage: 2\nstatus: done\n---\n',
  'D.md': '---\nprice: 1\nage: 1\n---\n',
  'Required Reading/E.md': '---\nprice: 9\nage: 1\n---\n',
  'Note.md': 'Text\n\n```base\nfilters: file.hasLink(this.file)\nviews:\n  - type: table\n    name: Links here\n```\n',
  'Linking.md': '[[Note]]\n',
  'Textbook.md': '# Textbook\n',
}

describe('query_base', () => {
  it('runs a view of a base with its filters, formulas, groups, columns and summaries', async () => {
    const { output, text } = await answerOf(queryBase, { path: 'Books' }, await testContext(notes))
    expect(output).toMatchObject({
      view: 'My table',
      views: ['My table', 'All'],
      total: 2,
      columns: ['file.name', 'Extension', 'note.age', 'formula.ppu', 'Price'],
      rows: [
        { path: 'B.md', values: ['B.md', 'md', 4, '0.75', '3.00 dollars'], group: '4' },
        { path: 'Required Reading/A.md', values: ['A.md', 'md', 2, '5.00', '10.00 dollars'], group: '2' },
      ],
      summaries: [
        { property: 'note.age', summary: 'customAverage', value: '3' },
        { property: 'formula.ppu', summary: 'Filled', value: '2' },
      ],
    })
    expect(text).toContain('## 4\npath | file.name | Extension')
    expect(text).toContain('customAverage of note.age: 3')
  })

  it('runs the base block of a note, in which `this` is the note', async () => {
    const { output } = await answerOf(queryBase, { path: 'Note' }, await testContext(notes))
    expect(output.rows.map(({ path }: { path: string }) => path)).toEqual(['Linking.md'])
  })

  it('finds a base by its path before one with the same name in a folder', async () => {
    const context = await testContext({
      'A/X.base': 'views:\n  - name: In A',
      'X.base': 'views:\n  - name: Top',
      'B/Y.base': 'views:\n  - name: In B',
      'C/Y.base': 'views:\n  - name: In C',
      'Y.md': 'Text\n',
    })
    expect((await answerOf(queryBase, { path: 'X' }, context)).output.view).toBe('Top')
    expect((await answerOf(queryBase, { path: 'a/x.base' }, context)).output.view).toBe('In A')
    expect(await failureOf(queryBase, { path: 'Y' }, context)).toMatchObject({
      code: 'ambiguous',
      text: expect.stringContaining('B/Y.base, C/Y.base'),
    })
  })

  it('takes no path out of the vault, and no other kind of file', async () => {
    const context = await testContext({ ...notes, 'Picture.png': 'x', 'Plan.canvas': '{}' })
    for (const path of ['/Books.base', '../Books.base', '/etc/Books', 'Required Reading/../Books.base', '']) {
      expect(await failureOf(queryBase, { path }, context)).toMatchObject({ code: 'path' })
    }
    for (const path of ['Picture.png', 'Plan.canvas']) {
      const failure = await failureOf(queryBase, { path }, context)
      expect(failure).toMatchObject({ code: 'invalid-input' })
      expect(failure.text).toContain(`Not a base: ${path}`)
    }
    expect(await failureOf(queryBase, { path: 'Nothing.base' }, context)).toMatchObject({ code: 'not-found' })
  })

  it('lists attachments and bases as Obsidian does', async () => {
    const { output } = await answerOf(
      queryBase,
      { path: 'All.base' },
      await testContext({ 'All.base': 'filters: file.ext == "base"', 'a.md': '' }),
    )
    expect(output.rows.map(({ path }: { path: string }) => path)).toEqual(['All.base'])
  })

  it.each([
    ['views: 3', 'views must be a list'],
    ['filters: [1', 'not valid YAML'],
    ['filters:\n  xor: [a]', 'filters must be an expression'],
    ['formulas:\n  x: "1 +"', 'formula x: Something is missing at the end'],
    ['views:\n  - name: T\n    order: [formula.x]', 'view T shows formula.x, which is not defined'],
    ['views:\n  - name: T\n    order: [a]\n    summaries: { a: Averag }', 'view T uses the summary Averag'],
    ['views:\n  - name: T\n    limit: 0', 'views[0].limit must be a number'],
    ['views:\n  - name: T\n    filters: nope(1)', 'view T: Unknown function'],
  ])('says what is wrong with a base: %j', async (text, reason) => {
    const failure = await failureOf(queryBase, { path: 'X.base' }, await testContext({ 'X.base': text }))
    expect(failure).toMatchObject({ code: 'invalid-input' })
    expect(failure.text).toContain(reason)
  })

  it('names the views there are when one is unknown', async () => {
    const failure = await failureOf(queryBase, { path: 'Books.base', view: 'Nope' }, await testContext(notes))
    expect(failure).toMatchObject({ code: 'not-found', hint: 'Its views are My table, All.' })
  })
})
