import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { type FolderNotebook, type NotebookSettings, openFolderNotebook } from './open-notebook.js'

const opened: { base: string; notebook: FolderNotebook }[] = []

afterEach(async () => {
  for (const { base, notebook } of opened.splice(0)) {
    await notebook.close()
    rmSync(base, { recursive: true, force: true })
  }
})

describe('a notebook whose state folders cannot be written', () => {
  it('is searched in memory, reports it in one sentence, and changes nothing', async () => {
    const base = mkdtempSync(join(tmpdir(), 'notewright-unwritable-'))
    const [root, state, cache] = ['vault', 'state', 'cache'].map((name) => join(base, name))
    mkdirSync(root)
    writeFileSync(join(root, 'Bread.md'), 'sourdough')
    // A file instead of a folder: an error that no permission avoids, even for root.
    for (const place of [state, cache]) writeFileSync(place, 'not a folder')
    const config = { exclude: [], journal: { changes: 20, days: 30, megabytes: 1 } }
    const open = () => openFolderNotebook({ root, config, folders: { configFile: join(base, 'c.json'), state, cache } })
    try {
      const notebook = await open()
      expect(notebook.trouble).toMatch(/Search works in memory/)
      expect(notebook.trouble).toMatch(/notes can't be changed/)
      expect(await notebook.index.search({ query: 'sourdough' })).toMatchObject({
        freshness: 'fresh',
        hits: [{ path: 'Bread.md' }],
      })
      const move = (await notebook.index.planMove('Bread.md', 'Loaf.md')).changeSet
      await expect(notebook.apply(move)).rejects.toMatchObject({
        code: 'denied',
        message: expect.stringMatching(/journal.*Nothing was changed/),
      })
      expect(await notebook.status()).toMatchObject({ notes: 1, indexBytes: 0 })
      await notebook.close()

      rmSync(cache)
      const kept = await open()
      expect(kept.trouble).toMatch(/search your notes, but not change them/)
      await kept.close()
      rmSync(state)
      expect((await openedAgain(open)).trouble).toBeUndefined()
      rmSync(join(base, 'cache'), { recursive: true })
      writeFileSync(cache, 'not a folder')
      const unkept = await open()
      expect(unkept.trouble).toMatch(/Can't save the index/)
      await unkept.update()
      await unkept.apply((await unkept.index.planMove('Bread.md', 'Loaf.md')).changeSet)
      expect(await found(unkept, 'sourdough')).toEqual(['Loaf.md'])
      await unkept.close()
    } finally {
      rmSync(base, { recursive: true, force: true })
    }
  })
})

async function openedAgain(open: () => Promise<FolderNotebook>): Promise<FolderNotebook> {
  const notebook = await open()
  await notebook.close()
  return notebook
}

describe('a notebook that follows its vault', () => {
  it('finds notes that another program writes, moves and deletes, without an explicit update', async () => {
    const { vault, notebook } = await openedOn({ 'Bread.md': 'sourdough' })
    const stop = notebook.follow()
    writeFileSync(join(vault, 'Bike.md'), 'bicycle chain')
    await eventually(async () => expect(await found(notebook, 'bicycle')).toEqual(['Bike.md']))
    mkdirSync(join(vault, 'Garage'))
    renameSync(join(vault, 'Bike.md'), join(vault, 'Garage', 'Bike.md'))
    await eventually(async () => expect(await found(notebook, 'bicycle')).toEqual(['Garage/Bike.md']))
    rmSync(join(vault, 'Bread.md'))
    await eventually(async () => expect(await found(notebook, 'sourdough')).toEqual([]))
    stop()
  })

  it('reports how many changes are pending until it is up to date', async () => {
    const { vault, notebook } = await openedOn({ 'Bread.md': 'sourdough' })
    expect(await notebook.freshness()).toBe('fresh')
    const stop = notebook.follow()
    writeFileSync(join(vault, 'New.md'), 'new')
    await eventually(async () => expect((await notebook.status()).notes).toBe(2))
    expect(await notebook.freshness()).toBe('fresh')
    stop()
  })
})

describe('a notebook that stays open', () => {
  it('sees changes after an update, and forgets notes that have become private', async () => {
    const { vault, notebook } = await openedOn({ 'Bread.md': 'sourdough', 'Diary.md': 'secret sourdough' })
    expect((await found(notebook, 'sourdough')).sort()).toEqual(['Bread.md', 'Diary.md'])
    writeFileSync(join(vault, 'Bike.md'), 'bicycle chain')
    writeFileSync(join(vault, 'Diary.md'), '---\nprivate: true\n---\nsecret sourdough')
    await notebook.update({ wait: 'text' })
    expect(await found(notebook, 'bicycle')).toEqual(['Bike.md'])
    expect(await found(notebook, 'sourdough')).toEqual(['Bread.md'])
  })
})

describe('a notebook that lists its vault while it is opened', () => {
  it('knows the pending changes once, and lists again after an update', async () => {
    const { vault, place } = await openedOn({ 'Bread.md': 'sourdough' })
    writeFileSync(join(vault, 'Bike.md'), 'bicycle chain')
    const notebook = await openFolderNotebook(place, { listsAhead: true })
    expect(await notebook.freshness()).toBe('catching up (1 left)')
    await notebook.update({ vectors: false })
    expect(await notebook.index.search({ query: 'bicycle' })).toMatchObject({
      freshness: 'fresh',
      hits: [{ path: 'Bike.md' }],
    })
    await notebook.close()
  })
})

async function openedOn(
  files: Record<string, string>,
): Promise<{ vault: string; notebook: FolderNotebook; place: NotebookSettings }> {
  const base = mkdtempSync(join(tmpdir(), 'notewright-notebook-'))
  const vault = join(base, 'vault')
  mkdirSync(vault)
  for (const [path, text] of Object.entries(files)) writeFileSync(join(vault, path), text)
  const folders = { configFile: join(base, 'config.json'), state: join(base, 'state'), cache: join(base, 'cache') }
  const config = { exclude: [], journal: { changes: 20, days: 30, megabytes: 100 } }
  const place: NotebookSettings = { root: vault, config, folders }
  const notebook = await openFolderNotebook(place)
  opened.push({ base, notebook })
  await notebook.update()
  return { vault, notebook, place }
}

async function found(notebook: FolderNotebook, query: string): Promise<string[]> {
  return (await notebook.index.search({ query })).hits.map(({ path }) => path)
}

/** Watching has no moment at which it must have happened; it must happen. */
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
