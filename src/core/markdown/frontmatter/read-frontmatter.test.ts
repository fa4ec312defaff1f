import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readFullYaml } from './full-yaml.js'
import { readPlainYaml } from './plain-yaml.js'
import { readFrontmatter } from './read-frontmatter.js'

const read = (yaml: string) => readFrontmatter(`---\n${yaml}\n---\nbody`)
const json = (value: unknown) => JSON.parse(JSON.stringify(value))

describe('readFrontmatter', () => {
  it.each([
    ['no frontmatter', 'body'],
    ['a fence that never closes', '---\na: 1\n'],
    ['a fence that is not the first line', '\n---\na: 1\n---\n'],
    ['an indented fence', ' ---\na: 1\n---\n'],
    ['a language after the fence', '---js\n{ t: 1 }\n---\n'],
    ['another language', '---toml\na = 1\n---\n'],
    ['four hyphens', '----\na: 1\n----\n'],
  ])('is undefined for %s', (_, text) => {
    expect(readFrontmatter(text)).toBeUndefined()
  })

  it.each([
    ['brackets', `x: ${'['.repeat(10_000)}`],
    ['brackets with brackets in quotes between them', `x: ${'["]", '.repeat(10_000)}`],
    ['braces with comments between them', `x: ${'{ # }\n y: '.repeat(5000)}`],
    ['lists in lists', `x:\n${'- '.repeat(10_000)}a`],
    ['lists under lists', `x:\n${Array.from({ length: 300 }, (_, at) => `${' '.repeat(at)}-`).join('\n')} a`],
  ])('refuses %s nested too deeply', (_, yaml) => {
    expect(read(yaml)?.errors).toEqual([expect.stringContaining('nested too deeply')])
  })

  it('allows a BOM, CRLF, blanks after the fence, and dots to close', () => {
    const text = '\ufeff--- \r\na: 1\r\n... \t\r\nbody'
    const found = readFrontmatter(text)
    expect(json(found?.data)).toEqual({ a: 1 })
    expect(text.slice(found?.yaml.start, found?.yaml.end)).toBe('a: 1\r\n')
    expect(text.slice(found?.end)).toBe('body')
  })

  it('reads YAML 1.2: dates and yes are text', () => {
    expect(
      json(read('d: 2024-01-02\ny: yes\nn: 007\nf: 1.10\nt: true\nz:\nl: [a, 2]\nm:\n  - x\n  - "y: z"')?.data),
    ).toEqual({
      d: '2024-01-02',
      y: 'yes',
      n: 7,
      f: 1.1,
      t: true,
      z: null,
      l: ['a', 2],
      m: ['x', 'y: z'],
    })
  })

  it('is empty, not absent, for empty frontmatter', () => {
    expect(json(readFrontmatter('---\n---\n'))).toMatchObject({ data: {}, errors: [] })
    expect(json(read('# nothing')?.data)).toEqual({})
  })

  it.each([
    ['broken YAML', 'a: [1'],
    ['a repeated key', 'a: 1\na: 2'],
    ['a list instead of properties', '- a\n- b'],
    ['text instead of properties', 'just words'],
    ['over 64 KiB', `a: ${'x'.repeat(70_000)}`],
    ['20,000 nested brackets', `a: ${'['.repeat(20_000)}`],
    ['20,000 nested list marks', `a:\n${'- '.repeat(20_000)}x`],
    ['a directive', '%YAML 1.1\n---\na: yes'],
    ['a list inside itself', 'a: &a [*a, *a]'],
    ['an unknown alias', 'a: *nowhere'],
  ])('keeps an error and no data for %s', (_, yaml) => {
    const found = read(yaml)
    expect(found?.data).toBeUndefined()
    expect(found?.errors.length).toBeGreaterThan(0)
  })

  it('refuses an alias bomb without building it', () => {
    const levels = 'abcdefghi'.split('')
    const yaml = levels.map((name, index) => {
      const items = Array(9).fill(index === 0 ? 'x' : `*${levels[index - 1]}`)
      return `${name}: &${name} [${items.join(', ')}]`
    })
    const found = read(yaml.join('\n'))
    expect(found?.data).toBeUndefined()
    expect(found?.errors).toHaveLength(1)
  })

  it('holds __proto__ and constructor as plain keys of objects without a prototype', () => {
    const found = read('__proto__: {polluted: yes}\nconstructor: {prototype: {polluted: yes}}\ntitle: p')
    expect(Object.keys(found?.data ?? {})).toEqual(['__proto__', 'constructor', 'title'])
    expect(Object.getPrototypeOf(found?.data)).toBeNull()
    expect(Object.getPrototypeOf(found?.data?.constructor)).toBeNull()
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })

  it('never throws, and gives JSON-safe data', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(yamlLine, fc.string({ maxLength: 12 })), { maxLength: 8 }), (lines) => {
        const found = read(lines.join('\n'))
        if (found?.data !== undefined) expect(json(found.data)).toEqual(json(json(found.data)))
      }),
      { numRuns: 1000 },
    )
  })
})

