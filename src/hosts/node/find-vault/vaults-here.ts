import type { Surroundings } from '../state/index.js'
import { realFolder, unmarkedNotes, vaultAround } from './find-vault.js'
import { obsidianVaults } from './obsidian-registry.js'

/** A folder that a person may mean by "my notes". */
export interface VaultHere {
  /** Real path. */
  root: string
  from: 'this folder' | 'Obsidian'
}

/** The folder one is in, where it holds notes, and the vaults that Obsidian knows, the last opened first. */
export async function vaultsHere(surroundings: Surroundings): Promise<VaultHere[]> {
  const here = vaultAround(surroundings) ?? unmarkedNotes(surroundings)
  const known = (await obsidianVaults(surroundings)).map(realFolder)
  const found = new Map<string, VaultHere>()
  if (here !== undefined) found.set(here, { root: here, from: 'this folder' })
  for (const root of known) if (root !== undefined && !found.has(root)) found.set(root, { root, from: 'Obsidian' })
  return [...found.values()]
}
