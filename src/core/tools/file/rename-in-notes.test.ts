import { describe, expect, it } from 'vitest'
import { testContext } from '../../../../test/tools/call-tool.js'
import { notePath } from '../../vault/index.js'
import { renameInNotes } from './rename-in-notes.js'

async function renamed(files: Record<string, string>, input: Record<string, unknown>) {
  const context = await testContext({ '.obsidian/app.json': '{}', ...files })
  const plan = await renameInNotes.plan!(input, context)
  await context.apply(plan.changes)
  const read = async (path: string) => (await context.vault.read(notePath(path)))?.text
  return { context, plan, read }
}

describe('rename_in_notes', () => {
  it('renames a heading and every link that names it, also on the way to another', async () => {
    const { read } = await renamed(
      {
        'N.md': '# Old: one\n\n## Sub\n\n[[#Old one]]\n',
        'I.md': '[[N#old one|x]] [[N#Old one#Sub]] [m](N.md#Old%20one) ![[N#Old one]] `[[N#Old one]]`\n',
        'F.md': "---\nup: '[[N#Old one]]'\n---\n",
      },
      { kind: 'heading', path: 'N', from: 'Old: one', to: 'New (two)' },
    )
    expect(await read('N.md')).toBe('# New (two)\n\n## Sub\n\n[[#New (two)]]\n')
    expect(await read('I.md')).toBe(
      '[[N#New (two)|x]] [[N#New (two)#Sub]] [m](N.md#New%20%28two%29) ![[N#New (two)]] `[[N#Old one]]`\n',
    )
    expect(await read('F.md')).toBe("---\nup: '[[N#New (two)]]'\n---\n")
  })

  it('updates links to a heading that changes because it contains such a link', async () => {
    const { read } = await renamed(
      { 'N.md': '# Old\n', 'M.md': '## About [[N#Old]]\n', 'I.md': '[[M#About N Old]]\n' },
      { kind: 'heading', path: 'N', from: 'Old', to: 'New' },
    )
    expect(await read('M.md')).toBe('## About [[N#New]]\n')
    expect(await read('I.md')).toBe('[[M#About N New]]\n')
  })

  it('renames a block id and the links to it', async () => {
    const { read } = await renamed(
      { 'N.md': 'text ^old\n', 'I.md': '[[N#^old]] ![[N#^OLD]]\n' },
      { kind: 'block', path: 'N', from: '^old', to: 'new-1' },
    )
    expect([await read('N.md'), await read('I.md')]).toEqual(['text ^new-1\n', '[[N#^new-1]] ![[N#^new-1]]\n'])
  })

  it('renames an alias and the text of links that show it', async () => {
    const { read } = await renamed(
      {
        'N.md': '---\naliases: ["Ann", Bo]\n---\n',
        'I.md': '[[N|ann]] [Ann](N.md) [[N|other]] [[M|Ann]]\n',
        'M.md': '',
      },
      { kind: 'alias', path: 'N', from: 'Ann', to: 'Anna' },
    )
    expect(await read('N.md')).toBe('---\naliases: ["Anna", Bo]\n---\n')
    expect(await read('I.md')).toBe('[[N|Anna]] [Anna](N.md) [[N|other]] [[M|Ann]]\n')
  })

  it('renames a tag with those below it in all notes, never in code', async () => {
    const { read, plan } = await renamed(
      { 'A.md': '---\ntags: [Work/a]\n---\n#work `#work` #works\n', 'B.md': 'b' },
      { kind: 'tag', from: '#work', to: 'job' },
    )
    expect(await read('A.md')).toBe('---\ntags: [job/a]\n---\n#job `#work` #works\n')
    expect(plan.output).toMatchObject({ notes: 1, links: 0 })
  })

  it('renames a property in all notes and keeps how its value is written', async () => {
    const { read, plan } = await renamed(
      { 'A.md': '---\nState: "x" # c\nb: 1\n---\n', 'B.md': '---\nstate: 1\nstatus: 2\n---\n' },
      { kind: 'property', from: 'state', to: 'status' },
    )
    expect(await read('A.md')).toBe('---\nstatus: "x" # c\nb: 1\n---\n')
    expect(plan.output.not_changed).toEqual(['B.md: It already has a property status.'])
  })

  it('refuses a name that another heading or block has', async () => {
    const context = await testContext({ 'N.md': '# A\n\n# B\n\nx ^a\n\ny ^b\n', 'I.md': '[[N#B]]' })
    const plan = (input: Record<string, unknown>) => renameInNotes.plan!({ path: 'N', ...input }, context)
    await expect(plan({ kind: 'heading', from: 'B', to: 'A' })).rejects.toMatchObject({ code: 'conflict' })
    await expect(plan({ kind: 'block', from: 'a', to: 'B' })).rejects.toMatchObject({ code: 'conflict' })
    await expect(plan({ kind: 'alias', from: 'a', to: 'B' })).rejects.toMatchObject({ code: 'not-found' })
  })
})
