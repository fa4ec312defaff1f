import { isSameListing, type ListingSum } from '../vault/index.js'
import type { OpenIndex } from './catch-up.js'
import { compareFiles } from './compare-files.js'
import { copyState, type IndexState, stateMeta } from './index-state.js'
import type { Listing } from './listing.js'

/** How many files of a listing the index has yet to look at. */
export async function countBehind(index: OpenIndex, listing: Listing): Promise<number> {
  const { store, view } = index
  if (knowsAll(view.state, listing.sum)) return 0
  const { changed, gone } = compareFiles(listing.files, await store.files(), view.state.searchableBelow)
  const behind = changed.length + gone.length
  if (behind + view.state.pendingNames.length === 0) await rememberListing(index, listing.sum)
  return behind
}

/** Told from a sum, without reading what the index knows of each file. */
export function knowsAll({ listing, searchableBelow, nextId, pendingNames }: IndexState, disk: ListingSum): boolean {
  return searchableBelow === nextId && pendingNames.length === 0 && isSameListing(listing, disk)
}

/** Nothing has changed although the sums differ: a run that was cut off left its sum behind. */
export async function rememberListing({ store, view }: OpenIndex, sum: ListingSum): Promise<void> {
  const state = copyState(view.state)
  state.listing = sum
  const generation = await store.commit({ expect: view.generation, meta: stateMeta(state) })
  if (generation !== undefined) Object.assign(view, { generation, state })
}
