import type { ToolResult, ToolSetup } from '../../tools/index.js'
import type { FileReference } from './file-part.js'

/** What the model is to see of the results besides their text. */
export function shownFiles(results: readonly ToolResult[], { registry }: Pick<ToolSetup, 'registry'>): FileReference[] {
  return results.flatMap((result) => {
    // Of a call that an earlier process made, only that it was done may be known.
    if (!result.ok || result.output === null) return []
    const files = registry.find(result.name)?.tool.filesIn?.(result.output) ?? []
    return files.map(({ path, ...facts }): FileReference => ({ ...facts, from: 'vault', name: path }))
  })
}
