import type { NotePath } from '../vault/index.js'
import type {
  IndexBatch,
  IndexStore,
  KnownFile,
  StoredBlob,
  StoredChunk,
  StoredLink,
  StoredNote,
  StoredNoteRows,
} from './index-store.js'
import { compareText, countTags, noteFacts, passesFilter } from './note-facts.js'

/** The reference store: a plain reading of the port's promises. For tests, and for vaults that need no memory of themselves. */
export function memoryStore(): IndexStore {
  let generation = 0
  let state = emptyState()

  return {
    generation: async () => generation,
    async commit(batch) {
      if (batch.expect !== generation) return undefined
      state = changed(state, batch)
      generation += 1
      return generation
    },
    meta: async (key) => state.meta.get(key),
    async files(wanted) {
      const files = [...state.files.values()].filter((file) => wanted === undefined || file.state === wanted)
      return files.map(copy).sort((a, b) => compareText(a.path, b.path))
    },
    note: async (path) => copy(state.rows.get(path)?.note),
    notesAt: async (paths) => [...new Set(paths)].flatMap((path) => copy(state.rows.get(path)?.note) ?? []),
    async notes(ids) {
      const wanted = new Set(ids)
      const found = [...state.rows.values()].filter(({ note }) => wanted.has(note.id))
      return new Map(found.map(({ note }) => [note.id, copy(note)]))
    },
    async chunks(wanted) {
      const byId = new Map([...state.rows.values()].map((rows) => [rows.note.id, rows.chunks]))
      return wanted.map(({ note, ordinal }) => copy(byId.get(note)?.find((chunk) => chunk.ordinal === ordinal)))
    },
    async matching(filter) {
      const passes = passesFilter(filter)
      const ids = [...state.rows.values()].filter(({ note }) => passes(noteFacts(note))).map(({ note }) => note.id)
      return Int32Array.from(ids).sort()
    },
    tags: async () => countTags([...state.rows.values()].map(({ note }) => noteFacts(note))),
    async counts() {
      const rows = [...state.rows.values()]
      const links = rows.flatMap((row) => row.links)
      const chunks = rows.reduce((sum, row) => sum + row.chunks.length, 0)
      return { notes: rows.length, chunks, links: links.length, unresolved: links.filter(isUnresolved).length }
    },
    linksFrom: async (path) => copy(state.rows.get(path)?.links ?? []),
    linksTo: async (path) => linksWhere(state, ({ target }) => target === path),
    async linksByKey(keys) {
      const wanted = new Set(keys)
      return linksWhere(state, ({ key }) => wanted.has(key))
    },
    unresolved: async () => linksWhere(state, isUnresolved),
    async orphans() {
      const linked = new Set(linksWhere(state, ({ source, target }) => source !== target).map(({ target }) => target))
      return [...state.rows.keys()].filter((path) => !linked.has(path)).sort(compareText)
    },
    async blobNames() {
      const blobs = [...state.blobs.values()].sort((a, b) => compareText(a.name, b.name))
      return blobs.map(({ name, kind, bytes }) => ({ name, kind, size: bytes.length }))
    },
    async blob(name) {
      const bytes = state.blobs.get(name)?.bytes.slice()
      return bytes && { bytes, need: () => {} }
    },
    erase: async () => true,
    async clear() {
      state = emptyState()
      generation += 1
    },
    async close() {},
  }
}

interface State {
  rows: Map<NotePath, StoredNoteRows>
  files: Map<NotePath, KnownFile>
  blobs: Map<string, StoredBlob>
  meta: Map<string, string>
}

const emptyState = (): State => ({ rows: new Map(), files: new Map(), blobs: new Map(), meta: new Map() })

/** A new state, so that a batch that throws changes nothing. */
function changed(before: State, batch: IndexBatch): State {
  const rows = new Map(before.rows)
  const files = new Map(before.files)
  const blobs = new Map(before.blobs)
  const meta = new Map([...before.meta, ...Object.entries(batch.meta ?? {})])

  for (const path of batch.remove ?? []) {
    rows.delete(path)
    files.delete(path)
  }
  for (const put of batch.put ?? []) {
    rows.set(put.note.path, copy(put))
    files.set(put.note.path, stampOf(put.note))
  }
  for (const file of batch.files ?? []) {
    const note = rows.get(file.path)
    if (file.state !== 'indexed') rows.delete(file.path)
    else if (note?.note.id !== file.id) throw new Error(`The index holds no note ${file.id}: ${file.path}`)
    else rows.set(file.path, { ...note, note: { ...note.note, ...stampFields(file) } })
    files.set(file.path, copy(file))
  }
  for (const { source, raw, line, target } of batch.retarget ?? []) {
    const note = rows.get(source)
    if (note === undefined) continue
    const links = note.links.map((link) => (link.raw === raw && link.line === line ? { ...link, target } : link))
    rows.set(source, { ...note, links })
  }
  if (new Set([...rows.values()].map(({ note }) => note.id)).size < rows.size) {
    throw new Error('Two notes cannot have one document id')
  }
  for (const name of batch.blobs?.remove ?? []) blobs.delete(name)
  for (const blob of batch.blobs?.put ?? []) blobs.set(blob.name, { ...blob, bytes: blob.bytes.slice() })
  return { rows, files, blobs, meta }
}

function linksWhere(state: State, isWanted: (link: StoredLink) => boolean): StoredLink[] {
  const found = [...state.rows.values()].flatMap(({ links }) => links.filter(isWanted))
  return copy(found.sort((a, b) => compareText(a.source, b.source) || a.line - b.line))
}

const isUnresolved = ({ target, kind }: StoredLink): boolean => target === null && kind !== 'external'

const stampFields = ({ size, mtimeMs, ctimeMs, hash }: KnownFile | StoredNote) => ({ size, mtimeMs, ctimeMs, hash })

const stampOf = (note: StoredNote): KnownFile => ({
  id: note.id,
  path: note.path,
  ...stampFields(note),
  state: 'indexed',
})

function copy<T extends StoredNoteRows | StoredNote | StoredChunk | KnownFile | StoredLink[] | undefined>(value: T): T {
  return value === undefined ? value : (JSON.parse(JSON.stringify(value)) as T)
}
