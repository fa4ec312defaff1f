import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { style, textWidth, visibleText } from '../../terminal/index.js'
import { markdownStream } from './markdown-stream.js'

const colourful = style(true)
const bare = style(false)
const withoutPaint = (text: string) => text.replace(/\x1b\[\d+m/g, '')

function draw(text: string, { look = colourful, width = 80, pieces = [text] } = {}): string {
  const stream = markdownStream(look, width)
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
        expect(letters(withoutPaint(drawn))).toBe(letters(visibleText(text.replace(/\r(?=\n|$)/g, ''))))
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
