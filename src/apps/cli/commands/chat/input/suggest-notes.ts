import { isNote, type NotePath } from '../../../../../core/vault/index.js'
import type { Buffer } from './edit-buffer.js'
import type { Suggestions } from './read-prompt.js'

const mostSuggestions = 20

/** Notes for what stands behind an `@` before the cursor: those that begin like it first, then those that contain it. */
export function suggestNotes({ text, cursor }: Buffer, paths: readonly NotePath[]): Suggestions | undefined {
  const before = text.slice(0, cursor)
  const found = /(?:^|[\s(])@(?:\[\[)?([^@[\]\n]*)$/.exec(before)
  if (found === null) return undefined
  const wanted = found[1].toLowerCase()
  const start = cursor - found[1].length - (before.endsWith(`[[${found[1]}`) ? 2 : 0)
  const notes = paths.filter(isNote).map((path) => ({ path, name: shortName(path) }))
  const times = new Map<string, number>()
  for (const { name } of notes) times.set(name.toLowerCase(), (times.get(name.toLowerCase()) ?? 0) + 1)
  const ranked = notes
    .map(({ path, name }) => ({ label: times.get(name.toLowerCase()) === 1 ? name : withoutEnding(path), path, name }))
    .map((note) => ({ ...note, rank: rank(note.name.toLowerCase(), note.path.toLowerCase(), wanted) }))
    .filter(({ rank: place }) => place !== undefined)
    .sort((a, b) => a.rank! - b.rank! || a.label.length - b.label.length || (a.label < b.label ? -1 : 1))
    .slice(0, mostSuggestions)
  return {
    names: ranked.map(({ label }) => label),
    take(at) {
      const link = `[[${ranked[at].label}]] `
      return { text: text.slice(0, start) + link + text.slice(cursor), cursor: start + link.length }
    },
  }
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
