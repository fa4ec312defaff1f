import { looksSent } from '../../files/index.js'
import type { ToolResult, ToolSetup } from '../../tools/index.js'
import type { NotePath } from '../../vault/index.js'

/** The pictures and PDFs that notes show which were just read, in their order, as far as the model may know of them. */
export async function embedsIn(
  results: readonly ToolResult[],
  { guard, context, registry }: Pick<ToolSetup, 'guard' | 'context' | 'registry'>,
): Promise<NotePath[]> {
  const { index } = guard.screen(context)
  const found = new Set<NotePath>()
  for (const result of results) {
    if (!result.ok || result.output === null || result.name !== 'read_note') continue
    for (const path of registry.find(result.name)?.tool.notesIn?.(result.output) ?? []) {
      for (const { kind, target } of await index.linksFrom(path)) {
        if (kind === 'embed' && target !== null && looksSent(target)) found.add(target)
      }
    }
  }
  return [...found]
}
