import { type App, Platform } from 'obsidian'
import { pluginPlace, type TurnFolder, withTurn } from '../../../core/vault/index.js'

/** Runs `work` in turn with the command line, which there is on a desktop alone. */
export async function inTurnWithPrograms<T>({ vault }: App, work: () => Promise<T>, onWait?: () => void): Promise<T> {
  const base = `${vault.configDir}/${pluginPlace}`
  if (!Platform.isDesktopApp || !(await vault.adapter.exists(base))) return work()
  return withTurn(turnFolder(vault.adapter, base), work, onWait)
}

function turnFolder(adapter: App['vault']['adapter'], base: string): TurnFolder {
  const at = (path: string) => (path === '' ? base : `${base}/${path}`)
  return {
    async names(path) {
      if (!(await adapter.exists(at(path)))) return undefined
      try {
        const { files, folders } = await adapter.list(at(path))
        return [...files, ...folders].map((found) => found.slice(found.lastIndexOf('/') + 1))
      } catch {
        // Gone since.
        return undefined
      }
    },
    async make(folder, file) {
      await adapter.mkdir(at(folder))
      await adapter.write(at(`${folder}/${file}`), '')
    },
    rename: (path, to) => adapter.rename(at(path), at(to)),
    remove: (file) => adapter.remove(at(file)),
    removeFolder: (path) => adapter.rmdir(at(path), false),
  }
}
