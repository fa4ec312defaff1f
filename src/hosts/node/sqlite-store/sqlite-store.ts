import { statSync } from 'node:fs'
import type { IndexedFile, IndexStore, NoteFacts } from '../../../core/index/index.js'
import { compareText, countTags, passesFilter } from '../../../core/index/index.js'
import type { NotePath } from '../../../core/vault/index.js'
import { blobFiles, blobRows } from './blob-files.js'
import { openStoreConnection } from './connection.js'
import { linkedPaths, linksByKey, linksTo, unresolvedLinks } from './link-rows.js'
import { allFacts, linksFrom, metaRows, readChunks, readFiles, readNotes, readNotesAt } from './rows.js'
import type { Snapshot } from './store-state.js'
import type { PreparedBatch } from './write-batch.js'
import { prepareBatch, writeBatch } from './write-batch.js'

export interface SqliteStore extends IndexStore {
  /** Reason why the existing file was discarded and an empty index begun. */
  readonly rebuiltBecause?: string | undefined
  /** `commit`, of a batch that another thread has prepared. */
  commitPrepared(batch: PreparedBatch): Promise<number | undefined>
  /** Size on the disk. */
  bytes(): Promise<number>
}

interface SqliteStoreOptions {
  file: string
  /** Reads blobs whole when they are opened: faster for many queries. */
  readsAhead?: boolean
}

/** Few files have these states, and they are requested one after the other: all are loaded together. */
const unreadStates: readonly IndexedFile['state'][] = ['skipped', 'hidden', 'barred']

/** The index in one SQLite file. Answers are proved (see `StoreState`) or refused with `IndexCorrupt`. */
export async function sqliteStore({ file, readsAhead = false }: SqliteStoreOptions): Promise<SqliteStore> {
  const connection = openStoreConnection(file)
  const blobs = blobFiles(`${file}-blobs`, readsAhead)
  const { read } = connection
  let facts: { generation: number; all: NoteFacts[] } | undefined
  let unread: { generation: number; files: IndexedFile[] } | undefined

  function factsOf(snapshot: Snapshot): NoteFacts[] {
    const { generation } = snapshot.state
    if (facts?.generation !== generation) facts = { generation, all: allFacts(snapshot) }
    return facts.all
  }

  function unreadOf(snapshot: Snapshot): IndexedFile[] {
    const { generation } = snapshot.state
    if (unread?.generation !== generation) unread = { generation, files: readFiles(snapshot, unreadStates) }
    return unread.files
  }

  function commitPrepared(batch: PreparedBatch): number | undefined {
    connection.followFile()
    const generation = connection.write((snapshot) => {
      if (snapshot.state.generation !== batch.expect) return undefined
      writeBatch(snapshot, batch, blobs)
      return batch.expect + 1
    })
    if (generation !== undefined && batch.blobs !== undefined) {
      blobs.sweep(
        read(({ driver, state }) => blobRows(driver, state)),
        batch.blobs.remove ?? [],
      )
    }
    return generation
  }

  return {
    rebuiltBecause: connection.rebuiltBecause,

    async generation() {
      connection.followFile()
      return read(({ state }) => state.generation)
    },
    commit: async (batch) => commitPrepared(prepareBatch(batch)),
    commitPrepared: async (batch) => commitPrepared(batch),
    meta: async (key) => read(({ driver, state }) => metaRows(driver, state).get(key)),

    files: async (wanted) =>
      read((snapshot) => {
        if (wanted === undefined || !unreadStates.includes(wanted)) return readFiles(snapshot, wanted && [wanted])
        return unreadOf(snapshot).filter(({ state }) => state === wanted)
      }),
    note: async (path) => read((snapshot) => readNotesAt(snapshot, [path])[0]),
    notesAt: async (paths) => read((snapshot) => readNotesAt(snapshot, paths)),
    notes: async (ids) => read((snapshot) => readNotes(snapshot, ids)),
    chunks: async (wanted) => read((snapshot) => readChunks(snapshot, wanted)),
    matching: async (filter) =>
      read((snapshot) => {
        const passing = factsOf(snapshot).filter(passesFilter(filter))
        return Int32Array.from(passing, ({ id }) => id).sort()
      }),
    tags: async () => read((snapshot) => countTags(factsOf(snapshot))),
    counts: async () =>
      read(({ state: { notes, chunks, links, unresolved } }) => ({ notes, chunks, links, unresolved })),

    linksFrom: async (path) => read((snapshot) => linksFrom(snapshot, path)),
    linksTo: async (path) => read((snapshot) => linksTo(snapshot, path)),
    linksByKey: async (keys) => read((snapshot) => linksByKey(snapshot, keys)),
    unresolved: async () => read(unresolvedLinks),
    orphans: async () =>
      read((snapshot): NotePath[] => {
        const linked = linkedPaths(snapshot)
        const paths = factsOf(snapshot).map(({ path }) => path)
        return paths.filter((path) => !linked.has(path)).sort(compareText)
      }),

    blobNames: async () =>
      read(({ driver, state }) =>
        blobRows(driver, state)
          .map(([name, kind, size]) => ({ name, kind: kind as 'text' | 'vectors' | 'model', size }))
          .sort((a, b) => compareText(a.name, b.name)),
      ),
    async blob(name) {
      const row = read(({ driver, state }) => blobRows(driver, state).find(([known]) => known === name))
      return row && blobs.read(row)
    },
    erase: async () => connection.erase(),
    async clear() {
      facts = undefined
      unread = undefined
      connection.replace()
      blobs.clear()
    },
    bytes: async () =>
      [file, `${file}-wal`].reduce((sum, part) => sum + (statSync(part, { throwIfNoEntry: false })?.size ?? 0), 0) +
      blobs.size(),
    async close() {
      blobs.close()
      connection.close()
    },
  }
}
