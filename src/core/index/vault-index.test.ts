import * as fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { type MemoryVault, memoryVault, notePath, rulesUnreadable, unreadable } from '../vault/index.js'
import { memoryStore } from './memory-store.js'
import { noteLinks } from './note-index.js'
import { openVaultIndex, type VaultIndex } from './vault-index.js'

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

  it('finds the notes of a change set after indexing its paths', async () => {
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

  it('counts unseen changes, and none after reading them', async () => {
    const { vault, index } = await indexed({ 'A.md': 'a', 'B.md': 'b' })
    expect((await index.unseenChanges()).count).toBe(0)
    vault.write('A.md', 'a, edited')
    vault.write('C.md', 'c')
    vault.remove('B.md')
    expect((await index.unseenChanges()).count).toBe(3)
    await index.readChanges()
    expect((await index.unseenChanges()).count).toBe(0)
  })

  it('hides a private note from search, links and names once it is marked', async () => {
    const { vault, index } = await indexed({ 'A.md': 'see [[Secret]]', 'Secret.md': 'the canary sings' })
    expect(await paths(index, 'canary')).toEqual(['Secret.md'])
    vault.write('Secret.md', '---\nprivate: true\n---\nthe canary sings')
    await index.readChanges()
    expect(await paths(index, 'canary')).toEqual([])
    expect((await noteLinks(index, notePath('A.md'))).forward).toMatchObject([{ target: null }])
    await expect(index.find('Secret')).rejects.toMatchObject({ code: 'not-found' })
    expect((await index.counts()).notes).toBe(1)
  })

  it('never resolves a link to a note that was private from the start', async () => {
    const { index } = await indexed({ 'A.md': '[[Z]]', 'Z.md': '---\nprivate: true\n---\nx' })
    expect((await noteLinks(index, notePath('A.md'))).forward).toMatchObject([{ target: null, raw: '[[Z]]' }])
  })

  it('reports a note that cannot be indexed and indexes the others', async () => {
    const { index } = await indexed({ 'A.md': 'apples', 'Huge.md': 'x'.repeat(200) }, { maxReadBytes: 100 })
    expect(await index.skipped()).toMatchObject([{ path: 'Huge.md' }])
    expect(await paths(index, 'apples')).toEqual(['A.md'])
  })

  it('omits nothing if the rules were unreadable for a moment', async () => {
    const vault = memoryVault({ files: { 'A.md': 'apples [[B]]', 'B.md': 'bananas' } })
    const reading: MemoryVault['reading'] = (work, paths) =>
      vault.reading(() => work(() => Promise.reject(rulesUnreadable('.notewrightignore', 'reading it failed'))), paths)
    const store = memoryStore()
    const troubled = await openVaultIndex({ vault: { ...vault, reading }, store })
    await expect(troubled.readChanges()).rejects.toThrow('Notes cannot be read')
    const index = await openVaultIndex({ vault, store })
    expect((await index.unseenChanges()).count).toBe(2)
    await index.readChanges()
    expect(await index.skipped()).toEqual([])
    expect(await paths(index, 'apples')).toEqual(['A.md'])
  })

  it('retries skipped notes before a move', async () => {
    const vault = memoryVault({ files: { 'A.md': 'see [[B]]', 'B.md': 'bananas' } })
    let isDenied = true
    const deny: MemoryVault['read'] = async (path) => {
      if (isDenied && path === 'A.md') throw unreadable(path, 'denied', 'the system does not allow it', {})
      return vault.read(path)
    }
    const reading: MemoryVault['reading'] = (work, paths) => vault.reading(() => work(deny), paths)
    const index = await openVaultIndex({ vault: { ...vault, read: deny, reading }, store: memoryStore() })
    await index.readChanges()
    expect(await index.skipped()).toMatchObject([{ path: 'A.md' }])
    isDenied = false
    const { changeSet } = await index.planMove('B.md', 'C.md')
    expect(changeSet.changes).toMatchObject([
      { kind: 'move', path: 'B.md' },
      { kind: 'edit', path: 'A.md' },
    ])
  })

  it('finds a note by path, name or path ending, and reports ambiguity', async () => {
    const { index } = await indexed({ 'a/Plan.md': '1', 'b/Plan.md': '2', 'b/Other.md': '3' })
    expect((await index.find('b/Plan')).path).toBe('b/Plan.md')
    expect((await index.find('other')).path).toBe('b/Other.md')
    await expect(index.find('Plan')).rejects.toMatchObject({ code: 'ambiguous' })
    await expect(index.find('../x')).rejects.toMatchObject({ code: 'path' })
  })

  it('lists a few of a hundred namesakes and counts the rest', async () => {
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
    await expect(index.search({ query: 'x', after: '2026-02-30' }, 'fresh')).rejects.toThrow(
      'Not a valid date: 2026-02-30',
    )
  })

  it('gives the same answers after any history of edits as a fresh index', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(step, { maxLength: 4 }), { minLength: 1, maxLength: 12 }), async (rounds) => {
        const { vault, index } = await indexed({ 'one.md': 'red [[two]]', 'two.md': 'green [[three]]' })
        for (const round of rounds) {
          for (const { path, text } of round) text === undefined ? vault.remove(path) : vault.write(path, text)
          await index.readChanges()
          await index.updateVectors()
        }
        const fresh = await openVaultIndex({ vault, store: memoryStore() })
        await fresh.readChanges()
        expect(await everything(vault, index)).toEqual(await everything(vault, fresh))
      }),
      { numRuns: 60 },
    )
  })

  it('continues an interrupted first run and reads no note twice', async () => {
    const texts = Array.from({ length: 20 }, (_, at) => [`Note ${String(at).padStart(2, '0')}.md`, `words ${at}`])
    const vault = tickingVault(Object.fromEntries(texts))
    const store = memoryStore()
    const read: string[] = []
    let stop = new AbortController()
    const watched: MemoryVault = {
      ...vault,
      reading: (work, paths) =>
        vault.reading(
          (readNote) =>
            work((path) => {
              read.push(path)
              if (read.length === 10) stop.abort()
              return readNote(path)
            }),
          paths,
        ),
    }
    // Progress is saved periodically: with this clock, after each note.
    let now = 0
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now = now * 2 + 10_000))
    const first = await openVaultIndex({ vault: watched, store })
    await expect(first.readChanges({ signal: stop.signal })).rejects.toThrow()
    clock.mockRestore()
    stop = new AbortController()
    const next = await openVaultIndex({ vault: watched, store })
    await next.readChanges()
    expect(read).toHaveLength(20)
    expect(new Set(read).size).toBe(20)
    expect(await next.files()).toHaveLength(20)
    expect((await next.search({ query: 'words' }, 'fresh')).hits.length).toBeGreaterThan(0)
  })

  it('lets two writers share one store without losing a note', async () => {
    const vault = tickingVault({})
    const store = memoryStore()
    const [one, two] = [await openVaultIndex({ vault, store }), await openVaultIndex({ vault, store })]
    for (let i = 0; i < 30; i++) vault.write(`n${i}.md`, `word${i} common`)
    await Promise.all([one.readChanges({ yieldEveryMs: 0 }), two.readChanges({ yieldEveryMs: 0 })])
    expect((await one.counts()).notes).toBe(30)
    for (const index of [one, two]) {
      expect((await index.search({ query: 'common', limit: 50 }, 'fresh')).hits).toHaveLength(30)
      expect(await paths(index, 'word7')).toEqual(['n7.md'])
    }
  })

  it('computes vectors if there are enough notes, and projects later ones', async () => {
    const files: Record<string, string> = {}
    for (let i = 0; i < 80; i++) files[`n${i}.md`] = `${topics[i % 4]} number${i}`
    const { vault, index } = await indexed(files)
    expect(await index.hasAllVectors()).toBe(false)
    await index.updateVectors()
    expect(await index.hasAllVectors()).toBe(true)
    vault.write('new.md', 'ferment dough slowly overnight')
    await index.readChanges()
    await index.updateVectors()
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

/** Every write gets its own time, as on a disk. */
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
  await index.readChanges()
  return { vault, index }
}
