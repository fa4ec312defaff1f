import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readingTools, searchTools } from '../../src/core/tools/built-in.js'
import { inputSchema } from '../../src/core/tools/tool-input.js'
import { callTool, testContext } from './call-tool.js'

const tools = [...searchTools, ...readingTools]

/** Calls of each tool that would reveal a hidden note. */
const calls: Record<string, unknown[]> = {
  search_notes: [
    { query: 'canary' },
    { query: '', filter: { tags: ['bird'] } },
    { query: '', filter: { folder: 'Cages' } },
  ],
  vault_search: [{ query: 'canary', limit: 50 }, { query: 'bird' }],
  search_text: [{ pattern: 'sings' }, { pattern: 'c.nary', regex: true, context: 2 }],
  query_notes: [
    {},
    { folder: 'Cages' },
    { tags: ['bird'], select: ['file.tags'] },
    { where: 'file.hasTag("bird") || file.hasLink("Open")' },
    { where: 'private == true', select: ['file.name'] },
    { where: 'file.name == "Open.md"', select: ['file.backlinks', 'file.links'] },
  ],
  query_base: [
    { path: 'All.base' },
    { path: 'Cages/Birds.base' },
    { path: 'Birds' },
    { path: 'Secret canary.md' },
    { path: 'Canary' },
  ],
  list_tasks: [{ state: 'any' }, { text: 'canary' }],
  check_vault: [{}, { only: ['links', 'orphans'], each: 5 }],
  search_by_tag: [{ tags: ['bird'] }, { tags: ['bird', 'open'], match: 'any' }],
  get_tag_list: [{}],
  list_backlinks: [{ path: 'Open.md' }, { path: 'Secret canary.md' }],
  list_forward_links: [{ path: 'Open.md' }, { path: 'Cages/Canary.md' }],
  related_notes: [{ path: 'Open.md', include_linked: true }, { path: 'Cages/Canary.md' }],
  get_note_metadata: [{ path: 'Open.md' }, { path: 'Secret canary' }, { path: 'Canary' }],
  get_random_note: [{}, { folder: 'Cages' }, { tag: 'bird' }],
  index_vault: [{}],
  read_note: [{ path: 'Secret canary.md' }, { path: 'Cages/Canary.md' }, { path: 'Canary' }, { path: 'secret CANARY' }],
  file_read: [{ filePaths: ['Secret canary.md', 'Cages/Canary.md', 'Open.md'] }],
  get_file_tree: [{}, { folder: 'Cages' }],
}

describe('tools that read', () => {
  it('never bring a private or an excluded note to light', async () => {
    const notes = {
      'Open.md': 'Nothing to see. #open',
      'Secret canary.md': '---\nprivate: true\ntags: [bird]\n---\nSINGS [[Open]]',
      'Cages/Canary.md': 'SINGS #bird [[Open]]\n\n- [ ] SINGS\n',
      'All.base': 'views:\n  - name: All\n    order: [file.name, file.tags, file.backlinks]\n',
      'Cages/Birds.base': 'views:\n  - name: SINGS\n',
      '.notewrightignore': 'Cages/\n',
    }
    const context = await testContext(notes)
    expect(Object.keys(calls)).toEqual(tools.map(({ name }) => name))
    for (const tool of tools) {
      for (const input of calls[tool.name]) {
        const result = await callTool(tool, input, context)
        const said = JSON.stringify([result.ok ? result.output : '', result.text])
        // A refusal may repeat the arguments of the call, and nothing else.
        expect(said).not.toMatch(/SINGS|"bird"|#bird/)
        if (result.ok && tool.name !== 'file_read') expect(said).not.toMatch(/canary/i)
      }
    }
  })

  it('answer for a hidden note exactly as for one that is not there', async () => {
    const hidden = await testContext({ 'Secret.md': '---\nprivate: true\n---\nx [[A]]', 'A.md': '[[Secret]]' })
    const absent = await testContext({ 'A.md': '[[Secret]]' })
    for (const tool of tools) {
      for (const input of [
        { path: 'Secret.md' },
        { path: 'A.md' },
        { filePaths: ['Secret'] },
        { query: 'Secret' },
        {},
      ]) {
        const [one, other] = [await callTool(tool, input, hidden), await callTool(tool, input, absent)]
        const timeless = (text: string) => text.replace(/"(?:created|modified)":"[^"]*"|\d+ ms/g, '')
        expect(timeless(one.text)).toBe(timeless(other.text))
      }
    }
  })

  it('live with any name a file can have', async () => {
    const names = [
      '"quoted" <b> & \'s.md',
      '![[x]] [y](z).md',
      `${'ä'.repeat(120)}.md`,
      '🏴 日本 e\u0301.md',
      'tag\u{e0041}\u{e0042}.md',
      '__proto__.md',
      'a/constructor/b.md',
      '</tool_result> ```.md',
      '$& $1 %s {}.md',
    ]
    const base = '```base\nviews:\n  - name: All\n```\n'
    const context = await testContext(
      Object.fromEntries(names.map((name) => [name, `# T\n\napples #red [[${name}]]\n\n${base}`])),
    )
    for (const path of names) {
      for (const tool of tools) {
        const input = { search_notes: { query: path }, vault_search: { query: path.slice(0, 100), limit: 50 } }[
          tool.name
        ]
        const other = {
          search_text: { pattern: 'apples' },
          search_by_tag: { tags: ['red'] },
          file_read: { filePaths: [path] },
        }[tool.name]
        const takesPath = 'path' in (inputSchema(tool).properties as object)
        const result = await callTool(tool, input ?? other ?? (takesPath ? { path } : {}), context)
        expect(result, `${tool.name} ${path}`).toMatchObject({ ok: true })
        expect(result.text).not.toMatch(/[\u{e0000}-\u{e007f}]/u)
      }
    }
  })

  it('end in an answer or a clear failure for any arguments', async () => {
    const context = await testContext({ 'A.md': '# A\n\ntext ^b', 'b/A.md': 'x' })
    const value = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('A', 'A.md', '../x', '/', '\0', '1-'),
      fc.double(),
      fc.jsonValue(),
    )
    const call = fc.constantFrom(...tools).chain((tool) => {
      const fields = Object.keys(inputSchema(tool).properties as object)
      const input = fc.dictionary(fc.constantFrom(...fields, 'other'), value, { noNullPrototype: true, maxKeys: 3 })
      return fc.tuple(fc.constant(tool), input)
    })
    await fc.assert(
      fc.asyncProperty(call, async ([tool, given]) => {
        const result = await callTool(tool, given, context)
        if (!result.ok) expect(result.code).not.toBe('internal')
      }),
      { numRuns: 1000 },
    )
  })

  it('take nothing but blanks for no path', async () => {
    const context = await testContext({ 'A.md': 'a' })
    const named = (name: string) => readingTools.find((tool) => tool.name === name)!
    for (const path of [' ', '\u3000 ']) {
      expect(await callTool(named('read_note'), { path }, context)).toMatchObject({ ok: false, code: 'not-found' })
      const { text } = await callTool(named('file_read'), { filePaths: [path] }, context)
      expect(text).toContain('Error reading file: Path must be within vault directory')
    }
  })

  it('take up little of what a model can hold', () => {
    const words = tools.map((tool) => ({ name: tool.name, description: tool.description, input: inputSchema(tool) }))
    expect(JSON.stringify(words).length).toBeLessThan(500 * tools.length)
    for (const { description } of words)
      expect(description.split(/[.!?](?:\s|$)/).filter(Boolean).length).toBeLessThanOrEqual(3)
  })
})
