import { isNote, type NotePath } from '../../vault/index.js'

/** The folded file name a link looks for. Whatever a link may resolve to has the same key, so only that name's coming or going can change it. */
export function linkKey(written: string): string {
  // In plain Markdown `docs/` is a link to a folder.
  const path = written.endsWith('/') ? written.replace(/\/+$/, '') : written
  return nameKey(path.slice(path.lastIndexOf('/') + 1))
}

/** The key under which links find a file. */
export function fileKey(path: NotePath): string {
  return linkKey(path)
}

/** Names are compared as Obsidian compares them: composed, without case, a no-break space as a space. */
export function foldName(text: string): string {
  if (isAscii.test(text)) return text.toLowerCase()
  // JavaScript lower-cases Σ by its neighbours, so the same word would fold differently before `.md`.
  return text.replace(noBreakSpace, ' ').toLowerCase().replace(/ς/g, 'σ').normalize('NFC')
}

export const withoutNoteExtension = (path: string): string => (isNote(path) ? path.slice(0, -3) : path)

export const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

const isAscii = /^[\0-\x7f]*$/
const noBreakSpace = /[\u00a0\u202f]/g

function nameKey(name: string): string {
  const folded = foldName(name).trim()
  return folded.endsWith('.md') ? folded.slice(0, -3).trimEnd() : folded
}
