import { type Exclusions, type FileStamp, type NotePath, notePath } from '../../../core/vault/index.js'
import { breather } from './breathe.js'
import { joinPath, type VaultFolders } from './vault-folders.js'

/** Every regular file that the path rules and exclusions leave, sorted by path. Links are not followed. */
export async function listFiles(folders: VaultFolders, rules: Exclusions, signal?: AbortSignal): Promise<FileStamp[]> {
  const { files } = folders
  const stamps: FileStamp[] = []
  const breathe = breather()
  const waiting: string[] = ['']
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    signal?.throwIfAborted()
    await folders.within(path, async (folder) => {
      // Replaced by a link since it was listed: what it leads to is listed where it is.
      if (folder.path !== path) return
      for (const { name, kind } of await files.listFolder(folder.open)) {
        if (kind !== 'file' && kind !== 'folder') continue
        const itemPath = joinPath(path, name)
        if (!isAllowed(itemPath) || rules.hides(itemPath, kind)) continue
        if (kind === 'folder') waiting.push(itemPath)
        else {
          const found = files.stat(folder.open.at(name))
          const stat = found instanceof Promise ? await found : found
          if (stat?.kind !== 'file') continue
          stamps.push({ path: itemPath, size: stat.size, mtimeMs: stat.mtimeMs, ctimeMs: stat.ctimeMs })
        }
        const pause = breathe()
        if (pause !== false && (await pause)) signal?.throwIfAborted()
      }
    })
  }
  return stamps.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
}

function isAllowed(path: NotePath): boolean {
  try {
    notePath(path)
    return true
  } catch {
    return false
  }
}
