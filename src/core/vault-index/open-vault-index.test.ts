import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type MemoryVault, memoryVault, notePath, rulesUnread, unreadable } from '../vault/index.js'
import { memoryStore } from './memory-store.js'
import { noteLinks } from './note-index.js'
import { openVaultIndex, type VaultIndex } from './open-vault-index.js'

describe('the vault index', () => {
  it('finds a note by its words, with the passage and its lines', async () => {
    const { index } = await indexed({
      'Garden/Tomatoes.md': '# Tomatoes\n\nSow in March.\n\n## Planting\n\nHarden seedlings off.\n',
    })
    const { hits } = await index.search({ query: 'seedling' }, 'fresh')
    expect(hits).toMatchObject([{ path: 'Garden/Tomatoes.md', title: 'Tomatoes', lines: [1, 7] }])
    expect(hits[0].preview).toContain('Harden seedlings off.')
    expect(hits[0]).not.toHaveProperty('text')
    const whole = await index.search({ query: 'seedling', texts: true }, 'fresh')
    expect(whole.hits[0].text).toBe('# Tomatoes\n\nSow in March.\n\n## Planting\n\nHarden seedlings off.')
  })

  it('reads tag:, path:, a minus and a #tag in the query as Obsidian does', async () => {
    const { index } = await indexed({
      'Kitchen/Soup.md': 'leek soup #recipe',
      'Kitchen/Cold.md': 'cold soup #recipe/quick',
      'Archive/Old.md': 'old soup #recipe #stale',
      'Plain.md': 'soup recipe',
    })
    expect(await paths(index, 'soup tag:recipe')).toEqual(['Archive/Old.md', 'Kitchen/Cold.md', 'Kitchen/Soup.md'])
    expect(await paths(index, 'soup tag:#recipe -tag:stale -leek')).toEqual(['Kitchen/Cold.md'])
    expect(await paths(index, 'soup path:kitchen')).toEqual(['Kitchen/Cold.md', 'Kitchen/Soup.md'])
    expect(await paths(index, 'soup -path:Kitchen -"old soup"')).toEqual(['Plain.md'])
    expect(await paths(index, 'tag:recipe -leek')).toEqual(['Archive/Old.md', 'Kitchen/Cold.md'])
    expect(await paths(index, 'soup #recipe/quick')).toEqual(['Kitchen/Cold.md'])
    expect(await paths(index, 'soup #nowhere')).toHaveLength(4)
    expect(await index.search({ query: 'soup -leek' }, 'fresh')).toMatchObject({ excluded: ['leek'] })
  })

  it('sees a change set as soon as it is told of its paths', async () => {
    const { vault, index } = await indexed({ 'A.md': 'apples [[B]]' })
    await vault.apply({
      id: '1',
      title: 'Create B',
      changes: [{ kind: 'create', path: notePath('B.md'), after: new TextEncoder().encode('bananas') }],
    })
    await index.indexPaths([notePath('B.md')])
    expect(await paths(index, 'bananas')).toEqual(['B.md'])
    expect((await noteLinks(index, notePath('B.md'))).back).toMatchObject([{ source: 'A.md', raw: '[[B]]', line: 1 }])
  })

  it('counts what it has not seen yet, and nothing after catching up', async () => {
    const { vault, index } = await indexed({ 'A.md': 'a', 'B.md': 'b' })
    expect((await index.unseenChanges()).count).toBe(0)
    vault.write('A.md', 'a, edited')
    vault.write('C.md', 'c')
    vault.remove('B.md')
    expect((await index.unseenChanges()).count).toBe(3)
    await index.catchUp()
    expect((await index.unseenChanges()).count).toBe(0)
  })

  it('hides a private note from search, links and names, from the moment it says so', async () => {
    const { vault, index } = await indexed({ 'A.md': 'see [[Secret]]', 'Secret.md': 'the canary sings' })
    expect(await paths(index, 'canary')).toEqual(['Secret.md'])
    vault.write('Secret.md', '---\nprivate: true\n---\nthe canary sings')
    await index.catchUp()
    expect(await paths(index, 'canary')).toEqual([])
    expect((await noteLinks(index, notePath('A.md'))).forward).toMatchObject([{ target: null }])
    await expect(index.find('Secret')).rejects.toMatchObject({ code: 'not-found' })
    expect((await index.counts()).notes).toBe(1)
  })

  it('never resolves a link to a note that was private from the start', async () => {
    const { index } = await indexed({ 'A.md': '[[Z]]', 'Z.md': '---\nprivate: true\n---\nx' })
    expect((await noteLinks(index, notePath('A.md'))).forward).toMatchObject([{ target: null, raw: '[[Z]]' }])
  })

  it('names a note that cannot be indexed and indexes the others', async () => {
    const { index } = await indexed({ 'A.md': 'apples', 'Huge.md': 'x'.repeat(200) }, { maxReadBytes: 100 })
    expect(await index.skipped()).toMatchObject([{ path: 'Huge.md' }])
    expect(await paths(index, 'apples')).toEqual(['A.md'])
  })

  it('leaves nothing out because the rules could not be read for a moment', async () => {
    const vault = memoryVault({ files: { 'A.md': 'apples [[B]]', 'B.md': 'bananas' } })
    const reading: MemoryVault['reading'] = (work, paths) =>
      vault.reading(() => work(() => Promise.reject(rulesUnread('.notewrightignore', 'reading it failed'))), paths)
    const store = memoryStore()
    const troubled = await openVaultIndex({ vault: { ...vault, reading }, store })
    await expect(troubled.catchUp()).rejects.toThrow('No note is read')
    const index = await openVaultIndex({ vault, store })
    expect((await index.unseenChanges()).count).toBe(2)
    await index.catchUp()
    expect(await index.skipped()).toEqual([])
    expect(await paths(index, 'apples')).toEqual(['A.md'])
  })

  it('looks again, before a move, at notes that could not be read', async () => {
    const vault = memoryVault({ files: { 'A.md': 'see [[B]]', 'B.md': 'bananas' } })
    let isDenied = true
    const deny: MemoryVault['read'] = async (path) => {
      if (isDenied && path === 'A.md') throw unreadable(path, 'denied', 'the system does not allow it', {})
      return vault.read(path)
    }
    const reading: MemoryVault['reading'] = (work, paths) => vault.reading(() => work(deny), paths)
    const index = await openVaultIndex({ vault: { ...vault, read: deny, reading }, store: memoryStore() })
    await index.catchUp()
    expect(await index.skipped()).toMatchObject([{ path: 'A.md' }])
    isDenied = false
    const { changeSet } = await index.planMove('B.md', 'C.md')
    expect(changeSet.changes).toMatchObject([
      { kind: 'move', path: 'B.md' },
      { kind: 'edit', path: 'A.md' },
    ])
  })

  it('finds the note a person means by path, name or tail, and says when several are meant', async () => {
    const { index } = await indexed({ 'a/Plan.md': '1', 'b/Plan.md': '2', 'b/Other.md': '3' })
    expect((await index.find('b/Plan')).path).toBe('b/Plan.md')
    expect((await index.find('other')).path).toBe('b/Other.md')
    await expect(index.find('Plan')).rejects.toMatchObject({ code: 'ambiguous' })
    await expect(index.find('../x')).rejects.toMatchObject({ code: 'path' })
  })

  it('names a few of a hundred namesakes and counts the rest', async () => {
    const files = Array.from({ length: 100 }, (_, number) => [`${100 + number}/index.md`, 'x'])
    const { index } = await indexed(Object.fromEntries(files))
    await expect(index.find('index')).rejects.toThrow(/: 100\/index\.md, .*119\/index\.md and 80 more$/)
  })

  it('filters by tag, folder and date together with the query', async () => {
    const { index } = await indexed({
      'p/A.md': '---\ncreated: 2026-01-05\ntags: [work/alpha]\n---\nreport',
      'p/B.md': '---\ncreated: 2026-02-05\n---\nreport #Work',
      'C.md': 'report #work',
    })
    expect(await paths(index, 'report', { tags: ['#work'] })).toEqual(['C.md', 'p/A.md', 'p/B.md'])
    expect(await paths(index, 'report', { tags: ['work'], folder: 'p/' })).toEqual(['p/A.md', 'p/B.md'])
    expect(await paths(index, 'report', { folder: 'p', dateField: 'created', before: '2026-01-31' })).toEqual([
      'p/A.md',
    ])
    expect((await index.search({ query: '', folder: 'p' }, 'fresh')).hits.map(({ path }) => path)).toEqual([
      'p/B.md',
      'p/A.md',
    ])
    await expect(index.search({ query: 'x', after: '2026-02-01', before: '2026-01-01' }, 'fresh')).rejects.toThrow(
      'End time must be after start time',
    )
    await expect(index.search({ query: 'x', after: '2026-02-30' }, 'fresh')).rejects.toThrow('Not a date: 2026-02-30')
  })

  it('answers the same after any history of edits as an index made afresh', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(step, { maxLength: 4 }), { minLength: 1, maxLength: 12 }), async (rounds) => {
        const { vault, index } = await indexed({ 'one.md': 'red [[two]]', 'two.md': 'green [[three]]' })
        for (const round of rounds) {
          for (const { path, text } of round) text === undefined ? vault.remove(path) : vault.write(path, text)
          await index.catchUp()
          await index.finishVectors()
        }
        const fresh = await openVaultIndex({ vault, store: memoryStore() })
        await fresh.catchUp()
        expect(await everything(vault, index)).toEqual(await everything(vault, fresh))
      }),
      { numRuns: 60 },
    )
  })

  it('lets two writers of one store take turns without losing a note', async () => {
    const vault = tickingVault({})
    const store = memoryStore()
    const [one, two] = [await openVaultIndex({ vault, store }), await openVaultIndex({ vault, store })]
    for (let i = 0; i < 30; i++) vault.write(`n${i}.md`, `word${i} common`)
    await Promise.all([one.catchUp({ yieldEveryMs: 0 }), two.catchUp({ yieldEveryMs: 0 })])
    expect((await one.counts()).notes).toBe(30)
    for (const index of [one, two]) {
      expect((await index.search({ query: 'common', limit: 50 }, 'fresh')).hits).toHaveLength(30)
      expect(await paths(index, 'word7')).toEqual(['n7.md'])
    }
  })

  it('makes vectors when there are enough notes, and folds later ones in', async () => {
    const files: Record<string, string> = {}
    for (let i = 0; i < 80; i++) files[`n${i}.md`] = `${topics[i % 4]} number${i}`
    const { vault, index } = await indexed(files)
    expect(await index.hasAllVectors()).toBe(false)
    await index.finishVectors()
    expect(await index.hasAllVectors()).toBe(true)
    vault.write('new.md', 'ferment dough slowly overnight')
    await index.catchUp()
    await index.finishVectors()
    const { hits } = await index.search({ query: 'yeast', rank: 'semantic', limit: 30 }, 'fresh')
    expect(hits.map(({ path }) => path)).toContain('new.md')
  })
})

