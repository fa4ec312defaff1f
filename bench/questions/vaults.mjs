import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { hasData } from '../data.mjs'
import { unpackVault } from '../vaults/unpack.mjs'

/** The judged vaults: two lie packed in the data folder, the others have to be fetched from where they are published. */
export const questionVaults = [
  { name: 'tasks-docs' },
  { name: 'blue-book' },
  { name: 'hub', source: 'github.com/obsidian-community/obsidian-hub' },
  { name: 'help', source: 'github.com/obsidianmd/obsidian-help, its folder en' },
  { name: 'kg', source: 'github.com/oldwinter/knowledge-garden' },
  { name: 'yz', source: 'github.com/digitalyoshixi/zettelkasten' },
]

/** The folder of a vault; undefined if it is not on this machine. Fetched vaults are folders of `fetched`. */
export function vaultFolder({ name, source }, fetched) {
  if (source === undefined) return hasData('vaults', `${name}.tar.gz`) ? unpackVault(name) : undefined
  if (fetched === undefined) return undefined
  const folder = join(fetched, name)
  if (!existsSync(folder)) return undefined
  // The help vault is kept once for each language.
  return name === 'help' && existsSync(join(folder, 'en')) ? join(folder, 'en') : folder
}
