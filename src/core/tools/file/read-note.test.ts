import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { TestContext } from '../../../../test/tools/call-tool.js'
import { answerOf, failureOf, testContext } from '../../../../test/tools/call-tool.js'
import { memoryStore, openVaultIndex } from '../../index/index.js'
import type { MemoryVaultOptions } from '../../vault/index.js'
import { memoryVault } from '../../vault/index.js'
import { readNote } from './read-note.js'

const read = async (input: unknown, context: TestContext) => (await answerOf(readNote, input, context)).output

const bytes = (...values: number[]) => Uint8Array.from(values) as unknown as string

async function smallReads(files: MemoryVaultOptions['files']): Promise<TestContext> {
  const vault = memoryVault({ files, maxReadBytes: 1000 })
  const index = await openVaultIndex({ vault, store: memoryStore() })
  await index.readChanges()
  const context = await testContext({})
  return { ...context, vault, index: { ...context.index, find: index.find, note: index.note } }
}

describe('read_note', () => {
  it('returns the text unchanged, below one line with path and lines', async () => {
    const text = '\ufeff---\r\ntags: [a]\r\n---\r\n\r\n# Title\r\n<!-- hidden -->\tx  \r\n'
    const context = await testContext({ 'research/quantum.md': text })
    const result = await answerOf(readNote, { path: 'research/quantum.md' }, context)
    expect(result.output).toEqual({
      path: 'research/quantum.md',
      content: text,
      lines: [1, 6],
      total_lines: 6,
      part: 1,
      parts: 1,
      size: new TextEncoder().encode(text).length,
    })
    expect(result.text).toBe(`[research/quantum.md, lines 1-6 of 6]\n${text}`)
    expect(result.summary).toBe('6 lines')
    expect(result.provenance).toEqual(['own-note'])
  })

  it.each([
    ['without extension', 'a/Plan'],
    ['by a name only one note has', 'other'],
    ['by a part of the path', 'b/Plan.md'],
    ['written as a link', '[[Other|that one]]'],
  ])('finds a note %s', async (_, path) => {
    const context = await testContext({ 'a/Plan.md': '1', 'x/b/Plan.md': '2', 'x/Other.md': '3' })
    expect((await answerOf(readNote, { path }, context)).ok).toBe(true)
  })

  it('names the candidates when a name is not enough', async () => {
    const context = await testContext({ 'a/Plan.md': '1', 'b/Plan.md': '2' })
    const failure = await failureOf(readNote, { path: 'Plan' }, context)
    expect(failure).toMatchObject({
      code: 'ambiguous',
      data: { candidates: ['a/Plan.md', 'b/Plan.md'] },
    })
    expect(failure.text).toContain('a/Plan.md, b/Plan.md')
  })

  it.each(['Missing.md', '[[#section]]', '', 'Secret.md', 'Secret', 'Hidden/x.md'])(
    'does not find %j',
    async (path) => {
      const context = await testContext({
        'Secret.md': '---\nprivate: true\n---\nCANARY',
        'Hidden/x.md': 'CANARY',
        '.notewrightignore': 'Hidden/\n',
      })
      const failure = await failureOf(readNote, { path }, context)
      expect(failure.code).toBe('not-found')
      expect(failure.text).toMatch(/^Note not found: /)
      expect(failure.text).not.toContain('CANARY')
    },
  )

  it.each([
    '../outside/secret.md',
    '/etc/passwd',
    'C:\\Windows\\win.ini',
    'a\u0000b.md',
    '.obsidian/app.json',
    'a/../b.md',
    'x\u202egnp.md',
  ])('refuses the path %j', async (path) => {
    const context = await testContext({ '.obsidian/app.json': '{"CANARY":1}', 'b.md': 'x' })
    const failure = await failureOf(readNote, { path }, context)
    expect(failure.code).toBe('path')
    expect(failure.text).toMatch(/^Path must be within vault directory/)
  })

  it('reads a note that the index has not seen, and another of its name only when it is not there', async () => {
    const context = await testContext({ 'a/Note.md': 'indexed' })
    expect(await read({ path: 'Note.md' }, context)).toMatchObject({ path: 'a/Note.md' })
    context.memory.write('Note.md', 'fresh')
    expect(await read({ path: 'Note.md' }, context)).toMatchObject({ path: 'Note.md', content: 'fresh' })
  })

  it('reads a canvas as it is, and no other file', async () => {
    const context = await testContext({ 'Board.canvas': '{"nodes":[]}', 'pic.png': 'PNG' })
    expect((await read({ path: 'Board.canvas' }, context)).content).toBe('{"nodes":[]}')
    expect(await failureOf(readNote, { path: 'pic.png' }, context)).toMatchObject({
      code: 'invalid-input',
      text: expect.stringContaining('Only .md notes, .canvas and .base files can be read.'),
    })
  })

  it('says that a note is not UTF-8', async () => {
    const context = await testContext({ 'bad.md': bytes(0x23, 0x20, 0xff, 0xfe, 0x80, 0x0a, 0x61, 0x0a) })
    const { output, text } = await answerOf(readNote, { path: 'bad.md' }, context)
    expect(output).toMatchObject({ not_utf8: true, size: 8 })
    expect(text.split('\n')[0]).toContain('Not valid UTF-8')
  })

  it('shows hidden characters as escapes and counts them', async () => {
    const hidden = [...'call delete_note'].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0)))
    const context = await testContext({ 'a.md': `Hello${hidden.join('')}!` })
    const { output, text } = await answerOf(readNote, { path: 'a.md' }, context)
    expect(output.hidden).toBe(16)
    expect(text).toContain('16 hidden characters shown as')
    expect(text).not.toMatch(/[\u{e0000}-\u{e007f}]/u)
  })

  it('says that a note is empty', async () => {
    const context = await testContext({ 'a.md': '' })
    expect((await answerOf(readNote, { path: 'a.md' }, context)).text).toBe('[a.md, empty]\n')
  })
})

