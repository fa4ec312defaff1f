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
import type { StampedItem } from '../files/index.js'
import { readFailure, whyBarred } from './read-failure.js'
import { joinPath, type VaultFolder, type VaultFolders } from './vault-folders.js'
import { whyNotFollowed } from './why-not-followed.js'
import { yieldToHost } from './yield-to-host.js'

/**
 * Shows every regular file that the path rules and exclusions leave, folder by folder, and as `barred` what could not be
 * looked at. Links are not followed.
 */
export async function eachFile(
  folders: VaultFolders,
  rules: Exclusions,
  see: (file: FileStamp) => void,
  signal?: AbortSignal,
): Promise<void> {
  const show = async ({ path, open }: VaultFolder, onItem: OnItem) => {
    signal?.throwIfAborted()
    await folders.files.statFolder(open, (item) => {
      if (!onItem(item)) return
      const { name, size, mtimeMs, ctimeMs } = item
      // A text of one piece: V8 keeps what is put together with + in its parts, which takes twice the memory.
      const whole = (path === '' ? name : [path, name].join('/')) as NotePath
      see({ path: whole, size, mtimeMs, ctimeMs })
    })
  }
  await walk(folders, rules, show, (folder, { name, size, mtimeMs, ctimeMs }, barred) => {
    see({ path: joinPath(folder, name), size, mtimeMs, ctimeMs, barred })
  })
}

/**
 * The sum of the same stamps. Nothing of them is shown or kept, so they may be read by the folder's name, which takes a
 * third less time than through its handle: were a link swapped in, the sum would only be another one.
 */
export async function sumFiles(folders: VaultFolders, rules: Exclusions): Promise<ListingSum> {
  const { add, sum } = summing()
  const addFolder = ({ path, open }: VaultFolder, onItem: OnItem) => {
    const lanes = folderHashes(path)
    const named = { ...open, at: (name: string) => `${open.realPath}/${name}` }
    return folders.files.statFolder(named, (item) => {
      if (onItem(item)) add(fileHashes(lanes, item.name, item))
    })
  }
  await walk(folders, rules, addFolder, (folder, item) => add(fileHashes(folderHashes(folder), item.name, item)))
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
  const look = async ({ open }: VaultFolder, onItem: OnItem) => {
    signal?.throwIfAborted()
    await folders.files.statFolder(open, (item) => {
      if (item.kind === 'file' || item.kind === 'folder') onItem(item)
    })
  }
  await walk(folders, all, look, () => {})
  return found
}

/** Answers whether an item is a file to see. */
type OnItem = (item: StampedItem) => boolean

/** Told of what a listing must do without, by the folder it lies in. */
type OnBarred = (folder: string, item: StampedItem, why: string) => void

/** `look` is given each folder, and shows its items one by one to `onItem`. */
async function walk(
  folders: VaultFolders,
  rules: Exclusions,
  look: (folder: VaultFolder, onItem: OnItem) => Promise<void> | void,
  onBarred: OnBarred,
): Promise<void> {
  const pause = yieldToHost()
  const waiting: { path: string; item?: StampedItem }[] = [{ path: '' }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const above = next.path
    /** Links, and what did not let itself be looked at. */
    const odd: StampedItem[] = []
    const onItem: OnItem = (item) => {
      const { name, kind } = item
      if (kind === 'other' && item.error === undefined) return false
      if (!isAllowedIn(above, name)) return false
      const itemPath = joinPath(above, name)
      if (kind !== 'file' && kind !== 'folder') {
        if (!rules.hides(itemPath, 'file') && !rules.hides(itemPath, 'folder')) odd.push(item)
        return false
      }
      if (rules.hides(itemPath, kind)) return false
      if (kind === 'folder') waiting.push({ path: itemPath, item })
      return kind === 'file'
    }
    try {
      await folders.within(above, (folder) => {
        // Replaced by a link since it was listed: what it leads to is listed where it is.
        if (folder.path === above) return look(folder, onItem)
      })
    } catch (error) {
      const why = next.item && whyBarred(error)
      // Of a vault that cannot be listed at all nothing can be said, least of all that it is empty.
      if (why === undefined) throw next.item ? error : readFailure(error, folders.root)
      onBarred(folderOf(above), next.item!, why)
    }
    for (const item of odd) {
      const { name, error } = item
      const why = error === undefined ? await whyNotFollowed(folders, above, name) : whyBarred(error)
      if (why !== undefined) onBarred(above, item, why)
      else if (error !== undefined) throw error
    }
    const turn = pause()
    if (turn !== false) await turn
  }
}
