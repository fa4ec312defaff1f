import type { ParsedNote } from '../markdown/index.js'
import type { NoteFile } from '../vault/index.js'
import type { StoredLink, StoredNoteRows } from './index-store.js'

/** A parsed note as the store keeps it. */
export function noteRows(id: number, file: NoteFile, parsed: ParsedNote, links: StoredLink[]): StoredNoteRows {
  return {
    note: {
      id,
      path: file.path,
      title: parsed.title,
      aliases: parsed.aliases,
      tags: parsed.tags,
      properties: parsed.properties,
      frontmatterError: parsed.frontmatter?.errors[0],
      headings: parsed.headings.map(({ level, text, line }) => ({ level, text, line })),
      blocks: parsed.blocks.map(({ id: block, line }) => ({ id: block, line })),
      size: file.size,
      mtimeMs: file.mtimeMs,
      ctimeMs: file.ctimeMs,
      createdMs: parsed.createdMs ?? file.ctimeMs,
      hash: file.hash,
    },
    chunks: parsed.chunks.map(({ ordinal, heading, lines, start, end, text }) => ({
      ordinal,
      heading,
      lines,
      start,
      end,
      content: text,
    })),
    links,
  }
}
