import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { scanNote } from './scan-note.js'
import type { NoteLink } from './scanned-note.js'

const links = (text: string) => scanNote(text).links
const targets = (text: string) => links(text).map(({ target, subpath }) => target + (subpath ?? ''))
const tags = (text: string) => scanNote(text).tags.map(({ name }) => name)
const regions = (text: string) => scanNote(text).regions.map(({ kind, start, end }) => [kind, text.slice(start, end)])

describe('wikilinks', () => {
  it('have path, subpath, display text and exact spans', () => {
    const text = 'See ![[Folder/Plan#Goals#2026|the plan]].'
    const [link] = links(text)
    expect(link).toMatchObject({
      kind: 'embed',
      syntax: 'wiki',
      raw: '![[Folder/Plan#Goals#2026|the plan]]',
      target: 'Folder/Plan',
      subpath: '#Goals#2026',
      display: 'the plan',
      line: 1,
    })
    expect(text.slice(link.targetSpan.start, link.targetSpan.end)).toBe('Folder/Plan')
  })

  it.each<[string, string[]]>([
    ['[[#Tasks]]', ['#Tasks']],
    ['[[Note#^a1b2]]', ['Note#^a1b2']],
    ['[[https://example.com]]', ['https://example.com']],
    ['[[a]b]]', ['a]b']],
    ['[[a[b]]', ['a[b']],
    ['[[a]]]', ['a']],
    ['[[[a]]]', ['a']],
    ['[[outer [[inner]] rest]]', ['inner']],
    ['[[a\nb]]', []],
    ['[[a\r\nb]]', []],
    ['[[]] [[ ]] [[|x]] [[#]]', []],
    ['[[ spaced ]]', ['spaced']],
    ['\\[[a]] [\\[b]]', []],
    ['`[[a]]` [[b]]', ['b']],
    ['# About [[a]]\n\n## [[b]] ##', ['a', 'b']],
    ['Title [[a]]\n====', ['a']],
    ['%%[[a]]%%\n\n%%\n[[b]]\n\n[[c]]\n%%', ['a', 'b', 'c']],
    ['<!-- [[a]] --> [[b]]', ['b']],
    ['<!--\n[[a]]\n--> [[b]]', ['b']],
    ['$[[a]]$ [[b]] $5 and $6 [[c]]', ['b', 'c']],
    ['$$\n[[a]]\n\n[[b]]\n$$\n[[c]]', ['c']],
    ['an unmatched `` run of backticks, then [[a]] and ` [[b]]', ['a', 'b']],
    ['```js title\n[[a]]\n```\n[[b]]', ['b']],
    ['> ~~~\n> [[a]]\n> ~~~\n> [[b]]', ['b']],
    ['- item\n  ```\n  [[a]]\n  ```\n  [[b]]', ['b']],
    ['text\n\n    [[a]]\n\n[[b]]', ['b']],
    ['text\n    [[a]]', ['a']],
    ['- one\n\n    [[a]]\n\n      [[b]]', ['a']],
    ['- one\n\n        [[a]]', []],
    ['<pre>\n[[a]]\n\n[[b]]\n</pre>\n[[c]]', ['c']],
    ['<div>\n[[a]]\n</div>', ['a']],
    ['<a href="[[x]]">[[a]]</a>', ['a']],
  ])('%j has %j', (text, expected) => {
    expect(targets(text)).toEqual(expected)
  })

  it('split off the display text at an escaped pipe in tables', () => {
    const text = '| a | b |\n| - | - |\n| [[Note\\|alias]] | [[Other]] |\n\n[[Third]]'
    expect(links(text).map(({ target, display, inTable }) => [target, display, inTable])).toEqual([
      ['Note', 'alias', true],
      ['Other', undefined, true],
      ['Third', undefined, undefined],
    ])
  })

  it('are found after a lone backtick in another cell or row of a table', () => {
    expect(targets('| ` | [[a]] | ` |\n|---|---|---|\n| ` | [[b]] | x |\n| `c | [[c]] | `x [[d]]` |')).toEqual([
      'a',
      'b',
      'c',
    ])
  })
})

