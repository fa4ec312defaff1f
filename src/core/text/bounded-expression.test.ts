import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { boundedExpression } from './bounded-expression.js'

const matches = (source: string, text: string) => boundedExpression(source, { ignoreCase: true })?.test(text)

describe('an expression in bounded time', () => {
  it.each([
    '\\.excalidraw\\.md$',
    '^Archive/',
    '^(?!Notes/).*\\.md$',
    '(?<=Templates/).*Day',
    '(?<!Old )Plan',
    '^[^/]+$',
    '\\bTODO\\b',
    '(?:Daily|Weekly)/\\d{4}-\\d{2}(-\\d{2})?',
    '(?<year>20\\d\\d)',
    'x{2,3}|y{2}|z{2,}',
    'a{,2}',
    '[\\]x-z-]',
    '[]|b',
    'a|[^]',
    '\\x41|\\u0042',
    'é|[à-ü]',
    '(a*)*b',
    '(?:)*c',
    '(?:){3}d',
    'a+?b??',
    '',
    '|x',
    '\\/\\.\\-',
    '}',
    'Bücher/',
    '\\S+\\s\\D\\W',
    '\\0|\\t',
    '(?=.*a)(?=.*b)',
    '(?:^|/)_',
    '.',
  ])('answers as the platform does for %s', (source) => {
    const own = new RegExp(source, 'i')
    const texts = [
      '',
      'a.md',
      'Archive/a.md',
      'Notes/b c.md',
      'x/Plan.excalidraw.md',
      'Old Plan.md',
      'Templates/Day.md',
    ]
    texts.push(
      'daily/2024-01-31.md',
      'xxx',
      'yy',
      'aaab',
      'a{,2}',
      ']',
      '}',
      'BÜCHER/É',
      'todo',
      'b/_c',
      'a\nb',
      '\0',
      'a b-c 1',
    )
    for (const text of texts) expect([text, matches(source, text)]).toEqual([text, own.test(text)])
  })

  it('answers as the platform does for any expression of the usual parts', () => {
    const leaf = fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '\\w', '\\b', '^', '$', '/')
    const { expression } = fc.letrec<{ expression: string }>((tie) => ({
      expression: fc.oneof(
        { maxDepth: 4, withCrossShrink: true },
        leaf,
        fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => a + b),
        fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => `(?:${a}|${b})`),
        fc
          .tuple(tie('expression'), fc.constantFrom('*', '+', '?', '{2}', '{1,2}', '{0,}', '*?'))
          .map(([a, sign]) => `(${a})${sign}`),
        fc.tuple(fc.constantFrom('?=', '?!', '?<=', '?<!'), tie('expression')).map(([look, a]) => `(${look}${a})`),
      ),
    }))
    fc.assert(
      fc.property(expression, fc.stringMatching(/^[abc/]{0,6}$/), (source, text) => {
        expect(matches(source, text)).toBe(new RegExp(source, 'i').test(text))
      }),
      { numRuns: 2000 },
    )
  })

  const long = 'a'.repeat(2000)
  it.each([
    '^(a+)+$',
    '^(a|a)*$',
    '^(a|aa)+$',
    '^([a-z]+)*$',
    '^(.*)*!$',
    '^(.*)(.*)(.*)(.*)(.*)(.*)(.*)(.*)(.*)(.*)!$',
    '^(?:(?:a*)*)*$',
    '(?=(a+)+!)',
    '(?<=^(a+)+)!',
    '((a{1,30}){1,30}){1,30}$',
    '(a?){50}a{50}!',
    '(x+x+)+y',
    '^(([a-z])+.)+[A-Z]([a-z])+!$',
  ])('ends for %s, which the platform would try for years', (source) => {
    const expression = boundedExpression(source)
    for (const text of [`${long}!`, `${long}\n`, `${'x'.repeat(2000)}`, 'a'.repeat(60), `${long} `]) {
      try {
        expect([true, false, undefined]).toContain(expression?.test(text))
      } catch (error) {
        expect(error).toMatchObject({ code: 'too-large' })
      }
    }
  })

  it('still excludes what an expression with nested repetition means', () => {
    expect(matches('^(a+)+$', 'aaaa')).toBe(true)
    expect(matches('^(a+)+$', `${'a'.repeat(60)}!`)).toBe(false)
    expect(matches('^([a-z]+/)*private/', 'work/very/private/x.md')).toBe(true)
  })

  it('finds the same text and groups as the platform', () => {
    const leaf = fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '\\b', '^', '$')
    const { expression } = fc.letrec<{ expression: string }>((tie) => ({
      expression: fc.oneof(
        { maxDepth: 4, withCrossShrink: true },
        leaf,
        fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => a + b),
        fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => `(${a}|${b})`),
        // Only one character is repeated: the platform forgets groups, and drops empty turns, of repeated parts.
        fc
          .tuple(fc.constantFrom('a', '.', '[ab]'), fc.constantFrom('*', '+', '?', '*?', '+?', '{1,2}?'))
          .map(([a, sign]) => `(${a}${sign})`),
      ),
    }))
    fc.assert(
      fc.property(
        expression,
        fc.stringMatching(/^[ab\n]{0,8}$/),
        fc.nat(4),
        fc.boolean(),
        (source, text, from, multiline) => {
          const platform = new RegExp(source, multiline ? 'gm' : 'g')
          platform.lastIndex = Math.min(from, text.length)
          const found = platform.exec(text)
          const [whole, ...groups] = found ?? []
          expect(boundedExpression(source, { multiline })?.exec(text, Math.min(from, text.length))).toEqual(
            found === null ? undefined : { start: found.index, end: found.index + whole!.length, groups },
          )
        },
      ),
      { numRuns: 2000 },
    )
  })

  it('is none for what is no expression, refers to a group, or is too large', () => {
    for (const source of ['(', '[', 'a**', '(a)\\1', '(?<n>a)\\k<n>', 'a{2000}', '((a{50}){50}){50}', 'a'.repeat(1001)])
      expect(boundedExpression(source)).toBeUndefined()
  })
})
