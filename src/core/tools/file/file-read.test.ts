import { describe, expect, it } from 'vitest'
import { answerOf, callTool, failureOf, testContext } from '../../../../test/tools/call-tool.js'
import { notePath } from '../../vault/index.js'
import { fileRead } from './file-read.js'

const notes = {
  'Notes/React.md': '# React\n\nä library',
  'Notes/Vue.md': '# Vue',
  'Secret.md': '---\nprivate: true\n---\nCANARY',
  'a/Twin.md': '1',
  'b/Twin.md': '2',
  'pic.png': 'PNG',
}

describe('file_read', () => {
  it('answers each file in the order asked, with its size in bytes', async () => {
    const context = await testContext(notes)
    const {
      output: { files },
      text,
    } = await answerOf(fileRead, { filePaths: ['Vue', 'Notes/React.md'] }, context)
    expect(files).toEqual([
      { path: 'Notes/Vue.md', content: '# Vue', size: 5 },
      { path: 'Notes/React.md', content: '# React\n\nä library', size: 19 },
    ])
    expect(JSON.parse(text)).toEqual(files)
  })

  it('reports the error of each file, and reads the others', async () => {
    const context = await testContext(notes)
    const filePaths = [
      'Gone.md',
      '../outside/secret.md',
      'Secret.md',
      'Notes/Vue.md',
      'Twin',
      'pic.png',
      '/etc/passwd',
      '',
    ]
    const {
      output: { files },
      provenance,
    } = await answerOf(fileRead, { filePaths }, context)
    expect(files.map(({ size }: { size: number }) => size)).toEqual([0, 0, 0, 5, 0, 0, 0, 0])
    expect(files.map(({ content }: { content: string }) => content)).toEqual([
      'File not found: Gone.md',
      expect.stringMatching(/^Error reading file: Path must be within vault directory: "\.\.\/outside/),
      'File not found: Secret.md',
      '# Vue',
      expect.stringMatching(/^Error reading file: Several notes have the name Twin: a\/Twin.md, b\/Twin.md/),
      'Error reading file: Not a note: pic.png',
      expect.stringMatching(/^Error reading file: Path must be within vault directory/),
      expect.stringMatching(/^Error reading file: Path must be within vault directory/),
    ])
    expect(provenance).toEqual(['own-note'])
  })

  it('lets the user pick among the existing notes, and still reports missing ones', async () => {
    const context = await testContext(notes)
    const filePaths = ['Notes/React.md', 'Gone.md', 'Vue', 'Secret.md']
    const reach = await fileRead.reaches!({ filePaths }, context)
    expect(reach.pick).toEqual(['Notes/React.md', 'Notes/Vue.md'])
    const {
      output: { files },
      text,
    } = await answerOf(fileRead, { filePaths }, context, {
      verdict: 'allow',
      loggedAs: 'approved',
      rule: 'person',
      picked: [notePath('Notes/Vue.md')],
    })
    expect(files).toEqual([
      { path: 'Gone.md', content: 'File not found: Gone.md', size: 0 },
      { path: 'Notes/Vue.md', content: '# Vue', size: 5 },
      { path: 'Secret.md', content: 'File not found: Secret.md', size: 0 },
    ])
    expect(text).toContain('The user chose not to share: Notes/React.md')
    expect(text).not.toContain('library')
  })

  it('does not ask if there is nothing to share', async () => {
    const context = await testContext(notes)
    expect(await fileRead.reaches!({ filePaths: ['Gone.md'] }, context)).not.toHaveProperty('pick')
  })

  it('reads a file asked for twice once', async () => {
    const context = await testContext(notes)
    expect(
      (await answerOf(fileRead, { filePaths: ['Vue', 'Notes/Vue.md', 'notes/vue'] }, context)).output.files,
    ).toHaveLength(1)
  })

  it('reports the system error of a file, never the location of the vault', async () => {
    const context = await testContext(notes)
    const readPart: typeof context.vault.readPart = async (path, part) => {
      if (path === 'Notes/Vue.md' && part.bytes > 0) {
        throw Object.assign(new Error("EACCES: permission denied, open '/home/someone/Notes/Vue.md'"), {
          code: 'EACCES',
        })
      }
      return context.memory.readPart(path, part)
    }
    const {
      output: { files },
      text,
    } = await answerOf(
      fileRead,
      { filePaths: ['Notes/Vue.md', 'Notes/React.md'] },
      { ...context, vault: { ...context.memory, readPart } },
    )
    expect(files).toMatchObject([{ content: 'Error reading file: EACCES', size: 0 }, { size: 19 }])
    expect(text).not.toContain('/home')
  })

  it('bounds each file and all of them together, and says what was cut', async () => {
    const context = await testContext({ 'a.md': 'ä'.repeat(100_000), 'b.md': 'b'.repeat(150_000), 'c.md': 'c' })
    const {
      output: { files },
    } = await answerOf(fileRead, { filePaths: ['a.md', 'b.md', 'c.md'] }, context)
    const [a, b, c] = files
    expect(a).toMatchObject({
      size: 200_000,
      content: expect.stringMatching(/^ä{50000}\n\[Shortened to 100,000 bytes of 200,000. Read one note/),
    })
    expect(b).toMatchObject({
      size: 150_000,
      content: expect.stringMatching(/^b{100000}\n\[Shortened to 100,000 bytes/),
    })
    expect(c).toMatchObject({ size: 1, content: expect.stringMatching(/^\n\[Shortened to 0 bytes of 1\./) })
    const odd = await testContext({ 'a.md': `x${'ä'.repeat(100_000)}` })
    expect((await answerOf(fileRead, { filePaths: ['a.md'] }, odd)).text).not.toContain('\ufffd')
  })

  it('says that a file is not UTF-8, and shows what is hidden', async () => {
    const bytes = Uint8Array.of(0x61, 0xff) as unknown as string
    const context = await testContext({ 'bad.md': bytes, 'h.md': 'a\u{e0041}b' })
    const {
      output: { files },
    } = await answerOf(fileRead, { filePaths: ['bad.md', 'h.md'] }, context)
    expect(files[0].content).toContain('Not valid UTF-8')
    expect(files[1].content).toBe('a⟦U+E0041⟧b')
  })

  it('refuses no files and too many', async () => {
    const context = await testContext({})
    expect((await failureOf(fileRead, { filePaths: [] }, context)).code).toBe('invalid-input')
    expect((await failureOf(fileRead, { filePaths: new Array(51).fill('a.md') }, context)).code).toBe('invalid-input')
    expect((await callTool(fileRead, { filePaths: 'a.md' }, context)).ok).toBe(false)
  })
})
