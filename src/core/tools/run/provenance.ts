import { Failure } from '../../errors.js'
import { findFrontmatter, readFrontmatter } from '../../markdown/index.js'
import { decodeNote, isNote, type NotePath } from '../../vault/index.js'
import type { RegisteredTool } from '../registry.js'
import type { Provenance } from '../tool.js'
import type { ReadableVault, ToolContext } from '../tool-context.js'

/** The provenance of a result, and the notes in it. */
export interface Origin {
  provenance: Provenance[]
  notes: readonly NotePath[]
}

/** The provenance of a result. A note with a web address as its source counts as clipped. */
export async function provenanceOfOutput(
  registered: RegisteredTool,
  output: unknown,
  context: Pick<ToolContext, 'index' | 'vault'>,
): Promise<Origin> {
  const { tool } = registered
  const notes = tool.notesIn?.(output) ?? []
  const found = new Set(toolProvenance(registered))
  // Names of files and tags are the user's own words too.
  if (tool.needsVault && tool.notesIn === undefined && tool.effects.includes('reads')) found.add('own-note')
  for (const origin of tool.provenanceIn?.(output) ?? []) found.add(origin)
  for (const origin of await noteProvenance(notes, context)) found.add(origin)
  return { provenance: [...found], notes }
}

/** Failures have provenance too: they may contain headings of a note, targets of a page, or text of a server. */
export async function provenanceOfFailure(
  error: unknown,
  registered: RegisteredTool,
  { readNotes, hasRun }: { readNotes: ReadonlySet<NotePath>; hasRun: boolean },
  context: Pick<ToolContext, 'index' | 'vault'>,
): Promise<Provenance[]> {
  if (!(error instanceof Failure) || error.code === 'timeout') return []
  const found = new Set(hasRun ? toolProvenance(registered) : [])
  if (error.code === 'ambiguous') found.add('own-note')
  try {
    for (const origin of await noteProvenance([...readNotes], context)) found.add(origin)
  } catch {
    return [...found, 'own-note', 'clipped']
  }
  return [...found]
}

/** A vault that records the notes a call reads. */
export function recordReads(vault: ReadableVault, read: Set<NotePath>): ReadableVault {
  return {
    files: (signal) => vault.files(signal),
    stat: (path) => vault.stat(path),
    isClosed: (path) => vault.isClosed(path),
    async read(path) {
      const file = await vault.read(path)
      if (file !== undefined) read.add(file.path)
      return file
    },
    async readPart(path, part) {
      const found = await vault.readPart(path, part)
      if (found !== undefined && found.bytes.length > 0) read.add(found.path)
      return found
    },
  }
}

function toolProvenance({ tool, foreign }: RegisteredTool): Provenance[] {
  if (foreign !== undefined) return ['mcp']
  return tool.effects.includes('reaches-network') ? ['web'] : []
}

/** The properties of this many notes are read from their files: a note can be read before it is indexed. */
const fewNotes = 8
const frontmatterBytes = 1 << 14

/** A note that does not exist, or is not indexed, is the user's own until it says otherwise. */
async function noteProvenance(
  paths: readonly NotePath[],
  { index, vault }: Pick<ToolContext, 'index' | 'vault'>,
): Promise<Provenance[]> {
  const notes = [...new Set(paths)]
  if (notes.length === 0) return []
  const known =
    notes.length > fewNotes
      ? (await index.notesAt(notes)).map(({ properties }) => properties)
      : await Promise.all(notes.map((path) => propertiesInFile(path, vault)))
  const origins = known.map((properties): Provenance => (isClipped(properties ?? {}) ? 'clipped' : 'own-note'))
  return known.length < notes.length ? [...origins, 'own-note'] : origins
}

async function propertiesInFile(path: NotePath, vault: ReadableVault): Promise<Record<string, unknown> | undefined> {
  const start = isNote(path) ? await vault.readPart(path, { from: 0, bytes: frontmatterBytes }) : undefined
  if (start === undefined) return undefined
  const { text } = decodeNote(start.bytes)
  // Frontmatter that continues after these bytes may contain a source.
  const isCut = start.bytes.length === frontmatterBytes && findFrontmatter(text) === undefined && /^---\s/.test(text)
  return isCut ? { clipped: true } : readFrontmatter(text)?.data
}

const sourceProperties = ['source', 'url', 'origin', 'clipped', 'link', 'permalink']

function isClipped(properties: Record<string, unknown>): boolean {
  return Object.entries(properties).some(([name, value]) => {
    if (!sourceProperties.includes(name.toLowerCase())) return false
    return value === true || (Array.isArray(value) ? value : [value]).some((text) => /^\W*https?:\/\//i.test(`${text}`))
  })
}
