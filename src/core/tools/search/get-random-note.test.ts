import { describe, expect, it } from 'vitest'
import { answerOf, failureOf, testContext } from '../../../../test/tools/call-tool.js'
import { getRandomNote, randomBelow } from './get-random-note.js'

const notes = {
  'a/One.md': '---\ntags: [red]\n---\n# First\n\nHello there.',
  'a/Two.md': 'second',
  'b/Three.md': `third #red ${'x'.repeat(500)}`,
  'b/Secret.md': '---\nprivate: true\n---\n',
  'pic.png': '',
}

describe('get_random_note', () => {
  it('picks every note sooner or later, and nothing else', async () => {
    const context = await testContext(notes)
    const seen = new Set<string>()
    for (let turn = 0; turn < 200; turn++) seen.add((await answerOf(getRandomNote, {}, context)).output.path)
    expect([...seen].sort()).toEqual(['a/One.md', 'a/Two.md', 'b/Three.md'])
  })

  it('returns the beginning of the note, without its frontmatter', async () => {
    const context = await testContext(notes)
    expect((await answerOf(getRandomNote, { folder: 'a/', tag: '#red' }, context)).output).toEqual({
      path: 'a/One.md',
      title: 'First',
      tags: ['red'],
      preview: '# First\n\nHello there.',
    })
    const long = (await answerOf(getRandomNote, { folder: 'b' }, context)).output.preview
    expect(long).toHaveLength(203)
  })

  it('says when no note matches', async () => {
    const context = await testContext(notes)
    expect(await failureOf(getRandomNote, { folder: 'b', tag: 'blue' }, context)).toMatchObject({
      code: 'not-found',
      text: 'There are no notes in b with the tag blue.',
    })
    expect(await failureOf(getRandomNote, { folder: '../x' }, context)).toMatchObject({ code: 'path' })
  })

  it('draws each number below a count about equally often', () => {
    const drawn = new Array(7).fill(0)
    for (let turn = 0; turn < 7000; turn++) drawn[randomBelow(7)]++
    for (const count of drawn) expect(Math.abs(count - 1000)).toBeLessThan(250)
    expect(randomBelow(1)).toBe(0)
  })
})
