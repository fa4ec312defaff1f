import { hasPictureOrPdfName } from '../files.js'
import { isNote, type NotePath } from '../vault/index.js'

/** A note as a link would name it: by its name, or by its path where others have the same name. */
export interface MatchedNote {
  label: string
  path: NotePath
}

/** Notes, pictures and PDFs for the beginning of a name that a user is typing: those that begin like it first, then those that contain it. */
export function matchNotes(typed: string, paths: readonly NotePath[], limit = 20): MatchedNote[] {
  const wanted = typed.toLowerCase()
  const notes = paths
    .filter((path) => isNote(path) || hasPictureOrPdfName(path))
    .map((path) => ({ path, name: shortName(path) }))
  const times = new Map<string, number>()
  for (const { name } of notes) times.set(name.toLowerCase(), (times.get(name.toLowerCase()) ?? 0) + 1)
  return (
    notes
      .map(({ path, name }) => ({
        label: times.get(name.toLowerCase()) === 1 ? name : withoutEnding(path),
        path,
        name,
      }))
      .map((note) => ({ ...note, rank: rank(note.name.toLowerCase(), note.path.toLowerCase(), wanted) }))
      .filter(({ rank: place }) => place !== undefined)
      // `!`: notes without a rank were left out.
      .sort((a, b) => a.rank! - b.rank! || a.label.length - b.label.length || (a.label < b.label ? -1 : 1))
      .slice(0, limit)
      .map(({ label, path }) => ({ label, path }))
  )
}

function rank(name: string, path: string, wanted: string): number | undefined {
  if (name.startsWith(wanted)) return 0
  if (new RegExp(`(?:^|[^\\p{L}\\p{N}])${escaped(wanted)}`, 'u').test(name)) return 1
  if (name.includes(wanted)) return 2
  return path.includes(wanted) ? 3 : undefined
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')
const withoutEnding = (path: string): string => path.replace(/\.md$/i, '')
const shortName = (path: string): string => withoutEnding(path.slice(path.lastIndexOf('/') + 1))
