import { describe, expect, it } from 'vitest'
import { testContext } from '../../../../test/tools/call-tool.js'
import { notePath } from '../../vault/index.js'
import { splitNote } from './split-note.js'

async function split(files: Record<string, string>, input: Record<string, unknown>) {
  const context = await testContext({ '.obsidian/app.json': '{}', ...files })
  const plan = await splitNote.plan!(input, context)
  await context.apply(plan.changes)
  const read = async (path: string) => (await context.vault.read(notePath(path)))?.text
  return { context, plan, read }
}

describe('split_note', () => {
  it('moves a section to a new note and updates the links to its headings and blocks', async () => {
    const { read, plan } = await split(
      {
        'P/N.md':
          '---\na: 1\n---\n# Top\n\nsee [[#Part two]] and [[#Deep]]\n\n## Part two\n\ntext [[#Top]] ^b\n\n### Deep\n\nd\n\n## Last\n',
        'I.md': '[[N]] [[N#Part two]] [[N#Top#Part two#Deep|d]] ![[N#^b]] [x](P/N.md#Deep) [[N#Last]]\n',
      },
      { path: 'N', heading: 'Part two' },
    )
    expect(plan.output.new_path).toBe('P/Part two.md')
    expect(await read('P/N.md')).toBe(
      '---\na: 1\n---\n# Top\n\nsee [[Part two#Part two]] and [[Part two#Deep]]\n\n[[Part two]]\n\n## Last\n',
    )
    expect(await read('P/Part two.md')).toBe('## Part two\n\ntext [[N#Top]] ^b\n\n### Deep\n\nd\n')
    expect(await read('I.md')).toBe(
      '[[N]] [[Part two#Part two]] [[Part two#Part two#Deep|d]] ![[Part two#^b]] [x](P/Part%20two.md#Deep) [[N#Last]]\n',
    )
  })

  it('takes the footnotes and link references that the text uses', async () => {
    const { read } = await split(
      {
        'N.md': '# A\n\na[^1] [r]\n\n# B\n\nb[^1] c[^2] [r]\n\n# C\n\n[^1]: one\n[^2]: two\n\n[r]: http://r.example\n',
      },
      { path: 'N', heading: 'B', leave: 'nothing' },
    )
    expect(await read('N.md')).toBe('# A\n\na[^1] [r]\n\n\n# C\n\n[^1]: one\n\n[r]: http://r.example\n')
    expect(await read('B.md')).toBe('# B\n\nb[^1] c[^2] [r]\n\n[^1]: one\n[^2]: two\n\n[r]: http://r.example\n')
  })

  it('leaves an embed, in a list as an item', async () => {
    const { read } = await split(
      { 'N.md': '- one\n- two ^x\n- three\n', 'I.md': '[[N#^x]]' },
      { path: 'N', block: 'x', to: 'Sub/Two', leave: 'embed' },
    )
    expect(await read('N.md')).toBe('- one\n- ![[Two]]\n- three\n')
    expect(await read('Sub/Two.md')).toBe('- two ^x\n')
    expect(await read('I.md')).toBe('[[Two#^x]]')
  })

  it('does not overwrite a note, and numbers a name it chose itself', async () => {
    const files = { 'N.md': '# B\n\nb\n', 'B.md': '' }
    const { plan } = await split(files, { path: 'N', heading: 'B' })
    expect(plan.output.new_path).toBe('B 2.md')
    const context = await testContext({ '.obsidian/app.json': '{}', ...files })
    await expect(splitNote.plan!({ path: 'N', heading: 'B', to: 'B' }, context)).rejects.toThrow('already exists')
  })

  it('says what is missing', async () => {
    const context = await testContext({ 'N.md': '---\na: 1\n---\n# B\n' })
    await expect(splitNote.plan!({ path: 'N' }, context)).rejects.toThrow('name a heading, a block or lines')
    await expect(splitNote.plan!({ path: 'N', lines: '1-4' }, context)).rejects.toThrow('properties')
  })
})
