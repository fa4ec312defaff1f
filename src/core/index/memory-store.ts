import type { NotePath } from '../vault/index.js'
import type {
  IndexBatch,
  IndexedFile,
  IndexStore,
  StoredBlob,
  StoredChunk,
  StoredLink,
  StoredNote,
  StoredNoteRows,
} from './index-store.js'
import { compareText, countTags, noteFacts, passesFilter } from './note-facts.js'

/** The reference implementation of a store. For tests, and for vaults whose index is not kept. */
export function memoryStore(): IndexStore {
  let generation = 0
  let state = emptyRows()
  let meta = new Map<string, string>()
  let blobs = new Map<string, StoredBlob>()

  return {
    ...rowQueries(async () => state),
    generation: async () => generation,
    meta: async (key) => meta.get(key),
    async commit(batch) {
      if (batch.expect !== generation) return undefined
      changeRows(state, { ...batch, put: batch.put?.map(copy), files: batch.files?.map((file) => ({ ...file })) })
      for (const [key, value] of Object.entries(batch.meta ?? {})) meta.set(key, value)
      for (const name of batch.blobs?.remove ?? []) blobs.delete(name)
      for (const blob of batch.blobs?.put ?? []) blobs.set(blob.name, { ...blob, bytes: blob.bytes.slice() })
      generation += 1
      return generation
    },
    async chunks(wanted) {
      // `!`: an unknown id has no path, and `undefined` has no rows.
      const chunksOf = (id: number) => state.rows.get(state.paths.get(id)!)?.chunks
      return wanted.map(({ note, ordinal }) => copy(chunksOf(note)?.find((chunk) => chunk.ordinal === ordinal)))
    },
    async counts() {
      const chunks = [...state.rows.values()].reduce((sum, row) => sum + row.chunks.length, 0)
      return { ...countRows(state), chunks }
    },
    async blobNames() {
      const sorted = [...blobs.values()].sort((a, b) => compareText(a.name, b.name))
      return sorted.map(({ name, kind, bytes }) => ({ name, kind, size: bytes.length }))
    },
    async blob(name) {
      const bytes = blobs.get(name)?.bytes.slice()
      return bytes && { bytes, need: () => {} }
    },
    erase: async () => true,
    async clear() {
      state = emptyRows()
      meta = new Map()
      blobs = new Map()
      generation += 1
    },
    async close() {},
  }
}

/** All rows of an index in memory, without its blobs. */
export interface StoreRows {
  rows: Map<NotePath, StoredNoteRows>
  /** Path of the note with an id. */
  paths: Map<number, NotePath>
  files: Map<NotePath, IndexedFile>
}

export const emptyRows = (): StoreRows => ({ rows: new Map(), paths: new Map(), files: new Map() })

/** The queries that can be answered from rows in memory. */
type RowAnswers = Pick<
  IndexStore,
  | 'files'
  | 'note'
  | 'notesAt'
  | 'notes'
  | 'matching'
  | 'tags'
  | 'linksFrom'
  | 'linksTo'
  | 'linksByKey'
  | 'unresolved'
  | 'orphans'
>

/** Answers queries from rows in memory. `current` is called for each query, so that it may load news first. */
export function rowQueries(current: () => Promise<StoreRows>): RowAnswers {
  const linksWhere = async (isWanted: (link: StoredLink) => boolean) => linksIn(await current(), isWanted)
  return {
    async files(wanted) {
      const files = [...(await current()).files.values()].filter(
        ({ state }) => wanted === undefined || state === wanted,
      )
      return files.map((file) => ({ ...file })).sort((a, b) => compareText(a.path, b.path))
    },
    note: async (path) => copy((await current()).rows.get(path)?.note),
    async notesAt(paths) {
      const { rows } = await current()
      return [...new Set(paths)].flatMap((path) => copy(rows.get(path)?.note) ?? [])
    },
    async notes(ids) {
      const { rows, paths } = await current()
      // `!`: as in `chunks`.
      const found = ids.flatMap((id) => rows.get(paths.get(id)!)?.note ?? [])
      return new Map(found.map((note) => [note.id, copy(note)]))
    },
    async matching(filter) {
      const passes = passesFilter(filter)
      const found = [...(await current()).rows.values()].filter(({ note }) => passes(noteFacts(note)))
      return Int32Array.from(found.map(({ note }) => note.id)).sort()
    },
    tags: async () => countTags([...(await current()).rows.values()].map(({ note }) => noteFacts(note))),
    linksFrom: async (path) => copy((await current()).rows.get(path)?.links ?? []),
    linksTo: (path) => linksWhere(({ target }) => target === path),
    linksByKey(keys) {
      const wanted = new Set(keys)
      return linksWhere(({ key }) => wanted.has(key))
    },
    unresolved: () => linksWhere(isUnresolved),
    async orphans() {
      const state = await current()
      const linked = new Set(linksIn(state, ({ source, target }) => source !== target).map(({ target }) => target))
      return [...state.rows.keys()].filter((path) => !linked.has(path)).sort(compareText)
    },
  }
}

