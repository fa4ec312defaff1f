import { describe, expect, it } from 'vitest'
import type { Failure } from '../errors.js'
import type { ChangeSet } from '../vault/index.js'
import { memoryVault, notePath } from '../vault/index.js'
import type { Embedder, IndexStage, IndexStore, NotebookSetup, NoteIndex } from './index.js'
import { IndexCorrupt, memoryStore, noteLinks, openNotebook, runStage } from './index.js'

describe('a notebook', () => {
  it('finds notes it has just written, and undoes the change', async () => {
    const { notebook } = await opened({ 'Bread.md': 'sourdough' })
    const applied = await notebook.apply(creating('Bike.md', 'bicycle chain'))
    expect(await found(notebook, 'bicycle')).toEqual(['Bike.md'])
    expect(await notebook.history({ note: 'Bike.md', limit: 1 })).toMatchObject([{ id: applied.id }])
    expect(await notebook.history({ note: 'Bread.md' })).toEqual([])
    await notebook.apply(await notebook.planUndo({ id: applied.id }))
    expect(await found(notebook, 'bicycle')).toEqual([])
  })

  it('reports how many files its index has not seen, and reads them', async () => {
    const { notebook, vault } = await opened({ 'Bread.md': 'sourdough' })
    vault.write('Bike.md', 'bicycle chain')
    await notebook.update({ wait: 'text' })
    expect(await notebook.status()).toMatchObject({ notes: 2, freshness: 'fresh', hasAllVectors: true })

    const later = await openNotebook({ vault, store: memoryStore(), listsAhead: true })
    expect(await later.freshness()).toBe('catching up (2 left)')
    await later.update({ wait: 'text', reusesLook: true })
    expect(await later.freshness()).toBe('fresh')
    expect(await found(later, 'bicycle')).toEqual(['Bike.md'])
  })

  it('closes its store if it cannot be opened', async () => {
    let closed = 0
    const store: IndexStore = {
      ...memoryStore(),
      commit: () => Promise.reject(new Error('The disk is full.')),
      async close() {
        closed++
      },
    }
    const opening = openNotebook({ vault: memoryVault({}), store, rebuiltBecause: 'it was damaged' })
    await expect(opening).rejects.toThrow('The disk is full.')
    expect(closed).toBe(1)
  })

  it('rebuilds its index on request', async () => {
    const { notebook } = await opened({ 'Bread.md': 'sourdough', 'Bike.md': 'bicycle chain' })
    const progress: number[] = []
    const report = await notebook.rebuild({ onProgress: ({ done }) => progress.push(done) })
    expect(report).toMatchObject({ notes: 2 })
    expect(progress.length).toBeGreaterThan(0)
    expect(await found(notebook, 'bicycle')).toEqual(['Bike.md'])
    expect(await notebook.status()).toMatchObject({ freshness: 'fresh', rebuiltBecause: 'you asked for it' })
  })

  it('reads all changes before it answers a search, however many a sync has made', async () => {
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

  it('updates in the background: search works before the vectors are ready', async () => {
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
    const { text, done } = notebook.updateInBackground()
    await text
    expect(await found(notebook, 'rowing')).toHaveLength(10)
    expect(await notebook.freshness()).toBe('fresh')
    release()
    await done
    expect(await notebook.status()).toMatchObject({ notes: 300, freshness: 'fresh' })
    await notebook.close()
  })

  it('rejects `text` if a background update fails, and can be closed during one', async () => {
    const files = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`Note ${at}.md`, 'rowing']))
    const failing = await openNotebook({
      vault: memoryVault({ files }),
      store: memoryStore(),
      runStages: async () => {
        throw new Error('no space left')
      },
    })
    const failed = failing.updateInBackground()
    await expect(failed.text).rejects.toThrow('no space left')
    await expect(failed.done).rejects.toThrow('no space left')
    await failing.close()

    const hanging = await openNotebook({
      vault: memoryVault({ files }),
      store: memoryStore(),
      runStages: (_, { signal }) =>
        new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
    })
    const { text, done: ended } = hanging.updateInBackground()
    text.catch(() => undefined)
    await new Promise((resolve) => setTimeout(resolve, 50))
    await hanging.close()
    await expect(text).rejects.toThrow()
    await ended
  })

  it('answers no query before every note is read: it reports the progress and continues in the background', async () => {
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
    const { index } = notebook
    const path = notePath('Note 7.md')
    const queries: Record<keyof NoteIndex, () => Promise<unknown>> = {
      search: () => index.search({ query: 'rowing' }),
      find: () => index.find('Note 7'),
      note: () => index.note(path),
      notesAt: () => index.notesAt([path]),
      notes: () => index.notes(),
      files: () => index.files(),
      tags: () => index.tags(),
      linksFrom: () => index.linksFrom(path),
      links: () => index.links(),
      linksTo: () => index.linksTo(path),
      unresolved: () => index.unresolved(),
      orphans: () => index.orphans(),
      related: () => index.related({ path }),
      planMove: () => index.planMove('Note 7.md', 'Oar.md'),
      planMoves: () => index.planMoves(new Map([[path, notePath('Oar.md')]])),
      linkReading: () => index.linkReading(),
      planRepairs: () => index.planRepairs([]),
      planRestructure: () => index.planRestructure({ files: [], layouts: [] }),
    }
    const answers = await Promise.all(
      Object.values(queries).map((ask) => ask().catch((error: Failure) => [error.code, error.message])),
    )
    expect(answers).toEqual(answers.map(() => ['not-ready', 'Indexing: 50 of 300 notes.']))
    expect(await notebook.freshness()).toBe('catching up (250 left)')
    release()
    await eventually(async () => expect(await notebook.freshness()).toBe('fresh'))
    expect(await found(notebook, 'rowing')).toHaveLength(10)
    await notebook.close()
  })

  it('stops waiting for an update that is under way when it is aborted, and leaves that update alone', async () => {
    const { vault, store } = await withBacklog(300)
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const runStages: NotebookSetup['runStages'] = async (stages, { onDone, onProgress, ...options }) => {
      onProgress?.({ phase: 'reading', done: 50, total: 300 })
      await held
      for (const stage of stages) {
        await runStage(stage, { vault, store }, options)
        onDone?.(stage)
      }
    }
    const notebook = await openNotebook({ vault, store, runStages })
    const { done } = notebook.updateInBackground()
    await eventually(async () => expect(await notebook.freshness()).toBe('catching up (250 left)'))
    const stop = new AbortController()
    const refreshing = notebook.update({ wait: 'text', signal: stop.signal })
    stop.abort(new Error('enough'))
    await expect(refreshing).rejects.toThrow('enough')
    expect(await notebook.freshness()).toBe('catching up (250 left)')
    release()
    await done
    expect(await notebook.status()).toMatchObject({ notes: 300, freshness: 'fresh' })
    await notebook.close()
  })

  it('stops background work when it is closed', async () => {
    const { vault, store } = await withBacklog(300)
    const runStages: NotebookSetup['runStages'] = (_, { signal }) =>
      new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason), { once: true }))
    const notebook = await openNotebook({ vault, store, runStages })
    await expect(notebook.index.search({ query: 'rowing' })).rejects.toMatchObject({ code: 'not-ready' })
    await notebook.close()
  })

  it('reads no note twice during concurrent updates', async () => {
    const { vault, store, commits } = largeNotes()
    const notebook = await openNotebook({ vault, store })
    const { done } = notebook.updateInBackground()
    await Promise.all([
      done,
      notebook.update(),
      notebook.update({ wait: 'text' }),
      notebook.index.planMove('Note 1.md', 'Oar.md'),
    ])
    expect(await notebook.status()).toMatchObject({ notes: 150, freshness: 'fresh' })
    expect(commits()).toBeLessThan(20)
    await notebook.close()
  })

  it('fails an update that makes no progress because another process keeps writing', async () => {
    const { vault, store, commits } = largeNotes({ isAlwaysLate: true })
    const notebook = await openNotebook({ vault, store })
    await expect(notebook.update()).rejects.toThrow(
      'The index was not updated: another process keeps changing it (150 files left).',
    )
    expect(commits()).toBeLessThan(20)
    await expect(notebook.index.files()).rejects.toMatchObject({ code: 'not-ready' })
    await notebook.close()
  })

  it('follows its vault until it is stopped', async () => {
    const { notebook, vault } = await opened({ 'Bread.md': 'sourdough' })
    const stop = notebook.follow()
    vault.write('Bike.md', 'bicycle chain')
    await eventually(async () => expect(await found(notebook, 'bicycle')).toEqual(['Bike.md']))
    stop()
    vault.write('Oar.md', 'rowing boat')
    await notebook.close()
    expect(await found(notebook, 'rowing')).toEqual([])
  })

  it('requests embeddings in the background while it follows its vault, and reports progress', async () => {
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

  it('reads many changes in other threads, and few in its own', async () => {
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

  it('reports unreadable files and the time spent', async () => {
    const vault = memoryVault({ files: { 'Bread.md': 'sourdough', 'Long.md': 'x'.repeat(99) }, maxReadBytes: 50 })
    const notebook = await openNotebook({ vault, store: memoryStore() })
    const report = await notebook.update()
    expect(report).toMatchObject({ notes: 1, links: 0, skipped: [{ path: 'Long.md' }] })
    // Each value is rounded separately.
    expect(Math.abs(report.ms - report.lexicalMs - report.vectorsMs)).toBeLessThanOrEqual(1)
  })
})

describe('a notebook whose index turns out to be damaged', () => {
  const path = notePath('A.md')
  const queries: Record<string, (notebook: Opened['notebook']) => Promise<unknown>> = {
    search: ({ index }) => index.search({ query: 'sourdough' }),
    find: ({ index }) => index.find('A'),
    note: ({ index }) => index.note(path),
    notesAt: ({ index }) => index.notesAt([path]),
    notes: ({ index }) => index.notes(),
    files: ({ index }) => index.files(),
    tags: ({ index }) => index.tags(),
    linksFrom: ({ index }) => index.linksFrom(path),
    links: ({ index }) => index.links(),
    linksTo: ({ index }) => index.linksTo(path),
    unresolved: ({ index }) => index.unresolved(),
    orphans: ({ index }) => index.orphans(),
    related: ({ index }) => index.related({ path }),
    planMove: async ({ index }) => (await index.planMove('A.md', 'C.md')).impact,
    planMoves: async ({ index }) => (await index.planMoves(new Map([[path, notePath('C.md')]]))).impact,
    linkReading: ({ index }) => index.linkReading(),
    planRepairs: async ({ index }) =>
      (await index.planRepairs([{ source: path, line: 1, raw: '[[Z]]', unlink: true }])).done,
    planRestructure: ({ index }) => index.planRestructure({ files: [], layouts: [] }),
    status: async (notebook) => ({ ...(await notebook.status()), rebuiltBecause: undefined }),
    update: async (notebook) => (await notebook.update()).notes,
  }

  it.each(Object.keys(queries))('rebuilds it and answers: %s', async (name) => {
    const ask = queries[name]
    const store = breakable()
    const { notebook } = await opened({ 'A.md': 'sourdough #tag [[B]] [[Z]]', 'B.md': 'oven [[A]]' }, { store })
    const before = withoutIds(await ask(notebook))
    store.isBroken = true
    expect(withoutIds(await ask(notebook))).toEqual(before)
    expect(await notebook.status()).toMatchObject({ notes: 2, rebuiltBecause: 'a page is torn' })
  })
})

describe('concurrent queries of a damaged index', () => {
  it('are all answered by the new one, which is built once', async () => {
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

  it('reports it with the damage, and restores them in the background', async () => {
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

  it('reports nothing if vectors are switched off or the vault is too small to have any', async () => {
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

/** Enough text that a run writes it in several pieces. */
function largeNotes({ isAlwaysLate = false } = {}) {
  const names = Array.from({ length: 150 }, (_, at) => `Note ${at}.md`)
  const files = names.map((name) => [name, `rowing [[Old name]] ${`${name} `.repeat(400)}`])
  const inner = memoryStore()
  let count = 0
  const commit: IndexStore['commit'] = async (batch) => {
    if (++count > 100) throw new Error('There is no end to it.')
    if (isAlwaysLate) await inner.commit({ expect: await inner.generation() })
    return inner.commit(batch)
  }
  return { vault: memoryVault({ files: Object.fromEntries(files) }), store: { ...inner, commit }, commits: () => count }
}

/** An index of a vault before a sync changed all of its notes. */
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

/** A store that fails every query once it is broken, until it is cleared. */
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

/** Ids are ignored: a note that is read again gets a new one. */
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
