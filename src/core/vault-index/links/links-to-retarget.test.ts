import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { scanNote } from '../../markdown/index.js'
import { type NotePath, notePath } from '../../vault/index.js'
import type { StoredLink } from '../index-store.js'
import { fileNames } from './file-names.js'
import { linksToRetarget } from './links-to-retarget.js'
import { resolvedLinks } from './resolved-links.js'

const storeOf = (links: StoredLink[]) => ({
  linksByKey: async (keys: readonly string[]) => links.filter(({ key }) => keys.includes(key)),
})

describe('resolvedLinks', () => {
  it('keeps what the index needs to resolve a link again without its note', () => {
    const names = fileNames(['a.md', 'x/Plan.md'].map(notePath))
    const { links } = scanNote('[[plan#Goals|the plan]] [web](https://example.com)\n[[#Here]]')
    expect(resolvedLinks(names, notePath('a.md'), links)).toEqual([
      {
        source: 'a.md',
        target: 'x/Plan.md',
        key: 'plan',
        raw: '[[plan#Goals|the plan]]',
        text: 'the plan',
        subpath: '#Goals',
        kind: 'wikilink',
        line: 1,
        written: 'plan',
      },
      {
        source: 'a.md',
        target: null,
        key: '',
        raw: '[web](https://example.com)',
        text: 'web',
        kind: 'external',
        line: 1,
        written: 'https://example.com',
      },
      {
        source: 'a.md',
        target: 'a.md',
        key: '',
        raw: '[[#Here]]',
        text: '#Here',
        subpath: '#Here',
        kind: 'wikilink',
        line: 2,
        written: '',
      },
    ])
  })
})

describe('linksToRetarget', () => {
  it('answers one row for the same link twice in a line', async () => {
    const before = fileNames([notePath('a.md')])
    const stored = resolvedLinks(before, notePath('a.md'), scanNote('[[New]] [[New]] [[Other]]').links)
    const today = fileNames(['a.md', 'New.md'].map(notePath))
    expect(await linksToRetarget(storeOf(stored), today, [notePath('New.md')])).toEqual([
      { source: 'a.md', raw: '[[New]]', line: 1, target: 'New.md' },
    ])
  })

  it('leaves stored links as a fresh index would have them, whatever came and went', async () => {
    const path = fc
      .tuple(fc.constantFrom('', 'a/', 'b/', 'a/b/'), fc.constantFrom('x', 'Y', 'z', 'x.png'))
      .map(([folder, name]) => notePath(`${folder}${name}${name.includes('.') ? '' : '.md'}`))
    const paths = fc.uniqueArray(path, { maxLength: 10 })
    const targets = fc.array(fc.constantFrom('x', 'y', 'b/x', './z', '../x', 'x.png', 'a/b/Y.md', '/x', 'none'))
    await fc.assert(
      fc.asyncProperty(paths, paths, targets, async (before, after, written) => {
        const sources = ['s.md', 'a/s.md', 'b/s.md'].map(notePath)
        const { links } = scanNote(written.map((target) => `[[${target}]]`).join('\n'))
        const stored = (files: NotePath[]): StoredLink[] =>
          sources.flatMap((source) => resolvedLinks(fileNames([...files, ...sources]), source, links))

        const rows = stored(before)
        const changed = [...before, ...after].filter((each) => before.includes(each) !== after.includes(each))
        const retarget = await linksToRetarget(storeOf(rows), fileNames([...after, ...sources]), changed)
        for (const { source, raw, line, target } of retarget) {
          for (const row of rows) if (row.source === source && row.raw === raw && row.line === line) row.target = target
        }
        expect(rows).toEqual(stored(after))
      }),
    )
  })
})
