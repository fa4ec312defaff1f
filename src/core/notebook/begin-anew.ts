import { discardState, IndexCorrupt } from '../vault-index/index.js'
import type { OpenParts } from './open-parts.js'

/** The index is a cache: where work finds it damaged it is thrown away, and the work begun again on an empty one. */
export async function beginAnew<T>(parts: OpenParts, work: (isNew: boolean) => Promise<T>): Promise<T> {
  try {
    return await work(false)
  } catch (error) {
    if (!(error instanceof IndexCorrupt)) throw error
    await discardIndex(parts, error.message)
    return work(true)
  }
}

export async function discardIndex(parts: OpenParts, why: string): Promise<void> {
  parts.rebuiltBecause = why
  parts.unseen = undefined
  await discardState(parts.store, why)
}