describe('Markdown links', () => {
  it.each<[string, Partial<NoteLink>[]]>([
    ['[x](A%20b.md#C%20d)', [{ kind: 'markdown', target: 'A b.md', subpath: '#C d', display: 'x' }]],
    ['[x](<A b.md> "title")', [{ target: 'A b.md', angled: true }]],
    ["[x](a.md 'title')", [{ target: 'a.md' }]],
    ['[x](a.md (title))', [{ target: 'a.md' }]],
    ['[x](a(b(c)).md)', [{ target: 'a(b(c)).md' }]],
    ['[x](a\\(b.md)', [{ target: 'a(b.md' }]],
    ['[x](%2525.md)', [{ target: '%25.md' }]],
    ['[x](100%.md)', [{ target: '100%.md' }]],
    ['[x](#Part)', [{ target: '', subpath: '#Part' }]],
    ['![x](pic.png)', [{ kind: 'embed', target: 'pic.png' }]],
    ['[![x](pic.png)](a.md)', [{ target: 'a.md' }, { kind: 'embed', target: 'pic.png' }]],
    ['[a [b](c.md) d](e.md)', [{ target: 'c.md' }]],
    ['[x `](` y](a.md)', [{ target: 'a.md' }]],
    ['[x](Sub/My Note.md)', []],
    ['[x](a.md', []],
    ['[x]()', []],
    ['[x] (a.md)', []],
    ['\\[x](a.md)', []],
    ['[x](https://a.b/c_(d)#e)', [{ kind: 'external', target: 'https://a.b/c_(d)#e' }]],
    ['[x](mailto:a@b.c)', [{ kind: 'external' }]],
    ['<https://a.b/c>', [{ kind: 'external', syntax: 'autolink', target: 'https://a.b/c' }]],
    ['see https://a.b/c_(d), or', [{ kind: 'external', syntax: 'autolink', target: 'https://a.b/c_(d)' }]],
    ['[https://a.b](https://a.b)', [{ kind: 'external', syntax: 'inline' }]],
    [
      '[one]: <a b.md> "T"\n[two]: c.md\n[^note]: [[d]]',
      [
        { kind: 'reference', syntax: 'definition', target: 'a b.md', display: 'one' },
        { kind: 'reference', target: 'c.md' },
        { kind: 'wikilink', target: 'd' },
      ],
    ],
    ['[one]: https://a.b', [{ kind: 'external', syntax: 'definition' }]],
    ['[one]:\n  a.md\n  "title"\n[[b]]', [{ target: 'a.md' }, { target: 'b' }]],
    ['text\n[one]: a.md', []],
    ['> [one]: a.md\n> [two]: b.md', [{ target: 'a.md' }, { target: 'b.md' }]],
  ])('%j', (text, expected) => {
    const found = links(text)
    expect(found).toHaveLength(expected.length)
    expected.forEach((link, index) => {
      expect(found[index]).toMatchObject(link)
    })
  })

  it('have the exact span that a rename replaces', () => {
    const text = 'x [a](<A b.md#c> "t") [b](A%20b.md#c)\n\n[r]: A%20b.md'
    expect(links(text).map(({ targetSpan: { start, end } }) => text.slice(start, end))).toEqual([
      'A b.md',
      'A%20b.md',
      'A%20b.md',
    ])
  })
})

describe('every link', () => {
  it('has its exact span and line, in order', () => {
    const piece = fc.constantFrom(
      '[[',
      ']]',
      '[[a|b]]',
      '![[c#d]]',
      '[x](',
      ')',
      '[y](e.md)',
      '`',
      '\n',
      '\r\n',
      ' ',
      '# ',
      '> ',
      '- ',
      'word',
      '|',
      '\\',
      '---\n',
      'k: "[[v]]"\n',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 25 }), (pieces) => {
        const text = pieces.join('')
        let last = -1
        for (const link of links(text)) {
          expect(text.slice(link.start, link.end)).toBe(link.raw)
          expect(link.line).toBe(text.slice(0, link.start).split('\n').length)
          if (!link.raw.includes('\\')) expect(text.slice(link.targetSpan.start, link.targetSpan.end)).toBe(link.target)
          expect(link.start).toBeGreaterThan(last)
          last = link.start
        }
      }),
      { numRuns: 2000 },
    )
  })
})

