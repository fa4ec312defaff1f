import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { howOften } from '../../../test/runner/how-often.js'
import { loading, resting, url } from '../../../test/samples/loading-addresses.js'
import { inertText, isInert } from './inert-text.js'

const running: Record<string, string> = {
  'a block that runs': '```dataviewjs\ndv.list([1])\n```',
  'a command of Templater, in code too': '`<% tp.system.prompt() %>` and <% tp.date.now() %>',
  'inline code that runs': '`$= dv.current()`',
  'a link that runs a command of the app': '[go](obsidian://adv-uri?commandid=app%3Areload)',
  'a script': '<script>alert(1)</script>',
}

describe('an inert text', () => {
  it.each(Object.entries(resting).filter(([, text]) => !text.startsWith('---')))(
    'is as it was where nothing is loaded: %s',
    (_, text) => {
      expect(inertText(text)).toBe(text)
    },
  )

  it.each(Object.entries({ ...loading, ...running }))('has nothing loaded or run: %s', (_, text) => {
    expect(isInert(text)).toBe(false)
    // Properties are nowhere but at the beginning of a note.
    expect(isInert(inertText(`Text.\n\n${text}`))).toBe(true)
  })

  it('still says what it said', () => {
    expect(inertText(`A picture ![of a bean](${url}) and ${url}.`)).toBe(
      `A picture [of a bean](${url}) and [${url}](${url}).`,
    )
    expect(inertText('```dataviewjs\ndv.list([1])\n```\n\n```js\nx < 1\n```')).toBe(
      '```text\ndv.list([1])\n```\n\n```js\nx < 1\n```',
    )
  })

  it('is inert whatever it was made of', () => {
    const pieces = fc.constantFrom(
      ...Object.values(loading),
      ...Object.values(running),
      '```\n',
      '<div>\n',
      '`',
      '\n\n',
      'x ',
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 6 }), (some) => isInert(inertText(`x\n${some.join('')}`))),
      { numRuns: howOften(200, 3000) },
    )
  })
})
