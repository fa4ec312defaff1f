import { describe, expect, it } from 'vitest'
import { answerOf, failureOf, type TestContext, testContext } from '../../../../test/tools/call-tool.js'
import { getTagList } from './get-tag-list.js'
import { searchByTag } from './search-by-tag.js'

const notes = {
  'Both.md': '#red #Blue',
  'Child.md': '---\ntags: [red/dark]\n---\n',
  'Blue.md': 'text #blue',
  'Secret.md': '---\nprivate: true\ntags: [red, secret]\n---\n',
}

const paths = async (input: unknown, context: TestContext): Promise<string[]> =>
  (await answerOf(searchByTag, input, context)).output.notes.map(({ path }: { path: string }) => path).sort()

describe('search_by_tag', () => {
  it('finds notes with all tags or any of them, children included, whatever the case', async () => {
    const context = await testContext(notes)
    expect(await paths({ tags: ['#Red', 'blue'] }, context)).toEqual(['Both.md'])
    expect(await paths({ tags: ['red'] }, context)).toEqual(['Both.md', 'Child.md'])
    expect(await paths({ tags: ['red', 'BLUE'], match: 'any' }, context)).toEqual(['Blue.md', 'Both.md', 'Child.md'])
    expect(await paths({ tags: ['secret'] }, context)).toEqual([])
    expect(await paths({ tags: ['#'] }, context)).toEqual([])
  })

  it('answers path, title, tags and time of change', async () => {
    const context = await testContext(notes)
    const {
      output: { notes: found },
      text,
    } = await answerOf(searchByTag, { tags: ['red', 'blue'] }, context)
    expect(found).toEqual([
      { path: 'Both.md', title: 'Both', tags: ['red', 'Blue'], modified: expect.stringMatching(/^\d{4}-.*Z$/) },
    ])
    expect(text).toMatch(/^1 note, newest first: path \| tags \| changed\nBoth\.md \| red, Blue \| \d{4}-\d\d-\d\d$/)
  })

  it('says how many it leaves out', async () => {
    const many = Array.from({ length: 300 }, (_, number) => [`${number}.md`, '#tag'])
    const context = await testContext(Object.fromEntries(many))
    const {
      output: { notes: found },
      text,
    } = await answerOf(searchByTag, { tags: ['tag'], limit: 1000 }, context)
    expect(found).toHaveLength(200)
    expect(text).toContain('limit can be at most 200, so 200 was used.')
    expect(text).toContain('100 older notes left out of 300.')
  })

  it('wants a tag', async () => {
    expect(await failureOf(searchByTag, { tags: [] }, await testContext({}))).toMatchObject({ code: 'invalid-input' })
  })
})

describe('get_tag_list', () => {
  it('counts the notes of each tag as written, private ones not', async () => {
    const { output, text } = await answerOf(getTagList, undefined, await testContext(notes))
    expect(output).toEqual({
      tags: [
        { tag: 'Blue', notes: 2 },
        { tag: 'red', notes: 1 },
        { tag: 'red/dark', notes: 1 },
      ],
      total: 3,
    })
    expect(text).toBe('#Blue 2\n#red 1\n#red/dark 1')
  })

  it('says that there are none, or how many it leaves out', async () => {
    expect((await answerOf(getTagList, {}, await testContext({}))).text).toBe('The vault has no tags.')
    const tags = Array.from({ length: 700 }, (_, number) => `#tag${number}`).join(' ')
    const { output, text } = await answerOf(
      getTagList,
      {},
      await testContext({ 'a.md': `${tags} #${'x'.repeat(5000)}` }),
    )
    expect(output.tags).toHaveLength(500)
    expect(text).toContain('201 rarer tags left out')
    expect(text.length).toBeLessThan(10_000)
  })
})
