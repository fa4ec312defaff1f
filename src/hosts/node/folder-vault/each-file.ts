import {
  type Exclusions,
  type FileStamp,
  fileHashes,
  folderHashes,
  folderOf,
  isAllowedIn,
  type ListingSum,
  type NotePath,
  summing,
} from '../../../core/vault/index.js'
import type { FolderItem } from '../files/index.js'
import { joinPath, type VaultFolder, type VaultFolders } from './vault-folders.js'
import { yieldToHost } from './yield-to-host.js'

/** Shows every regular file that the path rules and exclusions leave, folder by folder. Links are not followed. */
export async function eachFile(
  folders: VaultFolders,
  rules: Exclusions,
  see: (file: FileStamp) => void,
  signal?: AbortSignal,
): Promise<void> {
  await walk(folders, rules, async ({ path, open }, onItem) => {
    signal?.throwIfAborted()
    await folders.files.statFolder(open, (item) => {
      if (!onItem(item)) return
      const { name, size, mtimeMs, ctimeMs } = item
      // A text of one piece: V8 keeps what is put together with + in its parts, which takes twice the memory.
      const whole = (path === '' ? name : [path, name].join('/')) as NotePath
      see({ path: whole, size, mtimeMs, ctimeMs })
    })
  })
}

/**
 * The sum of the same files' stamps. Nothing of them is shown or kept, so they may be read by the folder's name, which
 * takes a third less time than through its handle: were a link swapped in, the sum would only be another one.
 */
export async function sumFiles(folders: VaultFolders, rules: Exclusions): Promise<ListingSum> {
  const { add, sum } = summing()
  await walk(folders, rules, ({ path, open }, onItem) => {
    const lanes = folderHashes(path)
    const named = { ...open, at: (name: string) => `${open.realPath}/${name}` }
    return folders.files.statFolder(named, (item) => {
      if (onItem(item)) add(fileHashes(lanes, item.name, item))
    })
  })
  return sum()
}

/** The files that only the exclusions keep from sight. Nothing is looked at where there are none. */
export async function excludedFiles(
  folders: VaultFolders,
  rules: Exclusions,
  signal?: AbortSignal,
): Promise<NotePath[]> {
  if (rules.isEmpty) return []
  const found: NotePath[] = []
  const hidden = new Set<string>()
  const all: Exclusions = {
    isEmpty: true,
    hides(path, kind) {
      const isHidden = hidden.has(folderOf(path)) || rules.hides(path, kind)
      if (isHidden) kind === 'folder' ? hidden.add(path) : found.push(path as NotePath)
      return false
    },
  }
  await walk(folders, all, async ({ open }, onItem) => {
    signal?.throwIfAborted()
    for (const item of await folders.files.listFolder(open)) onItem(item)
  })
  return found
}

/** `look` is given each folder, and shows its items one by one to a function that answers whether it is a file to see. */
async function walk(
  folders: VaultFolders,
  rules: Exclusions,
  look: (folder: VaultFolder, onItem: (item: FolderItem) => boolean) => Promise<void> | void,
): Promise<void> {
  const pause = yieldToHost()
  const waiting: string[] = ['']
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const above = path
    const onItem = ({ name, kind }: FolderItem): boolean => {
      if (kind !== 'file' && kind !== 'folder') return false
      if (!isAllowedIn(above, name)) return false
      const itemPath = joinPath(above, name)
      if (rules.hides(itemPath, kind)) return false
      if (kind === 'folder') waiting.push(itemPath)
      return kind === 'file'
    }
    await folders.within(above, (folder) => {
      // Replaced by a link since it was listed: what it leads to is listed where it is.
      if (folder.path === above) return look(folder, onItem)
    })
    const turn = pause()
    if (turn !== false) await turn
  }
}
