import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cpuTime } from '../../../test/runner/cpu-time.js'
import { howOften } from '../../../test/runner/how-often.js'
import { readableText } from './index.js'

const word = fc.stringMatching(/^[a-z]{1,8}$/)
const address = word.map((name) => `https://${name}.example/a_b*c`)

/** A stretch of Markdown and the words a reader sees in it. */
interface Written {
  markdown: string
  words: string[]
}

const around = (inner: fc.Arbitrary<Written>, open: string, close = open) =>
  inner.map(({ markdown, words }) => ({ markdown: `${open}${markdown}${close}`, words }))
const silent = (markdown: fc.Arbitrary<string>) => markdown.map((text): Written => ({ markdown: text, words: [] }))

const { sentence } = fc.letrec<{ piece: Written; sentence: Written; plain: Written }>((tie) => ({
  plain: word.map((text) => ({ markdown: text, words: [text] })),
  piece: fc.oneof(
    { weight: 4, arbitrary: tie('plain') },
    around(tie('plain'), '**'),
    around(tie('plain'), '*'),
    around(tie('plain'), '_'),
    around(tie('plain'), '***'),
    around(tie('plain'), '~~'),
    around(tie('plain'), '=='),
    around(tie('plain'), '`'),
    around(tie('plain'), '**_', '_**'),
    around(tie('plain'), '<b>', '</b>'),
    around(tie('plain'), '<span class="x">', '</span>'),
    around(tie('plain'), '[[Folder/Note|', ']]'),
    around(tie('plain'), '[[', ']]'),
    around(tie('plain'), '[**', '**](https://a.example "title")'),
    around(tie('plain'), '[', '][ref]'),
    fc.tuple(tie('plain'), address).map(([{ words }, url]) => ({ markdown: `[${words[0]}](${url})`, words })),
    silent(address.map((url) => `[![badge](${url}.svg)](${url})`)),
    silent(address.map((url) => `![picture](${url}.png)`)),
    silent(fc.constantFrom('<br>', '![[picture.png]]', '[^1]', '<!-- hidden -->', '%% hidden %%', '<img src="a.png">')),
  ),
  sentence: fc.array(tie('piece'), { minLength: 1, maxLength: 12 }).map((pieces) => ({
    markdown: ['start', ...pieces.map(({ markdown }) => markdown)].join(' '),
    words: ['start', ...pieces.flatMap(({ words }) => words)],
  })),
}))

const seen = (markdown: string) =>
  readableText(markdown)
    .split(/\s+/)
    .filter((text) => text !== '')

describe('readLines', () => {
  it('keeps the words of every sentence in order, without markup', () => {
    fc.assert(
      fc.property(
        sentence,
        fc.constantFrom('', '- ', '1. ', '- [ ] ', '> ', '> - ', '## ', '> [!note] ', '---\ntitle: "x"\n---\n'),
        ({ markdown, words }, prefix) => {
          expect(seen(prefix + markdown)).toEqual(words)
        },
      ),
      { numRuns: howOften(500, 20_000) },
    )
  })

  it('removes emphasis that spans lines', () => {
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 2, maxLength: 8 }),
        fc.constantFrom('**', '*', '_', '=='),
        (words, mark) => {
          expect(seen(`Say ${mark}${words.join('\n')}${mark}.`).join(' ')).toBe(`Say ${words.join(' ')}.`)
        },
      ),
      { numRuns: howOften(100, 2000) },
    )
  })

  it('reads the rows of a table with its headers, and no pipes', () => {
    const cells = fc.array(sentence, { minLength: 3, maxLength: 3 })
    fc.assert(
      fc.property(cells, cells, (headers, row) => {
        const line = (written: Written[]) =>
          `| ${written.map(({ markdown }) => markdown.replaceAll('|', '\\|')).join(' | ')} |`
        const table = `${line(headers)}\n| --- | :-: | --: |\n${line(row)}\n`
        const told = row.map(({ words }, at) => `${headers[at].words.join(' ')}: ${words.join(' ')}`)
        expect(readableText(table).trim()).toBe(told.join('; '))
      }),
      { numRuns: howOften(200, 5000) },
    )
  })

  it('gives one line for each line of any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'ab \n*_~=`|[]()<>!#->%$^\\'), maxLength: 80 }), (text) => {
        const lines = text.endsWith('\n') ? text.slice(0, -1) : text
        expect(readableText(text).split('\n')).toHaveLength(lines.split('\n').length)
      }),
      { numRuns: howOften(1000, 50_000) },
    )
  })

  it('keeps characters that are no markup', () => {
    expect(readableText('2 * 3 = 6, snake_case_name, a < b, C# and *args.')).toBe(
      '2 * 3 = 6, snake_case_name, a < b, C# and *args.',
    )
  })

  it('takes linear time', () => {
    const pieces = ['**a ', '*a_', '[a][', '<a ', '| a ', '[[a|', '`a', '==a']
    const spent = cpuTime(() => {
      for (const piece of pieces) readableText(piece.repeat(20_000))
    })
    expect(spent).toBeLessThan(10_000)
  })
})
