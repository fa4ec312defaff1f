import { foldPath, isNote, type NotePath, type StagedStep } from '../../../core/vault/index.js'
import { joinPath, type VaultFolders } from './vault-folders.js'

/** Obsidian's folder for deleted notes inside the vault. */
const trashFolder = '.trash'

/**
 * Where each trashed note goes: a free name in the vault's own trash, whatever Obsidian is set to. The system's trash
 * may be on another disk, and "delete permanently" is what we never do.
 */
export async function trashPaths(folders: VaultFolders, steps: StagedStep[]): Promise<Map<NotePath, NotePath>> {
  const paths = new Map<NotePath, NotePath>()
  const trashed = steps.filter((step) => step.kind === 'trash')
  if (trashed.length === 0) return paths
  const there = (await folders.within(trashFolder, ({ open }) => folders.files.listFolder(open))) ?? []
  const taken = new Set(there.map(({ name }) => foldPath(name)))
  for (const { path } of trashed) {
    const name = freeName(path.slice(path.lastIndexOf('/') + 1), taken)
    taken.add(foldPath(name))
    paths.set(path, joinPath(trashFolder, name))
  }
  return paths
}

function freeName(name: string, taken: Set<string>): string {
  const cut = isNote(name) ? name.length - 3 : name.length
  let free = name
  for (let count = 2; taken.has(foldPath(free)); count++) free = `${name.slice(0, cut)} ${count}${name.slice(cut)}`
  return free
}
