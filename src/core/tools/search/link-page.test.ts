import { describe, expect, it } from 'vitest'
import { answerOf, failureOf, testContext } from '../../../../test/tools/call-tool.js'
import { listBacklinks } from './list-backlinks.js'
import { listForwardLinks } from './list-forward-links.js'

const notes = {
  'concepts/superposition.md':
    '# Superposition\n\n[[Bell|Bell says]] [web](https://example.org/x) [[Nobody]] ![[pic.png]]',
  'papers/Bell.md': '# A theorem\n\nSee [quantum superposition](../concepts/superposition.md).',
  'research/quantum.md': '---\ntitle: Overview\n---\n[[superposition]] and [[Superposition#Words|again]]',
  'Secret.md': '---\nprivate: true\n---\n[[superposition]]',
  'Nobody.md': '---\nprivate: true\n---\nx',
  'pic.png': 'png',
}

describe('list_backlinks', () => {
  it('names each link to a note with its source, by title', async () => {
    const context = await testContext(notes)
    const {
      output: { links },
      text,
      provenance,
    } = await answerOf(listBacklinks, { path: 'Superposition' }, context)
    expect(links).toEqual([
      {
        target_path: 'concepts/superposition.md',
        source_path: 'papers/Bell.md',
        source_title: 'A theorem',
        line: 3,
        raw: '[quantum superposition](../concepts/superposition.md)',
        link_text: 'quantum superposition',
        link_type: 'markdown',
      },
      {
        target_path: 'concepts/superposition.md',
        source_path: 'research/quantum.md',
        source_title: 'Overview',
        line: 4,
        raw: '[[superposition]]',
        link_text: 'superposition',
        link_type: 'wikilink',
      },
      {
        target_path: 'concepts/superposition.md',
        source_path: 'research/quantum.md',
        source_title: 'Overview',
        line: 4,
        raw: '[[Superposition#Words|again]]',
        link_text: 'again',
        link_type: 'wikilink',
      },
    ])
    expect(text.split('\n')).toEqual([
      '3 links to concepts/superposition.md:',
      'papers/Bell.md',
      ' 3: [quantum superposition](../concepts/superposition.md)',
      'research/quantum.md',
      ' 4: [[superposition]]',
      ' 4: [[Superposition#Words|again]]',
    ])
    expect(provenance).toEqual(['own-note'])
  })

  it('gives a long list in pages', async () => {
    const many = Array.from({ length: 650 }, (_, number) => [`${1000 + number}.md`, '[[Hub]]'])
    const context = await testContext({ 'Hub.md': '', ...Object.fromEntries(many) })
    const first = await answerOf(listBacklinks, { path: 'Hub.md' }, context)
    expect(first.output.links).toHaveLength(300)
    expect(first.text).toContain('Links 1 to 300 of 650. Continue with offset 300.')
    const last = await answerOf(listBacklinks, { path: 'Hub.md', offset: 600 }, context)
    expect(last.output.links).toHaveLength(50)
    expect(last.text).not.toContain('go on')
  })

  it('answers for a private note as for one that is not there, and refuses paths out of the vault', async () => {
    const context = await testContext(notes)
    for (const tool of [listBacklinks, listForwardLinks]) {
      const missing = await failureOf(tool, { path: 'Missing.md' }, context)
      const hidden = await failureOf(tool, { path: 'Nobody.md' }, context)
      expect(hidden.text).toBe(missing.text.replace('Missing', 'Nobody'))
      expect(await failureOf(tool, { path: '../vault-evil/secret.md' }, context)).toMatchObject({ code: 'path' })
    }
  })
})

describe('list_forward_links', () => {
  it('names each link of a note in order, with null and the target as written where it leads nowhere', async () => {
    const context = await testContext(notes)
    const {
      output: { links },
      text,
    } = await answerOf(listForwardLinks, { path: 'concepts/superposition' }, context)
    const source_path = 'concepts/superposition.md'
    const common = { line: 3, source_path }
    expect(links).toEqual([
      {
        ...common,
        target_path: 'papers/Bell.md',
        target_title: 'A theorem',
        raw: '[[Bell|Bell says]]',
        link_text: 'Bell says',
        link_type: 'wikilink',
      },
      {
        ...common,
        target_path: null,
        target: 'https://example.org/x',
        raw: '[web](https://example.org/x)',
        link_text: 'web',
        link_type: 'external',
      },
      { ...common, target_path: null, target: 'Nobody', raw: '[[Nobody]]', link_text: 'Nobody', link_type: 'wikilink' },
      { ...common, target_path: 'pic.png', raw: '![[pic.png]]', link_text: 'pic.png', link_type: 'embed' },
    ])
    expect(text.split('\n')).toEqual([
      '4 links in concepts/superposition.md:',
      ' 3: [[Bell|Bell says]] -> papers/Bell.md',
      ' 3: [web](https://example.org/x)',
      ' 3: [[Nobody]] (no such note)',
      ' 3: ![[pic.png]] -> pic.png',
    ])
  })

  it('takes several notes, as list_backlinks does, and says which are missing', async () => {
    const context = await testContext(notes)
    const paths = ['Bell', 'Overview of nothing', 'research/quantum.md']
    const forward = await answerOf(listForwardLinks, { paths }, context)
    expect(forward.output).toMatchObject({ sources: ['papers/Bell.md', 'research/quantum.md'] })
    expect(forward.text).toMatch(
      /^1 link in papers\/Bell\.md:\n[\s\S]*\n2 links in research\/quantum\.md:\n[\s\S]*not found/i,
    )
    const back = await answerOf(listBacklinks, { paths: ['superposition', 'Bell'] }, context)
    expect(back.text).toMatch(
      /^3 links to concepts[\s\S]*\n1 link to papers\/Bell\.md:\nconcepts\/superposition\.md\n 3: /,
    )
  })
})
