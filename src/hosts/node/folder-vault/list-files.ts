import {
  type Exclusions,
  type FileStamp,
  fileHashes,
  folderHashes,
  folderOf,
  isAllowedIn,
  isNote,
  type ListingSum,
  type NotePath,
  summing,
} from '../../../core/vault/index.js'
import type { StampedItem } from '../files/file-access.js'
import { barredReason, readFailure } from './read-files.js'
import { insidePath, joinPath, type VaultFolder, type VaultFolders } from './vault-folders.js'

/**
 * Visits every regular file that the path rules and exclusions allow, folder by folder, and reports unreadable ones as
 * `barred`. Links are not followed.
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
      // Joined into one flat string: V8 keeps concatenations as ropes, which take twice the memory.
      const whole = (path === '' ? name : [path, name].join('/')) as NotePath
      see({ path: whole, size, mtimeMs, ctimeMs })
    })
  }
  await walk(folders, rules, show, (folder, { name, size, mtimeMs, ctimeMs }, barred) => {
    see({ path: joinPath(folder, name), size, mtimeMs, ctimeMs, barred })
  })
}

/**
 * The sum of the same stamps. Nothing is shown or stored, so the folder is read by name, which takes a third less time
 * than through its handle: a swapped link would only give another sum.
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

/** The files hidden only by exclusions. Returns early if there are none. */
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

/** Reports items missing from a listing, by folder. */
type OnBarred = (folder: string, item: StampedItem, why: string) => void

/** `look` is given each folder, and shows its items one by one to `onItem`. */
async function walk(
  folders: VaultFolders,
  rules: Exclusions,
  look: (folder: VaultFolder, onItem: OnItem) => Promise<void> | void,
  onBarred: OnBarred,
): Promise<void> {
  const pause = yieldToEventLoop()
  const waiting: { path: string; item?: StampedItem }[] = [{ path: '' }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const above = next.path
    /** Links and unreadable items. */
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
        // Replaced by a link since it was listed: its target is listed in its own place.
        if (folder.path === above) return look(folder, onItem)
      })
    } catch (error) {
      const why = next.item && barredReason(error)
      // A vault that cannot be listed at all is an error: it must not look empty.
      if (why === undefined) throw next.item ? error : readFailure(error, folders.root)
      onBarred(folderOf(above), next.item!, why)
    }
    for (const item of odd) {
      const { name, error } = item
      const why = error === undefined ? await whyNotFollowed(folders, above, name) : barredReason(error)
      if (why !== undefined) onBarred(above, item, why)
      else if (error !== undefined) throw error
    }
    const turn = pause()
    if (turn !== false) await turn
  }
}

/**
 * Reason why a link's target is not visible in the vault; undefined if the target is listed in its own place, or is an
 * attachment, which searches do not cover.
 */
async function whyNotFollowed(
  { files, root }: VaultFolders,
  folder: string,
  name: string,
): Promise<string | undefined> {
  const path = joinPath(folder, name)
  if (!isNote(path) && hasExtension.test(path)) return undefined
  try {
    const target = await files.realPath(`${root}/${path}`)
    if (target === undefined) return 'it is a broken link'
    if (`${root}/${path}`.startsWith(`${target}/`)) return 'it is a link to a folder that contains it'
    const inside = insidePath(root, target)
    if (inside === undefined) return 'it is a link to a place outside the vault'
    return /(?:^|\/)\./.test(inside) ? 'it is a link to a reserved folder' : undefined
  } catch (error) {
    const why = barredReason(error)
    if (why === undefined) throw error
    return why
  }
}

const hasExtension = /\.[^./]+$/

/**
 * For long loops over synchronous calls: lets other work of the process in every few milliseconds. Answers if it did.
 * By the clock on the wall, as the other one takes Node a millisecond to load.
 */
export function yieldToEventLoop(everyMs = 15): () => Promise<boolean> | false {
  let last = Date.now()
  return () => {
    if (Date.now() - last < everyMs) return false
    return new Promise((resolve) => {
      setImmediate(() => {
        last = Date.now()
        resolve(true)
      })
    })
  }
}
