import type { IndexBatch, KnownFile, StoredLink, StoredNote } from '../../../core/vault-index/index.js'
import { noteFacts } from '../../../core/vault-index/index.js'
import type { BlobFiles } from './blob-files.js'
import type { SqlValue } from './driver.js'
import { facetChanges, factsText } from './facets.js'
import { hashLines, hashText } from './hash-row.js'
import { insertRows } from './insert-rows.js'
import { jsonLines, parsedLines } from './json-rows.js'
import { bucketChanges, fillBuckets } from './link-buckets.js'
import { hashList, type PackedLinks, packLinks } from './link-list.js'
import { changeMeta } from './meta-rows.js'
import { fileText, hashNote, noteText, stampOf } from './note-row.js'
import { type PreparedBatch, type PreparedNote, restamped } from './prepare-batch.js'
import { hashChunk, idsByPath, linkLists, readNotes, type Snapshot } from './read-rows.js'
import { placesPerNote } from './schema.js'
import { wellFormed } from './well-formed.js'

/** One in so many notes in one batch, and more to come, is a load. */
const manyNotes = 100

/**
 * Brings one batch into the tables and keeps every sum in step. Runs inside the write transaction.
 * Buckets of links are filled once a load is over, which is several times faster than keeping them up to date on the
 * way; until then their questions are answered by going through all notes.
 */
