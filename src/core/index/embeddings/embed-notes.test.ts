import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type MeaningEmbedder, meaningEmbedder } from '../../../../test/doubles/meaning-embedder.js'
import { howOften } from '../../../../test/runner/how-often.js'
import { type MemoryVault, memoryVault } from '../../vault/index.js'
import { memoryStore } from '../memory-store.js'
import { openVaultIndex } from '../vault-index.js'

const files = { 'Bread.md': 'sourdough starter', 'Bike.md': 'bicycle chain', 'Sea.md': 'harbour and tide' }

function ticking(notes: Record<string, string> = files): MemoryVault {
  let now = 0
  return memoryVault({ files: notes, now: () => ++now })
}

async function embedded(vault: MemoryVault, embedder: MeaningEmbedder, store = memoryStore()) {
  const index = await openVaultIndex({ vault, store, embedder })
  await index.readChanges()
  await index.embed()
  return { index, store }
}

const first = async (index: { search: Awaited<ReturnType<typeof openVaultIndex>>['search'] }, query: string) =>
  (await index.search({ query, limit: 1 })).hits[0]?.path

describe("a provider's embeddings", () => {
  it('find a note that shares no word with the query, and leave the lexical ranking alone', async () => {
    const vault = ticking()
    const embedder = meaningEmbedder()
    const index = await openVaultIndex({ vault, store: memoryStore(), embedder })
    await index.readChanges()
    expect(await first(index, 'velocipede')).toBeUndefined()
    // Without vectors to compare, nothing is sent.
    expect(embedder.queries).toEqual([])
    await index.embed()
    expect(embedder.sent).toHaveLength(3)
    expect(await first(index, 'velocipede')).toBe('Bike.md')
    const { hits } = await index.search({ query: 'velocipede', rank: 'lexical' })
    expect(hits).toEqual([])
    expect(await first(index, 'velocipede')).toBe('Bike.md')
    expect(embedder.queries).toEqual(['velocipede'])
  })

  it('are sent with the title of their note, and progress is reported', async () => {
    const embedder = meaningEmbedder()
    const vault = ticking({ 'Trips/Coast.md': '# Coast\n\n## Where\n\nharbour' })
    const { index } = await embedded(vault, embedder)
    expect(embedder.sent.join()).toContain('Coast')
    expect(await index.embeddingProgress()).toMatchObject({ passages: 1, made: 1, withheld: 0 })
    vault.write('New.md', 'bicycle')
    await index.readChanges()
    expect(await index.embeddingProgress()).toMatchObject({ passages: 2, made: 1 })
  })

  it('are never requested twice, whatever is written, edited, moved, merged or interrupted', async () => {
    const words = fc.constantFrom('sourdough', 'bicycle', 'harbour', 'plain', 'rain')
    const section = fc.tuple(words, fc.nat(3)).map(([word, n]) => `## ${word} ${n}\n\n${`${word} ${n} `.repeat(110)}`)
    const step = fc.record({
      path: fc.integer({ min: 0, max: 5 }).map((n) => `n${n}.md`),
      sections: fc.array(section, { minLength: 1, maxLength: 4 }),
      cutAfter: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 16 }), async (steps) => {
        const vault = ticking({})
        const embedder = meaningEmbedder(3)
        const index = await openVaultIndex({ vault, store: memoryStore(), embedder })
        const everSent = new Set<string>()
        for (const { path, sections, cutAfter } of steps) {
          const before = new TextDecoder().decode(vault.snapshot().get(path))
          vault.write(path, sections.join('\n\n'))
          await index.readChanges()
          await index.updateVectors()
          embedder.sent = []
          const stop = new AbortController()
          let left = cutAfter ?? Number.POSITIVE_INFINITY
          embedder.onBatch = () => {
            if (--left < 0) stop.abort()
            stop.signal.throwIfAborted()
          }
          await index.embed({ signal: stop.signal }).catch((error) => {
            if (!stop.signal.aborted) throw error
          })
          embedder.onBatch = undefined
          await index.embed()
          expect(new Set(embedder.sent).size).toBe(embedder.sent.length)
          // The note's text until now is cached. Text absent for a while may be requested again.
          const again = embedder.sent.filter((text) => everSent.has(text) && before.includes(bodyOf(text)))
          expect(again).toEqual([])
          for (const text of embedder.sent) everSent.add(text)
          const progress = await index.embeddingProgress()
          expect(progress?.made).toBe(progress?.passages)
        }
      }),
      { numRuns: howOften(15, 300) },
    )
  })

  it('continue where a process was killed', async () => {
    const notes = Object.fromEntries(Array.from({ length: 600 }, (_, at) => [`n${at}.md`, `note number ${at} of many`]))
    const vault = ticking(notes)
    const store = memoryStore()
    const dying = meaningEmbedder(16)
    const index = await openVaultIndex({ vault, store, embedder: dying })
    await index.readChanges()
    // A killed process keeps nothing on its way out: it never gets its answer.
    const killed = new Promise<void>((resolve) => {
      const { embed } = dying
      dying.embed = (texts, as, signal) => {
        if (dying.sent.length < 400) return embed.call(dying, texts, as, signal)
        resolve()
        return new Promise(() => {})
      }
    })
    void index.embed()
    await killed
    const next = meaningEmbedder(16)
    const again = await openVaultIndex({ vault, store, embedder: next })
    expect((await again.embeddingProgress())?.made).toBeGreaterThanOrEqual(256)
    await again.embed()
    expect(next.sent.length).toBeLessThanOrEqual(600 - 256)
    expect(await again.embeddingProgress()).toMatchObject({ passages: 600, made: 600 })
  })

  it('are never requested for a private, excluded or withheld note, even if the index is outdated', async () => {
    const vault = ticking({ ...files, 'Diary.md': 'canary of the diary', 'Rule.md': 'canary of the rule' })
    const embedder = meaningEmbedder()
    const store = memoryStore()
    const index = await openVaultIndex({ vault, store, embedder })
    await index.readChanges()
    vault.write('Diary.md', '---\nprivate: true\n---\ncanary of the diary')
    const isWithheld = ({ path }: { path: string }) => path === 'Rule.md'
    await index.embed({ isWithheld })
    expect(embedder.sent).toHaveLength(3)
    expect(embedder.sent.join()).not.toContain('canary')
    await index.readChanges()
    await index.embed({ isWithheld })
    expect(embedder.sent).toHaveLength(3)
    expect(await index.embeddingProgress()).toMatchObject({ withheld: 1 })
    // A rule that is lifted lets the note follow.
    await index.embed()
    expect(embedder.sent.slice(3).join()).toContain('canary of the rule')
  })

  it('leave no vector of a note made private, not even in the parts of an interrupted run', async () => {
    const canary = `canary ${'harbour '.repeat(3)}`
    const vault = ticking({ ...files, 'Diary.md': canary })
    const embedder = meaningEmbedder(1)
    const store = memoryStore()
    const index = await openVaultIndex({ vault, store, embedder })
    await index.readChanges()
    const stop = new AbortController()
    embedder.onBatch = (number) => number === 3 && stop.abort()
    await expect(index.embed({ signal: stop.signal })).rejects.toThrow()
    expect(await index.embeddingProgress()).toMatchObject({ passages: 4, made: 3 })
    vault.write('Bike.md', '---\nprivate: true\n---\nbicycle chain')
    vault.write('Bread.md', '---\nprivate: true\n---\nsourdough starter')
    await index.readChanges()
    const { made = 4 } = (await index.embeddingProgress()) ?? {}
    expect(made).toBeLessThanOrEqual(2)
    for (const hidden of Object.keys({ ...files, 'Diary.md': '' })) {
      vault.write(hidden, `---\nprivate: true\n---\nhidden`)
    }
    await index.readChanges()
    const names = (await store.blobNames()).filter(({ kind }) => kind === 'vectors')
    expect(names).toEqual([])
  })

  it('are recomputed for another model, or when the model after the name changes', async () => {
    const vault = ticking()
    const embedder = meaningEmbedder()
    const { index, store } = await embedded(vault, embedder)
    const other = { ...meaningEmbedder(), id: 'test/other', dimension: 7 }
    const changed = await openVaultIndex({ vault, store, embedder: other })
    expect(await changed.embeddingProgress()).toMatchObject({ made: 0 })
    await changed.embed()
    expect(other.sent).toHaveLength(3)
    expect(await first(changed, 'velocipede')).toBe('Bike.md')

    other.dimension = 9
    const { hits, notice } = await changed.search({ query: 'bicycle' })
    expect(hits[0].path).toBe('Bike.md')
    expect(notice).toContain('come from another model')
    await changed.embed()
    expect(other.sent).toHaveLength(6)
    expect(await first(changed, 'a velocipede')).toBe('Bike.md')

    other.dimension = 5
    vault.write('New.md', 'bicycle bell')
    await changed.readChanges()
    await changed.embed()
    expect(await changed.embeddingProgress()).toMatchObject({ passages: 4, made: 4 })
    expect((await index.search({ query: 'harbour' })).hits[0].path).toBe('Sea.md')
  })

  it('are left out of a search, with a notice, while the provider is unavailable', async () => {
    const embedder = meaningEmbedder()
    const { index } = await embedded(ticking(), embedder)
    embedder.isAway = true
    const { hits, notice } = await index.search({ query: 'bicycle' })
    expect(hits.map(({ path }) => path)).toContain('Bike.md')
    expect(notice).toBe('Searched without test/meaning: connection refused')
    // It is not asked again at once.
    embedder.isAway = false
    expect((await index.search({ query: 'harbour' })).notice).toBe(notice)
    expect(embedder.queries).toEqual([])
  })
})

const bodyOf = (text: string): string => text.slice(text.indexOf('\n\n') + 2)
