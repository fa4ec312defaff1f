import type { IndexBatch, IndexedFile, StoredNote, StoredNoteRows } from '../../../core/index/index.js'
import { indexedFileOf, noteFacts } from '../../../core/index/index.js'
import type { NotePath } from '../../../core/vault/index.js'
import type { SqlValue } from '../sqlite.js'
import type { BlobFiles } from './blob-files.js'
import type { PreparedLinks } from './link-rows.js'
import { indexLinks, linkChanges, prepareLinks } from './link-rows.js'
import {
  addFacts,
  changeMeta,
  factsText,
  fileText,
  idsByPath,
  insertRows,
  linksOfNotes,
  noteText,
  readNotes,
  removeFacts,
  sqlText,
  withoutLoneSurrogates,
} from './rows.js'
import { placesPerNote } from './schema.js'
import type { Snapshot } from './store-state.js'
import { addTo, checksumOf, hashText, takeFrom } from './store-state.js'

/** Writes one batch to the tables and updates every sum. Runs inside the write transaction. */
export function writeBatch(snapshot: Snapshot, batch: PreparedBatch, blobs: BlobFiles): void {
  const { driver, state } = snapshot
  const { put, files } = batch
  const links = linkChanges(snapshot)
  const putPaths = put.map(({ path }) => path)
  const removed = new Set(batch.remove ?? [])
  const hidden = files.filter((file) => file.state !== 'indexed').map(({ path }) => path)
  const touched = files.filter((file) => file.state === 'indexed')
  const refreshed = touched.map((file) => restamped(knownNote(file), file))

  removeNotes([...new Set([...removed, ...putPaths, ...hidden])])
  removeStamps([...new Set([...removed, ...putPaths, ...files.map(({ path }) => path)])])
  insertNotes(put)
  for (const note of refreshed) restamp(note)
  insertStamps(put, files)
  links.save()
  retargetLinks(batch.retarget ?? [])
  links.save()
  if (!batch.rowsFollow) indexLinks(snapshot)
  if (batch.embeddings !== undefined) writeEmbeddings(batch.embeddings)
  if (batch.blobs !== undefined) blobs.change(driver, state, batch.blobs)
  changeMeta(driver, state, batch.meta ?? {})

  function removeNotes(paths: readonly string[]): void {
    const ids = [...idsByPath(snapshot, paths).values()]
    if (ids.length === 0) return
    const wanted = [JSON.stringify(ids)]
    const whereIn = 'documents WHERE id IN (SELECT value FROM json_each(?))'
    for (let at = 0; at < ids.length; at += notesAtOnce) {
      links.remove(linksOfNotes(snapshot, ids.slice(at, at + notesAtOnce)))
    }
    state.chunks -= Number(driver.first(`SELECT sum(chunk_count) AS n FROM ${whereIn}`, wanted)?.[0])
    state.notes -= ids.length
    driver.run(`DELETE FROM chunks WHERE id IN (SELECT id FROM ${chunksOfNotes})`, wanted)
    driver.run(`DELETE FROM ${whereIn}`, wanted)
    removeFacts(snapshot, ids)
  }

  function removeStamps(paths: readonly string[]): void {
    if (state.files === 0 || paths.length === 0) return
    const wanted = [JSON.stringify(paths)]
    const where = 'files WHERE path IN (SELECT value FROM json_each(?))'
    for (const [row] of driver.all(`SELECT row FROM ${where}`, wanted)) {
      state.fileSum = takeFrom(state.fileSum, hashText(`${row}`))
      state.files -= 1
    }
    driver.run(`DELETE FROM ${where}`, wanted)
  }

  function insertNotes(notes: readonly PreparedNote[]): void {
    const ids = notes.map(({ id }) => id)
    const taken = driver.first('SELECT id FROM documents WHERE id IN (SELECT value FROM json_each(?))', [
      JSON.stringify(ids),
    ])
    if (taken !== undefined || new Set(ids).size < ids.length) throw new Error('Two notes cannot have one document id')
    const documents: SqlValue[] = []
    const facts: SqlValue[] = []
    const chunks: SqlValue[] = []
    for (const { id, path, mtimeMs, text, stamp, facts: factsRow, chunks: noteChunks, links: noteLinks } of notes) {
      const count = noteChunks.length / 2
      const source = withoutLoneSurrogates(path)
      const linkSum = links.add(id, source, noteLinks)
      documents.push(id, source, mtimeMs / 1000, checksumOf(id, text, stamp), count, linkSum, text)
      for (let ordinal = 0; ordinal < count; ordinal++) {
        const [row = '', content = ''] = noteChunks.slice(ordinal * 2)
        const chunk = id * placesPerNote + ordinal
        chunks.push(chunk, checksumOf(chunk, row, content), row, sqlText(content))
      }
      facts.push(id, factsRow)
      addFacts(snapshot, id, factsRow)
      state.notes += 1
      state.chunks += count
    }
    const columns = ['id', 'path', 'modified_at', 'checksum', 'chunk_count', 'link_sum', 'row']
    insertRows(driver, 'documents', columns, documents)
    insertRows(driver, 'facts', ['id', 'row'], facts)
    insertRows(driver, 'chunks', ['id', 'checksum', 'row', 'content'], chunks)
  }

  function knownNote({ id, path }: IndexedFile): StoredNote {
    const note = removed.has(path) ? undefined : readNotes(snapshot, [id]).get(id)
    if (note?.path !== path) throw new Error(`The index holds no note ${id}: ${path}`)
    return note
  }

  /** The same bytes with another stamp. */
  function restamp(note: StoredNote): void {
    const { id, mtimeMs } = note
    const checksum = checksumOf(id, noteText(note), fileText(indexedFileOf(note)))
    driver.run('UPDATE documents SET modified_at = ?, checksum = ? WHERE id = ?', [mtimeMs / 1000, checksum, id])
    const facts = factsText(noteFacts(note))
    removeFacts(snapshot, [id])
    addFacts(snapshot, id, facts)
    insertRows(driver, 'facts', ['id', 'row'], [id, facts])
  }

  function insertStamps(notes: readonly PreparedNote[], others: readonly IndexedFile[]): void {
    const values: SqlValue[] = []
    for (const { path, stamp } of notes) values.push(withoutLoneSurrogates(path), stamp)
    for (const file of others) values.push(withoutLoneSurrogates(file.path), fileText(file))
    for (let at = 1; at < values.length; at += 2) state.fileSum = addTo(state.fileSum, hashText(values[at] as string))
    state.files += values.length / 2
    insertRows(driver, 'files', ['path', 'row'], values)
  }

  function retargetLinks(changes: NonNullable<IndexBatch['retarget']>): void {
    const bySource = new Map<string, typeof changes>()
    for (const change of changes) {
      const known = bySource.get(change.source)
      if (known === undefined) bySource.set(change.source, [change])
      else known.push(change)
    }
    for (const [source, id] of idsByPath(snapshot, [...bySource.keys()])) {
      const ofNote = linksOfNotes(snapshot, [id])
      links.remove(ofNote)
      // `!`: the map has an entry for every id that was asked for.
      const found = ofNote.get(id)!
      for (const { raw, line, target } of bySource.get(source) ?? []) {
        for (const { link } of found) if (link.raw === raw && link.line === line) link.target = target
      }
      const sum = links.add(id, source, prepareLinks(found.map(({ link }) => link)))
      driver.run('UPDATE documents SET link_sum = ? WHERE id = ?', [sum, id])
    }
  }

  function writeEmbeddings({ model, dimension, rows }: NonNullable<IndexBatch['embeddings']>): void {
    const label = `${model} ${dimension}`
    for (const { note, ordinal, bytes } of rows) {
      const id = note * placesPerNote + ordinal
      driver.run('UPDATE chunks SET embedding_model = ?, embedding = ? WHERE id = ?', [label, bytes, id])
    }
  }
}