describe('readPlainYaml', () => {
  it('gives the same as the full parser, or leaves the text to it', () => {
    let taken = 0
    fc.assert(
      fc.property(fc.array(yamlLine, { maxLength: 7 }), fc.constantFrom('\n', '\r\n'), (lines, lineBreak) => {
        const yaml = lines.map((line) => line + lineBreak).join('')
        const plain = readPlainYaml(yaml, 0, yaml.length)
        if (plain === undefined) return
        taken++
        const full = readFullYaml(yaml, 0)
        expect(full.errors).toEqual([])
        expect(Object.entries(plain.data)).toEqual(Object.entries(full.reading?.data ?? {}))
        expect(plain.strings).toEqual(full.reading?.strings)
      }),
      { numRuns: 10_000 },
    )
    expect(taken).toBeGreaterThan(1000)
  })

  it.each([
    'title: A note\ntags: [a, b-c, "d e"]\naliases:\n  - One\n  - \'Two\'\ncreated: 2024-01-02T10:00\nurl: https://a.b/c#d',
    'tags:\n- x\n- y # why\n\n# comment\nrating: 4.5\ndone: false\nempty:',
    'up: "[[Note|shown]]"\nrelated:\n  - "[[One]]"',
  ])('covers %j', (yaml) => {
    expect(readPlainYaml(yaml, 0, yaml.length)).toBeDefined()
  })
})

const key = fc.constantFrom(
  'a',
  'b',
  'tags',
  'date created',
  'é',
  '漢字',
  'x-y',
  'a.b',
  '__proto__',
  'null',
  'true',
  '1',
  '"q"',
  'Null x',
  'a ',
  '- a',
  '? a',
)
const value = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    'text',
    'two words',
    '007',
    '-5',
    '+5',
    '-',
    '--',
    '.5',
    '1.',
    '1.10',
    '1e3',
    '0o17',
    '0x1f',
    '.inf',
    '-.Inf',
    '.nan',
    '~',
    'null',
    'True',
    'FALSE',
    'yes',
    '2024-01-02',
    '10:30',
    'a: b',
    'a:b',
    'a:',
    'a #b',
    'a#b',
    '#c',
    '"quoted"',
    "'single'",
    '"es\\"c"',
    "'it''s'",
    '"a" b',
    '"a" # c',
    '"a"#c',
    '"open',
    '[a, b]',
    '[]',
    '[ ]',
    '[a,b]',
    '[a, ]',
    '[, a]',
    '[[x]]',
    '[a, "b, c"]',
    '[a: b]',
    '[a] # c',
    '[a] b',
    '[a',
    '{a: 1}',
    '&x a',
    '*x',
    '!!str 5',
    '|',
    '>-',
    '@a',
    '`a`',
    '%a',
    'é漢🙂',
    'a\tb',
    'a\u00a0b',
    'a\u2028b',
    '\ufeff',
    '<<',
    '=',
    '\\',
    '-a',
    '- a',
    '?a',
    ':a',
    ',a',
    'a, b',
    'a]',
    'a}',
    '[a]]',
    "[a 'b]",
    '["a"b]',
    '[-, a]',
    '[- a]',
    '[1, true, ~]',
  ),
  fc.string({ maxLength: 6 }),
)
const yamlLine = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.tuple(key, fc.constantFrom(': ', ':  ', ':', ' : '), value).map((parts) => parts.join('')),
  },
  {
    weight: 4,
    arbitrary: fc.tuple(fc.constantFrom('- ', '  - ', '    - ', '-', '  -  '), value).map((parts) => parts.join('')),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.constantFrom(':', ': # why'))
      .map((parts) => parts.join('')),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom('', '  ', '# comment', '  # comment', '  more text', '\t', '\ttab', '--- x'),
  },
)
