import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { howOften } from '../../../test/runner/how-often.js'
import { completeTail } from './complete-tail.js'
import { readMarkdown } from './read-markdown.js'

describe('the end of a text that is being written', () => {
  it.each([
    ['a **bold', 'a **bold**'],
    ['a **bold*', 'a **bold**'],
    ['a **', 'a '],
    ['a *b **c', 'a *b **c***'],
    ['a `code', 'a `code`'],
    ['a ==mark', 'a ==mark=='],
    ['see [[Garden/Tom', 'see'],
    ['see [[Garden/Tomatoes]', 'see'],
    ['see [[Garden]] and', 'see [[Garden]] and'],
    ['see [the agen', 'see the agen'],
    ['see [the agency](https://exa', 'see the agency'],
    ['see ![alt](http', 'see'],
    ['so $a+b', 'so'],
    ['so $a+b$ is', 'so $a+b$ is'],
    ['it costs $5 and $6', 'it costs $5 and $6'],
    ['a %%hidden', 'a'],
    ['snake_case_name and 2 * 3', 'snake_case_name and 2 * 3'],
    ['text\n\n| a | b |\n|--', 'text\n\n'],
    ['| a | b |\n| - | - |\n| 1', '| a | b |\n| - | - |\n| 1'],
    ['text\n-', 'text\n'],
    ['text\n> [!no', 'text\n'],
    ['```js\nlet a = "**', '```js\nlet a = "**'],
    ['```js\nlet a\n``', '```js\nlet a\n'],
    ['$$\na + b', '$$\na + b\n$$'],
  ])('%j is read as %j', (source, wanted) => {
    expect(completeTail(source)).toBe(wanted)
  })

  it('never changes the kind of a block that has begun, whatever comes next', () => {
    const blocks = fc.constantFrom(
      'Words with **bold** and `code` and [[Note|label]].',
      '| a | b |\n| - | -: |\n| 1 | 2 |',
      '```js\nconst a = 1\n\nb()\n```',
      '> [!warning]- Frost\n> tonight, *late*',
      '$$\nx^2 + y\n$$',
      '- one\n- two with $x_1$\n  - [x] three',
      '1. one\n2. two',
      '## Heading with ==mark==',
      'A price of $5 and $6, and [a link](https://example.org/a).',
    )
    const kinds = (source: string) => readMarkdown(source).map(({ kind }) => kind)
    fc.assert(
      fc.property(fc.array(blocks, { minLength: 1, maxLength: 4 }), (parts) => {
        const whole = parts.join('\n\n')
        const wanted = kinds(whole)
        for (let length = 1; length <= whole.length; length++) {
          const drawn = kinds(completeTail(whole.slice(0, length)))
          expect(wanted.slice(0, drawn.length)).toEqual(drawn)
        }
      }),
      { numRuns: howOften(30, 1000) },
    )
  })
})
