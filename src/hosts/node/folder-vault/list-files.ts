import { type Exclusions, type FileStamp, isAllowedIn } from '../../../core/vault/index.js'
import { breather } from './breathe.js'
import { joinPath, type VaultFolders } from './vault-folders.js'

/** Every regular file that the path rules and exclusions leave, sorted by path. Links are not followed. */
export async function listFiles(folders: VaultFolders, rules: Exclusions, signal?: AbortSignal): Promise<FileStamp[]> {
  const stamps: FileStamp[] = []
  const breathe = breather()
  const waiting: string[] = ['']
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    signal?.throwIfAborted()
    await folders.within(path, async (folder) => {
      // Replaced by a link since it was listed: what it leads to is listed where it is.
      if (folder.path !== path) return
      for (const { name, kind, size, mtimeMs, ctimeMs } of await folders.files.statFolder(folder.open)) {
        if (kind !== 'file' && kind !== 'folder') continue
        if (!isAllowedIn(path, name)) continue
        const itemPath = joinPath(path, name)
        if (rules.hides(itemPath, kind)) continue
        if (kind === 'folder') waiting.push(itemPath)
        else stamps.push({ path: itemPath, size, mtimeMs, ctimeMs })
      }
    })
    const pause = breathe()
    if (pause !== false) await pause
  }
  return stamps.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
}
