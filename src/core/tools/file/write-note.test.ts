import { describe, expect, it } from 'vitest'
import { callTool, testContext } from '../../../../test/tools/call-tool.js'
import { notePath } from '../../vault/index.js'
import { queryBase } from '../search/query-base.js'
import { readNote } from './read-note.js'
import { writeNote } from './write-note.js'

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

describe('write_note', () => {
  it('creates a note, which destroys nothing', async () => {
    const context = await testContext({ 'Projects/a.md': '' })
    const plan = await writeNote.plan!({ path: 'projects/New/b.md', content: '# B\n' }, context)
    expect(plan).toMatchObject({ effects: ['writes'], notices: [], output: { created: true } })
    expect(plan.changes.session).toBe('test')
    const applied = await context.apply(plan.changes)
    expect(writeNote.render(plan.output, applied)).toBe('Note created successfully: Projects/New/b.md')
    expect((await context.vault.read(notePath('Projects/New/b.md')))?.text).toBe('# B\n')
  })

  it('overwrites a whole note, which destroys, and says so', async () => {
    const context = await testContext({ 'a.md': 'old\n' })
    const plan = await writeNote.plan!({ path: 'a.md', content: 'new\n' }, context)
    expect(plan).toMatchObject({ effects: ['writes', 'destroys'], output: { path: 'a.md', created: false } })
    expect(plan.notices).toEqual([{ kind: 'overwrite', text: 'Replaces everything in a.md (4 bytes).' }])
    const applied = await context.apply(plan.changes)
    expect(writeNote.render(plan.output, applied)).toBe('Note overwritten successfully: a.md')
  })

  it.each([
    ['case', 'Note.md', 'note.md'],
    ['normalisation', 'cafe\u0301.md', 'caf\u00e9.md'],
  ])('takes a name that differs only by %s for the same note', async (_, there, asked) => {
    const context = await testContext({ [there]: 'OLD' })
    const plan = await writeNote.plan!({ path: asked, content: 'NEW' }, context)
    expect(plan).toMatchObject({ effects: ['writes', 'destroys'], output: { path: there, created: false } })
    await context.apply(plan.changes)
    expect([...context.memory.snapshot().keys()]).toEqual([there])
  })

  it('keeps the line breaks and the byte order mark of the note it overwrites', async () => {
    const context = await testContext({ 'a.md': '\ufeffold\r\ntext\r\n' })
    const plan = await writeNote.plan!({ path: 'a.md', content: 'new\ntext\n' }, context)
    await context.apply(plan.changes)
    expect(decoder.decode(context.memory.snapshot().get('a.md'))).toBe('\ufeffnew\r\ntext\r\n')
  })

  it('changes nothing where the content is the same', async () => {
    const context = await testContext({ 'a.md': 'same\n' })
    const plan = await writeNote.plan!({ path: 'a.md', content: 'same\n' }, context)
    expect(plan).toMatchObject({ effects: [], changes: { changes: [] } })
    expect(writeNote.render(plan.output)).toContain('Nothing was changed')
  })

  it('refuses the name of a private note, and reveals no more', async () => {
    const context = await testContext({ 'p.md': '---\nprivate: true\n---\nCANARY\n' })
    await expect(writeNote.plan!({ path: 'P.md', content: 'x' }, context)).rejects.toMatchObject({
      code: 'path',
      message: 'No note can be written at P.md. Nothing was written.',
    })
  })

  it('refuses a note that someone else made after it was planned', async () => {
    const context = await testContext({})
    const plan = await writeNote.plan!({ path: 'a.md', content: 'mine' }, context)
    context.memory.write('a.md', 'theirs')
    await expect(context.apply(plan.changes)).rejects.toMatchObject({ code: 'conflict' })
    expect(decoder.decode(context.memory.snapshot().get('a.md'))).toBe('theirs')
  })

  it.each([
    '../outside/pwn.md',
    '/etc/x.md',
    'C:\\x.md',
    'a\0b.md',
    '.obsidian/plugins/evil/main.js',
    '.trash/x.md',
    'notes/.hidden/x.md',
    'CON.md',
    'NUL',
    'x/prn.txt.md',
    'a:b.md',
    't.md.',
    't.md ',
    'a?b.md',
    'b\u202e.md',
    'plan.canvas.txt',
    'Plan',
    '',
  ])('refuses the path %j', async (path) => {
    const context = await testContext({})
    await expect(writeNote.plan!({ path, content: 'x' }, context)).rejects.toMatchObject({
      code: 'path',
      message: expect.stringMatching(/^Path must be within vault directory/),
    })
  })

  it('says which files can be written', async () => {
    const context = await testContext({ 'a.txt': '{}' })
    await expect(writeNote.plan!({ path: 'a.txt', content: '{}' }, context)).rejects.toThrow(
      'File must be .md, .canvas or .base',
    )
  })

  it.each([
    ['not valid Unicode', 'a\udc00', 'invalid-input'],
    ['NUL', 'a\0', 'invalid-input'],
    ['longer than any note', 'a'.repeat(4_000_001), 'too-large'],
  ])('refuses content that is %s', async (_, content, code) => {
    const context = await testContext({})
    await expect(writeNote.plan!({ path: 'a.md', content }, context)).rejects.toMatchObject({ code })
  })

  it('does not rewrite a note that is not UTF-8', async () => {
    const context = await testContext({})
    context.memory.write('bad.md', new Uint8Array([0x23, 0xff, 0xfe]))
    await expect(writeNote.plan!({ path: 'bad.md', content: 'x' }, context)).rejects.toMatchObject({ code: 'not-utf8' })
  })

  it('warns of executable text and of text that turns around', async () => {
    const context = await testContext({ 'a.md': '```dataviewjs\nx\n```\n' })
    const kinds = async (path: string, content: string) => {
      const plan = await writeNote.plan!({ path, content }, context)
      return plan.notices!.map(({ kind }) => kind)
    }
    expect(await kinds('b.md', '<%* tp.file.delete %>')).toEqual(['executable'])
    expect(await kinds('b.md', 'a\u202eb')).toEqual(['other'])
    expect(await kinds('a.md', '# New\n\n```dataviewjs\nx\n```\n')).toEqual(['overwrite'])
  })
})

