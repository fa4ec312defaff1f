import { describe, expect, it } from 'vitest'
import { answerOf, failureOf, testContext } from '../../../../test/tools/call-tool.js'
import { getNoteMetadata } from './get-note-metadata.js'

describe('get_note_metadata', () => {
  it('returns everything about a note but its text', async () => {
    const text =
      '---\ntitle: The plan\naliases: [Plan A]\ncreated: 2024-01-02T03:04:05Z\nrating: 5\n---\n# One\n\n[[B]] #tag\n'
    const context = await testContext({ 'x/A.md': text, 'B.md': '[[A]] [[A]]' })
    const result = await answerOf(getNoteMetadata, { path: 'a' }, context)
    expect(result.output).toEqual({
      path: 'x/A.md',
      title: 'The plan',
      tags: ['tag'],
      aliases: ['Plan A'],
      properties: { title: 'The plan', aliases: ['Plan A'], created: '2024-01-02T03:04:05Z', rating: 5 },
      headings: [{ level: 1, text: 'One', line: 7 }],
      created: '2024-01-02T03:04:05.000Z',
      modified: expect.stringMatching(/Z$/),
      size: text.length,
      links: 1,
      backlinks: 2,
    })
    expect(JSON.parse(result.text)).toEqual(result.output)
  })

  it('gives values as they are written, numbers that may be names among them', async () => {
    const yaml =
      'id: 00123\nprice: 1.50\nhex: 0x1F\nbig: 12345678901234567890\nsigned: +5\nplain: 5\nlist: [007, 8]\ndeep: { a: 010 }\nquoted: "00123"\nday: 2024-01-02'
    const context = await testContext({ 'A.md': `---\n${yaml}\n---\n` })
    const { output } = await answerOf(getNoteMetadata, { path: 'A.md' }, context)
    expect(output.properties).toEqual({
      id: '00123',
      price: '1.50',
      hex: '0x1F',
      big: '12345678901234567890',
      signed: '+5',
      plain: 5,
      list: ['007', 8],
      deep: { a: '010' },
      quoted: '00123',
      day: '2024-01-02',
    })
  })

  it('returns times in the time zone of the filters', async () => {
    const text = '---\ncreated: 2024-01-02T23:30:00Z\n---\n'
    const clock = { now: () => new Date(), timeZone: 'Asia/Tokyo' }
    const context = await testContext({ 'A.md': text }, { clock })
    const { output } = await answerOf(getNoteMetadata, { path: 'A.md' }, context)
    expect(output.created).toBe('2024-01-03T08:30:00.000+09:00')
    expect(output.modified).toMatch(/\+09:00$/)
  })

  it('says what is wrong with frontmatter that cannot be read', async () => {
    const context = await testContext({ 'A.md': '---\na: [1\n---\ntext' })
    const { output } = await answerOf(getNoteMetadata, { path: 'A.md' }, context)
    expect(output).toMatchObject({ properties: null, frontmatter_error: expect.any(String) })
  })

  it('stays small for a note that is not, and says what it left out', async () => {
    const headings = Array.from({ length: 500 }, (_, number) => `# ${'h'.repeat(5000)} ${number}\n`).join('')
    const context = await testContext({
      'A.md': `---\nsmall: 1\nlarge: ${'x'.repeat(50_000)}\nlast: 2\n---\n${headings}`,
    })
    const { output, text } = await answerOf(getNoteMetadata, { path: 'A.md' }, context)
    expect(text.length).toBeLessThan(40_000)
    expect(output).toMatchObject({ properties: { small: 1, last: 2 }, left_out: { headings: 400, properties: 1 } })
  })

  it('describes several notes, each on a line', async () => {
    const context = await testContext({ 'A.md': '# One\n', 'B.md': '---\ntags: [x]\n---\n' })
    const { output, text } = await answerOf(getNoteMetadata, { paths: ['A', 'B.md', 'Gone'] }, context)
    expect(output).toMatchObject({
      notes: [
        { path: 'A.md', title: 'One' },
        { path: 'B.md', tags: ['x'] },
      ],
    })
    const [one, two, missing] = text.split('\n')
    expect([JSON.parse(one), JSON.parse(two)]).toMatchObject([{ path: 'A.md' }, { path: 'B.md' }])
    expect(missing).toContain('Gone')
  })

  it('keeps hostile property names as plain data', async () => {
    const context = await testContext({ 'A.md': '---\n__proto__: {polluted: yes}\nconstructor: 1\n---\n' })
    const { text } = await answerOf(getNoteMetadata, { path: 'A.md' }, context)
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
    expect(text).toContain('"__proto__":{"polluted"')
  })

  it('shows characters that hide text as escapes, also in names', async () => {
    const context = await testContext({ 'A\u{e0041}.md': '---\nkey: "aU+E0062b"\n---\n# T\u{e0063}\n' })
    const { text } = await answerOf(getNoteMetadata, { path: 'A\u{e0041}.md' }, context)
    expect(text).not.toMatch(/[\u{e0000}-\u{e007f}]/u)
    expect(JSON.parse(text).path).toBe('A\u{e0041}.md')
    expect(text).toContain('U+E0062')
  })

  it('answers for a private note as for one that is not there', async () => {
    const context = await testContext({ 'Secret.md': '---\nprivate: true\n---\n', 'a/P.md': '', 'b/P.md': '' })
    expect((await failureOf(getNoteMetadata, { path: 'Secret.md' }, context)).text).toMatch(
      /^Note not found: Secret.md/,
    )
    expect(await failureOf(getNoteMetadata, { path: 'P' }, context)).toMatchObject({ code: 'ambiguous' })
  })
})
