import type { NotePath } from '../vault/index.js'
import type {
  IndexBatch,
  IndexStore,
  KnownFile,
  StoredChunk,
  StoredLink,
  StoredNote,
  StoredNoteRows,
} from './index-store.js'
import { compareText, countTags, noteFacts, passesFilter } from './note-facts.js'

/** What an index knows of notes and files, but for its blobs. */
export interface StoreRows {
  rows: Map<NotePath, StoredNoteRows>
  /** Where the note of an id is. */
  paths: Map<number, NotePath>
  files: Map<NotePath, KnownFile>
}

export const noRows = (): StoreRows => ({ rows: new Map(), paths: new Map(), files: new Map() })

/** The questions that rows in memory answer, whoever keeps them. */
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

/** A plain reading of the port's promises. `current` is asked for each question, so that it may look for news first. */
export function rowAnswers(current: () => Promise<StoreRows>): RowAnswers {
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

/** All but the chunks, which lie elsewhere in some stores. */
export function countRows({ rows }: StoreRows): { notes: number; links: number; unresolved: number } {
  const links = [...rows.values()].flatMap((row) => row.links)
  return { notes: rows.size, links: links.length, unresolved: links.filter(isUnresolved).length }
}

/** Takes a batch in, as it was given: whoever gave it must not change it afterwards. One that cannot be changes nothing. */
export function changeRows(state: StoreRows, batch: RowBatch): void {
  checkRows(state, batch)
  const { rows, files } = state
  for (const path of batch.remove ?? []) {
    forgetNote(state, path)
    files.delete(path)
  }
  for (const put of batch.put ?? []) forgetNote(state, put.note.path)
  for (const put of batch.put ?? []) {
    putNote(state, put)
    files.set(put.note.path, stampOf(put.note))
  }
  for (const file of batch.files ?? []) {
    const note = rows.get(file.path)
    if (file.state !== 'indexed' || note === undefined) forgetNote(state, file.path)
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

/** Throws where two notes would have one id, or a stamp is for a note that is not there. */
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

export function forgetNote({ rows, paths }: StoreRows, path: NotePath): void {
  const id = rows.get(path)?.note.id
  rows.delete(path)
  if (id !== undefined && paths.get(id) === path) paths.delete(id)
}

function linksIn(state: StoreRows, isWanted: (link: StoredLink) => boolean): StoredLink[] {
  const found = [...state.rows.values()].flatMap(({ links }) => links.filter(isWanted))
  return copy(found.sort((a, b) => compareText(a.source, b.source) || a.line - b.line))
}

const isUnresolved = ({ target, kind }: StoredLink): boolean => target === null && kind !== 'external'

const stampFields = ({ size, mtimeMs, ctimeMs, hash }: KnownFile | StoredNote) => ({ size, mtimeMs, ctimeMs, hash })

export const stampOf = (note: StoredNote): KnownFile => ({
  id: note.id,
  path: note.path,
  ...stampFields(note),
  state: 'indexed',
})

export function copy<T extends StoredNoteRows | StoredNote | StoredChunk | KnownFile | StoredLink[] | undefined>(
  value: T,
): T {
  return value === undefined ? value : (JSON.parse(JSON.stringify(value)) as T)
}
