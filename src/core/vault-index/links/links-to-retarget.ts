import type { NotePath } from '../../vault/index.js'
import type { IndexBatch, IndexStore } from '../index-store.js'
import type { FileNames } from './file-names.js'
import { fileKey } from './link-key.js'
import { formOf, resolveLink } from './resolve-link.js'

type Retarget = NonNullable<IndexBatch['retarget']>

/** The stored links that lead elsewhere now that these files have come or gone; `names` are the names of today. */
export async function linksToRetarget(
  store: Pick<IndexStore, 'linksByKey'>,
  names: FileNames,
  changed: readonly NotePath[],
): Promise<Retarget> {
  const keys = [...new Set(changed.map(fileKey))].filter((key) => key !== '')
  if (keys.length === 0) return []
  const rows = new Map<string, Retarget[number]>()
  for (const { source, raw, line, written, kind, target } of await store.linksByKey(keys)) {
    // A source that is gone takes its links with it.
    if (kind === 'external' || !names.has(source)) continue
    const now = resolveLink(names, source, written, formOf(raw))
    if (now !== target) rows.set(`${source}\n${line}\n${raw}`, { source, raw, line, target: now })
  }
  return [...rows.values()]
}
