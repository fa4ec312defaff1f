import { describe, expect, it } from 'vitest'
import { type ChangeSet, memoryVault, notePath } from '../vault/index.js'
import {
  type Embedder,
  IndexCorrupt,
  type IndexStage,
  type IndexStore,
  memoryStore,
  noteLinks,
  runStage,
} from '../vault-index/index.js'
import { type NotebookSetup, openNotebook } from './index.js'

describe('a notebook', () => {
  it('finds what it has just written, and takes it back', async () => {
    const { notebook } = await opened({ 'Bread.md': 'sourdough' })
    const applied = await notebook.apply(creating('Bike.md', 'bicycle chain'))
    expect(await found(notebook, 'bicycle')).toEqual(['Bike.md'])
    expect(await notebook.history({ note: 'Bike.md', limit: 1 })).toMatchObject([{ id: applied.id }])
    expect(await notebook.history({ note: 'Bread.md' })).toEqual([])
    await notebook.apply(await notebook.planUndo({ id: applied.id }))
    expect(await found(notebook, 'bicycle')).toEqual([])
  })

  it('says how far its index is behind, and catches up', async () => {
    const { notebook, vault } = await opened({ 'Bread.md': 'sourdough' })
    vault.write('Bike.md', 'bicycle chain')
    await notebook.refresh()
    expect(await notebook.status()).toMatchObject({ notes: 2, freshness: 'fresh', hasAllVectors: true })

    const later = await openNotebook({ vault, store: memoryStore(), listsAhead: true })
    expect(await later.freshness()).toBe('catching up (2 left)')
    await later.catchUp()
    expect(await later.freshness()).toBe('fresh')
    expect(await found(later, 'bicycle')).toEqual(['Bike.md'])
  })

  it('throws its index away and makes it again where that is asked for', async () => {
    const { notebook } = await opened({ 'Bread.md': 'sourdough', 'Bike.md': 'bicycle chain' })
    const progress: number[] = []
    const report = await notebook.update({ anew: true, onProgress: ({ done }) => progress.push(done) })
    expect(report).toMatchObject({ notes: 2 })
    expect(progress.length).toBeGreaterThan(0)
    expect(await found(notebook, 'bicycle')).toEqual(['Bike.md'])
    expect(await notebook.status()).toMatchObject({ freshness: 'fresh', rebuiltBecause: 'you asked for it' })
  })

  it('reads what has changed before it answers a search, however many files a sync has brought', async () => {
    const { vault, store } = await withBacklog(400)
    const notebook = await openNotebook({ vault, store })
    // One search is enough, unless the machine is very busy.
    await eventually(async () => {
      expect(await notebook.index.search({ query: 'rowing' })).toMatchObject({ freshness: 'fresh' })
    })
    expect(await found(notebook, 'rowing')).toHaveLength(10)
    expect(await found(notebook, 'bicycle')).toEqual([])
    await notebook.close()
  })

  it('is updated behind: the text is ready before the vectors are, and nobody waits for those', async () => {
    const files = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`Note ${at}.md`, `rowing boat ${at}`]))
    const [vault, store] = [memoryVault({ files }), memoryStore()]
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const runStages: NotebookSetup['runStages'] = async (stages, { onDone, ...options }) => {
      for (const stage of stages) {
        if (stage === 'vectors') await held
        await runStage(stage, { vault, store }, options)
        onDone?.(stage)
      }
    }
    const notebook = await openNotebook({ vault, store, runStages })
    const { text, done } = notebook.updateBehind()
    await text
    expect(await found(notebook, 'rowing')).toHaveLength(10)
    expect(await notebook.freshness()).toBe('fresh')
    release()
    await done
    expect(await notebook.status()).toMatchObject({ notes: 300, freshness: 'fresh' })
    await notebook.close()
  })

  it('says why an update behind has failed to whoever waits for its text, and can be closed in the midst of one', async () => {
    const files = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`Note ${at}.md`, 'rowing']))
    const failing = await openNotebook({
      vault: memoryVault({ files }),
      store: memoryStore(),
      runStages: async () => {
        throw new Error('no space left')
      },
    })
    const failed = failing.updateBehind()
    await expect(failed.text).rejects.toThrow('no space left')
    await failed.done
    await failing.close()

    const hanging = await openNotebook({
      vault: memoryVault({ files }),
      store: memoryStore(),
      runStages: (_, { signal }) =>
        new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
    })
    const { text } = hanging.updateBehind()
    text.catch(() => undefined)
    await new Promise((resolve) => setTimeout(resolve, 50))
    await hanging.close()
    await expect(text).rejects.toThrow()
  })

  it('waits for what has changed no longer than a moment, tells how much is left, and goes on behind until it is read', async () => {
    const { vault, store } = await withBacklog(300)
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const runStages: NotebookSetup['runStages'] = async (stages, { onDone, onProgress, ...options }) => {
      onProgress?.({ phase: 'reading', done: 50, total: 300 })
      await held
      for (const stage of stages) await runStage(stage, { vault, store }, options)
    }
    const notebook = await openNotebook({ vault, store, runStages })
    const startedAt = performance.now()
    const first = await notebook.index.search({ query: 'rowing' })
    expect(performance.now() - startedAt).toBeLessThan(3000)
    expect(first).toMatchObject({ freshness: 'catching up (250 left)', hits: [] })
    release()
    await eventually(async () => expect(await notebook.freshness()).toBe('fresh'))
    expect(await found(notebook, 'rowing')).toHaveLength(10)
    await notebook.close()
  })

  it('leaves off what it does behind when it is closed', async () => {
    const { vault, store } = await withBacklog(300)
    const runStages: NotebookSetup['runStages'] = (_, { signal }) =>
      new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason), { once: true }))
    const notebook = await openNotebook({ vault, store, runStages })
    await notebook.index.search({ query: 'rowing' })
    await notebook.close()
  })

  it('follows its vault until it is told to stop', async () => {
    const { notebook, vault } = await opened({ 'Bread.md': 'sourdough' })
    const stop = notebook.follow()
    vault.write('Bike.md', 'bicycle chain')
    await eventually(async () => expect(await found(notebook, 'bicycle')).toEqual(['Bike.md']))
    stop()
    vault.write('Oar.md', 'rowing boat')
    await notebook.close()
    expect(await found(notebook, 'rowing')).toEqual([])
  })

  it('has embeddings made behind while it follows its vault, and tells how far they are', async () => {
    const sent: string[] = []
    const embedder: Embedder = {
      id: 'test/model',
      maxBatch: 8,
      async embed(texts, as) {
        if (as === 'passage') sent.push(...texts)
        return texts.map((text) => Float32Array.from(/bicycle|velocipede/.test(text) ? [1, 0.1] : [0, 1]))
      },
    }
    const vault = memoryVault({ files: { 'Bread.md': 'sourdough', 'Pay.md': 'salary' } })
    const withheld = async () => (note: { path: string }) => note.path === 'Pay.md'
    const notebook = await openNotebook({ vault, store: memoryStore(), embeddings: { embedder, withheld } })
    await notebook.update()
    expect(sent).toEqual([])
    notebook.follow()
    vault.write('Bike.md', 'bicycle chain')
    await eventually(async () => expect((await found(notebook, 'velocipede'))[0]).toBe('Bike.md'))
    expect((await notebook.status()).embeddings).toMatchObject({ model: 'test/model', made: 2, withheld: 1 })
    expect(sent.join()).not.toContain('salary')
    await notebook.close()
  })

  it('has much to read read elsewhere, and little on the spot', async () => {
    const files = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`Note ${at}.md`, `note ${at}`]))
    const [vault, store] = [memoryVault({ files }), memoryStore()]
    const elsewhere: IndexStage[] = []
    const runStages: NotebookSetup['runStages'] = async (stages, { onDone, ...options }) => {
      for (const stage of stages) {
        elsewhere.push(stage)
        await runStage(stage, { vault, store }, options)
        onDone?.(stage)
      }
    }
    const notebook = await openNotebook({ vault, store, runStages })
    await notebook.update()
    expect(elsewhere.splice(0)).toEqual(['read', 'vectors'])
    for (let at = 0; at < 10; at++) vault.write(`Note ${at}.md`, 'bicycle')
    await notebook.update({ vectors: false })
    expect(elsewhere).toEqual([])
    expect(await found(notebook, 'bicycle')).toHaveLength(10)
    for (let at = 0; at < 250; at++) vault.write(`Note ${at}.md`, 'rowing boat')
    await notebook.update({ vectors: false })
    expect(elsewhere).toEqual(['both'])
  })

  it('reports what could not be read, and how long it took', async () => {
    const vault = memoryVault({ files: { 'Bread.md': 'sourdough', 'Long.md': 'x'.repeat(99) }, maxReadBytes: 50 })
    const notebook = await openNotebook({ vault, store: memoryStore() })
    const report = await notebook.update()
    expect(report).toMatchObject({ notes: 1, links: 0, skipped: [{ path: 'Long.md' }] })
    // Each is rounded by itself.
    expect(Math.abs(report.ms - report.lexicalMs - report.vectorsMs)).toBeLessThanOrEqual(1)
  })
})

