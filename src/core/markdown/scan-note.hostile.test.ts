import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseNote } from './parse-note.js'

/** Notes of about a given length, each of a kind that is quadratic, or too deep to recurse into, for some parser. */
const attacks: Record<string, (size: number) => string> = {
  'open brackets': (size) => `${'['.repeat(size)}]`,
  'unmatched wikilinks': (size) => '[[ '.repeat(size / 3),
  'wikilinks without an end': (size) => '[[a'.repeat(size / 3),
  'nested quotes': (size) => '>'.repeat(size),
  'nested quotes on many lines': (size) => `${'>'.repeat(1000)}a\n`.repeat(size / 1000),
  'nested lists': (size) => '- '.repeat(size / 2),
  'nested lists, then blank lines': (size) => '- '.repeat(size / 4) + '\n'.repeat(size / 2),
  'list levels on lines of their own': (size) => {
    const depth = Math.floor(Math.sqrt(size))
    return Array.from({ length: depth }, (_, level) => `${'  '.repeat(level)}- x`).join('\n')
  },
  'one line': (size) => 'word '.repeat(size / 5),
  'one line without spaces': (size) => 'x'.repeat(size),
  'backtick runs of all lengths': (size) => {
    let text = ''
    for (let length = 1; text.length < size; length++) text += `${'`'.repeat(length)} `
    return text
  },
  'lone backticks in paragraphs': (size) => '`a ``b\n\n'.repeat(size / 8),
  'code spans in a table row': (size) => `| a |\n| - |\n| ${'`a` '.repeat(size / 4)}|\n`,
  'half links': (size) => '[a](b'.repeat(size / 5),
  'half links in angle brackets': (size) => '[a](<b'.repeat(size / 6),
  'half titles': (size) => '[a](b "'.repeat(size / 7),
  'half tags': (size) => '<a b="'.repeat(size / 6),
  'half tags with attributes': (size) => '<a b c d e '.repeat(size / 11),
  'half comments': (size) => 'x <!-- \n\n'.repeat(size / 9),
  'half comments in quotes': (size) => `${'> <!--\n\n'.repeat(size / 8)}-->`,
  'half comments and one end': (size) => `${'x <!-- \n\n'.repeat(size / 9)}-->`,
  'half autolinks': (size) => '<http:a'.repeat(size / 7),
  'half math': (size) => '$a '.repeat(size / 3),
  'half math blocks': (size) => 'a $$ b\n\n$$$ c\n'.repeat(size / 14),
  'half Obsidian comments': (size) => 'a %% b\n\n'.repeat(size / 8),
  'half definitions': (size) => '[a]: <b\n'.repeat(size / 8),
  'definitions with half titles': (size) => '[a]: b "c\n'.repeat(size / 10),
  'definition labels': (size) => `[${'a'.repeat(990)}\n\n`.repeat(size / 993),
  'unclosed fences in quotes': (size) => '> ```\n\n'.repeat(size / 7),
  'raw HTML without an end': (size) => `<pre>\n${'<pre> a\n'.repeat(size / 8)}`,
  'table borders': (size) => '|-|\n'.repeat(size / 4),
  'setext underlines': (size) => 'a\n-\n'.repeat(size / 4),
  'a heading full of blanks': (size) => `a${' '.repeat(size)}b\n===\n`,
  'a tag full of slashes': (size) =>
    `---\ntags: [a${'/'.repeat(Math.min(size, 60_000))}b]\n---\n#a${'/'.repeat(size)}b`,
  hashes: (size) => '#'.repeat(size),
  'tags without space': (size) => '#a'.repeat(size / 2),
  carets: (size) => '^a-'.repeat(size / 3),
  colons: (size) => 'http://'.repeat(size / 7),
  frontmatter: (size) => `---\n${'a: [['.repeat(size / 5)}\n---\n`,
  'frontmatter without an end': (size) => `---\n${'a: 1\n'.repeat(size / 5)}`,
  'nested frontmatter': (size) => `---\na: ${'['.repeat(size)}\n---\n`,
  'CJK without spaces': (size) => '漢'.repeat(size),
  backslashes: (size) => '\\'.repeat(size),
}

describe('parseNote on hostile text', () => {
  // At this size a quadratic step runs for minutes, into the time limit; a linear one is done in a fraction of a second.
  it.each(Object.keys(attacks))('takes linear time: %s', (name) => {
    const text = attacks[name](800_000)
    const parsed = parseNote('a.md', text)
    expect(parsed.chunks.at(-1)?.end ?? 0).toBeLessThanOrEqual(text.length)
  })

  it('survives one line of millions of characters', () => {
    const parsed = parseNote('line.md', 'some [[link]] and `code` '.repeat(200_000))
    expect(parsed.links.length).toBe(200_000)
    expect(parsed.chunks.length).toBeGreaterThan(1000)
  })

  it('never throws', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200, unit: 'binary' }), fc.string(), (text, path) => {
        parseNote(path, text)
        parseNote(path, `---\n${text}\n---\n`)
      }),
      { numRuns: 1000 },
    )
    const marks = fc.constantFrom(
      ...'[]()<>!`~#$%:\\|-*_=+>^. \t\n\r"\'0123xé🙂\ud800\ufeff'.split(''),
      '---\n',
      '<!--',
      '```',
    )
    fc.assert(
      fc.property(fc.array(marks, { maxLength: 60 }), (parts) => {
        parseNote('a.md', parts.join(''))
      }),
      { numRuns: 5000 },
    )
  })
})
