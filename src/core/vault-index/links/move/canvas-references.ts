import { scanNote } from '../../../markdown/index.js'
import type { NotePath } from '../../../vault/index.js'
import type { FileNames } from '../file-names.js'
import { resolveLink } from '../resolve-link.js'

/** How often a canvas refers to one of these files: in file cards, group backgrounds, and links in text cards. */
export function canvasReferences(
  names: FileNames,
  canvas: { path: NotePath; text: string },
  files: Pick<ReadonlyMap<NotePath, unknown>, 'has'>,
): number {
  let count = 0
  for (const node of nodesOf(canvas.text)) {
    for (const file of [node.file, node.background]) {
      const path = typeof file === 'string' ? names.exact(file) : undefined
      if (path !== undefined && files.has(path)) count++
    }
    if (typeof node.text !== 'string') continue
    for (const link of scanNote(node.text).links) {
      if (link.kind === 'external' || link.target === '') continue
      const target = resolveLink(names, canvas.path, link.target)
      if (target !== null && files.has(target)) count++
    }
  }
  return count
}

/** A canvas that is not JSON refers to nothing. */
function nodesOf(text: string): Record<string, unknown>[] {
  try {
    const nodes: unknown = (JSON.parse(text.replace(/^\uFEFF/, '')) as { nodes?: unknown } | null)?.nodes
    return Array.isArray(nodes) ? nodes.filter((node) => typeof node === 'object' && node !== null) : []
  } catch {
    return []
  }
}
