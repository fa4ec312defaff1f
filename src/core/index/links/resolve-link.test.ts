import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { scanNote } from '../../markdown/index.js'
import { type NotePath, notePath } from '../../vault/index.js'
import type { StoredLink } from '../index-store.js'
import { fileKey, fileNames, linkKey } from './file-names.js'
import { linksToRetarget, resolvedLinks, resolveLink } from './resolve-link.js'

const names = (...paths: string[]) => fileNames(paths as NotePath[])
const resolve = (paths: string[], source: string, written: string) =>
  resolveLink(names(...paths), source as NotePath, written)

describe('resolveLink', () => {
  it('leads to the note itself when no path is written', () => {
    expect(resolve(['a/Home.md'], 'a/Home.md', '')).toBe('a/Home.md')
  })

  it('ignores case and normalisation', () => {
    expect(resolve(['Cafe\u0301.md'], 'x.md', 'CAFÉ')).toBe('Cafe\u0301.md')
    expect(resolve(['Οδός.md'], 'x.md', 'ΟΔΌΣ')).toBe('Οδός.md')
    expect(resolve(['ΟΔΟΣ.md'], 'x.md', 'οδος')).toBe('ΟΔΟΣ.md')
  })

  it('reads a no-break space as a space', () => {
    expect(resolve(['My Note.md'], 'x.md', 'My\u00a0Note')).toBe('My Note.md')
  })

  it('prefers the same spelling where files differ only in case', () => {
    expect(resolve(['Plan.md', 'plan.md'], 'x.md', 'plan')).toBe('plan.md')
    expect(resolve(['a/Plan.md', 'a/plan.md'], 'x.md', 'plan')).toBe('a/plan.md')
    expect(resolve(['a/Plan.md', 'a/plan.md'], 'a/x.md', 'Plan')).toBe('a/Plan.md')
  })

  it('chooses the first by path among equally short ones, in whatever order they were added', () => {
    expect(resolve(['b/Note.md', 'a/Note.md', 'c/Note.md'], 'x.md', 'Note')).toBe('a/Note.md')
    expect(resolve(['c/Note.md', 'a/Note.md', 'b/Note.md'], 'x.md', 'Note')).toBe('a/Note.md')
  })

  it('takes a name with a dot for an attachment first, then for a note', () => {
    expect(resolve(['v1.2.md'], 'x.md', 'v1.2')).toBe('v1.2.md')
    expect(resolve(['pic.png.md', 'img/pic.png'], 'x.md', 'pic.png')).toBe('img/pic.png')
    expect(resolve(['pic.png.md', 'img/pic.png'], 'x.md', 'pic.png.md')).toBe('pic.png.md')
  })

  it('does not find a file without extension, which a link cannot name', () => {
    expect(resolve(['LICENSE'], 'x.md', 'LICENSE')).toBeNull()
  })

  it('matches whole folder names only', () => {
    expect(resolve(['grab/Note.md'], 'x.md', 'ab/Note')).toBeNull()
    expect(resolve(['my Note.md'], 'x.md', 'Note')).toBeNull()
  })

  it('resolves relative paths against the folder of the note and nowhere else', () => {
    expect(resolve(['a/b/c.md'], 'a/x.md', './b/c')).toBe('a/b/c.md')
    expect(resolve(['c.md'], 'a/b/x.md', '../../c.md')).toBe('c.md')
    expect(resolve(['c.md'], 'a/x.md', '../../c')).toBeNull()
    expect(resolve(['a.md', 'a/x.md'], 'a/b/x.md', '../')).toBeNull()
    expect(resolve(['a/c.md'], 'a/x.md', '../c')).toBeNull()
  })

  it('takes a leading slash for the root of the vault', () => {
    expect(resolve(['a/Note.md', 'Note.md'], 'a/x.md', '/a/Note')).toBe('a/Note.md')
    expect(resolve(['a/Note.md'], 'a/x.md', '/Note')).toBeNull()
  })

  it('does not take a web address for a path', () => {
    expect(resolve(['example.com.md', 'https:/example.com.md'], 'x.md', 'https://example.com')).toBeNull()
  })

  it('ignores spaces around a path', () => {
    expect(resolve(['Plan.md'], 'x.md', ' Plan ')).toBe('Plan.md')
  })
})

describe('fileNames', () => {
  const segment = fc.constantFrom('a', 'B', 'b', 'note', 'Note', 'index', 'é', 'E\u0301', 'x.png')
  const path = fc.array(segment, { minLength: 1, maxLength: 4 }).map((parts) => `${parts.join('/')}.md` as NotePath)
  const paths = fc.uniqueArray(path, { minLength: 1, maxLength: 60 })
  const written = fc.array(segment, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'))

  it('gives the same answers for the same files, whatever the history', () => {
    fc.assert(
      fc.property(paths, paths, path, written, (stay, leave, source, link) => {
        const kept = stay.filter((each) => !leave.includes(each))
        const expected = resolveLink(fileNames(kept), source, link)
        const grown = fileNames(leave)
        for (const each of [...stay].reverse()) grown.add(each)
        for (const each of leave) grown.remove(each)
        expect(resolveLink(grown, source, link)).toBe(expected)
        const before = fileNames(leave)
        expect(resolveLink(before.changed({ gone: leave, come: kept }), source, link)).toBe(expected)
        expect([...before.paths()].sort()).toEqual([...leave].sort())
      }),
    )
  })

  it('finds the same file in large and small groups of namesakes', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(999), { minLength: 20, maxLength: 60 }), fc.nat(999), (folders, wanted) => {
        const many = folders.map((folder) => `f${folder % 7}/${folder}/index.md` as NotePath)
        const source = 'f1/x.md' as NotePath
        const links = ['index', `${wanted}/index`, `${folders[0]}/INDEX.md`, `f3/${wanted}/index`]
        for (const link of links) {
          const fits = many.filter((each) => `/${each}`.endsWith(`/${link.toLowerCase().replace(/\.md$/, '')}.md`))
          const expected = fits.sort((a, b) => a.length - b.length || (a < b ? -1 : 1))[0] ?? null
          expect(resolveLink(fileNames(many), source, link)).toBe(expected)
        }
      }),
    )
  })

  it('gives a link and everything it can resolve to the same key', () => {
    fc.assert(
      fc.property(paths, path, written, (files, source, link) => {
        const target = resolveLink(fileNames(files), source, link)
        if (target !== null) expect(fileKey(target)).toBe(linkKey(link))
      }),
    )
  })
})

const storeOf = (links: StoredLink[]) => ({
  linksByKey: async (keys: readonly string[]) => links.filter(({ key }) => keys.includes(key)),
})

describe('resolvedLinks', () => {
  it('stores enough to resolve a link again without its note', () => {
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
  it('returns one row for the same link twice in a line', async () => {
    const before = fileNames([notePath('a.md')])
    const stored = resolvedLinks(before, notePath('a.md'), scanNote('[[New]] [[New]] [[Other]]').links)
    const today = fileNames(['a.md', 'New.md'].map(notePath))
    expect(await linksToRetarget(storeOf(stored), today, [notePath('New.md')])).toEqual([
      { source: 'a.md', raw: '[[New]]', line: 1, target: 'New.md' },
    ])
  })

  it('keeps stored links equal to those of a fresh index, whatever files change', async () => {
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
