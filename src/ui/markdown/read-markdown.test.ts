import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { howOften } from '../../../test/runner/how-often.js'
import {
  emptySealedText,
  hostOf,
  inlineText,
  liveTail,
  readMarkdown,
  type SealedText,
  sealText,
  showsItsHost,
} from './read-markdown.js'

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
      {
        kind: 'table',
        head: [[text('a')], [text('b')]],
        rows: [[[text('1')], [{ kind: 'code', text: 'x' }]]],
        align: ['start', 'start'],
      },
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
                callout: { kind: 'tip', title: [], fold: 'closed' },
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

  it('reads math as Obsidian does, and leaves amounts of money alone', () => {
    const inner = (source: string) => (readMarkdown(source)[0] as { inner: unknown[] }).inner
    expect(inner('so $a_1 + b$ is')).toEqual([
      text('so '),
      { kind: 'math', text: 'a_1 + b', isBlock: false },
      text(' is'),
    ])
    for (const money of ['It costs $5 and $6.', '$5-$6', 'US$ 20 or 30 $', 'from $x$1', '\\$a$', 'a $ b $ c'])
      expect(inner(money)).toEqual([text(money.replace('\\', ''))])
    expect(inner('see $$x^2$$ here')).toContainEqual({ kind: 'math', text: 'x^2', isBlock: true })
    expect(readMarkdown('$$\n\\frac{a}{b}\n$$\n\nafter')).toEqual([
      { kind: 'math', text: '\\frac{a}{b}' },
      paragraph(text('after')),
    ])
    expect(readMarkdown('$$ 5 for it\n\nand more')).toEqual([
      { kind: 'source', text: '$$ 5 for it' },
      paragraph(text('and more')),
    ])
  })

  it('reads footnotes, comments, foldable callouts and the alignment of columns', () => {
    expect(readMarkdown('Rain[^1] and ^[so *on*] snow %%not this%%.\n\n[^1]: From [[Rain]].')).toEqual([
      paragraph(
        text('Rain'),
        { kind: 'footnote', id: '1' },
        text(' and '),
        { kind: 'footnote-text', inner: [text('so '), { kind: 'emphasis', inner: [text('on')] }] },
        text(' snow .'),
      ),
      {
        kind: 'footnote',
        id: '1',
        inner: [text('From '), { kind: 'note-link', target: 'Rain', label: 'Rain', embed: false }, text('.')],
      },
    ])
    expect(readMarkdown('%%\nhidden\n%%\nshown')).toEqual([paragraph(text('shown'))])
    expect(readMarkdown('Hot enough. ^hot-1\n\n- a ^b\n\n^after\n\n2 ^ 3 is x^n')).toEqual([
      paragraph(text('Hot enough.')),
      { kind: 'list', items: [{ blocks: [paragraph(text('a'))] }] },
      paragraph(text('2 ^ 3 is x^n')),
    ])
    expect(readMarkdown('> [!note]- Rain\n> late')).toMatchObject([{ callout: { kind: 'note', fold: 'closed' } }])
    expect(readMarkdown('> [!tip]+\n> late')).toMatchObject([{ callout: { kind: 'tip', fold: 'open' } }])
    expect(readMarkdown('| a | b | c |\n| :- | :-: | -: |\n| 1 | 2 | 3 |')).toMatchObject([
      { align: ['start', 'center', 'end'] },
    ])
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

  it('reads a target with a scheme as an external address, and any other as a note', () => {
    const target = (source: string) => (readMarkdown(source)[0] as { inner: unknown[] }).inner[0]
    expect(target('[x](javascript:alert(1))')).toMatchObject({ kind: 'link', target: 'javascript:alert(1)' })
    expect(target('[x](//evil.test/a)')).toMatchObject({ kind: 'link', target: '//evil.test/a' })
    expect(target('[x](My%20Note.md)')).toMatchObject({ kind: 'note-link', target: 'My Note.md' })
  })

  it('stops at a maximum depth', () => {
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
  '$$',
  '$$ a $$',
  '%%',
  '[^1]: text',
  '  ',
  '',
  '',
)

describe('a text that is still being written', () => {
  it('comes to the same blocks as the whole, however it is cut', () => {
    fc.assert(
      fc.property(fc.array(lines, { maxLength: 14 }), fc.array(fc.integer({ min: 1, max: 9 })), (source, cuts) => {
        const whole = source.join('\n')
        let state: SealedText = emptySealedText
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

  it('starts again with another text', () => {
    const first = sealText('a\n\nb\n\nc\n')
    expect(first.sealed).toHaveLength(2)
    expect(sealText('other', first)).toEqual({ text: 'other', sealed: [], length: 0 })
  })
})

describe('a link whose words look like an address', () => {
  /** The words a reader sees beside the link: the real host, or nothing where the words show it. */
  function besides(markdown: string): string {
    const [block] = readMarkdown(markdown)
    const link = block.kind === 'paragraph' ? block.inner.find(({ kind }) => kind === 'link') : undefined
    if (link?.kind !== 'link') throw new Error(`There is no link in ${markdown}`)
    return showsItsHost(inlineText(link.inner), link.target) ? '' : hostOf(link.target)
  }

  it.each([
    'bank.example',
    'https://bank.example',
    'https://bank.example/?next=evil.test',
    'https://bank.example/evil.test/',
    'https://bank.example#evil.test',
    'https://evil.test.bank.example',
    'https://bank-evil.test',
    'https://bank.example.evil.test',
    'https://notevil.test/',
    'https://evil.test.',
    'https://evil.test:8443/',
    'https://evil.test@bank.example',
    'https://bank.example\\\\@evil.test',
    'bank.example, not evil.test',
    'evil.test is where bank.example is',
    '**bank.example**/evil.test',
    '`https://bank.example` evil.test',
    'https://bank.example/<!-- -->evil.test',
    'ftp://evil.test',
    'https:evil.test',
    'https://еvil.test',
    'https://evil\u3002test',
    'https://evil.te\u00adst',
    'the docs',
  ])('shows the real host beside %s', (words) => {
    for (const target of ['https://evil.test/login', 'http://EVIL.test', 'https://bank.example@evil.test/'])
      expect(besides(`[${words}](${target})`)).toBe('evil.test')
  })

  it.each(['evil.test', 'https://evil.test', 'HTTPS://Evil.TEST/a?b=bank.example', '**evil.test**', 'evil.test:443'])(
    'shows nothing beside %s, which is the real host',
    (words) => expect(besides(`[${words}](https://evil.test/login)`)).toBe(''),
  )

  it('shows the host of a plain address only where the address disguises it', () => {
    expect(besides('https://evil.test/login')).toBe('')
    expect(besides('<https://bank.example@evil.test/>')).toBe('evil.test')
    expect(besides('<https://b\u0430nk.example/>')).toBe('xn--bnk-6cd.example')
  })

  it('shows the host of any other address than the words, for every pair', () => {
    const name = fc.stringMatching(/^[a-z]{1,8}(\.[a-z]{1,8}){1,2}$/)
    const shape = fc.constantFrom(
      'H',
      'https://H',
      'http://H/p',
      'https://H/?a=O',
      'https://H/O',
      'https://O.H',
      'https://H.O',
    )
    fc.assert(
      fc.property(name, name, shape, (own, other, words) => {
        fc.pre(own !== other && !own.endsWith(`.${other}`))
        const written = words.replaceAll('H', other).replaceAll('O', own)
        const claimed = new URL(/^https?:/.test(written) ? written : `https://${written}`).host
        expect(besides(`[${written}](https://${own}/)`)).toBe(claimed === own ? '' : own)
      }),
      { numRuns: howOften(300, 3000) },
    )
  })
})
