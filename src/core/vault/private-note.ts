import { findFrontmatter, parseNote } from '../markdown/index.js'
import { isNote } from './note-path.js'
import { decodeNote, hashBytes } from './note-text.js'
import type { NoteFile, RawNote } from './vault.js'

// Apart from note-text.ts, since it loads the parser of properties, which most commands do without.

/** undefined for a private note: it answers like one that is not there. */
export function asNote(raw: RawNote): NoteFile | undefined {
  const { text, encoding } = decodeNote(raw.bytes)
  if (isNote(raw.path) && isPrivateNote(text)) return undefined
  return { ...raw, text, encoding, hash: hashBytes(raw.bytes) }
}

/** True if a note is marked private. Fast for the many that are not: only doubtful ones are parsed. */
export function isPrivateNote(text: string): boolean {
  const fence = findFrontmatter(text)
  // A quoted key can spell letters as escapes, so a backslash is a doubt too.
  if (fence === undefined || !/private|\\/i.test(text.slice(fence.yaml.start, fence.yaml.end))) return false
  return parseNote('note.md', text.slice(0, fence.end)).isPrivate
}

/** True if the start of a note is too short to tell: its frontmatter continues. */
export function endsInFrontmatter(start: string): boolean {
  return /^\uFEFF?---[ \t]*\r?\n/.test(start) && findFrontmatter(start) === undefined
}
