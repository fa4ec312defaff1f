import type { NotePath } from '../../../core/vault/note-path.js'
import type { KnownFile, StoredNote } from '../../../core/vault-index/index-store.js'
import { hashRow } from './hash-row.js'
import { wellFormed } from './well-formed.js'

/** A note's columns in `documents` and, from `size` on, its stamp in `files`; in the order they are hashed. */
export type NoteRow = [
  id: number,
  path: string,
  title: string,
  frontmatter: string | null,
  createdMs: string,
  aliases: string,
  tags: string,
  headings: string,
  blocks: string,
  frontmatterError: string | null,
  size: number,
  mtimeMs: string,
  ctimeMs: string,
  hash: string,
]

export const noteColumns =
  'd.id, d.path, d.title, d.frontmatter, d.created_ms, d.aliases, d.tags, d.headings, d.blocks, d.frontmatter_error, f.size, f.mtime_ms, f.ctime_ms, f.hash'

export const noteTables = 'documents d LEFT JOIN files f ON f.path = d.path'

export const documentColumns = [
  'id',
  'path',
  'title',
  'frontmatter',
  'created_ms',
  'aliases',
  'tags',
  'headings',
  'blocks',
  'frontmatter_error',
  'modified_at',
] as const

export function noteRow(note: StoredNote): NoteRow {
  return [
    note.id,
    wellFormed(note.path),
    wellFormed(note.title),
    note.properties === null ? null : JSON.stringify(note.properties),
    `${note.createdMs}`,
    JSON.stringify(note.aliases),
    JSON.stringify(note.tags),
    JSON.stringify(note.headings.map(({ level, text, line }) => [level, text, line])),
    JSON.stringify(note.blocks.map(({ id, line }) => [id, line])),
    note.frontmatterError === undefined ? null : wellFormed(note.frontmatterError),
    note.size,
    `${note.mtimeMs}`,
    `${note.ctimeMs}`,
    note.hash,
  ]
}

export function noteFrom(row: NoteRow): StoredNote {
  const [
    id,
    path,
    title,
    frontmatter,
    createdMs,
    aliases,
    tags,
    headings,
    blocks,
    error,
    size,
    mtimeMs,
    ctimeMs,
    hash,
  ] = row
  return {
    id,
    path: path as NotePath,
    title,
    aliases: JSON.parse(aliases) as string[],
    tags: JSON.parse(tags) as string[],
    properties: frontmatter === null ? null : (JSON.parse(frontmatter) as Record<string, unknown>),
    ...(error !== null && { frontmatterError: error }),
    headings: (JSON.parse(headings) as [number, string, number][]).map(([level, text, line]) => ({
      level,
      text,
      line,
    })),
    blocks: (JSON.parse(blocks) as [string, number][]).map(([block, line]) => ({ id: block, line })),
    size,
    mtimeMs: Number(mtimeMs),
    ctimeMs: Number(ctimeMs),
    createdMs: Number(createdMs),
    hash,
  }
}

/** Never 0, which in the seals means that there is no such note. */
export const hashNote = (row: NoteRow): number => hashRow(row) || 1

export const fileColumns = ['path', 'id', 'size', 'mtime_ms', 'ctime_ms', 'hash', 'state', 'reason'] as const

export type FileRow = [
  path: string,
  id: number,
  size: number,
  mtimeMs: string,
  ctimeMs: string,
  hash: string,
  state: string,
  reason: string | null,
]

export function fileRow(file: KnownFile): FileRow {
  const { path, id, size, mtimeMs, ctimeMs, hash, state, reason } = file
  return [
    wellFormed(path),
    id,
    size,
    `${mtimeMs}`,
    `${ctimeMs}`,
    hash,
    state,
    reason === undefined ? null : wellFormed(reason),
  ]
}

export function fileFrom(row: FileRow): KnownFile {
  const [path, id, size, mtimeMs, ctimeMs, hash, state, reason] = row
  return {
    id,
    path: path as NotePath,
    size,
    mtimeMs: Number(mtimeMs),
    ctimeMs: Number(ctimeMs),
    hash,
    state: state as KnownFile['state'],
    ...(reason !== null && { reason }),
  }
}

export const stampOf = ({ id, path, size, mtimeMs, ctimeMs, hash }: StoredNote): KnownFile => ({
  id,
  path,
  size,
  mtimeMs,
  ctimeMs,
  hash,
  state: 'indexed',
})
