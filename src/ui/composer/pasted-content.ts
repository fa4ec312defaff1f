/** Dropped or pasted content: files, or a text too long for the input. */
export type PastedContent = { files: readonly File[] } | { text: string }

/** Longer than this, a text is no part of a sentence. */
export const isLong = (text: string): boolean => text.length > 2000 || text.split('\n').length > 20

/** The notes that dropped links name, one a line; none where there is anything else. */
export function notesIn(text: string): string[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const notes = lines.flatMap((line) => noteIn(line) ?? [])
  return notes.length === lines.length ? notes : []
}

/** The note that a dropped link names: of Obsidian, or as notes name each other. */
function noteIn(text: string): string | undefined {
  const [, linked] = /^\s*\[\[([^\]|\n]+)[^\]\n]*\]\]\s*$/.exec(text) ?? []
  if (linked !== undefined) return linked
  const [, file] = /^obsidian:\/\/open\?(?:.*&)?file=([^&\s]+)/.exec(text.trim()) ?? []
  return file === undefined ? undefined : decoded(file).replace(/\.md$/i, '')
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