describe('a notebook whose index turns out to be damaged', () => {
  const path = notePath('A.md')
  const questions: Record<string, (notebook: Opened['notebook']) => Promise<unknown>> = {
    search: ({ index }) => index.search({ query: 'sourdough' }),
    find: ({ index }) => index.find('A'),
    note: ({ index }) => index.note(path),
    notesAt: ({ index }) => index.notesAt([path]),
    notes: ({ index }) => index.notes(),
    files: ({ index }) => index.files(),
    tags: ({ index }) => index.tags(),
    linksFrom: ({ index }) => index.linksFrom(path),
    linksTo: ({ index }) => index.linksTo(path),
    unresolved: ({ index }) => index.unresolved(),
    orphans: ({ index }) => index.orphans(),
    related: ({ index }) => index.related({ path }),
    planMove: async ({ index }) => (await index.planMove('A.md', 'C.md')).impact,
    status: async (notebook) => ({ ...(await notebook.status()), rebuiltBecause: undefined }),
    update: async (notebook) => (await notebook.update()).notes,
  }

  it.each(Object.keys(questions))('makes it again and answers: %s', async (name) => {
    const ask = questions[name]
    const store = breakable()
    const { notebook } = await opened({ 'A.md': 'sourdough #tag [[B]] [[Z]]', 'B.md': 'oven [[A]]' }, { store })
    const before = withoutIds(await ask(notebook))
    store.isBroken = true
    expect(withoutIds(await ask(notebook))).toEqual(before)
    expect(await notebook.status()).toMatchObject({ notes: 2, rebuiltBecause: 'a page is torn' })
  })
})

