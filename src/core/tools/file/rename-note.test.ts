import { describe, expect, it } from 'vitest'
import { testContext } from '../../../../test/tools/call-tool.js'
import { notePath } from '../../vault/index.js'
import { renameNote } from './rename-note.js'

describe('rename_note', () => {
  it('moves a note, rewrites the links to it, and says how many', async () => {
    const context = await testContext({
      'Plan.md': '# Plan\n[[Index]]\n',
      'Index.md': 'See [[Plan]] and [[Plan#Plan|the plan]].\n',
      'Other.md': '[p](Plan.md)\n',
    })
    const plan = await renameNote.plan!({ path: 'Plan', new_path: 'Projects/Road Map' }, context)
    expect(plan.impact).toMatchObject({ files: 1, links: 3, notes: 2 })
    expect(plan.changes.session).toBe('test')
    await context.apply(plan.changes)
    expect((await context.vault.read(notePath('Index.md')))?.text).toBe(
      'See [[Road Map]] and [[Road Map#Plan|the plan]].\n',
    )
    expect(await context.vault.read(notePath('Plan.md'))).toBeUndefined()
    expect(renameNote.render(plan.output)).toBe(
      'Note renamed: Plan.md to Projects/Road Map.md. Updated 3 links in 2 notes.',
    )
  })

  it('moves into a folder that ends with a slash', async () => {
    const context = await testContext({ 'a.md': 'x' })
    const plan = await renameNote.plan!({ path: 'a.md', new_path: 'Archive/' }, context)
    expect(plan.output.new_path).toBe('Archive/a.md')
    expect(renameNote.render(plan.output)).toContain('No links had to be updated.')
  })

  it('names links it cannot rewrite before anyone says yes', async () => {
    const context = await testContext({ 'a.md': 'x', 'new.md': '[[b]]' })
    context.memory.write('bad.md', new Uint8Array([...new TextEncoder().encode('[[a]] '), 0xff]))
    const plan = await renameNote.plan!({ path: 'a.md', new_path: 'b.md' }, context)
    const texts = plan.notices!.map(({ kind, text }) => `${kind}: ${text}`)
    expect(texts).toEqual([
      'links: bad.md links to it but is not valid UTF-8, so it is not changed.',
      'links: 1 unresolved link will point to the new name.',
    ])
    expect(renameNote.render(plan.output)).toContain('\n- bad.md links to it')
  })

  it('takes canvases along, and counts them', async () => {
    const board = '{"nodes":[{"id":"1","type":"file","file":"a.md","x":0,"y":0,"width":1,"height":1}],"edges":[]}'
    const context = await testContext({ 'a.md': 'x', 'board.canvas': board, 'c.md': '[[a]]' })
    const plan = await renameNote.plan!({ path: 'a.md', new_path: 'b.md' }, context)
    expect(plan.output).toMatchObject({ links: 2, notes: 1, canvases: 1 })
    await context.apply(plan.changes)
    expect((await context.vault.read(notePath('board.canvas')))?.text).toBe(board.replace('a.md', 'b.md'))
    expect(renameNote.render(plan.output)).toContain('Updated 2 links in 1 note and 1 canvas.')
  })

  it('knows of a link that was written a moment ago', async () => {
    const context = await testContext({ 'a.md': 'x' })
    context.memory.write('late.md', '[[a]]')
    const plan = await renameNote.plan!({ path: 'a.md', new_path: 'b.md' }, context)
    expect(plan.output.links).toBe(1)
  })

  it.each([
    ['a.md', 'b.md', 'conflict'],
    ['a.md', 'P.md', 'path'],
    ['a.md', 'a.md', 'invalid-input'],
    ['a.md', '../x.md', 'path'],
    ['a.md', 'CON.md', 'path'],
    ['a.md', '.obsidian/x.md', 'path'],
    ['none.md', 'x.md', 'not-found'],
    ['p.md', 'x.md', 'not-found'],
    ['pic.png', 'x.png', 'path'],
    ['Folder', 'x', 'not-found'],
  ])('refuses to rename %s to %s as %s', async (path, new_path, code) => {
    const context = await testContext({
      'a.md': 'x',
      'b.md': 'y',
      'p.md': '---\nprivate: true\n---\n',
      'pic.png': 'p',
      'Folder/c.md': 'z',
    })
    await expect(renameNote.plan!({ path, new_path }, context)).rejects.toMatchObject({ code })
  })

  it('moves a note that is not UTF-8 byte for byte', async () => {
    const context = await testContext({})
    const bytes = new Uint8Array([0x23, 0x20, 0xff, 0xfe, 0x80])
    context.memory.write('bad.md', bytes)
    await context.apply((await renameNote.plan!({ path: 'bad.md', new_path: 'good.md' }, context)).changes)
    expect(context.memory.snapshot().get('good.md')).toEqual(bytes)
  })
})
