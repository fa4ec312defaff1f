import { type FileStamp, isSameListing, type ListingSum } from '../vault/index.js'
import type { OpenIndex } from './catch-up.js'
import { compareFiles, type FileDifference } from './compare-files.js'
import { copyState, type IndexState, stateMeta } from './index-state.js'
import type { KnownFile } from './index-store.js'
import { compareText } from './note-facts.js'

/** What the vault holds that the index has yet to look at, as of one look at both. */
export interface UnseenChanges extends FileDifference {
  /** Files to look at. */
  count: number
  /** Of the index; what is found is good for this one alone. */
  generation: number
  /** All files, in whatever order they were met, and all that the index knows; none where nothing has changed. */
  disk: readonly FileStamp[]
  known: readonly KnownFile[]
}

export interface LookOptions {
  signal?: AbortSignal
  /** The sum of the vault, where someone has just asked for it. */
  sum?: ListingSum | Promise<ListingSum>
  /** All files of the vault, where someone has just listed them. */
  files?: readonly FileStamp[]
}

/** Whether anything has changed is told from a sum. Only then is the vault listed, and compared file by file. */
export async function findUnseenChanges(
  index: OpenIndex,
  { signal, sum, files }: LookOptions = {},
): Promise<UnseenChanges> {
  const { vault, store, view } = index
  // An index that has seen nothing is behind in any case.
  const isNew = view.state.nextId === 1
  const isOld = await isReadOtherwise(index)
  const found = files === undefined && !isNew && !isOld ? await (sum ?? vault.sum()) : undefined
  if (found !== undefined && knowsAll(view.state, found)) {
    return { count: 0, changed: [], gone: [], disk: [], known: [], generation: view.generation }
  }
  const disk = files ?? (await listFiles(index, signal))
  const known = isOld ? [] : await store.files()
  const { changed, gone } = compareFiles(disk, known, view.state.searchableBelow)
  // Notes of one folder are read one after the other.
  changed.sort((a, b) => compareText(a.path, b.path))
  // Links by the names of files that came or went in a run that was cut off are still to be looked at.
  const count = changed.length + gone.length + view.state.pendingNames.length
  if (found !== undefined && count === 0) await rememberSum(index, found)
  return { count, changed, gone, disk, known, generation: view.generation }
}

/** Whether links were resolved by rules that hold no longer: Obsidian has opened this folder, or it is no vault any more. */
export async function isReadOtherwise({ vault, view }: OpenIndex): Promise<boolean> {
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

/** Nothing has changed although the sums differ: a run that was cut off left its sum behind. */
async function rememberSum({ store, view }: OpenIndex, sum: ListingSum): Promise<void> {
  const state = copyState(view.state)
  state.listing = sum
  const generation = await store.commit({ expect: view.generation, meta: stateMeta(state) })
  if (generation !== undefined) Object.assign(view, { generation, state })
}
