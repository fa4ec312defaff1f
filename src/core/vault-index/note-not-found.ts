import { Failure } from '../errors.js'
import { nearestNames } from '../names/index.js'
import { isNote, type NotePath } from '../vault/index.js'

const most = 3
/** In a vault of more names, the first letter must be right. */
const mostCompared = 20_000

/** There is no such note. Says which come near, of the files that whoever asks may know of. */
export function noteNotFound(wanted: string, files: readonly NotePath[]): Failure {
  const near = nearNotes(wanted, files)
  const hint = near.length === 0 ? 'Find its path with search.' : `Did you mean ${listed(near)}?`
  return new Failure('not-found', `Note not found: ${wanted}`, { hint, ...(near.length > 0 && { data: { near } }) })
}

/** Notes with nearly the same name, then those whose name has all the words that were given. */
export function nearNotes(wanted: string, files: readonly NotePath[]): NotePath[] {
  const name = baseName(wanted).toLowerCase()
  if (name === '') return []
  const notes = new Map<string, NotePath[]>()
  for (const path of files) {
    if (!isNote(path)) continue
    const own = baseName(path).toLowerCase()
    notes.set(own, [...(notes.get(own) ?? []), path])
  }
  // Names of another length are too far away, and comparing letters takes its time.
  const close = [...notes.keys()].filter((own) => Math.abs(own.length - name.length) <= 0.4 * name.length + 1)
  const names = close.length > mostCompared ? close.filter((own) => own[0] === name[0]).slice(0, mostCompared) : close
  const words = name.split(/[^\p{L}\p{N}]+/u).filter((word) => word.length > 2)
  const holding = [...notes.keys()].filter((own) => words.length > 0 && words.every((word) => own.includes(word)))
  const byLength = holding.sort((a, b) => a.length - b.length || (a < b ? -1 : 1))
  const near = new Set([...nearestNames(name, names, most), ...byLength])
  return [...near].flatMap((own) => notes.get(own) ?? []).slice(0, most)
}

const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/i, '')

const listed = (paths: readonly string[]): string =>
  paths.length === 1 ? paths[0] : `${paths.slice(0, -1).join(', ')} or ${paths.at(-1)}`
