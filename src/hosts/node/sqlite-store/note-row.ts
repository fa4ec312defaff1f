import type { NotePath } from '../../../core/vault/index.js'
import type { KnownFile, StoredNote } from '../../../core/vault-index/index.js'

/** A note's row as text: JSON escapes control characters and half surrogates, so it comes back as it went. */
export function noteText(note: StoredNote): string {
  return JSON.stringify([
    note.path,
    note.title,
    note.properties,
    note.createdMs,
    note.aliases,
    note.tags,
    note.headings.map(({ level, text, line }) => [level, text, line]),
    note.blocks.map(({ id, line }) => [id, line]),
    note.frontmatterError,
  ])
}

type PackedNote = [
  path: NotePath,
  title: string,
  properties: Record<string, unknown> | null,
  createdMs: number,
  aliases: string[],
  tags: string[],
  headings: [number, string, number][],
  blocks: [string, number][],
  frontmatterError: string | null,
]

export function noteFrom(id: number, text: string, stamp: string): StoredNote {
  const packed = JSON.parse(text) as PackedNote
  const [path, title, properties, createdMs, aliases, tags, headings, blocks, frontmatterError] = packed
  const { size, mtimeMs, ctimeMs, hash } = fileFrom(JSON.parse(stamp) as PackedFile)
  return {
    id,
    path,
    title,
    aliases,
    tags,
    properties,
    ...(frontmatterError !== null && { frontmatterError }),
    headings: headings.map(([level, heading, line]) => ({ level, text: heading, line })),
    blocks: blocks.map(([block, line]) => ({ id: block, line })),
    size,
    mtimeMs,
    ctimeMs,
    createdMs,
    hash,
  }
}

export function fileText({ path, id, size, mtimeMs, ctimeMs, hash, state, reason }: KnownFile): string {
  return JSON.stringify([path, id, size, mtimeMs, ctimeMs, hash, state, reason])
}

export type PackedFile = [NotePath, number, number, number, number, string, KnownFile['state'], string | null]

export function fileFrom([path, id, size, mtimeMs, ctimeMs, hash, state, reason]: PackedFile): KnownFile {
  const file: KnownFile = { id, path, size, mtimeMs, ctimeMs, hash, state }
  if (reason !== null) file.reason = reason
  return file
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
