import { describe, expect, it } from 'vitest'
import { testContext } from '../../../../test/tools/call-tool.js'
import { notePath } from '../../vault/index.js'
import { appendNote } from './append-note.js'

async function appended(text: string, content: string, heading?: string): Promise<string> {
  const context = await testContext({ 'a.md': text })
  const plan = await appendNote.plan!({ path: 'a.md', content, heading }, context)
  expect(new TextDecoder('utf-8', { ignoreBOM: true }).decode(context.memory.snapshot().get('a.md'))).toBe(text)
  await context.apply(plan.changes)
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(context.memory.snapshot().get('a.md'))
}

describe('append_note', () => {
  it.each([
    ['a\n', 'b', 'a\nb\n'],
    ['a', 'b', 'a\nb\n'],
    ['', 'b', 'b\n'],
    ['\ufeff', 'b', '\ufeffb\n'],
    ['a\r\nx', 'b\nc\n', 'a\r\nx\r\nb\r\nc\r\n'],
    ['a\n\n', 'b\n\n', 'a\n\nb\n\n'],
    ['a\n', '\nb', 'a\n\nb\n'],
  ])('%j with %j becomes %j', async (text, content, result) => {
    expect(await appended(text, content)).toBe(result)
  })

  it('lands after whatever others have written meanwhile', async () => {
    const context = await testContext({ 'a.md': 'a\n' })
    const plans = await Promise.all(
      ['one', 'two', 'three'].map((content) => appendNote.plan!({ path: 'a.md', content }, context)),
    )
    context.memory.write('a.md', 'a\nb\n')
    for (const { changes } of plans) await context.apply(changes)
    expect((await context.vault.read(notePath('a.md')))?.text).toBe('a\nb\none\ntwo\nthree\n')
  })

  it.each([
    ['# A\n- x\n\n# B\ny\n', 'A', '# A\n- x\n- new\n\n# B\ny\n'],
    ['# A\n\n# B\n', 'a', '# A\n- new\n\n# B\n'],
    ['# A\n# B\n', 'B', '# A\n# B\n- new\n'],
    ['# A\n# B', 'B', '# A\n# B\n- new\n'],
    ['# A\ntext\n## Sub\nmore\n\n# B\n', '# A', '# A\ntext\n## Sub\nmore\n- new\n\n# B\n'],
    ['## A\r\nx\r\n\r\n## B\r\n', 'A', '## A\r\nx\r\n- new\r\n\r\n## B\r\n'],
    ['A\n===\nx\n\nB\n---\ny', 'A', 'A\n===\nx\n\nB\n---\ny\n- new\n'],
    ['---\nt: 1\n---\n# A', 'A', '---\nt: 1\n---\n# A\n- new\n'],
    ['# One\n## Goals\na\n# Two\n## Goals\nb\n', 'Two#Goals', '# One\n## Goals\na\n# Two\n## Goals\nb\n- new\n'],
    ['# One\n## Goals\na\n# Two\n## Goals\nb\n', 'One#Goals', '# One\n## Goals\na\n- new\n# Two\n## Goals\nb\n'],
    ['# C# notes\nx\n# D\n', 'C# notes', '# C# notes\nx\n- new\n# D\n'],
    ['# A\n```\n# not a heading\n```\n# B\n', 'A', '# A\n```\n# not a heading\n```\n- new\n# B\n'],
  ])('in %j under %s gives %j', async (text, heading, result) => {
    expect(await appended(text, '- new', heading)).toBe(result)
  })

  it('names the headings there are when one is missing', async () => {
    await expect(appended('# A\n## B\n', 'x', 'C')).rejects.toMatchObject({
      code: 'not-found',
      message: 'a.md has no heading "C".',
      details: { hint: 'It has: A, B.' },
    })
    await expect(appended('text', 'x', 'C')).rejects.toMatchObject({ code: 'not-found' })
  })

  it('refuses a heading that occurs twice, with its lines', async () => {
    await expect(appended('# A\n\n# A\n', 'x', 'A')).rejects.toMatchObject({
      code: 'ambiguous',
      details: { data: { lines: [1, 3] } },
    })
  })

  it('makes no note of a wrong path', async () => {
    const context = await testContext({})
    await expect(appendNote.plan!({ path: 'none.md', content: 'x' }, context)).rejects.toMatchObject({
      code: 'not-found',
      message: 'Note not found: none.md',
      details: { modelHint: expect.stringContaining('write_note') },
    })
  })

  it('refuses empty content and notes that are not UTF-8', async () => {
    await expect(appended('a', '')).rejects.toMatchObject({ code: 'invalid-input' })
    const context = await testContext({})
    context.memory.write('bad.md', new Uint8Array([0xff]))
    await expect(appendNote.plan!({ path: 'bad.md', content: 'x' }, context)).rejects.toMatchObject({
      code: 'not-utf8',
    })
  })

  it('warns of executable text with the line it will have', async () => {
    const context = await testContext({ 'a.md': 'a\nb\n`$= 1`\n' })
    const plan = await appendNote.plan!({ path: 'a.md', content: '```dataviewjs\nx\n```' }, context)
    expect(plan.notices).toMatchObject([
      { kind: 'executable', text: expect.stringMatching(/: dataviewjs block \(line 4\)\.$/) },
    ])
  })
})