describe('a canvas', () => {
  const card = { id: 'a', type: 'file', file: 'Soil.md', x: 0, y: 0, width: 400, height: 300 }
  const canvas = (...nodes: object[]) => JSON.stringify({ nodes, edges: [] })

  it('is written when it is one, shown as what it adds and removes, and undone', async () => {
    const context = await testContext({ 'Soil.md': 'Loam.' })
    const made = await callTool(writeNote, { path: 'Beds.canvas', content: canvas(card) }, context)
    expect(made).toMatchObject({ ok: true, text: 'Note created successfully: Beds.canvas' })
    const plan = await writeNote.plan!({ path: 'Beds.canvas', content: canvas() }, context)
    expect(plan.notices?.map(({ text }: { text: string }) => text)).toContain(
      'Beds.canvas: removes the card of "Soil.md".',
    )
    expect(plan.effects).toContain('destroys')
    const read = await callTool(readNote, { path: 'Beds.canvas' }, context)
    expect(read.text).toContain('"file":"Soil.md"')
  })

  it('is refused if it is invalid, or refers to missing or hidden notes', async () => {
    const hidden = '---\nprivate: true\n---\n'
    const context = await testContext({ 'Soil.md': 'Loam.', 'Secret.md': hidden })
    const write = (content: string) => callTool(writeNote, { path: 'Beds.canvas', content }, context)
    expect(await write('# Beds')).toMatchObject({ ok: false, code: 'invalid-input' })
    for (const file of ['None.md', 'Secret.md', '../x.md', '.obsidian/app.json']) {
      expect(await write(canvas({ ...card, file }))).toMatchObject({ ok: false, code: 'not-found' })
    }
    expect(context.memory.snapshot().has('Beds.canvas' as never)).toBe(false)
  })
})

describe('a base', () => {
  const base =
    '# Books\nfilters:\n  and:\n    - file.hasTag("book")\nformulas:\n  ppu: price / pages\nviews:\n  - type: table\n    name: All\n    order: [file.name, formula.ppu]\n'

  it('is created, read, overwritten with its comments, run, and undone', async () => {
    const context = await testContext({ 'Dune.md': '---\ntags: [book]\nprice: 10\npages: 4\n---\n' })
    const made = await callTool(writeNote, { path: 'Books.base', content: base }, context)
    expect(made).toMatchObject({ ok: true, text: 'Note created successfully: Books.base' })
    expect(decoder.decode(context.memory.snapshot().get('Books.base'))).toBe(base)
    expect((await callTool(readNote, { path: 'Books.base' }, context)).text).toContain('ppu: price / pages')
    expect((await callTool(queryBase, { path: 'Books' }, context)).text).toContain('Dune.md | Dune.md | 2.5')
    const changed = await callTool(
      writeNote,
      { path: 'Books.base', content: base.replace('All', 'Every book') },
      context,
    )
    expect(changed).toMatchObject({ ok: true })
    const [last] = await context.memory.history()
    await context.apply(await context.memory.planUndo({ id: last!.id }))
    expect(decoder.decode(context.memory.snapshot().get('Books.base'))).toBe(base)
  })

  it.each([
    ['views: [\n  a: b: c', /not valid YAML .*line 2/],
    ['- a list', /not a valid base|not a list of properties/],
    ['formulas:\n  ok: 1\n  bad: price +', /formula bad: Something is missing at the end.*\(line 3\)/],
    ['filters:\n  and:\n    - file.hasTags("x")', /filters: Unknown function.*hasTags.*\(line 3\)/],
    ['views:\n  - name: A\n    order: [formula.x]', /view A shows formula.x, which is not defined \(line 3\)/],
    ['filters:\n  any: [x]', /filters must be an expression/],
  ])('is refused with the place if it is invalid: %j', async (content, reason) => {
    const context = await testContext({})
    const refused = await callTool(writeNote, { path: 'Books.base', content }, context)
    expect(refused).toMatchObject({ ok: false, code: 'invalid-input', text: expect.stringMatching(reason) })
    expect(context.memory.snapshot().has('Books.base' as never)).toBe(false)
  })
})
