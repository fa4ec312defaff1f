import { describe, expect, it } from 'vitest'
import { channel } from '../../../../test/doubles/thread-channel.js'
import { type MemoryVault, memoryVault, type NotePath, notePath, type VaultReader } from '../../vault/index.js'
import type { IndexProgress } from '../index-view.js'
import { memoryStore } from '../memory-store.js'
import { openVaultIndex } from '../vault-index.js'
import { indexingWorker, runInWorker, runStage, setWorkerPaused } from './indexing-worker.js'
import { remoteVault, serveVault } from './remote-reading.js'
import { rpcMethod, rpcOverPort } from './rpc-over-port.js'

describe('an index built by a worker without a vault', () => {
  it('equals the index built beside the vault', async () => {
    const vault = memoryVault({ files: manyNotes(400), maxReadBytes: 20_000, now: () => 7 })
    const { asking, store } = worker(vault)
    const news: IndexProgress[] = []
    await runInWorker(asking, 'both', { vectors: true, onProgress: (progress) => news.push(progress) })
    const own = memoryStore()
    await runStage('both', { vault, store: own }, { vectors: true })

    expect(news.at(-1)?.phase).toBe('merging')
    expect(await store.files()).toEqual(await own.files())
    expect(await store.files('skipped')).toMatchObject([{ path: 'Large.md', reason: expect.stringMatching(/limit/) }])
    expect(await store.files('hidden')).toMatchObject([{ path: 'Diary.md' }])
    const [there, here] = [await openVaultIndex({ vault, store }), await openVaultIndex({ vault, store: own })]
    for (const query of ['garden beans', 'note 12', 'shelf', 'diary']) {
      expect(await there.search({ query, explain: true })).toEqual(await here.search({ query, explain: true }))
    }
    expect(await there.unseenChanges()).toMatchObject({ count: 0 })
  })

  it('reads only changed files', async () => {
    const vault = memoryVault({ files: manyNotes(30) })
    const { asking, store, reads } = worker(vault)
    await runInWorker(asking, 'read', { vectors: false })
    reads.length = 0
    vault.write('New.md', 'bicycle chain')
    vault.remove('Note 3.md')
    await runInWorker(asking, 'read', { vectors: false })
    expect(reads).toEqual(['New.md'])
    expect((await store.files()).map(({ path }) => path)).not.toContain('Note 3.md')
  })

  it('stops when the page aborts, and continues from there the next time', async () => {
    const vault = memoryVault({ files: manyNotes(300) })
    const { asking, store } = worker(vault)
    const stopping = new AbortController()
    const onProgress = () => stopping.abort()
    await expect(
      runInWorker(asking, 'both', { vectors: true, signal: stopping.signal, onProgress }),
    ).rejects.toMatchObject({ name: 'AbortError' })
    await runInWorker(asking, 'both', { vectors: true })
    expect((await store.counts()).notes).toBe(301)
  })
})

describe('an index built while the page is hidden', () => {
  it('waits until it is resumed, and is complete then', async () => {
    const { asking, store, reads } = worker(memoryVault({ files: manyNotes(300) }))
    setWorkerPaused(asking, true)
    const made = runInWorker(asking, 'both', { vectors: true })
    // Requests are answered in order: a worker that did not rest would have begun.
    await asking.ask(echo, undefined)
    expect(reads).toEqual([])
    setWorkerPaused(asking, false)
    await made
    expect((await store.counts()).notes).toBe(301)
  })

  it('can be aborted while paused', async () => {
    const { asking } = worker(memoryVault({ files: manyNotes(30) }))
    const stopping = new AbortController()
    setWorkerPaused(asking, true)
    const made = runInWorker(asking, 'both', { vectors: true, signal: stopping.signal })
    stopping.abort()
    await expect(made).rejects.toMatchObject({ name: 'AbortError' })
  })
})

describe('a remote vault', () => {
  it('returns what the vault returns: notes in any order, stamps, absence and failures', async () => {
    const vault = memoryVault({ files: { ...manyNotes(5), 'Bytes.md': Uint8Array.of(65, 255) }, maxReadBytes: 20_000 })
    const { remote } = worker(vault)
    for (const path of ['Note 1.md', 'Bytes.md', 'Diary.md', 'Missing.md'].map(notePath)) {
      expect(await remote.read(path)).toEqual(await vault.read(path))
      expect(await remote.stat(path)).toEqual(await vault.stat(path))
    }
    expect(await remote.sum()).toEqual(await vault.sum())
    await expect(remote.read(notePath('Large.md'))).rejects.toMatchObject({ code: 'too-large' })
    const wanted = ['Note 1.md', 'Large.md', 'Note 2.md', 'Note 3.md'].map(notePath)
    await remote.reading(async (read) => {
      expect((await read(wanted[0]))?.text).toContain('note 1')
      expect((await read(notePath('Note 4.md')))?.text).toContain('note 4')
      await expect(read(wanted[1])).rejects.toMatchObject({ code: 'too-large' })
      expect((await read(wanted[2]))?.text).toContain('note 2')
    }, wanted)
  })
})

/** Returns once a thread has had time to handle earlier requests. */
const echo = rpcMethod<void, void>('echo')

/** The page's side and the worker's, which have nothing in common but messages. */
function worker(vault: MemoryVault) {
  const { here, there } = channel()
  const [asking, working] = [rpcOverPort(here), rpcOverPort(there)]
  const reads: NotePath[] = []
  const seen: VaultReader = {
    ...vault,
    reading: (work) =>
      work((path) => {
        reads.push(path)
        return vault.read(path)
      }),
  }
  serveVault(asking, seen)
  const remote = remoteVault(working)
  const store = memoryStore()
  indexingWorker(working, async () => ({ vault: remote, store }))
  working.answer(echo, () => new Promise((resolve) => setTimeout(resolve, 20)))
  return { asking, store, remote, reads }
}

function manyNotes(count: number): Record<string, string> {
  const notes: Record<string, string> = {
    'Diary.md': '---\nprivate: true\n---\ndiary of secrets',
    'Large.md': 'large '.repeat(5000),
    'Picture.png': 'not a note',
  }
  const words = ['garden', 'beans', 'bread', 'oven', 'shelf', 'river', 'quince', 'frost', 'ladder']
  for (let number = 0; number < count; number++) {
    const drawn = words.filter((_, at) => (number * 7 + at * 3) % 5 < 2)
    notes[`Note ${number}.md`] = `This is note ${number} of ${drawn.join(' and ')}. [[Note ${number + 1}]] [[Diary]]`
  }
  return notes
}
