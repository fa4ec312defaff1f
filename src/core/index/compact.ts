import { forgetHiddenVectors, saveDeadVectors } from './embeddings/vector-cache.js'
import { mergeSegments } from './engine/build-segment.js'
import { openSegment, type Segment } from './engine/segment.js'
import { copyState, type IndexState, stateMeta } from './index-state.js'
import type { StoredBlob } from './index-store.js'
import type { OpenIndex } from './index-view.js'
import { type IndexView, type LoadedSegment, refreshView } from './index-view.js'
import { segmentBlob } from './index-writer.js'
import { openVectors, packVectors, type VectorBlock } from './semantic/vector-block.js'

// `!` is used on segments by positions taken from the same list, on notes of a segment, and on the model that vectors
// belong to.

/** More small segments than this make queries slow. */
const mostSegments = 12
/** Size in words. A merge needs memory for its input and output, so larger segments are not merged. */
const largeSegment = 6_000_000
/** A segment with this share of dead words is rewritten alone. */
const mostDead = 0.3

/**
 * Merges small segments if there are too many, and rewrites those that are mostly dead. If another writer commits first,
 * the next run tries again. A merge of more than `mostWords` is not done, and reported as `too-large`.
 */
export async function compactIndex(
  { store, view }: Pick<OpenIndex, 'store' | 'view'>,
  mostWords = Number.POSITIVE_INFINITY,
): Promise<'merged' | 'unchanged' | 'too-large'> {
  // A provider's vectors are copied, never requested again, so segments that still lack them are merged separately.
  const isReady = ({ embedded }: LoadedSegment) => view.state.embedding === undefined || embedded !== undefined
  for (const group of [view.segments.filter(isReady), view.segments.filter((loaded) => !isReady(loaded))]) {
    const chosen = segmentsToMerge(group.map(({ segment }) => ({ live: segment.liveTokens, all: segment.tokens })))
    if (chosen.length === 0) continue
    const old = chosen.map((at) => group[at]!)
    if (old.reduce((sum, { segment }) => sum + segment.liveTokens, 0) > mostWords) return 'too-large'
    return (await rewriteSegments({ store, view }, old, { keepsDead: true })) ? 'merged' : 'unchanged'
  }
  return 'unchanged'
}

/** Merges the live notes of several segments into one. Returns false if another writer committed first. */
async function rewriteSegments(
  { store, view }: Pick<OpenIndex, 'store' | 'view'>,
  old: readonly LoadedSegment[],
  { keepsDead = false } = {},
): Promise<boolean> {
  const gone = new Set(old.map((loaded) => loaded.name))
  const state = copyState(view.state)
  state.segments = state.segments.filter(({ name }) => !gone.has(name))
  const put: StoredBlob[] = []
  const remove = [...gone, ...dropVectors(state.model, gone), ...dropVectors(state.embedding, gone)]
  if (state.embedding !== undefined && keepsDead) put.push(...saveDeadVectors(state, state.embedding, old))
  const merged = old.some(({ segment }) => segment.liveNotes > 0) ? mergeInto(state, old, put) : undefined
  if (state.model !== undefined) {
    const { shown } = state.model
    const isShown = merged?.vectors !== undefined && old.every(({ name }) => shown.includes(name))
    state.model.shown = [...shown.filter((name) => !gone.has(name)), ...(isShown ? [merged.name] : [])]
  }

  const generation = await store.commit({ expect: view.generation, blobs: { put, remove }, meta: stateMeta(state) })
  if (generation === undefined) return false
  view.generation = generation
  view.state = state
  view.segments = view.segments.filter(({ name }) => !gone.has(name))
  if (merged !== undefined) view.segments.push(merged)
  return true
}

/** Merges segments with their vectors: copying vectors is cheaper than computing them. */
function mergeInto(state: IndexState, old: readonly LoadedSegment[], put: StoredBlob[]): LoadedSegment {
  const name = `text-${state.nextBlob++}`
  const bytes = mergeSegments(old.map(({ segment }) => segment))
  put.push(segmentBlob(name, bytes))
  state.segments.push({ name, dead: [] })
  const segment = openSegment(bytes, true)

  const carried = (kept: { vectors: Record<string, string> } | undefined, which: 'vectors' | 'embedded') => {
    const taken = carryVectors(
      segment,
      old.map((loaded) => ({ segment: loaded.segment, vectors: loaded[which] })),
    )
    if (kept === undefined || taken === undefined) return undefined
    const blob = `vectors-${state.nextBlob++}`
    kept.vectors[name] = blob
    put.push({ name: blob, kind: 'vectors', bytes: taken })
    return openVectors(taken)
  }
  return { name, segment, vectors: carried(state.model, 'vectors'), embedded: carried(state.embedding, 'embedded') }
}

function dropVectors(kept: { vectors: Record<string, string> } | undefined, segments: ReadonlySet<string>): string[] {
  if (kept === undefined) return []
  const blobs = [...segments].map((name) => kept.vectors[name]).filter((blob) => blob !== undefined)
  for (const name of segments) delete kept.vectors[name]
  return blobs
}

