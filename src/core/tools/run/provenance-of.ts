import type { Provenance } from '../guard.js'
import type { RegisteredTool } from '../registry.js'
import type { ToolContext } from '../tool-context.js'

/** Where the text of a result comes from. A note that names a web address as its source counts as taken from there. */
export async function provenanceOf(
  { tool, source }: RegisteredTool,
  output: unknown,
  { index }: ToolContext,
): Promise<Provenance[]> {
  const found = new Set<Provenance>()
  if (source.startsWith('mcp:')) found.add('mcp')
  else if (tool.effects.includes('reaches-network')) found.add('web')
  for (const path of tool.notesIn?.(output) ?? []) {
    const note = await index.note(path)
    found.add(isClipped(note?.properties ?? {}) ? 'clipped' : 'own-note')
  }
  return [...found]
}

const clippers = ['source', 'url', 'origin', 'clipped', 'link', 'permalink']

function isClipped(properties: Record<string, unknown>): boolean {
  return Object.entries(properties).some(([name, value]) => {
    if (!clippers.includes(name.toLowerCase())) return false
    return value === true || (Array.isArray(value) ? value : [value]).some((text) => /^\W*https?:\/\//i.test(`${text}`))
  })
}