describe('frontmatter links', () => {
  const of = (yaml: string) => {
    const text = `---\n${yaml}\n---\n`
    return links(text).map(({ kind, property, target, targetSpan, line }) => [
      kind,
      property,
      target,
      text.slice(targetSpan.start, targetSpan.end),
      line,
    ])
  }

  it('count in strings and lists of strings', () => {
    expect(
      of('up: "[[Note|shown]]"\nrelated:\n  - "[[One#h]]"\n  - see [[Two]] too\nflow: ["[[Three]]", \'[x](Four.md)\']'),
    ).toEqual([
      ['frontmatter', 'up', 'Note', 'Note', 2],
      ['frontmatter', 'related', 'One', 'One', 4],
      ['frontmatter', 'related', 'Two', 'Two', 5],
      ['frontmatter', 'flow', 'Three', 'Three', 6],
      ['frontmatter', 'flow', 'Four.md', 'Four.md', 6],
    ])
  })

  it('do not count without quotes, where YAML reads a list in a list, nor in comments', () => {
    expect(of('up: [[Note]] # [[Other]]')).toEqual([])
  })

  it('have exact spans in nested and escaped YAML, and an empty one if the link contains an escape', () => {
    expect(of('a:\n  b:\n    - "tab\\t [[Deep]]"\nc: |\n  text [[Block]]\nd: "[[caf\\u00e9]]"')).toEqual([
      ['frontmatter', 'a', 'Deep', 'Deep', 4],
      ['frontmatter', 'c', 'Block', 'Block', 6],
      ['frontmatter', 'd', 'café', '', 7],
    ])
  })

  it('to the web are external', () => {
    expect(of('a: "[x](https://a.b)"\nb: https://c.d')).toEqual([['external', 'a', 'https://a.b', 'https://a.b', 2]])
  })
})

describe('tags', () => {
  it.each<[string, string[]]>([
    ['#tag and (#nested/tag), #Ünï_code-1 #漢字。', ['tag', 'nested/tag', 'Ünï_code-1', '漢字']],
    ['#1984 #y1984 #1/2 #', ['y1984']],
    ['a#b &#35; C# x/#y \\#z ##w', []],
    ['# Heading #in\n#notheading', ['in', 'notheading']],
    ['`#a` [[#b]] [#c](d.md#e) <a href="#f"> https://g.h/#i', ['c']],
    ['```\n#a\n```\n\n    #b\n\n#c', ['c']],
    ['- #a\n> #b\n| #c |', ['a', 'b', 'c']],
    ['#a/ #🙂', ['a', '🙂']],
    ['---\ntags: [a, "#b", c/d]\n---\n#e', ['a', 'b', 'c/d', 'e']],
    ['---\ntag: a, b c\n---', ['a', 'b', 'c']],
    ['---\ntags:\n  - a\n  - 2024\n---', ['a']],
    ['---\nother: "#a"\n---', []],
  ])('%j has %j', (text, expected) => {
    expect(tags(text)).toEqual(expected)
  })

  it('have exact spans in the frontmatter too', () => {
    const text = '---\ntags: [one, "#two"]\n---\n#three'
    expect(scanNote(text).tags.map(({ start, end, line, from }) => [text.slice(start, end), line, from])).toEqual([
      ['one', 2, 'frontmatter'],
      ['#two', 2, 'frontmatter'],
      ['#three', 4, 'inline'],
    ])
  })
})