/** The number of notes whose links are read together: a batch may remove a whole vault. */
const notesAtOnce = 500

/** Chunks of the notes whose ids are bound as a JSON array; each note's are one range of ids. */
const chunksOfNotes = `(SELECT t.id FROM json_each(?) j CROSS JOIN chunks t ON t.id >= j.value * ${placesPerNote} AND t.id < (j.value + 1) * ${placesPerNote})`

/**
 * A batch in the form of its rows, except for values only the store knows. The sender prepares it, so that the writer
 * thread receives a few texts per note instead of hundreds of small objects.
 */
export interface PreparedBatch extends Omit<IndexBatch, 'put' | 'files'> {
  put: PreparedNote[]
  /** Stamps of all other files, each path once. */
  files: IndexedFile[]
}

interface PreparedNote {
  id: number
  path: NotePath
  mtimeMs: number
  /** Its rows in `documents`, in `files` and in `facts`. */
  text: string
  stamp: string
  facts: string
  /** Row and content of each chunk in turn. */
  chunks: string[]
  links: PreparedLinks
}

export function prepareBatch({ put = [], files = [], ...rest }: IndexBatch): PreparedBatch {
  const stamps = lastByPath(files, ({ path }) => path)
  const notes: PreparedNote[] = []
  for (const rows of lastByPath(put, ({ note }) => note.path).values()) {
    const stamp = stamps.get(rows.note.path)
    if (stamp !== undefined && stamp.state !== 'indexed') continue
    stamps.delete(rows.note.path)
    notes.push(prepareNote(rows, stamp))
  }
  return { ...rest, put: notes, files: [...stamps.values()] }
}

function prepareNote({ note: asRead, chunks, links }: StoredNoteRows, stamp: IndexedFile | undefined): PreparedNote {
  const note = stamp === undefined ? asRead : restamped(asRead, stamp)
  const { id, path, mtimeMs } = note
  return {
    id,
    path,
    mtimeMs,
    text: noteText(note),
    stamp: fileText(indexedFileOf(note)),
    facts: factsText(noteFacts(note)),
    chunks: chunks.flatMap(({ heading, lines, start, end, content }) => [
      JSON.stringify([heading, lines[0], lines[1], start, end]),
      withoutLoneSurrogates(content),
    ]),
    links: prepareLinks(links),
  }
}

/** The passages of a prepared note. */
export function contentsOf(note: PreparedNote | undefined): string[] {
  return note === undefined ? [] : note.chunks.filter((_, at) => at % 2 === 1)
}

/** The same bytes with another stamp. */
function restamped(note: StoredNote, stamp: IndexedFile): StoredNote {
  if (stamp.id !== note.id) throw new Error(`The index holds no note ${stamp.id}: ${stamp.path}`)
  const { size, mtimeMs, ctimeMs, hash } = stamp
  return { ...note, size, mtimeMs, ctimeMs, hash }
}

/** The last of several entries for one path wins. */
function lastByPath<T>(entries: readonly T[], pathOf: (entry: T) => string): Map<string, T> {
  return new Map(entries.map((entry) => [pathOf(entry), entry]))
}
