import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { NotePath } from '../../vault/index.js'
import { fileNames } from './file-names.js'
import { fileKey, linkKey } from './link-key.js'
import { resolveLink } from './resolve-link.js'

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

  it('forgives spaces around a path', () => {
    expect(resolve(['Plan.md'], 'x.md', ' Plan ')).toBe('Plan.md')
  })
})

describe('fileNames', () => {
  const segment = fc.constantFrom('a', 'B', 'b', 'note', 'Note', 'index', 'é', 'E\u0301', 'x.png')
  const path = fc.array(segment, { minLength: 1, maxLength: 4 }).map((parts) => `${parts.join('/')}.md` as NotePath)
  const paths = fc.uniqueArray(path, { minLength: 1, maxLength: 60 })
  const written = fc.array(segment, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'))

  it('answers the same for the same files, however they came and went', () => {
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

  it('finds among many namesakes what it would find among few', () => {
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
