import { findFrontmatter, parseNote } from '../markdown/index.js'

/** Whether a note says that it is private. Quick for the many that do not: only a doubt is worth a real reading. */
export function isPrivateNote(text: string): boolean {
  const fence = findFrontmatter(text)
  // A quoted key can spell letters as escapes, so a backslash is a doubt too.
  if (fence === undefined || !/private|\\/i.test(text.slice(fence.yaml.start, fence.yaml.end))) return false
  return parseNote('note.md', text.slice(0, fence.end)).isPrivate
}

/** Whether the start of a note is too short to tell: its frontmatter goes on. */
export function endsInFrontmatter(start: string): boolean {
  return /^\uFEFF?---[ \t]*\r?\n/.test(start) && findFrontmatter(start) === undefined
}
