import { pluginPlace, type TurnFolder, withTurn } from '../../../core/vault/index.js'
import { type FileAccess, writeNew } from '../files/index.js'
import { insidePath } from './vault-folders.js'

/** Runs `work` in turn with the plugin where the vault has it. A plugin's folder that is a link out of the vault is left alone. */
export async function inTurnWithPlugin<T>(files: FileAccess, root: string, work: () => Promise<T>): Promise<T> {
  const folder = await files.realPath(`${root}/.obsidian/${pluginPlace}`)
  if (folder === undefined || insidePath(root, folder) === undefined) return work()
  return withTurn(turnFolder(files, folder), work)
}

function turnFolder(files: FileAccess, base: string): TurnFolder {
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
