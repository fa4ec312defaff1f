import type { IndexBatch, KnownFile, StoredLink, StoredNote, StoredNoteRows } from '../../../core/vault-index/index.js'
import { noteFacts } from '../../../core/vault-index/index.js'
import type { BlobFiles } from './blob-files.js'
import type { SqlValue } from './driver.js'
import { facetChanges } from './facets.js'
import { hashLines, hashText } from './hash-row.js'
import { insertRows } from './insert-rows.js'
import { jsonLines, parsedLines } from './json-rows.js'
import { bothBuckets, bucketOf, hashLink, packedLink, targetBucket, unresolvedBucket } from './link-row.js'
import { changeMeta } from './meta-rows.js'
import { fileText, hashNote, noteText, stampOf } from './note-row.js'
import { hashChunk, idsByPath, linkRowsFrom, linkRowsOf, ofNotes, readNotes, type Snapshot } from './read-rows.js'
import { indexes, placesPerNote } from './schema.js'
import { wellFormed } from './well-formed.js'

/**
 * Brings one batch into the tables and keeps every sum in step. Runs inside the write transaction.
 * Indexes are made once the first load is over, which is several times faster than keeping them up to date on the way;
 * until then their questions are answered by going through the table.
 */
export function writeBatch(snapshot: Snapshot, batch: IndexBatch, blobs: BlobFiles): void {
  const { driver, state, seals } = snapshot
  const facets = facetChanges(driver, seals)
  const put = lastByPath(batch.put ?? [], ({ note }) => note.path)
  const files = lastByPath(batch.files ?? [], ({ path }) => path)
  const hidden = new Set([...files.values()].filter((file) => file.state !== 'indexed').map(({ path }) => path))
  const removed = new Set(batch.remove ?? [])
  const touched = [...files.values()].filter(({ path, state: is }) => is === 'indexed' && !put.has(path))
  const refreshed = touched.map((file) => refresh(knownNote(file), file))

  removeNotes([...new Set([...removed, ...put.keys(), ...hidden])])
  removeStamps([...new Set([...removed, ...put.keys(), ...files.keys()])])
  const stamped = [...put.values()].map(({ note, ...rows }) => ({ note: refresh(note, files.get(note.path)), ...rows }))
  insertNotes(stamped.filter(({ note }) => !hidden.has(note.path)))
  for (const note of refreshed) sealAnew(note)
  insertStamps([
    ...stamped.filter(({ note }) => !files.has(note.path)).map(({ note }) => stampOf(note)),
    ...files.values(),
  ])
  retargetLinks(batch.retarget ?? [])
  if (batch.embeddings !== undefined) writeEmbeddings(batch.embeddings)

  facets.save()
  if (!state.isIndexed && !batch.rowsFollow) {
    for (const statement of indexes) driver.exec(statement)
    state.isIndexed = true
  }
  if (batch.blobs !== undefined) blobs.change(driver, state, batch.blobs)
  changeMeta(driver, state, batch.meta ?? {})
  state.sealDigest = seals.save(driver)

  /** The text of the note's row in `files`, which is sealed with the note. */
  function stampText(note: StoredNote): string {
    return fileText(files.get(note.path) ?? stampOf(note))
  }

  function removeNotes(paths: readonly string[]): void {
    const ids = [...idsByPath(snapshot, paths).values()]
    if (ids.length === 0) return
    for (const { link, hash } of linkRowsOf(snapshot, ids)) countLink(link, hash, -1)
    const wanted = [JSON.stringify(ids)]
    driver.run(`DELETE FROM links WHERE id IN (SELECT id FROM ${ofNotes('links')})`, wanted)
    driver.run(`DELETE FROM chunks WHERE id IN (SELECT id FROM ${ofNotes('chunks')})`, wanted)
    driver.run('DELETE FROM documents WHERE id IN (SELECT value FROM json_each(?))', wanted)
    for (const id of ids) {
      state.notes -= 1
      state.chunks -= seals.get('chunkCount', id)
      for (const space of ['note', 'linksFrom', 'chunkCount', 'chunkSalt'] as const) seals.set(space, id, 0)
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

  function insertNotes(notes: readonly StoredNoteRows[]): void {
    const documents: SqlValue[] = []
    const chunks: SqlValue[] = []
    const links: SqlValue[] = []
    for (const { note, chunks: noteChunks, links: noteLinks } of notes) {
      const { id } = note
      if (seals.get('note', id) !== 0) throw new Error('Two notes cannot have one document id')
      const text = noteText(note)
      const salt = hashNote(id, text, stampText(note))
      documents.push(id, wellFormed(note.path), note.mtimeMs / 1000, text)
      seals.set('note', id, salt)
      seals.set('chunkSalt', id, salt)
      seals.set('chunkCount', id, noteChunks.length)
      for (let ordinal = 0; ordinal < noteChunks.length; ordinal++) {
        const { heading, lines, start, end, content } = noteChunks[ordinal]
        const chunk = id * placesPerNote + ordinal
        const row = JSON.stringify([heading, lines[0], lines[1], start, end])
        const kept = wellFormed(content)
        chunks.push(chunk, hashChunk(chunk, row, kept, salt), row, kept)
      }
      let sum = 0
      for (let ordinal = 0; ordinal < noteLinks.length; ordinal++) {
        const linkId = id * placesPerNote + ordinal
        const packed = packedLink(noteLinks[ordinal])
        const hash = hashLink(linkId, packed)
        sum = (sum + hash) >>> 0
        links.push(linkId, countLink(noteLinks[ordinal], hash, 1), packed)
      }
      seals.set('linksFrom', id, sum)
      state.notes += 1
      state.chunks += noteChunks.length
      facets.set(noteFacts(note))
    }
    insertRows(driver, 'documents', ['id', 'path', 'modified_at', 'row'], documents)
    insertRows(driver, 'chunks', ['id', 'seal', 'row', 'content'], chunks)
    insertRows(driver, 'links', ['id', 'buckets', 'row'], links)
  }

  function knownNote({ id, path }: KnownFile): StoredNote {
    const note = removed.has(path) ? undefined : readNotes(snapshot, [id]).get(id)
    if (note?.path !== path) throw new Error(`The index holds no note ${id}: ${path}`)
    return note
  }

  /** The same bytes with another stamp: of the note's rows only the first changes. */
  function sealAnew(note: StoredNote): void {
    driver.run('UPDATE documents SET modified_at = ? WHERE id = ?', [note.mtimeMs / 1000, note.id])
    seals.set('note', note.id, hashNote(note.id, noteText(note), stampText(note)))
    facets.set(noteFacts(note))
  }

  function insertStamps(stamps: readonly KnownFile[]): void {
    const values: SqlValue[] = []
    for (const file of stamps) {
      const text = fileText(file)
      values.push(wellFormed(file.path), text)
      state.fileSum = (state.fileSum + hashText(text)) >>> 0
    }
    state.files += stamps.length
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
      const rows = linkRowsFrom(snapshot, id)
      for (const { raw, line, target } of bySource.get(source) ?? []) {
        for (const row of rows) {
          if (row.link.raw !== raw || row.link.line !== line || row.link.target === target) continue
          const before = hashLink(row.id, packedLink(row.link))
          countLink(row.link, before, -1)
          row.link.target = target
          const packed = packedLink(row.link)
          const after = hashLink(row.id, packed)
          seals.add('linksFrom', id, after - before)
          const buckets = countLink(row.link, after, 1)
          driver.run('UPDATE links SET buckets = ?, row = ? WHERE id = ?', [buckets, packed, row.id])
        }
      }
    }
  }

  /** Answers the link's buckets. */
  function countLink(link: StoredLink, hash: number, sign: 1 | -1): number {
    const ofTarget = targetBucket(link)
    const ofKey = bucketOf(link.key)
    seals.add('linksTo', ofTarget, sign * hash)
    seals.add('linksByKey', ofKey, sign * hash)
    state.linkSum = (state.linkSum + sign * hash) >>> 0
    state.links += sign
    if (ofTarget === unresolvedBucket) state.unresolved += sign
    return bothBuckets(ofTarget, ofKey)
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

function refresh(note: StoredNote, stamp: KnownFile | undefined): StoredNote {
  if (stamp === undefined || stamp.state !== 'indexed') return note
  if (stamp.id !== note.id) throw new Error(`The index holds no note ${stamp.id}: ${stamp.path}`)
  const { size, mtimeMs, ctimeMs, hash } = stamp
  return { ...note, size, mtimeMs, ctimeMs, hash }
}

/** Of several entries for one path the last counts. */
function lastByPath<T>(entries: readonly T[], pathOf: (entry: T) => string): Map<string, T> {
  return new Map(entries.map((entry) => [pathOf(entry), entry]))
}
