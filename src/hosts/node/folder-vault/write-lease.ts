import { type LeaseFolder, pluginFolder, withWriteLease } from '../../../core/vault/index.js'
import { type FileAccess, writeNew } from '../files/file-access.js'
import { insidePath } from './vault-folders.js'

/** Runs one piece of work after the other while no plugin of this vault writes. */
export type UnderLease = <T>(work: () => Promise<T>) => Promise<T>

/**
 * Turns with the plugin where the vault has it. Obsidian's settings are in `.obsidian`, or in another folder with a dot, or
 * in several for several devices; the others are looked up once. A plugin's folder that is a link out of the
 * vault is left alone.
 */
export function pluginWriteLease(files: FileAccess, root: string): UnderLease {
  let others: readonly string[] | undefined
  return async (work) => {
    others ??= await otherDotFolders(files, root)
    const places = new Set<string>()
    for (const folder of [usualFolder, ...(others ?? [])]) {
      const place = await files.realPath(`${root}/${folder}/${pluginFolder}`)
      if (place !== undefined && insidePath(root, place) !== undefined) places.add(place)
    }
    // Everybody takes several in the same order, so that no two wait for each other.
    let inTurn = work
    for (const place of [...places].sort().reverse()) {
      const next = inTurn
      inTurn = () => withWriteLease(leaseFolder(files, place), next)
    }
    return inTurn()
  }
}

const usualFolder = '.obsidian'

/** undefined if it is unknown now. */
async function otherDotFolders(files: FileAccess, root: string): Promise<string[] | undefined> {
  try {
    const open = await files.openFolder(root)
    if (open === undefined) return undefined
    const items = await Promise.resolve(files.listFolder(open)).finally(() => files.closeFolder(open))
    const isOther = (name: string) => name.startsWith('.') && name !== usualFolder
    return items.flatMap(({ name, kind }) => (isOther(name) && kind !== 'file' ? [name] : []))
  } catch {
    return undefined
  }
}

function leaseFolder(files: FileAccess, base: string): LeaseFolder {
  const at = (path: string) => (path === '' ? base : `${base}/${path}`)
  return {
    async names(path) {
      const open = await files.openFolder(at(path))
      if (open === undefined) return undefined
      try {
        return (await files.listFolder(open)).map(({ name }) => name)
      } finally {
        await files.closeFolder(open)
      }
    },
    async make(folder, file) {
      await files.makeFolder(at(folder))
      await writeNew(files, at(`${folder}/${file}`), new Uint8Array())
    },
    rename: async (path, to) => files.rename(at(path), at(to)),
    remove: async (file) => files.remove(at(file)),
    removeFolder: async (path) => files.removeFolder(at(path)),
  }
}
