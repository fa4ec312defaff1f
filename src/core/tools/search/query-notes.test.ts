import { describe, expect, it } from 'vitest'
import { answerOf, failureOf, testContext } from '../../../../test/tools/call-tool.js'
import { queryNotes } from './query-notes.js'

const notes = {
  'Books/Dune.md':
    '---\nstatus: open\nrating: 5\nauthor: "[[Herbert]]"\ntags: [book/novel]\n---\nSand and spice. See [[Emma]].\n',
  'Books/Emma.md': '---\nstatus: done\nrating: 4\ntags: [book]\n---\nTwo words\n',
  'Books/Ulysses.md': '---\nstatus: open\ndue: 2023-12-01\ntags: [book]\n---\n',
  'Herbert.md': '# Frank Herbert\n',
  'Secret.md': '---\nprivate: true\nstatus: open\n---\n[[Herbert]] #book\n',
}

async function paths(input: Record<string, unknown>, files: Record<string, string> = notes): Promise<string[]> {
  const { output } = await answerOf(queryNotes, input, await testContext(files))
  return output.notes.map(({ path }: { path: string }) => path)
}

describe('query_notes', () => {
  it('lists the notes for which an expression holds, with the total', async () => {
    const { output, text } = await answerOf(
      queryNotes,
      { where: 'status == "open"', select: ['rating', 'author'], sort: ['rating desc'] },
      await testContext(notes),
    )
    expect(output).toEqual({
      total: 2,
      columns: ['rating', 'author'],
      notes: [
        { path: 'Books/Dune.md', values: [5, 'Herbert'] },
        { path: 'Books/Ulysses.md', values: [null, null] },
      ],
    })
    expect(text).toBe('2 notes.\npath | rating | author\nBooks/\nDune.md | 5 | Herbert\nUlysses.md |  | ')
  })

  it.each<[string, string[]]>([
    ['file.hasTag("book")', ['Books/Dune.md', 'Books/Emma.md', 'Books/Ulysses.md']],
    ['file.hasLink("Emma")', ['Books/Dune.md']],
    ['file.hasLink("Herbert")', ['Books/Dune.md']],
    ['author == file("Herbert")', ['Books/Dune.md']],
    ['file.backlinks.isEmpty()', ['Books/Dune.md', 'Books/Ulysses.md']],
    ['file.links.length > 1', ['Books/Dune.md']],
    ['file.words == 2', ['Books/Emma.md', 'Herbert.md']],
    ['due < today()', ['Books/Ulysses.md']],
    ['!file.hasProperty("status")', ['Herbert.md']],
    ['file.inFolder("Books") && rating >= 4', ['Books/Dune.md', 'Books/Emma.md']],
  ])('where %s', async (where, found) => expect((await paths({ where })).sort()).toEqual(found))

  it('narrows by folder and tags', async () => {
    expect(await paths({ folder: 'Books', tags: ['#book'] })).toEqual([
      'Books/Dune.md',
      'Books/Emma.md',
      'Books/Ulysses.md',
    ])
    expect(await paths({ tags: ['book/novel'] })).toEqual(['Books/Dune.md'])
  })

  it('refuses a folder that is unknown, hidden or outside the vault', async () => {
    const context = await testContext({ ...notes, 'Cages/S.md': 'x', '.notewrightignore': 'Cages/\n' })
    for (const folder of ['Boks', 'Cages', 'Books/Dune.md']) {
      const failure = await failureOf(queryNotes, { folder }, context)
      expect(failure).toMatchObject({ code: 'not-found', hint: 'Omit folder to query all notes.' })
      expect(failure.text).toContain(`Folder not found: ${folder}`)
    }
    for (const folder of ['../x', '/Books']) {
      expect(await failureOf(queryNotes, { folder }, context)).toMatchObject({ code: 'path' })
    }
    expect((await answerOf(queryNotes, { folder: 'books/' }, context)).output.total).toBe(3)
  })

  it('neither lists hidden notes nor counts links from them', async () => {
    expect(await paths({ where: 'status == "open"' })).not.toContain('Secret.md')
    const { output } = await answerOf(
      queryNotes,
      { where: 'file.name == "Herbert.md"', select: ['file.backlinks.length'] },
      await testContext(notes),
    )
    expect(output.notes).toEqual([{ path: 'Herbert.md', values: [1] }])
  })

  it('pages without gaps or repeats, also when the last note of a page is gone', async () => {
    const many = Object.fromEntries(Array.from({ length: 25 }, (_, at) => [`n${at}.md`, `---\nrank: ${at % 3}\n---\n`]))
    const context = await testContext(many)
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const { output } = await answerOf(
        queryNotes,
        { sort: ['rank desc'], limit: 7, ...(cursor && { cursor }) },
        context,
      )
      expect(output.total).toBe(25)
      seen.push(...output.notes.map(({ path }: { path: string }) => path))
      cursor = output.cursor
    } while (cursor !== undefined)
    expect(new Set(seen).size).toBe(25)
    expect(seen).toHaveLength(25)

    const { output } = await answerOf(queryNotes, { limit: 7, cursor: '7:gone.md' }, context)
    expect(output.notes).toHaveLength(7)
    expect(await failureOf(queryNotes, { cursor: 'x' }, context)).toMatchObject({ code: 'invalid-input' })
  })

  it('says for how many notes an expression failed, and why', async () => {
    const { output } = await answerOf(queryNotes, { where: 'number(status) > 1' }, await testContext(notes))
    expect(output.remarks).toEqual([
      'The expression failed for 3 notes, which are left out or have no value: "open" is not a number.',
    ])
  })

  it('says where an expression cannot be read', async () => {
    const failure = await failureOf(queryNotes, { where: 'status = "open"' }, await testContext(notes))
    expect(failure).toMatchObject({ code: 'invalid-input' })
    expect(failure.text).toMatch(/at character 8/)
  })
})
