import { type Exclusions, type FileStamp, isAllowedIn, type Look } from '../../../core/vault/index.js'
import { breather } from './breathe.js'
import { joinPath, type VaultFolders } from './vault-folders.js'

/** Shows every regular file that the path rules and exclusions leave, folder by folder. Links are not followed. */
export async function eachFile(
  folders: VaultFolders,
  rules: Exclusions,
  see: (file: FileStamp) => void,
  { signal, isGlance = false }: Look = {},
): Promise<void> {
  const breathe = breather()
  const waiting: string[] = ['']
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    signal?.throwIfAborted()
    const above = path
    await folders.within(above, (folder) => {
      // Replaced by a link since it was listed: what it leads to is listed where it is.
      if (folder.path !== above) return
      return folders.files.statFolder(folder.open, isGlance, ({ name, kind, size, mtimeMs, ctimeMs }) => {
        if (kind !== 'file' && kind !== 'folder') return
        if (!isAllowedIn(above, name)) return
        const itemPath = joinPath(above, name)
        if (rules.hides(itemPath, kind)) return
        if (kind === 'folder') waiting.push(itemPath)
        else see({ path: itemPath, size, mtimeMs, ctimeMs })
      })
    })
    const pause = breathe()
    if (pause !== false) await pause
  }
}
