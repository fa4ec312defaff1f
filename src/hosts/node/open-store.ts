import { join } from 'node:path'
import { type IndexStore, memoryStore } from '../../core/vault-index/index.js'
import { sqliteStore } from './sqlite-store/index.js'
import { privateFolder, whyUnwritable } from './state/index.js'

export interface OpenedStore {
  store: IndexStore & { readonly rebuiltBecause?: string; bytes(): Promise<number> }
  indexFile: string
  /** Why the index is kept in memory alone, and gone when the process ends. */
  unkeptBecause?: string
}

/** The index of a vault in its folder; where nothing can be written, one in memory: searching must not end with that. */
export async function openStore(folder: string, readsAhead: boolean): Promise<OpenedStore> {
  const indexFile = join(folder, 'index.db')
  try {
    await privateFolder(folder)
    return { store: await sqliteStore({ file: indexFile, readsAhead }), indexFile }
  } catch (error) {
    const unkeptBecause = whyUnwritable(error)
    if (unkeptBecause === undefined) throw error
    return { store: { ...memoryStore(), bytes: async () => 0 }, indexFile, unkeptBecause }
  }
}
