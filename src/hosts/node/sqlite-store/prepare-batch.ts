import type { NotePath } from '../../../core/vault/index.js'
import {
  type IndexBatch,
  type KnownFile,
  noteFacts,
  type StoredNote,
  type StoredNoteRows,
} from '../../../core/vault-index/index.js'
import { factsText } from './fact-rows.js'
import { type PreparedLinks, prepareLinks } from './link-rows.js'
import { fileText, noteText, stampOf } from './note-row.js'
import { wellFormed } from './sql-text.js'

/**
 * A batch as it will be written, short of what only the store knows. Whoever makes the batch prepares it: a thread that
 * does nothing but write is then sent a few texts for each note instead of hundreds of small objects.
 */
export interface PreparedBatch extends Omit<IndexBatch, 'put' | 'files'> {
  put: PreparedNote[]
  /** Stamps of all other files, each path once. */
  files: KnownFile[]
}

export interface PreparedNote {
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

function prepareNote({ note: asRead, chunks, links }: StoredNoteRows, stamp: KnownFile | undefined): PreparedNote {
  const note = stamp === undefined ? asRead : restamped(asRead, stamp)
  const { id, path, mtimeMs } = note
  return {
    id,
    path,
    mtimeMs,
    text: noteText(note),
    stamp: fileText(stampOf(note)),
    facts: factsText(noteFacts(note)),
    chunks: chunks.flatMap(({ heading, lines, start, end, content }) => [
      JSON.stringify([heading, lines[0], lines[1], start, end]),
      wellFormed(content),
    ]),
    links: prepareLinks(links),
  }
}

/** The passages of a prepared note. */
export function contentsOf(note: PreparedNote | undefined): string[] {
  return note === undefined ? [] : note.chunks.filter((_, at) => at % 2 === 1)
}

/** The same bytes with another stamp. */
export function restamped(note: StoredNote, stamp: KnownFile): StoredNote {
  if (stamp.id !== note.id) throw new Error(`The index holds no note ${stamp.id}: ${stamp.path}`)
  const { size, mtimeMs, ctimeMs, hash } = stamp
  return { ...note, size, mtimeMs, ctimeMs, hash }
}

/** Of several entries for one path the last counts. */
function lastByPath<T>(entries: readonly T[], pathOf: (entry: T) => string): Map<string, T> {
  return new Map(entries.map((entry) => [pathOf(entry), entry]))
}
