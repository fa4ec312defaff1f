import { describe, expect, it } from 'vitest'
import { answerOf, failureOf, testContext } from '../../../../test/tools/call-tool.js'
import { fileTree, getFileTree } from './get-file-tree.js'

const notes = {
  'Home.md': '',
  'Projects/Alpha/Plan.md': '',
  'Projects/Alpha/pic.PNG': '',
  'Projects/Notes.md': '',
  'Projects 2/x.md': '',
  LICENSE: '',
  'Secret.md': '---\nprivate: true\n---\n',
  'Hidden/x.md': '',
  '.notewrightignore': 'Hidden/\n',
  '.obsidian/app.json': '{}',
}

describe('get_file_tree', () => {
  it('shows folders and files with counts by extension, and nothing that is hidden', async () => {
    const { text } = await answerOf(getFileTree, {}, await testContext(notes))
    expect(text).toBe(
      [
        'Vault/ (4 md, 1 no extension, 1 png)',
        '  Home.md',
        '  LICENSE',
        '  Projects/ (2 md, 1 png)',
        '    Notes.md',
        '    Alpha/ (1 md, 1 png)',
        '      Plan.md',
        '      pic.PNG',
        '  Projects 2/ (1 md)',
        '    x.md',
      ].join('\n'),
    )
  })

  it('shows one folder, as deep as asked', async () => {
    const context = await testContext(notes)
    const { output, text } = await answerOf(getFileTree, { folder: 'projects/', depth: 0 }, context)
    expect(text).toBe('Projects/ (2 md, 1 png)\n  Notes.md')
    expect(output.folders).toEqual([{ path: 'Projects', depth: 0, counts: { md: 2, png: 1 }, files: ['Notes.md'] }])
    expect((await answerOf(getFileTree, { folder: 'Projects/Alpha' }, context)).output.folder).toBe('Projects/Alpha')
  })

  it('says when there is no such folder, and refuses paths out of the vault', async () => {
    const context = await testContext(notes)
    for (const folder of ['Nowhere', 'Hidden', 'Proj']) {
      expect(await failureOf(getFileTree, { folder }, context)).toMatchObject({
        code: 'not-found',
        text: expect.stringContaining(`Folder not found: ${folder}`),
      })
    }
    expect(await failureOf(getFileTree, { folder: '../x' }, context)).toMatchObject({ code: 'path' })
    expect((await answerOf(getFileTree, { folder: '/' }, await testContext({}))).text).toBe('The vault is empty.')
  })

  it('leaves out file names of a large vault and says how to see them', async () => {
    const many = Array.from({ length: 10_000 }, (_, number) => [`${number % 20}/note ${number}.md`, ''])
    const { output, text } = await answerOf(getFileTree, {}, await testContext(Object.fromEntries(many)))
    expect(output.folders).toHaveLength(21)
    expect(text.split('\n')[0]).toBe('Vault/ (10000 md)')
    expect(text).toContain('File names are left out because there are too many. Name one folder to see them.')
    expect(text.length).toBeLessThan(2000)
  })

  it('lists a large folder in pages without gaps', async () => {
    const many = Array.from({ length: 3000 }, (_, number) => [`Big/${number % 3}/note number ${number}.md`, ''])
    const context = await testContext(Object.fromEntries(many))
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const { output, text } = await answerOf(getFileTree, { folder: 'big', ...(cursor && { cursor }) }, context)
      expect(text).not.toContain('Name one folder')
      expect(text.length).toBeLessThan(20_000)
      for (const { path, files = [] } of output.folders) for (const file of files) seen.push(`${path}/${file}`)
      cursor = output.cursor
    } while (cursor !== undefined)
    expect(seen).toHaveLength(3000)
    expect(new Set(seen)).toEqual(new Set(many.map(([path]) => path)))
  })
})

describe('a tree that is too large', () => {
  const paths = (count: number, path: (number: number) => string) =>
    Array.from({ length: count }, (_, number) => path(number)) as never[]

  it('loses its deepest folders next, which are still counted', () => {
    const tree = fileTree(
      paths(5000, (number) => `top/${number % 50}/${number}/note.md`),
      { folder: '' },
    )!
    expect(tree).toMatchObject({ namesLeftOut: true, cutBelow: 2, foldersLeftOut: 0 })
    expect(tree.folders).toHaveLength(52)
    expect(tree.folders[1].counts).toEqual({ md: 5000 })
  })

  it('loses its last folders when there are too many side by side', () => {
    const tree = fileTree(
      paths(5000, (number) => `folder ${number}/note.md`),
      { folder: '' },
    )!
    expect(tree.folders.length + tree.foldersLeftOut).toBe(5001)
    expect(tree.foldersLeftOut).toBeGreaterThan(4000)
  })

  it('stays bounded for folders a thousand deep and for a thousand kinds of files', () => {
    const deep = fileTree(
      paths(20, (number) => `${'d/'.repeat(1500)}${number}.md`),
      { folder: '' },
    )!
    expect(deep.cutBelow).toBeLessThan(200)
    const kinds = fileTree(
      paths(1000, (number) => `file.${number}`),
      { folder: '' },
    )!
    expect(Object.keys(kinds.folders[0].counts)).toHaveLength(9)
    expect(kinds.folders[0].counts.other).toBe(992)
    const hostile = fileTree(
      paths(1, () => 'a.__proto__'),
      { folder: '' },
    )!
    expect(Object.entries(hostile.folders[0].counts)).toEqual([['__proto__', 1]])
  })
})
