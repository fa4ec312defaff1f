import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chunkLimits, chunkNote } from './chunk-note.js'
import { scanNote } from './scan-note.js'

const chunks = (text: string) => chunkNote(text, scanNote(text))
const words = (count: number, word = 'word') => Array(count).fill(word).join(' ')

describe('chunkNote', () => {
  it('gives nothing for a blank note, and one chunk for a lone heading', () => {
    expect(chunks('')).toEqual([])
    expect(chunks('\ufeff \r\n\t\n')).toEqual([])
    expect(chunks('---\na: 1\n---\n\n')).toEqual([])
    expect(chunks('# Only\n').map(({ text }) => text)).toEqual(['# Only'])
  })

  it('does not repeat a very long heading in every chunk', () => {
    const all = chunks(`# ${words(20_000)}\n\n${words(2000)}\n`)
    expect(all.length).toBeGreaterThan(2)
    expect(Math.max(...all.map(({ heading }) => heading.length))).toBe(500)
  })

  it('leaves out the frontmatter and gives the span of a chunk', () => {
    expect(chunks('---\na: 1\n---\n\n# One\r\ntext\r\n\r\n')).toEqual([
      { ordinal: 0, heading: 'One', start: 14, end: 25, lines: [5, 6], text: '# One\r\ntext' },
    ])
  })

  it('keeps small neighbouring sections together, and starts a new chunk at a higher level', () => {
    const text = `# A\n\n## B\n${words(20)}\n\n## C\n${words(20)}\n\n# D\n${words(20)}`
    expect(chunks(text).map(({ heading, lines }) => [heading, ...lines])).toEqual([['A', 1, 10]])
    const deep = `## B\n${words(20)}\n\n### C\n${words(20)}\n\n# D\n${words(20)}`
    expect(chunks(deep).map(({ heading }) => heading)).toEqual(['B', 'D'])
  })

  it('starts a new chunk at a section that does not fit as a whole', () => {
    const text = `# A\n${words(120)}\n\n## B\n${words(60)}\n\n${words(60)}`
    expect(chunks(text).map(({ heading }) => heading)).toEqual(['A', 'B'])
  })

  it('splits a long section at paragraph ends', () => {
    const text = `# A\n\n${Array(5).fill(words(90)).join('\n\n')}`
    expect(chunks(text).map(({ heading, lines }) => [heading, ...lines])).toEqual([
      ['A', 1, 5],
      ['A', 7, 9],
      ['A', 11, 11],
    ])
  })

  it('keeps a heading with the long paragraph that follows it', () => {
    expect(chunks(`# A\n\n## B\n\n${words(400)}`)).toHaveLength(1)
  })

  it('keeps a fence with blank lines whole, unless it is very long', () => {
    const fence = (lines: number) => `\`\`\`\n${Array(lines).fill('one two three\n').join('\n')}\`\`\``
    expect(chunks(`${words(150)}\n\n${fence(40)}\n\n${words(150)}`).map(({ lines }) => lines)).toEqual([
      [1, 1],
      [3, 83],
      [85, 85],
    ])
    const long = chunks(fence(900))
    expect(long.length).toBeGreaterThan(5)
    expect(Math.max(...long.map(({ text }) => text.length))).toBeLessThanOrEqual(chunkLimits.characters)
  })

  it('splits a long list at line ends and a giant line within the limit', () => {
    expect(chunks(Array(100).fill('- five words in each item').join('\n')).length).toBeGreaterThan(2)
    const giant = chunks('word '.repeat(5000))
    expect(giant.every(({ text }) => text.length <= chunkLimits.characters && !/^\S*ord\b(?<!word)/.test(text))).toBe(
      true,
    )
    expect(chunks('🙂'.repeat(5000)).every(({ text }) => /^(?:🙂)+$/u.test(text))).toBe(true)
  })

  it('measures scripts without spaces too', () => {
    expect(chunks(Array(10).fill('漢字'.repeat(50)).join('\n\n')).length).toBeGreaterThan(1)
  })

  it('covers every word once, in order, within the limits', () => {
    const block = fc.oneof(
      fc.integer({ min: 1, max: 6 }).map((level) => `${'#'.repeat(level)} Title`),
      fc.integer({ min: 1, max: 300 }).map((count) => words(count, 'lorem')),
      fc.integer({ min: 1, max: 150 }).map((count) => Array(count).fill('- item of list').join('\n')),
      fc.integer({ min: 1, max: 400 }).map((count) => `\`\`\`\n${Array(count).fill('code line\n').join('\n')}\n\`\`\``),
      fc.constantFrom(
        'Setext\n---',
        '',
        '> quote',
        '%%\ncomment\n\nmore\n%%',
        '$$\nx\n\ny\n$$',
        '<!-- a\n\nb -->',
        '   indented',
      ),
    )
    fc.assert(
      fc.property(fc.array(block, { maxLength: 14 }), fc.constantFrom('\n\n', '\n', '\r\n\r\n'), (blocks, between) => {
        const text = blocks.join(between)
        const found = chunks(text)
        let end = 0
        found.forEach((chunk, index) => {
          expect(chunk.ordinal).toBe(index)
          expect(text.slice(chunk.start, chunk.end)).toBe(chunk.text)
          expect(text.slice(end, chunk.start).trim()).toBe('')
          expect(chunk.text.trim()).not.toBe('')
          expect(chunk.text.length).toBeLessThanOrEqual(chunkLimits.characters)
          expect(chunk.lines[0]).toBe(text.slice(0, chunk.start).split('\n').length)
          expect(chunk.lines[1]).toBe(text.slice(0, chunk.end).split('\n').length)
          end = chunk.end
        })
        expect(text.slice(end).trim()).toBe('')
      }),
      { numRuns: 300 },
    )
  })
})
