import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { answerOf, callTool, failureOf, testContext } from '../../../../test/tools/call-tool.js'
import { memoryVault } from '../../vault/index.js'
import { literalMatcher, toNfc } from './scan-notes.js'
import { vaultSearch } from './vault-search.js'

describe('vault_search', () => {
  it('finds names before contents and counts every match in both', async () => {
    const context = await testContext({
      'A diary.md': 'TypeScript here, typescript there.',
      'Programming/TypeScript Basics.md': 'TypeScript is a typed superset.',
      'Zed.md': 'nothing',
    })
    const {
      output: { results },
      text,
      summary,
    } = await answerOf(vaultSearch, { query: 'typescript', limit: 5 }, context)
    expect(results).toEqual([
      {
        path: 'Programming/TypeScript Basics.md',
        basename: 'TypeScript Basics',
        matches: 2,
        preview: 'TypeScript is a typed superset.',
      },
      { path: 'A diary.md', basename: 'A diary', matches: 2, preview: 'TypeScript here, typescript there.' },
    ])
    expect(JSON.parse(text)).toEqual(results)
    expect(summary).toBe('2 notes')
  })

  it('shows 100 characters either side of the first match, with dots where it was cut', async () => {
    const context = await testContext({ 'a.md': `${'x'.repeat(150)}Needle${'y'.repeat(150)}needle` })
    const {
      output: { results },
    } = await answerOf(vaultSearch, { query: 'needle' }, context)
    expect(results[0].preview).toBe(`...${'x'.repeat(100)}Needle${'y'.repeat(100)}...`)
  })

  it('shows the first 200 characters when only the name matches', async () => {
    const context = await testContext({ 'Needle.md': 'z'.repeat(300), 'needle 2.md': 'short' })
    const {
      output: { results },
    } = await answerOf(vaultSearch, { query: 'needle' }, context)
    expect(results.map(({ preview }: { preview: string }) => preview)).toEqual([`${'z'.repeat(200)}...`, 'short'])
  })

  it.each([
    ['CAFÉ', 'Im cafe\u0301 war es'],
    ['strasse ΟΔΟΣ', 'Die Strasse οδός'.normalize('NFC').replace('ό', 'ο')],
    ['istanbul', 'İstanbul'],
    ['日本', 'これは日本語です'],
    ['🏴', 'a 🏴 flag'],
  ])('finds %s whatever case and form it was typed in', async (query, text) => {
    const context = await testContext({ 'a.md': text })
    expect((await answerOf(vaultSearch, { query }, context)).output.results).toMatchObject([{ matches: 1 }])
  })

  it('takes a query for what it is, not for a pattern', async () => {
    const context = await testContext({ 'a.md': `${'a'.repeat(50_000)}!`, 'b.md': 'the regex (a+)+$ is bad; (A+)+$' })
    for (const query of ['(a|aa)+$', '^(([a-z])+.)+[A-Z]([a-z])+$', `${'*'.repeat(40)}b`]) {
      expect((await answerOf(vaultSearch, { query }, context)).output.results).toEqual([])
    }
    expect((await answerOf(vaultSearch, { query: '(a+)+$' }, context)).output.results).toMatchObject([
      { path: 'b.md', matches: 2 },
    ])
  })

  it('takes a limit above 50 as 50, stops there, and says both', async () => {
    const notes = Array.from({ length: 70 }, (_, number) => [`${100 + number}.md`, 'apples'])
    const context = await testContext(Object.fromEntries(notes))
    const usual = await answerOf(vaultSearch, { query: 'apples' }, context)
    expect(usual.output.results).toHaveLength(10)
    expect(usual.text).toContain('Stopped at 10; there may be more.')
    const {
      output: { results },
      text,
    } = await answerOf(vaultSearch, { query: 'apples', limit: 1000 }, context)
    expect(results).toHaveLength(50)
    expect(text).toContain('limit can be at most 50, so 50 was used.')
    expect(await failureOf(vaultSearch, { query: 'a', limit: 0 }, context)).toMatchObject({ code: 'invalid-input' })
  })

  it('never names a private or an excluded note, even for a match in its name', async () => {
    const context = await testContext({
      'Secret apples.md': '---\nprivate: true\n---\napples',
      'Hidden/apples.md': 'apples',
      '.notewrightignore': 'Hidden/\n',
      '.obsidian/apples.md': 'apples',
      'Open.md': 'apples',
    })
    const {
      output: { results },
    } = await answerOf(vaultSearch, { query: 'apples' }, context)
    expect(results).toMatchObject([{ path: 'Open.md' }])
  })

  it('sees a note that the index has not seen yet', async () => {
    const context = await testContext({})
    context.memory.write('Fresh.md', 'pears')
    expect((await answerOf(vaultSearch, { query: 'pears' }, context)).output.results).toMatchObject([
      { path: 'Fresh.md' },
    ])
  })

  it('leaves out a note that cannot be read, and says which are too large to search', async () => {
    const vault = memoryVault({
      files: {
        'Big apples.md': 'apples '.repeat(100),
        'Big.md': 'apples '.repeat(100),
        'b.md': 'apples',
        'a.md': 'apples',
      },
      maxReadBytes: 100,
    })
    const context = await testContext({})
    const read: typeof vault.read = async (path) => {
      if (path === 'a.md') throw Object.assign(new Error('EACCES: /home/someone/vault/a.md'), { code: 'EACCES' })
      return vault.read(path)
    }
    const {
      output: { results },
      text,
    } = await answerOf(vaultSearch, { query: 'apples' }, { ...context, vault: { ...vault, read } })
    expect(results).toMatchObject([
      { path: 'Big apples.md', matches: 1, preview: expect.stringMatching(/^apples/) },
      { path: 'b.md' },
    ])
    expect(text).toContain('Too large to search: Big apples.md, Big.md.')
    expect(text).not.toContain('/home')
  })

  it('asks for something to look for', async () => {
    const context = await testContext({})
    expect((await failureOf(vaultSearch, { query: ' ' }, context)).text).toContain('query: empty')
    expect((await failureOf(vaultSearch, { query: 'x'.repeat(501) }, context)).code).toBe('invalid-input')
  })

  it('stops in the middle of 10,000 notes when aborted, and reads only a few of them at once', async () => {
    const notes = Array.from({ length: 10_000 }, (_, number) => [`n/${number}.md`, `note ${number}`])
    const stop = new AbortController()
    const vault = memoryVault({ files: Object.fromEntries(notes) })
    let [reads, open, mostOpen] = [0, 0, 0]
    const read: typeof vault.read = async (path) => {
      mostOpen = Math.max(mostOpen, ++open)
      if (++reads === 500) stop.abort(new Error('stopped'))
      const file = await vault.read(path)
      open--
      return file
    }
    const context = await testContext({}, { vault: { ...vault, read }, signal: stop.signal })
    await expect(callTool(vaultSearch, { query: 'nowhere' }, context)).rejects.toThrow('stopped')
    expect(reads).toBeLessThan(600)
    expect(mostOpen).toBeLessThanOrEqual(4)
  })
})

