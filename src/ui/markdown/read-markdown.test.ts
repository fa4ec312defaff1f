import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { howOften } from '../../../test/how-often.js'
import { readMarkdown } from './read-markdown.js'
import { liveTail, nothingSealed, type SealedText, sealText } from './sealed-text.js'

const text = (words: string) => ({ kind: 'text', text: words })
const paragraph = (...inner: unknown[]) => ({ kind: 'paragraph', inner })

describe('Markdown as data', () => {
  it('reads what people write in notes', () => {
    expect(readMarkdown('## Late *blight*\n\nSee [[Garden/Tomatoes#Rain|tomatoes]] and ==this==.\nMore')).toEqual([
      { kind: 'heading', level: 2, inner: [text('Late '), { kind: 'emphasis', inner: [text('blight')] }] },
      paragraph(
        text('See '),
        { kind: 'note-link', target: 'Garden/Tomatoes#Rain', label: 'tomatoes', embed: false },
        text(' and '),
        { kind: 'mark', inner: [text('this')] },
        text('. More'),
      ),
    ])
    expect(readMarkdown('1. one\n2. two\n   - [x] done\n')).toMatchObject([
      {
        kind: 'list',
        start: 1,
        items: [
          { blocks: [paragraph(text('one'))] },
          {
            blocks: [
              paragraph(text('two')),
              { kind: 'list', items: [{ done: true, blocks: [paragraph(text('done'))] }] },
            ],
          },
        ],
      },
    ])
    expect(readMarkdown('| a | b |\n|---|---|\n| 1 | `x` |')).toEqual([
      { kind: 'table', head: [[text('a')], [text('b')]], rows: [[[text('1')], [{ kind: 'code', text: 'x' }]]] },
    ])
    expect(readMarkdown('> [!warning] Frost\n> tonight')).toMatchObject([
      { kind: 'quote', callout: { kind: 'warning', title: [text('Frost')] }, blocks: [paragraph(text('tonight'))] },
    ])
    expect(readMarkdown('- a\n  > [!tip]-\n  > > [!note] **in**\n  > > it')).toMatchObject([
      {
        items: [
          {
            blocks: [
              paragraph(text('a')),
              {
                callout: { kind: 'tip', title: [] },
                blocks: [
                  {
                    callout: { kind: 'note', title: [{ kind: 'strong', inner: [text('in')] }] },
                    blocks: [paragraph(text('it'))],
                  },
                ],
              },
            ],
          },
        ],
      },
    ])
    expect(readMarkdown('```js\na\n\n  b\n```')).toEqual([{ kind: 'code', info: 'js', text: 'a\n\n  b' }])
  })

  it('keeps HTML as text, pictures as words, and embeds as links', () => {
    expect(readMarkdown('<img src=x onerror=alert(1)>')).toEqual([
      { kind: 'source', text: '<img src=x onerror=alert(1)>' },
    ])
    expect(readMarkdown('a <b onclick=x>b</b>')).toEqual([paragraph(text('a <b onclick=x>b</b>'))])
    expect(readMarkdown('![x](https://evil.test/p?d=1)')).toEqual([
      paragraph({ kind: 'picture', target: 'https://evil.test/p?d=1', label: 'x' }),
    ])
    expect(readMarkdown('![[Plan.png]]')).toEqual([
      paragraph({ kind: 'note-link', target: 'Plan.png', label: 'Plan.png', embed: true }),
    ])
    expect(readMarkdown('![][r]\n\n[r]: https://evil.test/p')).toMatchObject([
      paragraph(text('![][r]')),
      { kind: 'source' },
    ])
  })

  it('takes what has a scheme for an address elsewhere, whatever the scheme, and the rest for a note', () => {
    const target = (source: string) => (readMarkdown(source)[0] as { inner: unknown[] }).inner[0]
    expect(target('[x](javascript:alert(1))')).toMatchObject({ kind: 'link', target: 'javascript:alert(1)' })
    expect(target('[x](//evil.test/a)')).toMatchObject({ kind: 'link', target: '//evil.test/a' })
    expect(target('[x](My%20Note.md)')).toMatchObject({ kind: 'note-link', target: 'My Note.md' })
  })

  it('ends at a depth nobody reads', () => {
    const deep = JSON.stringify(readMarkdown(`${'> '.repeat(500)}x\n\n${'*'.repeat(2000)}y${'*'.repeat(2000)}`))
    expect(deep).toContain('"source"')
  })
})

const lines = fc.constantFrom(
  'Plain words',
  '# Heading',
  '- item',
  '  - inner',
  '1. first',
  '2) second',
  '> quoted',
  '>> deeper',
  '```',
  '```js',
  '~~~',
  '    indented',
  '\tindented',
  '***',
  '---',
  '===',
  '| a | b |',
  '|---|---|',
  '<div>',
  '</div>',
  '<!-- a',
  '-->',
  '[r]: /target',
  "'title",
  '* * a',
  '[[Note]] and **bold',
  '  ',
  '',
  '',
)

describe('a text that is still being written', () => {
  it('comes to the same blocks as the whole, however it is cut', () => {
    fc.assert(
      fc.property(fc.array(lines, { maxLength: 14 }), fc.array(fc.integer({ min: 1, max: 9 })), (source, cuts) => {
        const whole = source.join('\n')
        let state: SealedText = nothingSealed
        let at = 0
        for (const cut of [...cuts, whole.length]) {
          at = Math.min(whole.length, at + cut)
          const before = state.sealed
          state = sealText(whole.slice(0, at), state)
          expect(state.sealed.slice(0, before.length)).toEqual(before)
          expect(state.sealed.join('') + liveTail(state)).toBe(whole.slice(0, at))
        }
        expect([...state.sealed, liveTail(state)].flatMap(readMarkdown)).toEqual(readMarkdown(whole))
      }),
      { numRuns: howOften(300, 20_000) },
    )
  })

  it('begins anew when it is another text', () => {
    const first = sealText('a\n\nb\n\nc\n')
    expect(first.sealed).toHaveLength(2)
    expect(sealText('other', first)).toEqual({ text: 'other', sealed: [], length: 0 })
  })
})