describe('headings, blocks and tasks', () => {
  it('finds ATX and setext headings', () => {
    const text = '# One #\n#no\n####### seven\nTwo\nlines\n===\n> ## Quoted ##x\n\n- Three\n  ---\n\n[a]: b\n===\n'
    expect(scanNote(text).headings.map(({ level, text: name, line }) => [level, name, line])).toEqual([
      [1, 'One', 1],
      [1, '#no ####### seven Two lines', 2],
      [2, 'Quoted ##x', 7],
      [2, 'Three', 9],
    ])
  })

  it('finds block ids at the end of a block or alone on a line', () => {
    const text =
      'Text ^one\n\nMore\ntext ^two  \n\n- item ^three\n  - deeper ^four\n\n> quote\n\n^five\n\nmid ^no text\nx^no\n`code ^no`\n\n^bad_id'
    expect(scanNote(text).blocks.map(({ id, line }) => [id, line])).toEqual([
      ['one', 1],
      ['two', 4],
      ['three', 6],
      ['four', 7],
      ['five', 11],
    ])
  })

  it('finds tasks with any status, and their text', () => {
    const text = '- [ ] open [[a]] #t\n* [x] done\n1. [/] half\n  - [🙂] odd\n- [ ]\n- [x]no\n- [](b.md)\n\n[x] no'
    const scan = scanNote(text)
    expect(scan.tasks.map(({ status, text: words, line }) => [status, words, line])).toEqual([
      [' ', 'open [[a]] #t', 1],
      ['x', 'done', 2],
      ['/', 'half', 3],
      ['🙂', 'odd', 4],
      [' ', '', 5],
    ])
    expect(targets(text)).toEqual(['a', 'b.md'])
  })
})

describe('regions and lines', () => {
  it('finds every region that is not Markdown', () => {
    expect(regions('---\na: 1\n---\n`c` $m$ %%n%% <!-- h -->\n\n```\nf\n```\n')).toEqual([
      ['frontmatter', '---\na: 1\n---\n'],
      ['code-span', '`c`'],
      ['math', '$m$'],
      ['comment', '%%n%%'],
      ['html-comment', '<!-- h -->'],
      ['fence', '```\nf\n```'],
    ])
  })

  it('counts lines over CRLF, a BOM, frontmatter and math blocks', () => {
    const text = '\ufeff---\r\na: 1\r\n---\r\n$$\r\nx\r\n$$\r\n[[last]]'
    const scan = scanNote(text)
    expect([...scan.lineStarts].map((start) => text.slice(start, start + 3))).toEqual([
      '\ufeff--',
      'a: ',
      '---',
      '$$\r',
      'x\r\n',
      '$$\r',
      '[[l',
    ])
    expect(scan.links[0].line).toBe(7)
  })

  it('starts the first line at 0, even with a BOM', () => {
    expect([...scanNote('').lineStarts]).toEqual([0])
    expect([...scanNote('\ufeff').lineStarts]).toEqual([0])
    expect([...scanNote('\ufeffa\nb\n').lineStarts]).toEqual([0, 3])
    expect([...scanNote('\na').lineStarts]).toEqual([0, 1])
  })

  it('sees no frontmatter in other languages', () => {
    const scan = scanNote('---js\n{ a: "[[b]]" }\n---\n')
    expect(scan.frontmatter).toBeUndefined()
    expect(scan.links.map(({ kind }) => kind)).toEqual(['wikilink'])
  })
})

interface LinkCase {
  id: string
  link: string
  why: string
  context?: string
  not_a_link?: boolean
  expected_subpath?: string
  embed?: boolean
}

describe('scanning the link cases', () => {
  const cases = readFileSync(new URL('../../../test/cases/link-cases.jsonl', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as LinkCase)

  it.each(cases.map((each) => [each.id, each.why, each] as const))('%s: %s', (_, __, each) => {
    const text =
      each.context === 'frontmatter'
        ? `---\n${each.link}\n---\n`
        : each.context === 'table'
          ? `| a | b |\n| - | - |\n${each.link}\n`
          : `Before ${each.link} after.`
    const found = links(text).filter(({ kind }) => kind !== 'external')
    expect(found).toHaveLength(each.not_a_link === true ? 0 : 1)
    if (each.not_a_link === true) return
    expect(found[0].subpath).toBe(each.expected_subpath)
    if (each.embed === true) expect(found[0].kind).toBe('embed')
  })
})
