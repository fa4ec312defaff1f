import { foldPath, type NotePath } from '../vault/index.js'
import type { NoteFilter, StoredNote } from './index-store.js'

// `!`: each tag has at least one spelling.

/** The fields of a note that filters use, small enough to scan all notes. */
export interface NoteFacts {
  id: number
  path: NotePath
  mtimeMs: number
  createdMs: number
  /** As first written. */
  tags: string[]
  /** Folded property name to the folded texts of its value or of its list's members. */
  properties: Record<string, string[]>
}

export function noteFacts(note: StoredNote): NoteFacts {
  const { id, path, mtimeMs, createdMs, tags } = note
  const properties = Object.create(null) as Record<string, string[]>
  for (const [name, value] of Object.entries(note.properties ?? {})) {
    const texts = (Array.isArray(value) ? value : [value]).filter(isPlain).map((member) => foldText(`${member ?? ''}`))
    if (texts.length > 0) properties[foldText(name)] = texts
  }
  return { id, path, mtimeMs, createdMs, tags, properties }
}

/** The shared implementation of `NoteFilter`, so that every store gives the same result. */
export function passesFilter(filter: NoteFilter): (facts: NoteFacts) => boolean {
  const tags = (filter.tags ?? []).map(foldTag)
  const notTags = (filter.notTags ?? []).map(foldTag)
  const paths = (filter.paths ?? []).map(foldPath)
  const notPaths = (filter.notPaths ?? []).map(foldPath)
  const folder = filter.folder ? `${foldPath(filter.folder).replace(/\/+$/, '')}/` : ''
  const properties = Object.entries(filter.properties ?? {}).map(
    ([name, text]) => [foldText(name), foldText(text)] as const,
  )
  const after = filter.afterMs ?? Number.NEGATIVE_INFINITY
  const before = filter.beforeMs ?? Number.POSITIVE_INFINITY
  const inTime = (ms: number) => ms >= after && ms < before
  const field = filter.dateField ?? 'modified'

  return (facts) =>
    ((field !== 'created' && inTime(facts.mtimeMs)) || (field !== 'modified' && inTime(facts.createdMs))) &&
    filter.among?.has(facts.path) !== false &&
    (folder === '' || foldPath(facts.path).startsWith(folder)) &&
    paths.every((part) => foldPath(facts.path).includes(part)) &&
    !notPaths.some((part) => foldPath(facts.path).includes(part)) &&
    properties.every(
      ([name, text]) => Object.hasOwn(facts.properties, name) && facts.properties[name]?.includes(text),
    ) &&
    hasTags(facts.tags, tags) &&
    !notTags.some((tag) => hasTags(facts.tags, [tag]))
}

/** Each tag with its number of notes, ignoring case; most used first, then by name. */
export function countTags(all: Iterable<NoteFacts>): { tag: string; notes: number }[] {
  const byFold = new Map<string, Map<string, number>>()
  for (const { tags } of all) {
    const seen = new Set<string>()
    for (const tag of tags) {
      const folded = foldTag(tag)
      if (seen.has(folded)) continue
      seen.add(folded)
      const spellings = byFold.get(folded) ?? new Map<string, number>()
      byFold.set(folded, spellings.set(tag, (spellings.get(tag) ?? 0) + 1))
    }
  }
  const counted = [...byFold.values()].map((spellings) => {
    const byUse = [...spellings].sort((a, b) => b[1] - a[1] || compareText(a[0], b[0]))
    return { tag: byUse[0]![0], notes: byUse.reduce((sum, [, notes]) => sum + notes, 0) }
  })
  return counted.sort((a, b) => b.notes - a.notes || compareText(a.tag, b.tag))
}

export const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

function hasTags(tags: readonly string[], wanted: readonly string[]): boolean {
  if (wanted.length === 0) return true
  if (tags.length === 0) return false
  const folded = tags.map(foldTag)
  return wanted.every((want) => folded.some((tag) => tag === want || tag.startsWith(`${want}/`)))
}

const foldText = (text: string): string =>
  isAscii.test(text) ? text.toLowerCase() : text.normalize('NFC').toLowerCase()

const isAscii = /^\p{ASCII}*$/u

function foldTag(tag: string): string {
  const folded = foldText(tag)
  return folded.startsWith('#') || folded.endsWith('/') ? folded.replace(/^#|\/+$/g, '') : folded
}

const isPlain = (value: unknown): boolean => typeof value !== 'object' || value === null
