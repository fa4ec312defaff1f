import { describe, expect, it } from 'vitest'
import { testContext } from '../../../../test/tools/call-tool.js'
import { notePath } from '../../vault/index.js'
import { mergeNotes } from './merge-notes.js'

async function merged(files: Record<string, string>, input: { from: string[]; into: string; heading?: boolean }) {
  const context = await testContext({ '.obsidian/app.json': '{}', ...files })
  const plan = await mergeNotes.plan!(input, context)
  await context.apply(plan.changes)
  const read = async (path: string) => (await context.vault.read(notePath(path)))?.text
  return { context, plan, read }
}

describe('merge_notes', () => {
  it('appends the text under a heading, redirects every form of link, and moves the note to the trash', async () => {
    const { read, plan } = await merged(
      {
        'People/Ada.md': '## Work\n\nEngines. ^e1\n',
        'Team.md': '# Team\n',
        'Index.md': [
          'See [[Ada]], [[Ada|her]], [[People/Ada#Work]], ![[Ada#^e1]] and ![[Ada]].',
          '[a](People/Ada.md) [b](People/Ada.md#Work "t") [c][ref]',
          '',
          '[ref]: <People/Ada.md>',
          '',
        ].join('\n'),
        'Props.md': '---\nlead: "[[Ada]]"\n---\n',
        'board.canvas':
          '{"nodes":[{"id":"1","type":"file","file":"People/Ada.md","subpath":"#Work","x":0,"y":0,"width":1,"height":1}],"edges":[]}',
      },
      { from: ['Ada'], into: 'Team' },
    )
    expect(await read('People/Ada.md')).toBeUndefined()
    expect(await read('Team.md')).toBe('---\naliases:\n  - Ada\n---\n# Team\n\n# Ada\n\n## Work\n\nEngines. ^e1\n')
    expect(await read('Index.md')).toBe(
      [
        'See [[Team|Ada]], [[Team|her]], [[Team#Work]], ![[Team#^e1]] and ![[Team#Ada]].',
        '[a](Team.md) [b](Team.md#Work "t") [c][ref]',
        '',
        '[ref]: <Team.md>',
        '',
      ].join('\n'),
    )
    expect(await read('Props.md')).toBe('---\nlead: "[[Team|Ada]]"\n---\n')
    expect(await read('board.canvas')).toContain('"file":"Team.md","subpath":"#Work"')
    expect(plan.output).toMatchObject({ merged: ['People/Ada.md'], path: 'Team.md' })
  })

  it('keeps headings, block ids, footnotes and link references apart that both notes have', async () => {
    const { read } = await merged(
      {
        'A.md': '# A\n\n## Notes\n\nx[^1] [r] ^b\n\n[^1]: first\n\n[r]: http://a.example\n',
        'B.md':
          '# B\n\n## Notes\n\ny[^1] [r] ^b\n\nSee [[#Notes]] and [[#^b]].\n\n[^1]: second\n\n[r]: http://b.example\n',
        'I.md': '[[A#Notes]] [[B#Notes]] [[B#^b]]\n',
      },
      { from: ['B'], into: 'A' },
    )
    expect(await read('I.md')).toBe('[[A#Notes]] [[A#B#Notes]] [[A#^b-2]]\n')
    expect(await read('A.md')).toBe(
      '---\naliases:\n  - B\n---\n# A\n\n## Notes\n\nx[^1] [r] ^b\n\n[^1]: first\n\n[r]: http://a.example\n\n' +
        '# B\n\n## Notes\n\ny[^2] [r-2] ^b-2\n\nSee [[#B#Notes]] and [[#^b-2]].\n\n[^2]: second\n\n[r-2]: http://b.example\n',
    )
  })

  it('renames a heading that no link could tell from another', async () => {
    const { read, plan } = await merged(
      { 'A.md': '# Notes\n', 'B.md': '# Notes\n', 'I.md': '[[B#Notes]]\n' },
      { from: ['B'], into: 'A' },
    )
    expect(await read('I.md')).toBe('[[A#Notes (B)]]\n')
    expect(await read('A.md')).toContain('# Notes\n\n# Notes (B)\n')
    expect(plan.output.renamed).toEqual(['B.md: heading “Notes (B)”'])
  })

  it('merges properties, and keeps both values where they differ', async () => {
    const { read, plan } = await merged(
      {
        'A.md': '---\ntags: [x, y] # mine\nstatus: done\nsame: 1\nempty:\n---\nA\n',
        'B.md': '---\ntag: y z\nStatus: open\nsame: 1\nempty: 3\nup: "[[Sub/C]]"\naliases: Bee\n---\nB\n',
        'Sub/C.md': 'c',
      },
      { from: ['B'], into: 'A', heading: false },
    )
    expect(await read('A.md')).toBe(
      '---\ntags: [x, y, z] # mine\nstatus: done\nsame: 1\nempty: 3\nStatus (from B): open\nup: "[[Sub/C]]"\naliases: Bee\n---\nA\n\n---\n\nB\n'.replace(
        'aliases: Bee\n',
        'aliases:\n  - Bee\n  - B\n',
      ),
    )
    expect(plan.output.conflicts).toEqual(['status: the other value is kept as Status (from B)'])
  })

  it('rewrites relative links of the moved text for its new folder', async () => {
    const { read } = await merged(
      { 'x/A.md': '[p](./pic.png) ![q](sub/r.png) [[#H]]\n\n# H\n', 'x/pic.png': '', 'x/sub/r.png': '', 'y/B.md': 'b' },
      { from: ['x/A.md'], into: 'y/B.md' },
    )
    expect(await read('y/B.md')).toContain('[p](../x/pic.png) ![q](sub/r.png) [[#H]]')
  })

  it('refuses text that would be read differently in its new place', async () => {
    const context = await testContext({ 'A.md': 'a\n\n```\nopen', 'B.md': '[[A]]\n' })
    await expect(mergeNotes.plan!({ from: ['B'], into: 'A' }, context)).rejects.toThrow(
      'Line 1 of B.md would be read differently in its new place.',
    )
  })

  it('creates the note if it is missing, and undo restores every byte', async () => {
    const files = { 'A.md': '\ufeffa\r\n', 'B.md': 'b', 'I.md': '[[A]] [[B]]' }
    const { context, read } = await merged(files, { from: ['A', 'B'], into: 'C' })
    expect(await read('I.md')).toBe('[[C|A]] [[C|B]]')
    const [entry] = await context.memory.history()
    await context.apply(await context.memory.planUndo({ id: entry!.id }))
    for (const [path, text] of Object.entries(files)) expect(await read(path)).toBe(text)
    expect(await read('C.md')).toBeUndefined()
  })
})