describe('questions asked at once of a damaged index', () => {
  it('are all answered by the new one, and it is made once', async () => {
    const store = breakable()
    const { notebook } = await opened({ 'A.md': 'sourdough [[B]]', 'B.md': 'oven [[A]]' }, { store })
    const ask = () => Promise.all(['A.md', 'B.md', 'A.md'].map((path) => noteLinks(notebook.index, notePath(path))))
    const before = await ask()
    store.isBroken = true
    expect(await ask()).toEqual(before)
    expect(store.clears).toBe(1)
  })
})

describe('a notebook whose index lost its vectors', () => {
  const files = Object.fromEntries(
    Array.from({ length: 300 }, (_, at) => [`Note ${at}.md`, `garden beans ${at} and the ${words[at % words.length]}`]),
  )

  it('says so, names the damage, and makes them again behind', async () => {
    const store = breakable()
    const { notebook, vault } = await opened(files, { store })
    expect(await notebook.status()).toMatchObject({ freshness: 'fresh', hasAllVectors: true })
    store.isBroken = true
    expect(await notebook.index.note(notePath('Note 1.md'))).toBeDefined()
    // The next process knows it too.
    const next = await openNotebook({ vault, store })
    for (const each of [notebook, next]) {
      expect(await each.status()).toMatchObject({ freshness: 'without vectors', vectorsLostBy: 'a page is torn' })
    }
    expect((await next.index.search({ query: 'beans' })).hits.length).toBeGreaterThan(0)
    await eventually(async () => expect(await next.freshness()).toBe('fresh'))
    expect(await next.status()).toMatchObject({ hasAllVectors: true, freshness: 'fresh' })
    expect(await next.status()).not.toHaveProperty('vectorsLostBy')
    await next.close()
  })

  it('says nothing where the person wants none, or the vault is too small to have any', async () => {
    const small = await opened({ 'A.md': 'sourdough' }, { rebuiltBecause: 'torn' })
    expect(await small.notebook.freshness()).toBe('fresh')
    const unwanted = await openNotebook({
      vault: memoryVault({ files }),
      store: memoryStore(),
      rebuiltBecause: 'torn',
      wantsVectors: false,
    })
    await unwanted.update({ vectors: false })
    expect(await unwanted.freshness()).toBe('fresh')
  })
})

