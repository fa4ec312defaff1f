import { type FileStamp, isSameListing, type ListingSum } from '../vault/index.js'
import { copyState, type IndexState, stateMeta } from './index-state.js'
import type { IndexedFile } from './index-store.js'
import type { OpenIndex } from './index-view.js'
import { compareText } from './note-facts.js'

/** Changes of the vault that the index has not seen, at one point in time. */
export interface UnseenChanges extends FileDifference {
  /** Number of files to read or remove. */
  count: number
  /** Generation of the index that these changes are valid for. */
  generation: number
  /** All files in listing order, and all files known to the index; empty if nothing has changed. */
  disk: readonly FileStamp[]
  known: readonly IndexedFile[]
}

export interface FindChangesOptions {
  signal?: AbortSignal | undefined
  /** The sum of the vault, if the caller has just requested it. */
  sum?: ListingSum | Promise<ListingSum> | undefined
  /** All files of the vault, if the caller has just listed them. */
  files?: readonly FileStamp[]
}

/** Compares the sum of the vault first; only if it differs, the vault is listed and compared file by file. */
export async function findUnseenChanges(
  index: OpenIndex,
  { signal, sum, files }: FindChangesOptions = {},
): Promise<UnseenChanges> {
  const { vault, store, view } = index
  // An empty index is outdated in any case.
  const isNew = view.state.nextId === 1
  const isOld = await hasOtherLinkRules(index)
  const found = files === undefined && !isNew && !isOld ? await (sum ?? vault.sum()) : undefined
  if (found !== undefined && knowsAll(view.state, found)) {
    return { count: 0, changed: [], gone: [], disk: [], known: [], generation: view.generation }
  }
  const disk = files ?? (await listFiles(index, signal))
  const known = isOld ? [] : await store.files()
  const { changed, gone } = compareFiles(disk, known, view.state.searchableBelow)
  // Sorted, so that notes of one folder are read together.
  changed.sort((a, b) => compareText(a.path, b.path))
  // Links to names changed by an interrupted run still have to be resolved.
  const count = changed.length + gone.length + view.state.pendingNames.length
  if (found !== undefined && count === 0) await rememberSum(index, found)
  return { count, changed, gone, disk, known, generation: view.generation }
}

/** True if links were resolved by other rules: the folder has become an Obsidian vault, or is none any more. */
export async function hasOtherLinkRules({ vault, view }: OpenIndex): Promise<boolean> {
  if (view.state.nextId === 1) return false
  return (await vault.linkSettings()).reading !== view.state.reading
}

function knowsAll({ listing, searchableBelow, nextId, pendingNames }: IndexState, disk: ListingSum): boolean {
  return searchableBelow === nextId && pendingNames.length === 0 && isSameListing(listing, disk)
}

async function listFiles({ vault }: OpenIndex, signal: AbortSignal | undefined): Promise<FileStamp[]> {
  const files: FileStamp[] = []
  await vault.eachFile((file) => files.push(file), signal)
  return files
}

/** Nothing has changed although the sums differ, after an interrupted run: stores the new sum. */
async function rememberSum({ store, view }: OpenIndex, sum: ListingSum): Promise<void> {
  const state = copyState(view.state)
  state.listing = sum
  const generation = await store.commit({ expect: view.generation, meta: stateMeta(state) })
  if (generation !== undefined) Object.assign(view, { generation, state })
}

interface FileDifference {
  /** New files, and files with another stamp than in the index. */
  changed: FileStamp[]
  gone: IndexedFile[]
}

/**
 * Compares the vault's files with those of the index. A stamp is size, mtime and ctime: a write within the same
 * millisecond that keeps size and mtime still changes ctime. `searchableBelow` is the first document id without a
 * segment.
 */
function compareFiles(
  disk: readonly FileStamp[],
  known: readonly IndexedFile[],
  searchableBelow = Number.POSITIVE_INFINITY,
): FileDifference {
  const byPath = new Map<string, IndexedFile>()
  for (const file of known) byPath.set(file.path, file)

  const changed: FileStamp[] = []
  for (const stamp of disk) {
    const file = byPath.get(stamp.path)
    if (file === undefined || !isSame(stamp, file) || file.id >= searchableBelow) changed.push(stamp)
    byPath.delete(stamp.path)
  }
  return { changed, gone: [...byPath.values()] }
}

function isSame(stamp: FileStamp, file: IndexedFile): boolean {
  return stamp.size === file.size && stamp.mtimeMs === file.mtimeMs && stamp.ctimeMs === file.ctimeMs
}
