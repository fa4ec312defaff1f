import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cpuTime } from '../../../test/runner/cpu-time.js'
import { howOften } from '../../../test/runner/how-often.js'
import { loading, resting, url } from '../../../test/samples/loading-addresses.js'
import { addedAddresses, loadedAddresses } from './loaded-addresses.js'

describe('what a viewer would load', () => {
  it.each(Object.entries(loading))('is found: %s', (_, text) => {
    const found = loadedAddresses('Note.md', text).map((each) => each.url)
    expect(found.some((each) => /evil\.test.*SECRET/i.test(each))).toBe(true)
  })

  it.each(Object.entries(resting))('is not: %s', (_, text) => {
    expect(loadedAddresses('Note.md', text)).toEqual([])
  })

  it('is every address in a canvas, however JSON spells it', () => {
    for (const spelled of [url, url.replaceAll('/', '\\/'), url.replace('h', '\\u0068')]) {
      const text = `{"nodes":[{"type":"link","url":"${spelled}"}]}`
      expect(loadedAddresses('Board.canvas', text).map((each) => each.url)).toEqual([url])
    }
  })

  it('is found in any surroundings', () => {
    const around = fc.constantFrom(
      '',
      'Text.\n\n',
      '# Heading\n\n',
      '- item\n\n',
      '> quote\n\n',
      '`code`\n\n',
      '```js\nx\n```\n\n',
      '| a | b |\n\n',
      '<b>bold</b>\n\n',
      '$x$\n\n',
    )
    const inBody = Object.values(loading).filter((text) => !text.startsWith('---'))
    fc.assert(
      fc.property(
        fc.array(around, { maxLength: 4 }),
        fc.constantFrom(...inBody),
        fc.array(around),
        (before, text, after) => {
          const note = `${before.join('')}${text}\n\n${after.join('')}`
          const found = loadedAddresses('Note.md', note).map((each) => each.url)
          expect(found.some((each) => /evil\.test.*SECRET/i.test(each))).toBe(true)
        },
      ),
      { numRuns: howOften(200, 5000) },
    )
  })

  it('is read in time that grows with the note alone', () => {
    const hostile = ['![', '](', '<img ', '`', '[a]: ', '<', 'https://', '\\', '&#', '---\n', '<div>\n`x`\n']
    for (const piece of hostile) {
      const note = piece.repeat(100_000 / piece.length)
      expect(cpuTime(() => loadedAddresses('Note.md', note))).toBeLessThan(5000)
    }
  })
})

describe('what a change makes a viewer load', () => {
  it('is only what it adds', () => {
    const image = `![](${url})\n`
    expect(addedAddresses('A.md', image, `${image}More.\n`)).toEqual([])
    expect(addedAddresses('A.md', `${image}Old.`, image)).toEqual([])
    expect(addedAddresses('A.md', image, `${image}![](${url}2)`)).toEqual([{ url: `${url}2`, how: 'image' }])
  })

  it('is a reference image in whichever half comes last', () => {
    const [image, definition] = ['![a][r]\n', `\n[r]: ${url}\n`]
    expect(addedAddresses('A.md', image, image + definition)).toMatchObject([{ url }])
    expect(addedAddresses('A.md', definition, definition + image)).toMatchObject([{ url }])
    expect(addedAddresses('A.md', '', definition)).toEqual([])
  })

  it('is a link that becomes an image, and code that is code no longer', () => {
    expect(addedAddresses('A.md', `[a](${url})`, `![a](${url})`)).toMatchObject([{ url }])
    expect(addedAddresses('A.md', `See ${url}`, `![a](${url})`)).toMatchObject([{ url }])
    expect(addedAddresses('A.md', `\`\`\`\n![](${url})\n\`\`\``, `![](${url})`)).toMatchObject([{ url }])
  })
})