/** Indexes of the segments to merge into one: the small ones if there are too many, else one that is mostly dead. */
export function segmentsToMerge(segments: readonly { live: number; all: number }[]): number[] {
  const order = segments.map((_, at) => at).sort((a, b) => segments[a]!.live - segments[b]!.live)
  const small = order.filter((at) => segments[at]!.live < largeSegment)
  const mostlyDead = order.filter((at) => segments[at]!.live < segments[at]!.all * (1 - mostDead))
  return inOrder(small.length > mostSegments ? smallest(small, segments) : mostlyDead.slice(0, 1))
}

/** Taking small segments until the next outweighs all taken so far keeps the work per word logarithmic. */
function smallest(order: readonly number[], segments: readonly { live: number }[]): number[] {
  const taken: number[] = []
  let weight = 0
  for (const at of order) {
    const isEnough = taken.length > 1 && order.length - taken.length < mostSegments / 2
    if (weight > largeSegment || (isEnough && segments[at]!.live > weight)) break
    taken.push(at)
    weight += segments[at]!.live
  }
  return taken
}

const inOrder = (numbers: number[]): number[] => [...numbers].sort((a, b) => a - b)

interface VectorSource {
  segment: Segment
  vectors?: VectorBlock | undefined
}

/**
 * The vectors of a merged segment, copied from its sources: one per note, then one per chunk. undefined if a source
 * has none, or of another model.
 */
function carryVectors(merged: Segment, sources: readonly VectorSource[]): Uint8Array | undefined {
  const first = sources[0]?.vectors
  if (first === undefined || sources.some(({ vectors }) => vectors?.model !== first.model)) return undefined
  const { dimension, model } = first
  const rows = merged.noteCount + merged.chunkTotal
  const vectors = new Int8Array(rows * dimension)
  const scales = new Float32Array(rows)
  const keys = first.keys && new Uint32Array(rows * 2)
  for (const [note, id] of merged.arrays.noteIds.entries()) {
    const source = sources.find(({ segment }) => segment.noteNumber(id) >= 0)
    if (source?.vectors === undefined) return undefined
    const old = source.segment.noteNumber(id)
    copy(source.vectors, old, note, 1)
    const from = source.segment.noteCount + source.segment.arrays.noteChunks[old]!
    copy(source.vectors, from, merged.noteCount + merged.arrays.noteChunks[note]!, merged.chunkCount(id))
  }
  return packVectors({ model, dimension, vectors, scales, keys })

  function copy(block: VectorBlock, from: number, to: number, count: number): void {
    vectors.set(block.vectors.subarray(from * dimension, (from + count) * dimension), to * dimension)
    scales.set(block.scales.subarray(from, from + count), to)
    if (block.keys !== undefined) keys?.set(block.keys.subarray(from * 2, (from + count) * 2), to * 2)
  }
}

/**
 * Erases the text of notes that became private or excluded from the files of the index: rewrites segments with dead
 * notes, drops a semantic model that knows words of theirs alone, and lets the store erase removed data. If another
 * process interferes, the next run continues.
 */
export async function eraseHidden(index: OpenIndex): Promise<void> {
  const { store } = index
  if (!index.view.state.mustErase) return
  index.view = await refreshView(store, index.view)
  const withDead = new Set(index.view.state.segments.filter(({ dead }) => dead.length > 0).map(({ name }) => name))
  for (const loaded of index.view.segments.filter(({ name }) => withDead.has(name))) {
    if (!(await rewriteSegments(index, [loaded]))) return
  }
  if (!(await forgetHiddenVectors(index))) return
  if (knowsOtherWords(index.view) && !(await dropModel(index))) return
  if (!(await store.erase())) return
  const state = copyState(index.view.state)
  delete state.mustErase
  await commitState(index, { state, remove: [] })
}

/** True if the model has words that no note has any more. */
function knowsOtherWords({ model, segments }: IndexView): boolean {
  if (model === undefined) return false
  const known = new Set<string>()
  const decoder = new TextDecoder()
  for (const { segment } of segments) {
    const { stemBytes, stemOffsets } = segment.arrays
    for (let stem = 0; stem + 1 < stemOffsets.length; stem++) {
      known.add(decoder.decode(stemBytes.subarray(stemOffsets[stem], stemOffsets[stem + 1])))
    }
  }
  return [...model.terms].some((term) => !known.has(term))
}

/** Search works without the model, and reports it, until the next one is fitted. */
function dropModel(index: OpenIndex): Promise<boolean> {
  const state = copyState(index.view.state)
  const { blob, vectors } = state.model!
  delete state.model
  state.vectorsLostBy = 'words of notes that were hidden were erased'
  return commitState(index, { state, remove: [blob, ...Object.values(vectors)] })
}

async function commitState(
  index: OpenIndex,
  { state, remove }: { state: IndexView['state']; remove: string[] },
): Promise<boolean> {
  const { store, view } = index
  const generation = await store.commit({ expect: view.generation, blobs: { remove }, meta: stateMeta(state) })
  if (generation === undefined) return false
  index.view = await refreshView(store, undefined)
  return true
}