/** Counts without chunks, which some stores keep elsewhere. */
export function countRows({ rows }: StoreRows): { notes: number; links: number; unresolved: number } {
  const links = [...rows.values()].flatMap((row) => row.links)
  return { notes: rows.size, links: links.length, unresolved: links.filter(isUnresolved).length }
}

/** Applies a batch without copying it, so callers must not change it afterwards. An invalid batch changes nothing. */
export function changeRows(state: StoreRows, batch: RowBatch): void {
  checkRows(state, batch)
  const { rows, files } = state
  for (const path of batch.remove ?? []) {
    removeNote(state, path)
    files.delete(path)
  }
  for (const put of batch.put ?? []) removeNote(state, put.note.path)
  for (const put of batch.put ?? []) {
    putNote(state, put)
    files.set(put.note.path, indexedFileOf(put.note))
  }
  for (const file of batch.files ?? []) {
    const note = rows.get(file.path)
    if (file.state !== 'indexed' || note === undefined) removeNote(state, file.path)
    else rows.set(file.path, { ...note, note: { ...note.note, ...stampFields(file) } })
    files.set(file.path, file)
  }
  for (const { source, raw, line, target } of batch.retarget ?? []) {
    const note = rows.get(source)
    if (note === undefined) continue
    const links = note.links.map((link) => (link.raw === raw && link.line === line ? { ...link, target } : link))
    rows.set(source, { ...note, links })
  }
}

type RowBatch = Pick<IndexBatch, 'put' | 'files' | 'remove' | 'retarget'>

/** Throws if two notes would have one id, or a stamp is for a missing note. */
export function checkRows({ rows, paths }: StoreRows, { put = [], files = [], remove = [] }: RowBatch): void {
  const ids = new Map<NotePath, number | undefined>(remove.map((path) => [path, undefined]))
  for (const { note } of put) ids.set(note.path, note.id)
  const idAt = (path: NotePath) => (ids.has(path) ? ids.get(path) : rows.get(path)?.note.id)
  for (const { path, id, state } of files) {
    if (state !== 'indexed') ids.set(path, undefined)
    else if (idAt(path) !== id) throw new Error(`The index holds no note ${id}: ${path}`)
  }
  const taken = new Set<number>()
  for (const [path, id] of ids) {
    if (id === undefined) continue
    const owner = paths.get(id)
    const isOthers = owner !== undefined && owner !== path && idAt(owner) === id
    if (isOthers || taken.has(id)) throw new Error('Two notes cannot have one document id')
    taken.add(id)
  }
}

export function putNote({ rows, paths }: StoreRows, put: StoredNoteRows): void {
  rows.set(put.note.path, put)
  paths.set(put.note.id, put.note.path)
}

export function removeNote({ rows, paths }: StoreRows, path: NotePath): void {
  const id = rows.get(path)?.note.id
  rows.delete(path)
  if (id !== undefined && paths.get(id) === path) paths.delete(id)
}

function linksIn(state: StoreRows, isWanted: (link: StoredLink) => boolean): StoredLink[] {
  const found = [...state.rows.values()].flatMap(({ links }) => links.filter(isWanted))
  return copy(found.sort((a, b) => compareText(a.source, b.source) || a.line - b.line))
}

const isUnresolved = ({ target, kind }: StoredLink): boolean => target === null && kind !== 'external'

const stampFields = ({ size, mtimeMs, ctimeMs, hash }: IndexedFile | StoredNote) => ({ size, mtimeMs, ctimeMs, hash })

export const indexedFileOf = (note: StoredNote): IndexedFile => ({
  id: note.id,
  path: note.path,
  ...stampFields(note),
  state: 'indexed',
})

function copy<T extends StoredNoteRows | StoredNote | StoredChunk | IndexedFile | StoredLink[] | undefined>(
  value: T,
): T {
  return value === undefined ? value : (JSON.parse(JSON.stringify(value)) as T)
}
