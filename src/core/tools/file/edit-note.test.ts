import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { testContext } from '../../../../test/tools/call-tool.js'
import { Failure } from '../../errors.js'
import type { Notice } from '../tool.js'
import { editNote } from './edit-note.js'
import { foldText } from './find-text.js'

type Edit = { old_text?: string; new_text?: string; diff?: string }

async function planned(text: string, edit: Edit) {
  const context = await testContext({ 'a.md': text })
  const plan = await editNote.plan!({ path: 'a.md', ...edit }, context)
  return { context, plan }
}

async function edited(text: string, old_text: string, new_text: string): Promise<string> {
  const { context, plan } = await planned(text, { old_text, new_text })
  await context.apply(plan.changes)
  return textOf(context.memory.snapshot().get('a.md')!)
}

async function patched(text: string, diff: string): Promise<string> {
  const { context, plan } = await planned(text, { diff })
  await context.apply(plan.changes)
  return textOf(context.memory.snapshot().get('a.md')!)
}

const textOf = (bytes: Uint8Array) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
const refusal = (text: string, edit: Edit): Promise<Failure> =>
  planned(text, edit).then(
    () => expect.unreachable('should be refused'),
    (error) => {
      expect(error).toBeInstanceOf(Failure)
      return error
    },
  )
const kinds = (notices: Notice[] = []) => notices.map(({ kind }) => kind)
const block = (old: string, fresh: string) => `<<<<<<< SEARCH\n${old}=======\n${fresh}>>>>>>> REPLACE\n`