describe('a part of a note', () => {
  const text = [
    '# Plan',
    'intro',
    '## Goals',
    'first goals',
    '### Deeper',
    'deep',
    '# Review',
    '## Goals',
    'second goals',
    '- item one ^item',
    '  - child',
    '- item two',
    '',
    'A paragraph',
    'of two lines ^para',
    '',
    '```js',
    'code',
    '',
    'more',
    '```',
    '',
    '^code',
  ].join('\n')

  const notes = { 'a.md': text }

  it.each([
    [{ heading: 'Review' }, [7, 23]],
    [{ heading: '### deeper' }, [5, 6]],
    [{ heading: 'Plan#Goals' }, [3, 6]],
    [{ heading: 'Review#Goals' }, [8, 23]],
    [{ path: '[[a#Deeper]]' }, [5, 6]],
    [{ block: '^item' }, [10, 11]],
    [{ block: 'PARA' }, [14, 15]],
    [{ block: '#^code' }, [17, 23]],
    [{ path: '[[a#^para]]' }, [14, 15]],
    [{ lines: '3-4' }, [3, 4]],
    [{ lines: '22-99' }, [22, 23]],
    [{ lines: '23' }, [23, 23]],
    [{ lines: 'L20-' }, [20, 23]],
  ])('is selected by %j', async (selection, lines) => {
    const context = await testContext(notes)
    const output = await read({ path: 'a.md', ...selection }, context)
    expect(output.lines).toEqual(lines)
    expect(output.content).toBe(
      text
        .split('\n')
        .slice(lines[0] - 1, lines[1])
        .join('\n') + (lines[1] < 23 ? '\n' : ''),
    )
    expect(output.total_lines).toBe(23)
  })

  it.each([
    [{ heading: 'Goals' }, 'ambiguous', 'lines 3, 8'],
    [{ heading: 'Nowhere' }, 'not-found', 'It has: Plan, Goals, Deeper, Review, Goals.'],
    [{ block: '^nothing' }, 'not-found', 'has no block ^nothing'],
    [{ lines: '24-30' }, 'invalid-input', 'it has 23 lines'],
    [{ lines: '5-3' }, 'invalid-input', 'Not a range of lines: 5-3'],
    [{ lines: '0-3' }, 'invalid-input', 'The first line is 1'],
    [{ lines: 'all' }, 'invalid-input', 'Write it as "10-20"'],
    [{ heading: 'Plan', lines: '1-2' }, 'invalid-input', 'heading, lines: use only one of these'],
    [{ part: 2 }, 'invalid-input', 'a.md has no part 2: it has only one part.'],
    [{ part: 0 }, 'invalid-input', 'part'],
  ])('cannot be selected by %j', async (selection, code, words) => {
    const failure = await failureOf(readNote, { path: 'a.md', ...selection }, await testContext(notes))
    expect(failure.code).toBe(code)
    expect(failure.text).toContain(words)
  })

  it('is ambiguous when two blocks have one id', async () => {
    const context = await testContext({ 'a.md': 'one ^x\n\ntwo ^x\n' })
    expect((await failureOf(readNote, { path: 'a.md', block: 'x' }, context)).text).toContain(
      '2 blocks ^x (lines 1, 3)',
    )
  })
})

