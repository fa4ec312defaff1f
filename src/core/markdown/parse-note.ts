import { chunkNote } from './chunk-note.js'
import { createdDate } from './created-date.js'
import { isPrivate } from './is-private.js'
import type { ParsedNote } from './parsed-note.js'
import { scanNote } from './scan-note.js'
import type { ScannedNote } from './scanned-note.js'

/** Everything the index keeps of a note. Pure: the same path and text always give the same. */
export function parseNote(path: string, text: string): ParsedNote {
  const scan = scanNote(text)
  const properties = scan.frontmatter?.data ?? null
  const opening = openingHeading(text, scan)
  // The first of several is a section like the others ("Table of contents", "To do"): the note goes by its file's name.
  const isOnly = scan.headings.filter(({ level }) => level === 1).length === 1
  const fileName = path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/i, '')
  return {
    title: writtenTitle(properties) ?? (isOnly ? opening : undefined) ?? fileName,
    opening,
    aliases: properties === null ? [] : aliasesOf(properties),
    tags: uniqueTags(scan),
    properties,
    frontmatter: scan.frontmatter,
    propertyText: properties === null ? '' : propertyText(properties),
    isPrivate: isPrivate(text, scan.frontmatter),
    createdMs: createdDate(fileName, properties),
    headings: scan.headings,
    blocks: scan.blocks,
    tasks: scan.tasks,
    links: scan.links,
    chunks: chunkNote(text, scan),
  }
}

/** Properties that have a field of their own in the index. */
const ownFields = new Set(['title', 'alias', 'aliases', 'tag', 'tags'])

function writtenTitle(properties: Record<string, unknown> | null): string | undefined {
  const written = properties?.title
  if (typeof written === 'number') return String(written)
  return typeof written === 'string' && written.trim() !== '' ? written.trim() : undefined
}

function openingHeading(text: string, scan: ScannedNote): string | undefined {
  const heading = scan.headings[0]
  if (heading?.level !== 1 || heading.text === '') return undefined
  const bodyStart = scan.frontmatter?.end ?? 0
  return /[^\s\ufeff]/.test(text.slice(bodyStart, heading.start)) ? undefined : heading.text
}

function aliasesOf(properties: Record<string, unknown>): string[] {
  const aliases = new Set<string>()
  for (const key of Object.keys(properties)) {
    if (!/^alias(?:es)?$/i.test(key)) continue
    const value = properties[key]
    const names = typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value : [value]
    for (const name of names) {
      const alias = typeof name === 'string' || typeof name === 'number' ? String(name).trim() : ''
      if (alias !== '') aliases.add(alias)
    }
  }
  return [...aliases]
}

/** Tags differ by more than case; the first spelling is kept. */
function uniqueTags({ tags }: ScannedNote): string[] {
  if (tags.length === 0) return []
  const byFolded = new Map<string, string>()
  for (const { name } of tags) {
    const folded = name.toLowerCase()
    if (!byFolded.has(folded)) byFolded.set(folded, name)
  }
  return [...byFolded.values()]
}

function propertyText(properties: Record<string, unknown>): string {
  const words: string[] = []
  const add = (value: unknown) => {
    if (typeof value === 'string' ? value !== '' : typeof value === 'number') words.push(String(value))
  }
  for (const key of Object.keys(properties)) {
    if (ownFields.has(key.toLowerCase())) continue
    const value = properties[key]
    if (Array.isArray(value)) value.forEach(add)
    else add(value)
  }
  return words.join('\n')
}