describe('edit_note', () => {
  it('replaces text that occurs once', async () => {
    expect(await edited('one two three\n', 'two', '2')).toBe('one 2 three\n')
  })

  it('reports missing text, with advice', async () => {
    const failure = await refusal('one\n', { old_text: 'two', new_text: '2' })
    expect(failure).toMatchObject({ code: 'not-found', message: 'old_text was not found in a.md.' })
    expect(failure.details.hint).toContain('Read the note again')
  })

  it('names the line where a text of several lines begins to differ', async () => {
    const failure = await refusal('x\nfirst\nsecond\n', { old_text: 'first\n2nd\n', new_text: '' })
    expect(failure.message).toContain('line 2')
  })

  it('refuses text that occurs twice, with the count and the lines', async () => {
    const failure = await refusal('two\nx\ntwo\n', { old_text: 'two', new_text: '2' })
    expect(failure).toMatchObject({ code: 'ambiguous', message: 'old_text occurs 2 times in a.md (lines 1, 3).' })
    expect(failure.details.hint).toContain('only once')
  })

  it('counts occurrences that overlap', async () => {
    expect((await refusal('ababa', { old_text: 'aba', new_text: 'x' })).details.data?.count).toBe(2)
  })

  it('deletes with an empty new text', async () => {
    expect(await edited('one two three', ' two', '')).toBe('one three')
  })

  it.each([
    ['curly quotes', 'say “hi” and ‘bye’\nx — y\n', 'say "hi" and \'bye\'', 'SAID', 'SAID\nx — y\n'],
    ['dashes', 'a – b — c − d “keep”\n', 'a - b - c - d', 'X', 'X “keep”\n'],
    ['no-break spaces', 'a\u00a0b c\n', 'a b c', 'X', 'X\n'],
    ['blanks at the ends of lines', 'a  \nb\t\nc  \n', 'a\nb\nc', 'X', 'X  \n'],
    ['blanks that only the old text has', 'a\nb\nc\n', 'a  \nb ', 'X', 'X\nc\n'],
    ['a letter and its accent', 'cafe\u0301 x\n', 'caf\u00e9', 'tea', 'tea x\n'],
    ['an emoji without its selector', 'I \u2764\ufe0f it\n', 'I \u2764 it', 'X', 'X\n'],
    ['a compatibility form', 'see chapter \u2163 title\n', 'chapter IV title', 'X', 'see X\n'],
  ])('overlooks %s, says so, and touches nothing outside', async (_, text, old, fresh, result) => {
    const { plan } = await planned(text, { old_text: old, new_text: fresh })
    expect(kinds(plan.notices)).toEqual(['fuzzy-match'])
    expect(plan.output.fuzzy).toBe(true)
    expect(await edited(text, old, fresh)).toBe(result)
  })

  it.each(['I', 'V'])('does not find %s in Ⅳ', async (letter) => {
    expect((await refusal('chapter \u2163 title', { old_text: letter, new_text: 'x' })).code).toBe('not-found')
  })

  it('does not find a letter in the same letter with an accent', async () => {
    expect((await refusal('caf\u0065\u0301', { old_text: 'cafe', new_text: 'x' })).code).toBe('not-found')
  })

  it('does not find half of an emoji', async () => {
    for (const text of ['👩‍💻 codes', '👩🏽 codes']) {
      expect((await refusal(text, { old_text: '👩', new_text: 'x' })).code).toBe('not-found')
    }
    expect(await edited('a\n\u0301b', 'a\n', 'x\n')).toBe('x\n\u0301b')
  })

  it('does not take blanks at the end of the old text for the middle of a line', async () => {
    expect((await refusal('“a”b c\n', { old_text: '"a" ', new_text: 'x' })).code).toBe('not-found')
  })

  it('keeps the author’s typography where old and new text agree', async () => {
    expect(await edited('“One” — two, “three”\n', '"One" - two, "three"', '"One" - 2, "three"')).toBe(
      '“One” — 2, “three”\n',
    )
    expect(await edited('x\u00a0y  \nz\n', 'x y\nz', 'x y\nz\nw')).toBe('x\u00a0y  \nz\nw\n')
  })

  it('prefers an exact match to a fuzzy one', async () => {
    const { plan } = await planned('"a" and “a”\n', { old_text: '"a"', new_text: 'b' })
    expect(kinds(plan.notices)).toEqual([])
    expect(await edited('"a" and “a”\n', '"a"', 'b')).toBe('b and “a”\n')
  })

  it('refuses a fuzzy match in two places', async () => {
    const failure = await refusal('“a” and “a”\n', { old_text: '"a"', new_text: 'b' })
    expect(failure).toMatchObject({ code: 'ambiguous', details: { data: { count: 2 } } })
  })

  it('finds a last line that was given one line break too many, and keeps the note’s ending', async () => {
    expect(await edited('one\ntwo', 'two\n', '2\n')).toBe('one\n2')
    expect(await edited('one\ntwo\n', 'two\n\n', '2\n\n')).toBe('one\n2\n')
    expect(await edited('one\n“two”', '"two"\n', '2\n')).toBe('one\n2')
    expect((await refusal('one two\n', { old_text: 'one\n', new_text: '' })).code).toBe('not-found')
  })

  it('keeps CRLF and a byte order mark, and writes new lines like the note’s', async () => {
    expect(await edited('\ufeffa\r\nb\r\nc\r\n', 'a\nb\n', 'x\ny\nz\n')).toBe('\ufeffx\r\ny\r\nz\r\nc\r\n')
    expect(await edited('\ufeffa\r\nb', '\ufeffa', 'x')).toBe('\ufeffx\r\nb')
    expect(await edited('a\nb\n', 'a', 'x\r\ny')).toBe('x\ny\nb\n')
  })

  it('reports an edit that changes nothing as no change', async () => {
    const { plan } = await planned('same\n', { old_text: 'same', new_text: 'same' })
    expect(plan.changes.changes).toEqual([])
    expect(plan.effects).toEqual([])
    expect(editNote.render(plan.output)).toContain('No change')
  })

  it.each<[string, Edit]>([
    ['an empty old text', { old_text: '', new_text: 'x' }],
    ['an old text without a new one', { old_text: 'x' }],
    ['nothing at all', {}],
    ['both shapes', { old_text: 'x', new_text: 'y', diff: block('x\n', 'y\n') }],
    ['half a surrogate pair', { old_text: 'x', new_text: '\ud800' }],
    ['NUL', { old_text: 'x', new_text: 'a\0b' }],
  ])('refuses %s', async (_, edit) => {
    expect((await refusal('x\n', edit)).code).toBe('invalid-input')
  })

  it('refuses a note that is not UTF-8, a file that is no note, and a note that is not there', async () => {
    const bytes = new Uint8Array([0x23, 0x20, 0xff, 0xfe, 0x80, 0x0a, 0x61, 0x0a])
    const context = await testContext({
      'b.canvas': '{}',
      'p.md': '---\nprivate: true\n---\nx',
    })
    context.memory.write('bad.md', bytes)
    const plan = (path: string) => editNote.plan!({ path, old_text: 'x', new_text: 'b' }, context)
    await expect(plan('bad.md')).rejects.toMatchObject({ code: 'not-utf8' })
    await expect(plan('b.canvas')).rejects.toMatchObject({
      code: 'path',
      message: expect.stringContaining('File must be .md'),
    })
    await expect(plan('none.md')).rejects.toMatchObject({ code: 'not-found', message: 'Note not found: none.md' })
    await expect(plan('p.md')).rejects.toMatchObject({ code: 'not-found', message: 'Note not found: p.md' })
    await expect(plan('../a.md')).rejects.toMatchObject({ code: 'path' })
  })

  it('takes a name that only one note has', async () => {
    const context = await testContext({ 'Deep/Plan.md': 'x\n' })
    const plan = await editNote.plan!({ path: 'Plan', old_text: 'x', new_text: 'y' }, context)
    expect(plan.output.path).toBe('Deep/Plan.md')
  })

  describe('with SEARCH/REPLACE blocks', () => {
    it('replaces whole lines in several places at once', async () => {
      const diff = `Here:\n\`\`\`\n${block('b\n', 'B\nBB\n')}${block('d\n', '')}\`\`\`\n`
      expect(await patched('a\nb\nc\nd\ne\n', diff)).toBe('a\nB\nBB\nc\ne\n')
    })

    it('reads the other spelling of the marks', async () => {
      const diff = '------- SEARCH\nb\n=======\nB\n+++++++ REPLACE'
      expect(await patched('a\nb\n', diff)).toBe('a\nB\n')
    })

    it('means whole lines where it can, and part of a line where it must', async () => {
      expect(await patched('ab\nb\n', block('b\n', 'x\n'))).toBe('ab\nx\n')
      expect(await patched('a b c\n', block('b\n', 'x\n'))).toBe('a x c\n')
    })

    it('keeps a missing last line break and CRLF', async () => {
      expect(await patched('a\r\nb', block('b\n', 'c\nd\n'))).toBe('a\r\nc\r\nd')
    })

    it('looks for every block in the note as it is', async () => {
      expect(await patched('a\nb\n', block('a\n', 'b\n') + block('b\n', 'a\n'))).toBe('b\na\n')
    })

    it('refuses blocks that overlap', async () => {
      const failure = await refusal('a\nb\nc\n', { diff: block('a\nb\n', 'x\n') + block('b\nc\n', 'y\n') })
      expect(failure).toMatchObject({
        code: 'invalid-input',
        message: expect.stringContaining('block 1 and block 2 overlap'),
      })
    })

    it('names the block that fails', async () => {
      const failure = await refusal('a\n', { diff: block('a\n', 'x\n') + block('z\n', 'y\n') })
      expect(failure).toMatchObject({ code: 'not-found', message: expect.stringContaining('block 2') })
    })

    it('limits the number of blocks: each is searched in the whole note', async () => {
      const diff = block('a\n', 'x\n').repeat(501)
      expect(await refusal('a\n', { diff })).toMatchObject({ code: 'too-large' })
    })

    it('answers for a diff of nothing but openings', async () => {
      expect(await refusal('a\n', { diff: '=======\n'.repeat(200_000) })).toMatchObject({ code: 'invalid-input' })
      expect(await refusal('a\n', { diff: `<<<<<<< SEARCH\n${'a\n'.repeat(1_000_000)}` })).toMatchObject({
        code: 'invalid-input',
      })
    })

    it.each([
      ['no block', 'replace a by b'],
      ['a block without an end', '<<<<<<< SEARCH\na\n=======\nb\n'],
      ['a block without a middle', '<<<<<<< SEARCH\na\n>>>>>>> REPLACE\n'],
      ['a block without a beginning', 'a\n=======\nb\n>>>>>>> REPLACE\n'],
      ['two middles', '<<<<<<< SEARCH\na\n=======\nb\n=======\nc\n>>>>>>> REPLACE\n'],
      ['a search for nothing', block('', 'b\n')],
      ['a block inside a block', `<<<<<<< SEARCH\n${block('a\n', 'b\n')}`],
    ])('refuses %s and says how to write it', async (_, diff) => {
      const failure = await refusal('a\n', { diff })
      expect(failure.code).toBe('invalid-input')
      expect(failure.details.hint).toBeTruthy()
    })
  })

  it('changes exactly what it was asked to, in any text', async () => {
    const context = await testContext({})
    await fc.assert(
      fc.asyncProperty(pieces, pieces, pieces, fc.boolean(), fc.boolean(), async (head, tail, fresh, crlf, bom) => {
        const style = (text: string) => (crlf ? text.replaceAll('\n', '\r\n') : text)
        const text = `${bom ? '\ufeff' : ''}${style(`${head}«unique»${tail}`)}`
        context.memory.write('a.md', text)
        const plan = await editNote.plan!({ path: 'a.md', old_text: '«unique»', new_text: fresh }, context)
        const [change] = plan.changes.changes
        // In a note without line breaks, new ones are `\n`.
        const written = text.includes('\r\n') ? style(fresh) : fresh
        const expected = text.replace('«unique»', () => written)
        expect(textOf((change as { after: Uint8Array }).after)).toBe(expected)
      }),
      { numRuns: 500 },
    )
  })

  it('finds any stretch of a note that occurs once, and refuses any other', async () => {
    const context = await testContext({})
    await fc.assert(
      fc.asyncProperty(pieces, fc.nat(), fc.nat(), async (text, one, other) => {
        const letters = [...text]
        const [first, last] = [one, other].map((each) => each % (letters.length + 1)).sort((a, b) => a - b)
        const start = letters.slice(0, first).join('').length
        const old = letters.slice(first, last).join('')
        const end = start + old.length
        if (old === '') return
        context.memory.write('a.md', text)
        let count = 0
        for (let at = text.indexOf(old); at >= 0; at = text.indexOf(old, at + 1)) count++
        const plan = editNote.plan!({ path: 'a.md', old_text: old, new_text: 'NEW' }, context)
        if (count > 1) {
          await expect(plan).rejects.toMatchObject({ code: 'ambiguous', details: { data: { count } } })
          return
        }
        const [change] = (await plan).changes.changes
        expect(textOf((change as { after: Uint8Array }).after)).toBe(`${text.slice(0, start)}NEW${text.slice(end)}`)
      }),
      { numRuns: 500 },
    )
  })

  it('finds a text whose typography was flattened, and changes only what differs', async () => {
    const context = await testContext({})
    const flat = (text: string) =>
      text.replace(/[“”]/g, '"').replace(/[–—]/g, '-').replaceAll('\u00a0', ' ').replace(/ +$/gm, '')
    await fc.assert(
      fc.asyncProperty(fc.array(fancy, { minLength: 1, maxLength: 12 }), async (words) => {
        const line = `${words.join('')}!`
        const text = `before\n${line}\nafter “x” — y\n`
        context.memory.write('a.md', text)
        const plan = await editNote.plan!({ path: 'a.md', old_text: flat(line), new_text: `${flat(line)}?` }, context)
        const [change] = plan.changes.changes
        expect(textOf((change as { after: Uint8Array }).after)).toBe(text.replace(line, () => `${line}?`))
      }),
      { numRuns: 300 },
    )
  })

  it('gives by a fuzzy match what an exact one would have given, typography aside', async () => {
    const context = await testContext({})
    await fc.assert(
      fc.asyncProperty(words, words, fc.nat(), fc.nat(), async (line, other, from, to) => {
        const old = line.map(([, flat]) => flat)
        // A new text that shares some of the old one, as edits do.
        const [first, last] = [from, to].map((each) => each % (old.length + 1)).sort((a, b) => a - b)
        const fresh = [...old.slice(0, first), ...other.map(([, flat]) => flat), ...old.slice(last)].join('')
        const text = `<${line.map(([fancy]) => fancy).join('')}>\nrest “x”\n`
        context.memory.write('a.md', text)
        const input = { path: 'a.md', old_text: `<${old.join('')}>`, new_text: `<${fresh}>` }
        const [change] = (await editNote.plan!(input, context)).changes.changes
        const result = change === undefined ? text : textOf((change as { after: Uint8Array }).after)
        expect(foldText(result).text).toBe(foldText(`<${fresh}>\nrest “x”\n`).text)
        expect(result.endsWith('\nrest “x”\n')).toBe(true)
      }),
      { numRuns: 1000 },
    )
  })

  it('looks only for the exact text in a note too long to fold', async () => {
    const text = `${'a line of text\n'.repeat(150_000)}say “hi”\n`
    expect((await edited(text, 'say “hi”', 'x')).endsWith('\nx\n')).toBe(true)
    expect((await refusal(text, { old_text: 'say "hi"', new_text: 'x' })).code).toBe('not-found')
  })
})

const words = fc.array(
  fc.constantFrom(
    ['“', '"'],
    ['—', '-'],
    ['\u00a0', ' '],
    ['\u2163', 'IV'],
    ['e\u0301', 'é'],
    ['x \t\n', 'x\n'],
    ['…', '...'],
    ['a', 'a'],
    ['\n', '\n'],
    ['한', '\u1112\u1161\u11ab'],
  ),
  { maxLength: 12 },
)

const pieces = fc
  .array(fc.constantFrom('a', 'b', ' ', '\n', 'é', '漢', '😀', '# ', '- ', '“', '**'), { maxLength: 30 })
  .map((all) => all.join(''))
const fancy = fc.constantFrom('“', '”', '–', '—', '\u00a0', ' ', 'a', 'b', 'é', '  \n', '\n', '"', '-')