const topics = [
  'bread dough yeast ferment oven crust',
  'tomato seed soil compost plant water',
  'novel author chapter reader story plot',
  'bicycle wheel brake chain gear pedal',
]

const step = fc.record({
  path: fc.constantFrom('one.md', 'two.md', 'three.md', 'a/two.md', 'b/one.md', 'pic.png'),
  text: fc.option(
    fc
      .array(
        fc.constantFrom('red', 'green', 'blue', '[[one]]', '[[two]]', '[[three]]', '![[pic.png]]', '#tag', '# Head\n'),
        {
          maxLength: 6,
        },
      )
      .map((words) => words.join(' ')),
    { nil: undefined },
  ),
})

async function everything(vault: MemoryVault, index: VaultIndex) {
  const notes = (await vault.files()).map(({ path }) => path).filter((path) => path.endsWith('.md'))
  const answers = []
  for (const query of ['red', 'green blue', 'two', 'tag', 'head red']) {
    const { hits } = await index.search({ query, rank: 'lexical', limit: 20 }, 'fresh')
    answers.push(hits.map(({ path, score, preview }) => ({ path, score: score.toFixed(6), preview })).sort(byPath))
  }
  const links = []
  for (const path of notes) links.push(await noteLinks(index, path))
  return { answers, links, counts: await index.counts(), orphans: await index.orphans() }
}

const byPath = (a: { path: string }, b: { path: string }): number => (a.path < b.path ? -1 : 1)

async function paths(index: VaultIndex, query: string, filter = {}): Promise<string[]> {
  const { hits } = await index.search({ query, ...filter }, 'fresh')
  return hits.map(({ path }) => path).sort()
}

/** Every write gets a time of its own, as on a disk. */
function tickingVault(files: Record<string, string>, options = {}): MemoryVault {
  let time = 1_700_000_000_000
  return memoryVault({ files, now: () => time++, ...options })
}

async function indexed(
  files: Record<string, string>,
  options = {},
): Promise<{ vault: MemoryVault; index: VaultIndex }> {
  const vault = tickingVault(files, options)
  const index = await openVaultIndex({ vault, store: memoryStore() })
  await index.catchUp()
  return { vault, index }
}
