import { basename, join } from 'node:path'
import { hashBytes } from '../../../core/vault/index.js'
import type { StateFolders } from './state-folders.js'

export interface VaultFolders {
  id: string
  index: string
  journal: string
}

/** Where the index and the journal of one vault live. `root` is its real path, so that two spellings share them. */
export function vaultFolders(folders: StateFolders, root: string): VaultFolders {
  const id = vaultId(root)
  return { id, index: join(folders.cache, 'vaults', id), journal: join(folders.state, 'vaults', id) }
}

/** A name a person recognises and a hash that tells vaults of the same name apart: `garden-3f9a0c51d2e4b687`. */
export function vaultId(root: string): string {
  const readable = basename(root)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 32)
    .replace(/^-+|-+$/g, '')
  // Not Node's own, which takes longer to load than all the rest of opening a vault.
  const hash = hashBytes(new TextEncoder().encode(root)).slice(0, 16)
  return `${readable || 'vault'}-${hash}`
}