const words = ['garden', 'bread', 'oven', 'shelf', 'river', 'quince', 'frost', 'ladder', 'lantern']

/** An index that knows a vault as it was before a sync changed many of its notes. */
async function withBacklog(count: number) {
  const names = Array.from({ length: count }, (_, at) => `Note ${at}.md`)
  const vault = memoryVault({ files: Object.fromEntries(names.map((name) => [name, `bicycle ${name}`])) })
  const store = memoryStore()
  const notebook = await openNotebook({ vault, store })
  await notebook.update({ vectors: false })
  for (const name of names) vault.write(name, `rowing boat, ${name}`)
  return { vault, store }
}

type Opened = Awaited<ReturnType<typeof opened>>

async function opened(files: Record<string, string>, more: Partial<NotebookSetup> = {}) {
  const vault = memoryVault({ files, now: () => 1_700_000_000_000 })
  const notebook = await openNotebook({ vault, store: memoryStore(), ...more })
  await notebook.update()
  return { vault, notebook }
}

async function found({ index }: Opened['notebook'], query: string): Promise<string[]> {
  return (await index.search({ query })).hits.map(({ path }) => path)
}

function creating(path: string, text: string): ChangeSet {
  const after = new TextEncoder().encode(text)
  return { id: 'one', title: 'Create', session: 's', changes: [{ kind: 'create', path: notePath(path), after }] }
}

/** A store that every question finds damaged once it is broken, until it is cleared. */
function breakable(): IndexStore & { isBroken: boolean; clears: number } {
  const store = memoryStore()
  const breaking = { isBroken: false, clears: 0 } as ReturnType<typeof breakable>
  for (const [name, work] of Object.entries(store)) {
    const guarded = async (...given: unknown[]) => {
      if (name === 'clear') {
        breaking.isBroken = false
        breaking.clears++
      }
      if (breaking.isBroken && name !== 'generation') throw new IndexCorrupt('a page is torn')
      return work(...given)
    }
    Object.assign(breaking, { [name]: guarded })
  }
  return breaking
}

/** A note that is read again has a new number. */
const withoutIds = (answer: unknown): unknown =>
  JSON.parse(JSON.stringify(answer, (key, value) => (key === 'id' ? undefined : value)))

async function eventually(check: () => Promise<void>): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await check()
    } catch (error) {
      if (attempt === 200) throw error
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}
