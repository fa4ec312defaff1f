import { foldPath, isNote, type NotePath, type StagedStep } from '../../../core/vault/index.js'
import { joinPath, type VaultFolders } from './vault-folders.js'

/** Obsidian's folder for deleted notes inside the vault. */
const trashFolder = '.trash'

/** A free name in the vault's own trash for each note that goes there. */
export async function trashPaths(folders: VaultFolders, steps: StagedStep[]): Promise<Map<NotePath, NotePath>> {
  const paths = new Map<NotePath, NotePath>()
  const trashed = steps.filter((step) => step.kind === 'trash')
  if (trashed.length === 0) return paths
  const there = (await folders.within(trashFolder, ({ open }) => folders.files.listFolder(open))) ?? []
  const nextName = freeNames(there.map(({ name }) => name))
  for (const { path } of trashed) paths.set(path, joinPath(trashFolder, nextName(path)))
  return paths
}

/** Answers, for one path after the other, a name that none before it and nothing in the folder has. */
export function freeNames(there: readonly string[]): (path: string) => string {
  const taken = new Set(there.map(foldPath))
  return (path) => {
    const name = path.slice(path.lastIndexOf('/') + 1)
    const cut = isNote(name) ? name.length - 3 : name.length
    let free = name
    for (let count = 2; taken.has(foldPath(free)); count++) free = `${name.slice(0, cut)} ${count}${name.slice(cut)}`
    taken.add(foldPath(free))
    return free
  }
}