describe('looking for a text letter by letter', () => {
  it('counts as often as cutting the text at each match gives, however long the text', async () => {
    const letter = fc.constantFrom('a', 'A', 'b', 'é', 'ß', 'Σ', 'ς', '🙂', '\n')
    const text = fc.array(letter, { maxLength: 200 }).map((letters) => letters.join(''))
    const query = fc.array(letter, { minLength: 1, maxLength: 4 }).map((letters) => letters.join(''))
    await fc.assert(
      fc.asyncProperty(text, query, async (part, wanted) => {
        const whole = toNfc(part)
        const folded = (given: string) => given.toLowerCase().replaceAll('ς', 'σ')
        const expected = folded(whole).split(folded(wanted)).length - 1
        expect(literalMatcher(wanted).countIn(whole).count).toBe(expected)
        expect((await literalMatcher(wanted).countInLong(whole, () => undefined)).count).toBe(expected)
      }),
    )
  })

  it('counts a match across two ranges once', async () => {
    const text = `${'x'.repeat((1 << 20) - 3)}needle${'x'.repeat(1 << 20)}needle`
    expect(await literalMatcher('NEEDLE').countInLong(text, () => undefined)).toMatchObject({
      count: 2,
      first: (1 << 20) - 3,
    })
  })

  it('never cuts a character in two in a preview', () => {
    const text = '🙂'.repeat(300)
    for (const first of [0, 100, 200, 401]) {
      expect(literalMatcher('x').previewOf(text, first - (first % 2))).not.toMatch(/\p{Surrogate}/u)
    }
    expect(literalMatcher('x').previewOf(`y${text}`, -1)).not.toMatch(/\p{Surrogate}/u)
  })
})
