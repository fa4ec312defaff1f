import { scalarText } from '../text/index.js'
import { type Chunk, chunkNote } from './chunk-note.js'
import { scanNote } from './scan-note.js'
import type { BlockId, Frontmatter, Heading, NoteLink, ScannedNote, Task } from './scanned-note.js'

/** Parses a note for the index. Pure: the same path and text always give the same result. */
export function parseNote(path: string, text: string): ParsedNote {
  const scan = scanNote(text)
  const properties = scan.frontmatter?.data ?? null
  const opening = openingHeading(text, scan)
  // The first of several level-1 headings is a section ("Table of contents", "To do"): then the file name is the title.
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

/** Properties with a field of their own in the index. */
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

/** Tags that differ only by case are one tag; the first spelling is kept. */
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

/** A note as the index stores it. */
export interface ParsedNote {
  /** The title: frontmatter `title`, else the only level-1 heading if it opens the body, else the file name. */
  title: string
  /** The level-1 heading that opens the body. Search treats it like a name, even if it is one section of several. */
  opening?: string | undefined
  aliases: string[]
  /** Unique tags without `#`, inline and frontmatter, as first written. */
  tags: string[]
  /** Frontmatter as plain data (JSON-safe); null when there is none or it could not be read. */
  properties: Record<string, unknown> | null
  frontmatter?: Frontmatter | undefined
  /** Text and numbers of the frontmatter, one value per line, for search (no keys, no nested objects; title, aliases, tags left out). */
  propertyText: string
  /** `private: true`, even in invalid YAML: the note must be treated as if it did not exist. */
  isPrivate: boolean
  /** Creation time from frontmatter (`created`, `date`, …) or a daily-note file name; milliseconds, local midnight for plain dates. */
  createdMs?: number | undefined
  headings: Heading[]
  blocks: BlockId[]
  tasks: Task[]
  links: NoteLink[]
  chunks: Chunk[]
}

/** Properties with the creation date, best first. Compared without case, spaces, `_` and `-`. */
const createdKeys = ['created', 'createdat', 'createdon', 'datecreated', 'creationdate', 'ctime', 'date']

/** The creation date of a note: from its frontmatter, else from the start of its file name (`2024-05-01 Standup.md`). */
function createdDate(fileName: string, properties: Record<string, unknown> | null): number | undefined {
  if (properties !== null) {
    const byKey = new Map<string, unknown>()
    for (const key of Object.keys(properties)) byKey.set(key.toLowerCase().replace(/[\s_-]/g, ''), properties[key])
    for (const key of createdKeys) {
      const value = byKey.get(key)
      const date = typeof value === 'string' ? parseDate(value.trim()) : undefined
      if (date !== undefined) return date
    }
  }
  const dated = /^\d{4}-\d{2}-\d{2}(?!\d)/.exec(fileName)
  return dated === null ? undefined : parseDate(dated[0])
}

/** Milliseconds of `YYYY-MM-DD`, with or without a time and a zone; local time without a zone. */
function parseDate(text: string): number | undefined {
  const match =
    /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T\s,]+(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*(Z|[+-]\d{2}:?\d{2})?)?$/i.exec(
      text.replace(/^\[\[(.*)\]\]$/, '$1'),
    )
  if (match === null) return undefined
  const numbers = match.slice(1, 7).map((part) => Number(part ?? 0))
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = numbers
  const millisecond = Math.floor(Number(`0.${match[7] ?? 0}`) * 1000)
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month) || hour > 24 || minute > 59 || second > 60) {
    return undefined
  }
  const zone = match[8]
  if (zone === undefined) return new Date(year, month - 1, day, hour, minute, second, millisecond).getTime()
  return Date.UTC(year, month - 1, day, hour, minute, second, millisecond) - zoneOffset(zone)
}

function zoneOffset(zone: string): number {
  if (zone.toUpperCase() === 'Z') return 0
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2))
  return (zone.startsWith('-') ? -minutes : minutes) * 60_000
}

function daysIn(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate()
}

/**
 * True if the frontmatter has a property `private` that does not clearly say no: `on`, `1` and `yes please` count as
 * yes, and so does a value that cannot be read.
 */
function isPrivate(text: string, frontmatter: Frontmatter | undefined): boolean {
  if (frontmatter === undefined) return false
  const { data, yaml } = frontmatter
  if (data === undefined) return mayBePrivate(text.slice(yaml.start, yaml.end))
  return Object.keys(data).some((key) => isPrivateKey(key) && !saysNo(data[key]))
}

/** The same check for invalid YAML: any line, or part of one, that looks like the property. */
function mayBePrivate(yaml: string): boolean {
  const unescaped = yaml.replace(escapes, (_, ...codes: string[]) => {
    const code = Number.parseInt(codes.slice(0, 3).find(Boolean) ?? '', 16)
    return code <= 0x10ffff ? String.fromCodePoint(code) : ' '
  })
  for (const [, quoted = '', value = ''] of unescaped.matchAll(property)) {
    if (
      isPrivateKey(quoted) &&
      !saysNo(
        value
          .replace(/\s#.*$/, '')
          .trim()
          .replace(/^["']|["'],?$|[,}\]]+$/g, ''),
      )
    )
      return true
  }
  return false
}

const escapes = /\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|U([0-9a-f]{8}))/gi
const property = /(?:^|[{,?])([^\n\r:{,?]*private[^\n\r:{,]*)(?:\r?\n\s*)?:(.*)$/gim

function isPrivateKey(key: string): boolean {
  const bare = key.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}|["']/gu, '')
  return bare.trim().toLowerCase() === 'private'
}

const no = /^(?:false|no|n|off|0+(?:\.0*)?|null|~)?$/i

function saysNo(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(saysNo)
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0
  return no.test(scalarText(value).trim())
}
