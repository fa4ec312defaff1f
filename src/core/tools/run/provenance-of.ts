import { Failure } from '../../errors.js'
import type { NotePath } from '../../vault/index.js'
import type { Provenance } from '../guard.js'
import type { RegisteredTool } from '../registry.js'
import type { ReadableVault, ToolContext } from '../tool-context.js'

/** Where a result comes from, and which notes are in it. */
export interface Origin {
  provenance: Provenance[]
  notes: readonly NotePath[]
}

/** Where the text of a result comes from. A note that names a web address as its source counts as taken from there. */
export async function provenanceOf(
  registered: RegisteredTool,
  output: unknown,
  { index }: Pick<ToolContext, 'index'>,
): Promise<Origin> {
  const { tool } = registered
  const notes = tool.notesIn?.(output) ?? []
  const found = new Set(outsiders(registered))
  // Names of files and tags are the person's own words too.
  if (tool.needsVault && tool.notesIn === undefined && tool.effects.includes('reads')) found.add('own-note')
  for (const origin of tool.provenanceIn?.(output) ?? []) found.add(origin)
  for (const origin of await originsOf(notes, index)) found.add(origin)
  return { provenance: [...found], notes }
}

/** Failures speak too: of headings that a note has, of where a page leads on to, in the words of someone's server. */
export async function provenanceOfFailure(
  error: unknown,
  registered: RegisteredTool,
  { read, hasRun }: { read: ReadonlySet<NotePath>; hasRun: boolean },
  { index }: Pick<ToolContext, 'index'>,
): Promise<Provenance[]> {
  if (!(error instanceof Failure) || error.code === 'timeout') return []
  const found = new Set(hasRun ? outsiders(registered) : [])
  if (error.code === 'ambiguous') found.add('own-note')
  try {
    for (const origin of await originsOf([...read], index)) found.add(origin)
  } catch {
    return [...found, 'own-note', 'clipped']
  }
  return [...found]
}

/** The vault, with what a call has read in it written down. */
export function watchedVault(vault: ReadableVault, read: Set<NotePath>): ReadableVault {
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

function outsiders({ tool, foreign }: RegisteredTool): Provenance[] {
  if (foreign !== undefined) return ['mcp']
  return tool.effects.includes('reaches-network') ? ['web'] : []
}

/** A note the index does not know is the person's own until it says otherwise. */
async function originsOf(paths: readonly NotePath[], index: ToolContext['index']): Promise<Provenance[]> {
  if (paths.length === 0) return []
  const notes = await index.notesAt(paths)
  const origins = notes.map(({ properties }): Provenance => (isClipped(properties ?? {}) ? 'clipped' : 'own-note'))
  return notes.length < new Set(paths).size ? [...origins, 'own-note'] : origins
}

const clippers = ['source', 'url', 'origin', 'clipped', 'link', 'permalink']

function isClipped(properties: Record<string, unknown>): boolean {
  return Object.entries(properties).some(([name, value]) => {
    if (!clippers.includes(name.toLowerCase())) return false
    return value === true || (Array.isArray(value) ? value : [value]).some((text) => /^\W*https?:\/\//i.test(`${text}`))
  })
}
