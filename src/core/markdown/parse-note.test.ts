import { describe, expect, it } from 'vitest'
import { parseNote } from './parse-note.js'

describe('parseNote', () => {
  it('takes the title from the frontmatter, the one heading that opens the body, or the file name', () => {
    expect(parseNote('a/File.md', '---\ntitle: " Given "\n---\n# Heading').title).toBe('Given')
    expect(parseNote('a/File.md', '---\ntitle: 2024\n---\n').title).toBe('2024')
    expect(parseNote('a/File.md', '\ufeff\n# Heading\ntext').title).toBe('Heading')
    expect(parseNote('a/File.md', 'Heading\n===').title).toBe('Heading')
    expect(parseNote('a/File.md', 'text\n\n# Heading').title).toBe('File')
    expect(parseNote('File.MD', '## Second').title).toBe('File')
    expect(parseNote('a/File.md', '# Heading\n## Part\n## Part').title).toBe('Heading')
    expect(parseNote('a/File.md', '# To do\n- [ ] call\n# Thoughts').title).toBe('File')
  })

  it('collects aliases and unique tags as first written', () => {
    const note = parseNote(
      'a.md',
      '---\naliases: [One, 2, One]\nalias: Three, Four\ntags: [Work]\n---\n#work #play/Out #play/out',
    )
    expect(note.aliases).toEqual(['One', '2', 'Three', 'Four'])
    expect(note.tags).toEqual(['Work', 'play/Out'])
  })

  it('gives properties as data and their values as text, without title, aliases and tags', () => {
    const note = parseNote(
      'a.md',
      '---\ntitle: T\ntags: [x]\naliases: y\nauthor: Ann\nyear: 1999\ndone: true\nrefs: [p, q]\nin: {a: b}\n---\n',
    )
    expect(note.propertyText).toBe('Ann\n1999\np\nq')
    expect(note.properties).toMatchObject({ author: 'Ann', done: true })
    expect(parseNote('a.md', 'no frontmatter').properties).toBeNull()
    expect(parseNote('a.md', '---\na: [\n---\n')).toMatchObject({
      properties: null,
      frontmatter: { errors: [expect.any(String)] },
    })
  })

  it.each([
    ['private: true', true],
    ['Private: "true"', true],
    ['private: yes', true],
    ['private: true\nbroken: [', true],
    ['private: false', false],
    ['private:', false],
    ['other: true', false],
  ])('knows whether %j is private', (yaml, expected) => {
    expect(parseNote('a.md', `---\n${yaml}\n---\n`).isPrivate).toBe(expected)
  })

  it('reads the creation date', () => {
    const created = (path: string, yaml = '') => parseNote(path, yaml && `---\n${yaml}\n---\n`).createdMs
    expect(created('a.md', 'created: 2024-05-06')).toBe(new Date(2024, 4, 6).getTime())
    expect(created('a.md', 'date: 2024-05-06T07:08')).toBe(new Date(2024, 4, 6, 7, 8).getTime())
    expect(created('a.md', 'date created: 2024-05-06 07:08:09')).toBe(new Date(2024, 4, 6, 7, 8, 9).getTime())
    expect(created('a.md', 'Created_At: "2024-05-06T07:08:09.5Z"')).toBe(Date.UTC(2024, 4, 6, 7, 8, 9, 500))
    expect(created('a.md', 'created: 2024-05-06T07:08:09+02:00')).toBe(Date.UTC(2024, 4, 6, 5, 8, 9))
    expect(created('a.md', 'date: "[[2024-05-06]]"')).toBe(new Date(2024, 4, 6).getTime())
    expect(created('daily/2024-05-06 Monday.md')).toBe(new Date(2024, 4, 6).getTime())
    expect(created('2024-05-06.md', 'created: 2023-01-01')).toBe(new Date(2023, 0, 1).getTime())
    expect(created('a.md', 'created: 2024-02-30')).toBeUndefined()
    expect(created('2024-13-01.md')).toBeUndefined()
    expect(created('a.md', 'created: soon')).toBeUndefined()
  })
})