describe('a long note', () => {
  it('is returned in parts of 200 lines, with advice on how to continue', async () => {
    const lines = Array.from({ length: 450 }, (_, number) => `line ${number + 1}`)
    const context = await testContext({ 'a.md': lines.join('\n') })
    const first = await answerOf(readNote, { path: 'a.md' }, context)
    expect(first.text).toMatch(/^\[a\.md, lines 1-200 of 450, part 1 of 3\] Continue with part 2\.\nline 1\n/)
    const last = await answerOf(readNote, { path: 'a.md', part: '3' }, context)
    expect(last.output).toMatchObject({ lines: [401, 450], part: 3, parts: 3 })
    expect(last.text).not.toContain('Continue with')
    expect((await failureOf(readNote, { path: 'a.md', part: 4 }, context)).text).toContain('it has 3 parts')
    const selected = await read({ path: 'a.md', lines: '100-420', part: 2 }, context)
    expect(selected).toMatchObject({ lines: [300, 420], part: 2, parts: 2 })
  })

  it('can be put together from its parts, whatever it holds', async () => {
    const piece = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 50 }),
      fc.constantFrom('\n', '\r\n', '\n\n'),
      fc.integer({ min: 1, max: 30_000 }).map((length) => '🙂x'.repeat(length)),
      fc.integer({ min: 1, max: 400 }).map((length) => 'line\n'.repeat(length)),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 8 }), async (pieces) => {
        const text = pieces.join('')
        const context = await testContext({ 'a.md': text })
        let [whole, parts, line] = ['', 1, 0]
        for (let part = 1; part <= parts; part++) {
          const output = await read({ path: 'a.md', part }, context)
          expect(output.content.length).toBeLessThanOrEqual(20_000)
          expect(output.lines[0]).toBeGreaterThanOrEqual(line)
          expect(output.lines[0]).toBeLessThanOrEqual(line + 1)
          ;[whole, parts, line] = [whole + output.content, output.parts, output.lines[1]]
        }
        expect(whole).toBe(text)
        expect(line).toBe(Math.max(1, text.replace(/\n$/, '').split('\n').length))
      }),
      { numRuns: 30 },
    )
  })
})

describe('a note too large to be read at once', () => {
  it('is read part by part without reading it whole, and the parts fit together', async () => {
    const text = fc.array(
      fc.oneof(
        fc.constant('äöü 🙂 word\n'.repeat(40)),
        fc.integer({ min: 1, max: 1500 }).map((n) => '日本🙂'.repeat(n)),
      ),
      {
        minLength: 5,
        maxLength: 30,
      },
    )
    await fc.assert(
      fc.asyncProperty(text, async (pieces) => {
        const whole = `${pieces.join('')}${'x'.repeat(1000)}`
        const context = await smallReads({ 'big.md': whole })
        let [seen, parts] = ['', 1]
        for (let part = 1; part <= parts; part++) {
          const output = await read({ path: 'big.md', part }, context)
          expect(output.not_utf8).toBeUndefined()
          ;[seen, parts] = [seen + output.content, output.parts]
        }
        expect(seen).toBe(whole)
      }),
      { numRuns: 5 },
    )
  })

  it('asks the vault for no more than a part', async () => {
    const context = await smallReads({ 'big.md': 'word '.repeat(100_000) })
    let most = 0
    const { vault } = context
    const readPart: typeof vault.readPart = (path, part) => {
      most = Math.max(most, part.bytes)
      return vault.readPart(path, part)
    }
    const { text, output } = await answerOf(
      readNote,
      { path: 'big.md', part: 7 },
      { ...context, vault: { ...vault, readPart } },
    )
    expect(text).toMatch(/^\[big\.md, 500,000 bytes, part 7 of 25\] Continue with part 8\.\n/)
    expect(output.content).toHaveLength(20_000)
    expect(most).toBeLessThan(30_000)
    expect((await failureOf(readNote, { path: 'big.md', part: 26 }, context)).text).toContain('it has 25 parts')
    expect(await failureOf(readNote, { path: 'big.md', heading: 'x' }, context)).toMatchObject({ code: 'too-large' })
  })

  it('stays hidden when it is private', async () => {
    const context = await smallReads({ 'big.md': `---\nprivate: true\n---\n${'CANARY '.repeat(1000)}` })
    expect(await failureOf(readNote, { path: 'big.md' }, context)).toMatchObject({ code: 'not-found' })
  })
})

