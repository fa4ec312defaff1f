import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { style, terminalText } from '../terminal/terminal.js'
import { textWidth } from '../terminal/text-width.js'
import { markdownStream } from './markdown.js'

const colourful = style(true)
const bare = style(false)
const withoutPaint = (text: string) => text.replace(/\x1b\[\d+m/g, '')

function draw(text: string, { look = colourful, width = 80, pieces = [text] } = {}): string {
  const stream = markdownStream({ style: look, width })
  return pieces.map((piece) => stream.push(piece)).join('') + stream.end()
}

describe('Markdown on a terminal', () => {
  it('shows headings, bold, code, lists and quotes', () => {
    const text = '# Sowing\n\nUse **good** soil and `compost`.\n\n- early\n- late\n\n1. first\n\n> Water *early*.\n'
    expect(draw(text)).toBe(
      [
        '\x1b[1mSowing\x1b[22m',
        '',
        'Use \x1b[1mgood\x1b[22m soil and \x1b[36mcompost\x1b[39m.',
        '',
        '• early',
        '• late',
        '',
        '1. first',
        '',
        '\x1b[2m│ \x1b[22mWater \x1b[3mearly\x1b[23m.',
        '',
      ].join('\n'),
    )
  })

  it('leaves the text of code alone', () => {
    const code = '```sh\nrm **not bold** # not a heading\n\n- not a list\n```\nafter **it**'
    expect(withoutPaint(draw(code))).toBe(
      '  sh\n  rm **not bold** # not a heading\n  \n  - not a list\n  ┄┄\nafter it\n',
    )
  })

  it('keeps names with underscores, lone stars and unfinished marks', () => {
    const text = 'snake_case_name 2 * 3 * 4 **open `tick [[Note|alias]] [half](\n'
    expect(withoutPaint(draw(text))).toBe(text)
  })

  it('shows where a link leads', () => {
    expect(withoutPaint(draw('See [the docs](https://example.org/a_b_c).'))).toBe(
      'See the docs (https://example.org/a_b_c).\n',
    )
  })

  it('shows where a link leads whose words are another address', () => {
    for (const words of [
      'https://bank.example',
      'bank.example',
      'https://bank.example/?to=evil.test',
      '**bank.example**',
    ])
      expect(withoutPaint(draw(`[${words}](https://evil.test/)`))).toContain(' (https://evil.test/)')
    expect(withoutPaint(draw('[https://evil.test/](https://evil.test/)'))).toBe('https://evil.test/\n')
  })

  it('sets paragraphs, lists and quotes into the width', () => {
    const words = 'Tomatoes want **sun and water** early in the day, every day.'
    const drawn = withoutPaint(draw(`${words}\n\n  - ${words}\n\n> ${words}\n`, { width: 24 })).split('\n')
    expect(Math.max(...drawn.map(textWidth))).toBeLessThanOrEqual(24)
    expect(drawn.slice(0, 3)).toEqual(['Tomatoes want sun and', 'water early in the day,', 'every day.'])
    expect(drawn[4]).toBe('  • Tomatoes want sun')
    expect(drawn[5]).toMatch(/^ {4}\S/)
    expect(drawn.filter((line) => line.startsWith('│ '))).toHaveLength(3)
  })

  it('keeps the marks where there is no colour to tell them by', () => {
    const text = '# Sowing\n\n- **good** soil\n\n> Water.\n\n```js\ncode\n```\n'
    expect(draw(text, { look: bare })).toBe(text)
  })

  it('obeys no escape sequence', () => {
    const drawn = draw('**a\x1b]0;title\x07b** \u202etxt.exe\n')
    expect(withoutPaint(drawn)).toBe('a⟦U+001B⟧]0;title⟦U+0007⟧b ⟦U+202E⟧txt.exe\n')
  })

  const markdown = fc
    .array(
      fc.oneof(
        fc.constantFrom(
          '#',
          '**',
          '*',
          '_',
          '`',
          '```',
          '~~~',
          '>',
          '- ',
          '1. ',
          '|',
          '[',
          '](',
          ')',
          '[[',
          ']]',
          '\\',
        ),
        fc.constantFrom('\n', '\n\n', ' ', '   ', '\t', '\r\n', '\x1b[31m', '汉字', '👩‍🌾', 'é'),
        fc.string({ maxLength: 8 }),
        fc.stringMatching(/^[a-z0-9]{1,12}$/),
      ),
      { maxLength: 60 },
    )
    .map((parts) => parts.join(''))
  const letters = (text: string) => text.replace(/[^\p{L}\p{N}]/gu, '')

  it('loses no letter and invents none, whatever the text', () => {
    fc.assert(
      fc.property(markdown, fc.integer({ min: 10, max: 100 }), fc.boolean(), (text, width, isColourful) => {
        const drawn = draw(text, { look: isColourful ? colourful : bare, width })
        expect(letters(withoutPaint(drawn))).toBe(letters(terminalText(text.replace(/\r(?=\n|$)/g, ''))))
      }),
      { numRuns: 2000 },
    )
  })

  it('draws the same however the text is cut', () => {
    fc.assert(
      fc.property(markdown, fc.array(fc.nat(200), { maxLength: 10 }), (text, cuts) => {
        const places = [...new Set([0, ...cuts.map((cut) => Math.min(cut, text.length)), text.length])].sort(
          (a, b) => a - b,
        )
        const pieces = places.slice(1).map((end, at) => text.slice(places[at], end))
        expect(draw(text, { pieces })).toBe(draw(text))
      }),
    )
  })
})

describe('a table on a terminal', () => {
  const table = [
    '| Crop | Sow | Harvest in the garden |',
    '| :--- | ---: | :---: |',
    '| **Tomato** | March | August |',
    '| Bean \\| pea | May | September and October |',
  ].join('\n')
  const lines = (width: number, text = table) =>
    withoutPaint(draw(`${text}\n`, { width }))
      .split('\n')
      .slice(0, -1)

  it('is drawn in columns, aligned as it says', () => {
    expect(lines(80)).toEqual([
      'Crop       │   Sow │ Harvest in the garden',
      '───────────┼───────┼──────────────────────',
      'Tomato     │ March │        August',
      'Bean | pea │   May │ September and October',
    ])
  })

  it('is set into a narrower width at words, with a rule between rows of several lines', () => {
    expect(lines(30)).toEqual([
      'Crop      │   Sow │  Harvest',
      '          │       │  in the',
      '          │       │  garden',
      '──────────┼───────┼──────────',
      'Tomato    │ March │  August',
      '──────────┼───────┼──────────',
      'Bean |    │   May │ September',
      'pea       │       │    and',
      '          │       │  October',
    ])
  })

  it('is a list of its rows where columns would break words', () => {
    expect(lines(20)).toEqual([
      'Crop: Tomato',
      'Sow: March',
      'Harvest in the',
      '  garden: August',
      '────────────',
      'Crop: Bean | pea',
      'Sow: May',
      'Harvest in the',
      '  garden: September',
      '  and October',
    ])
  })

  it('appears when it has ended, and the text around it at once', () => {
    const stream = markdownStream({ style: colourful, width: 80 })
    expect(stream.push('Before.\n')).toBe('Before.\n')
    expect(stream.push(`${table}\n`)).toBe('')
    expect(withoutPaint(stream.push('\nAfter.\n'))).toMatch(/^Crop [\s\S]*October\n\nAfter\.\n$/)
  })

  it('is text where it has no delimiter row, or where there is no colour', () => {
    expect(lines(80, '| a | b |\n| c | d |')).toEqual(['| a | b |', '| c | d |'])
    expect(draw(`${table}\n`, { look: bare })).toBe(`${table}\n`)
  })

  it('keeps every word whole that fits the width, at any width', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.stringMatching(/^[a-z]{1,8}( [a-z]{1,8}){0,3}$/), { minLength: 2, maxLength: 5 }), {
          minLength: 2,
          maxLength: 5,
        }),
        fc.integer({ min: 20, max: 100 }),
        (rows, width) => {
          const row = (cells: string[]) => `| ${cells.join(' | ')} |`
          const text = [row(rows[0]), row(rows[0].map(() => '---')), ...rows.slice(1).map(row)].join('\n')
          const drawn = lines(width, text)
          for (const line of drawn) expect(textWidth(line)).toBeLessThanOrEqual(width)
          const words = drawn.join(' ').split(/[^a-z]+/)
          for (const cell of rows.slice(1).flat()) for (const word of cell.split(' ')) expect(words).toContain(word)
        },
      ),
      { numRuns: 500 },
    )
  })
})
