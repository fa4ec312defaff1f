import { parser } from '@lezer/markdown'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { scanNote } from './scan-note.js'

const kinds: Record<string, string> = {
  FencedCode: 'fence',
  CodeBlock: 'indented-code',
  InlineCode: 'code-span',
  Comment: 'html-comment',
  CommentBlock: 'html-comment',
}

function lezerRegions(text: string): string[] {
  const found: string[] = []
  parser.parse(text).iterate({
    enter: (node) => {
      const kind = kinds[node.name]
      if (kind !== undefined) found.push(`${kind} ${node.from}-${node.to}`)
    },
  })
  return found
}

function ourRegions(text: string): string[] {
  return scanNote(text).regions.map(({ kind, start, end }) => `${kind} ${start}-${end}`)
}

const inlinePiece = fc.constantFrom(
  'word',
  ' ',
  ' ',
  'two words',
  '`',
  '``',
  '```',
  '`code`',
  '``a ` b``',
  '\\',
  '*',
  '_em_',
  '<b>',
  '<a href="x`y">',
  '<',
  '<https://a.b/`c>',
  '[text](url)',
  '[a `b](c` d)',
  '![image](a`b)',
  '<!-- in',
  '-->',
  '<!-- c -->',
  'ä漢🙂',
)
const inline = fc.array(inlinePiece, { minLength: 1, maxLength: 8 }).map((pieces) => `x${pieces.join('')}`)

const prefix = fc.constantFrom(
  '',
  '',
  '',
  '',
  ' ',
  '   ',
  '    ',
  '      ',
  '> ',
  '>',
  '>> ',
  '- ',
  '  ',
  '* ',
  '1. ',
  '   - ',
  '  > ',
  '\t',
)
const content = fc.oneof(
  { weight: 6, arbitrary: inline },
  { weight: 3, arbitrary: fc.constant('') },
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      '```',
      '````',
      '~~~',
      '```js',
      '~~~ `x`',
      '``` a`b',
      '# head `c`',
      '## `a` ##',
      '---',
      '===',
      '***',
      '<!-- one -->',
      '<!-- open',
      'close -->',
      '-',
      '[a]: b',
      '[a]: `b`',
      '- ',
      '5. x',
    ),
  },
)
const line = fc.tuple(prefix, content).map(([before, after]) => before + after)
const documents = fc.array(line, { maxLength: 14 }).map((lines) => ['start', '', ...lines, '', 'end'].join('\n'))

describe('scanNote and a full Markdown parser', () => {
  it('find code spans, fences, indented code and HTML comments at the same places', () => {
    fc.assert(
      fc.property(documents, (text) => {
        fc.pre(comparable(text))
        expect(ourRegions(text)).toEqual(lezerRegions(text))
      }),
      { numRuns: 5000 },
    )
  })
})

/** Leaves out what we read otherwise on purpose; in all but the first, the CommonMark reference reads it as we do. */
function comparable(text: string): boolean {
  // Text after a block comment's end counts here, so that no link in it is missed.
  let hasTail = false
  parser.parse(text).iterate({
    enter: ({ name, from, to }) => {
      if (name !== 'CommentBlock') return
      const comment = text.slice(from, to)
      if (/-->[^\n]/.test(comment)) hasTail = true
    },
  })
  if (hasTail) return false
  // A list item that begins with a blank line.
  if (/^[ \t>]*(?:(?:[-*+]|\d+\.) *)+$/m.test(text)) return false
  // A run of backticks right after an escaped one.
  if (text.includes('\\``')) return false
  // A list that begins at 5 right after the text of a quote or another list.
  const container = /^\s*(?:>|[-*] |\d\. |\t| {2})/m
  if (text.split('\n\n').some((block) => /\n[ \t>]*5\. /.test(block) && container.test(block))) return false
  // An indented line, or one that continues it lazily, right after a reference definition.
  return !/\[a\]: .*\n[ \t>]*(?:\t| {4})/.test(text) && !/[->*.] *\[a\]: .*\n[ \t>]*\S/.test(text)
}