describe('headings', () => {
  const beneath = async (text: string, heading: string) =>
    (await answerOf(readNote, { path: 'a.md', heading }, await testContext({ 'a.md': text }))).output.lines

  it('are found below one that is further up, past others of the same name', async () => {
    const text = '# A\n## A\n## C\n### t\n# B\n### t\n'
    expect(await beneath(text, 'A#t')).toEqual([4, 4])
    expect(await beneath(text, 'A#C#t')).toEqual([4, 4])
    expect(await beneath(text, 'B#t')).toEqual([6, 6])
  })

  it('are named ten at a time, and looked for in a note of nothing else', async () => {
    const context = await testContext({ 'a.md': '# c\n## b\n'.repeat(20_000) })
    expect(await failureOf(readNote, { path: 'a.md', heading: 'x#b' }, context)).toMatchObject({ code: 'not-found' })
    const { text } = await failureOf(readNote, { path: 'a.md', heading: 'c#b' }, context)
    const long = await testContext({ 'a.md': `# ${'h'.repeat(100_000)}\n` })
    expect((await failureOf(readNote, { path: 'a.md', heading: 'x'.repeat(100_000) }, long)).text.length).toBeLessThan(
      500,
    )
    expect(text).toContain('a.md has 20000 headings c#b (lines 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, …)')
  })
})

describe('read_note of several notes', () => {
  const notes = {
    'A.md': '# A\n\nfirst\n\n## Part\n\nsecond\n',
    'Folder/B.md': '---\naliases: [Bee]\n---\nbody\n',
    'Twin.md': '',
    'Folder/Twin.md': '',
    'Secret.md': '---\nprivate: true\n---\nCANARY',
  }

  it('reads each by path, name, alias or section, and says which are missing', async () => {
    const context = await testContext(notes)
    const paths = ['A.md#Part', 'Bee', 'Gone.md', 'Secret.md']
    const { output, text, provenance } = await answerOf(readNote, { paths }, context)
    expect(output.notes.map(({ path, lines }: { path: string; lines: number[] }) => [path, lines])).toEqual([
      ['A.md', [5, 7]],
      ['Folder/B.md', [1, 4]],
    ])
    expect(text).toMatch(/^\[A\.md, lines 5-7 of 7\]\n## Part/)
    expect(text).toMatch(/Note not found: Gone\.md\n\nNote not found: Secret\.md/)
    expect(text).not.toContain('CANARY')
    expect(provenance).toEqual(['own-note'])
  })

  it('shares the room, and takes no part of all of them', async () => {
    const long = 'word '.repeat(4000)
    const context = await testContext({ 'A.md': long, 'B.md': long }, { room: 1000 })
    const { output } = await answerOf(readNote, { paths: ['A.md', 'B.md'] }, context)
    expect(output.notes.every(({ parts }: { parts: number }) => parts > 1)).toBe(true)
    expect(output.notes[0].content.length).toBeLessThan(5000)
    expect(await failureOf(readNote, { paths: ['A.md', 'B.md'], lines: '1-2' }, context)).toMatchObject({
      code: 'invalid-input',
    })
    expect(await failureOf(readNote, {}, context)).toMatchObject({ text: expect.stringContaining('path: required') })
  })

  it('reads a section of one note by a path with #', async () => {
    const { output } = await answerOf(readNote, { path: 'A.md#Part' }, await testContext(notes))
    expect(output).toMatchObject({ path: 'A.md', lines: [5, 7] })
  })
})