export function writeBatch(snapshot: Snapshot, batch: PreparedBatch, blobs: BlobFiles): void {
  const { driver, state, seals } = snapshot
  const { put, files } = batch
  if (batch.rowsFollow && put.length * manyNotes > state.notes) emptyBuckets()
  const facets = facetChanges(driver, seals)
  const buckets = state.isIndexed ? bucketChanges(driver) : undefined
  const putPaths = put.map(({ path }) => path)
  const removed = new Set(batch.remove ?? [])
  const hidden = files.filter((file) => file.state !== 'indexed').map(({ path }) => path)
  const touched = files.filter((file) => file.state === 'indexed')
  const refreshed = touched.map((file) => restamped(knownNote(file), file))

  removeNotes([...new Set([...removed, ...putPaths, ...hidden])])
  removeStamps([...new Set([...removed, ...putPaths, ...files.map(({ path }) => path)])])
  insertNotes(put)
  for (const note of refreshed) sealAnew(note)
  insertStamps(put, files)
  retargetLinks(batch.retarget ?? [])
  if (batch.embeddings !== undefined) writeEmbeddings(batch.embeddings)

  facets.save()
  buckets?.save()
  if (!state.isIndexed && !batch.rowsFollow) {
    fillBuckets(driver)
    state.isIndexed = true
  }
  if (batch.blobs !== undefined) blobs.change(driver, state, batch.blobs)
  changeMeta(driver, state, batch.meta ?? {})
  state.sealDigest = seals.save(driver)

  function emptyBuckets(): void {
    if (state.isIndexed) driver.run('DELETE FROM link_buckets')
    state.isIndexed = false
  }

  function removeNotes(paths: readonly string[]): void {
    const ids = [...idsByPath(snapshot, paths).values()]
    if (ids.length === 0) return
    for (const { id, links } of linkLists(snapshot, ids)) takeLinks(id, links)
    const wanted = [JSON.stringify(ids)]
    driver.run(`DELETE FROM chunks WHERE id IN (SELECT id FROM ${chunksOfNotes})`, wanted)
    driver.run('DELETE FROM documents WHERE id IN (SELECT value FROM json_each(?))', wanted)
    for (const id of ids) {
      state.notes -= 1
      state.chunks -= seals.get('chunkCount', id)
      for (const space of ['note', 'chunkCount', 'chunkSalt'] as const) seals.set(space, id, 0)
      facets.delete(id)
    }
  }

  function removeStamps(paths: readonly string[]): void {
    if (state.files === 0 || paths.length === 0) return
    const wanted = [JSON.stringify(paths)]
    const where = 'files WHERE path IN (SELECT value FROM json_each(?))'
    const lines = jsonLines(driver, 'row', where, wanted)
    state.fileSum = (state.fileSum - hashLines(lines)) >>> 0
    state.files -= parsedLines(lines).length
    driver.run(`DELETE FROM ${where}`, wanted)
  }

  function insertNotes(notes: readonly PreparedNote[]): void {
    const documents: SqlValue[] = []
    const chunks: SqlValue[] = []
    for (const { id, path, mtimeMs, text, stamp, facts, chunks: noteChunks, links } of notes) {
      if (seals.get('note', id) !== 0) throw new Error('Two notes cannot have one document id')
      const salt = hashNote(id, text, stamp)
      const bucketsText = links === undefined ? null : JSON.stringify(links.buckets)
      documents.push(id, wellFormed(path), mtimeMs / 1000, text, links?.text ?? null, bucketsText)
      seals.set('note', id, salt)
      seals.set('chunkSalt', id, salt)
      const first = id * placesPerNote
      const count = noteChunks.length / 2
      seals.set('chunkCount', id, count)
      for (let ordinal = 0; ordinal < count; ordinal++) {
        const row = noteChunks[2 * ordinal]
        const content = noteChunks[2 * ordinal + 1]
        chunks.push(first + ordinal, hashChunk(first + ordinal, row, content, salt), row, content)
      }
      if (links !== undefined) addLinks(id, links)
      state.notes += 1
      state.chunks += count
      facets.set(id, facts)
    }
    insertRows(driver, 'documents', ['id', 'path', 'modified_at', 'row', 'links', 'buckets'], documents)
    insertRows(driver, 'chunks', ['id', 'seal', 'row', 'content'], chunks)
  }

  function knownNote({ id, path }: KnownFile): StoredNote {
    const note = removed.has(path) ? undefined : readNotes(snapshot, [id]).get(id)
    if (note?.path !== path) throw new Error(`The index holds no note ${id}: ${path}`)
    return note
  }

  /** The same bytes with another stamp: of the note's rows only the first changes. */
  function sealAnew(note: StoredNote): void {
    driver.run('UPDATE documents SET modified_at = ? WHERE id = ?', [note.mtimeMs / 1000, note.id])
    seals.set('note', note.id, hashNote(note.id, noteText(note), fileText(stampOf(note))))
    facets.set(note.id, factsText(noteFacts(note)))
  }

  function insertStamps(notes: readonly PreparedNote[], others: readonly KnownFile[]): void {
    const values: SqlValue[] = []
    for (const { path, stamp } of notes) values.push(wellFormed(path), stamp)
    for (const file of others) values.push(wellFormed(file.path), fileText(file))
    for (let at = 1; at < values.length; at += 2) state.fileSum = (state.fileSum + hashText(values[at] as string)) >>> 0
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
    const sources = [...idsByPath(snapshot, [...bySource.keys()]).values()]
    for (const { id, links } of linkLists(snapshot, sources)) {
      const { source } = links[0]
      takeLinks(id, links)
      for (const { raw, line, target } of bySource.get(source) ?? []) {
        for (const link of links) if (link.raw === raw && link.line === line) link.target = target
      }
      const packed = packLinks(source, links) as PackedLinks
      addLinks(id, packed)
      const values = [packed.text, JSON.stringify(packed.buckets), id]
      driver.run('UPDATE documents SET links = ?, buckets = ? WHERE id = ?', values)
    }
  }

  function addLinks(id: number, packed: PackedLinks): void {
    const hash = hashList(id, packed.text)
    seals.set('links', id, hash)
    countLinks(id, packed, hash, 1)
  }

  function takeLinks(id: number, links: readonly StoredLink[]): void {
    const hash = seals.get('links', id)
    seals.set('links', id, 0)
    countLinks(id, packLinks(links[0].source, links) as PackedLinks, hash, -1)
  }

  function countLinks(id: number, packed: PackedLinks, hash: number, sign: 1 | -1): void {
    for (const bucket of packed.buckets) {
      seals.add('bucket', bucket, sign * hash)
      if (sign === 1) buckets?.add(bucket, id)
      else buckets?.delete(bucket, id)
    }
    state.linkSum = (state.linkSum + sign * hash) >>> 0
    state.links += sign * packed.count
    state.unresolved += sign * packed.unresolved
  }

  function writeEmbeddings({ model, dimension, rows }: NonNullable<IndexBatch['embeddings']>): void {
    const label = `${model} ${dimension}`
    for (const { note, ordinal, bytes } of rows) {
      const id = note * placesPerNote + ordinal
      const blob = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
      driver.run('UPDATE chunks SET embedding_model = ?, embedding = ? WHERE id = ?', [label, blob, id])
    }
  }
}

/** Chunks of the notes whose ids are bound as a JSON array; each note's are one range of ids. */
const chunksOfNotes = `(SELECT t.id FROM json_each(?) j CROSS JOIN chunks t ON t.id >= j.value * ${placesPerNote} AND t.id < (j.value + 1) * ${placesPerNote})`
