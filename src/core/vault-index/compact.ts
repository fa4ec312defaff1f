import { carryVectors } from './carry-vectors.js'
import type { OpenIndex } from './catch-up.js'
import { keepDeadVectors } from './embeddings/index.js'
import { mergeSegments, openSegment } from './engine/index.js'
import { copyState, type IndexState, stateMeta } from './index-state.js'
import type { StoredBlob } from './index-store.js'
import type { LoadedSegment } from './index-view.js'
import { segmentBlob } from './index-writer.js'
import { openVectors } from './semantic/index.js'

/** More segments than this (large ones not counted) are too many to ask one by one. */
const mostSegments = 12
/** In words. A merge needs memory for what goes in and what comes out, so segments of this size stay as they are. */
const largeSegment = 6_000_000
/** A segment this full of dead notes is worth rewriting alone. */
const mostDead = 0.3

/**
 * Merges small segments into one when there are too many, and rewrites those that are mostly dead. Answers whether
 * anything was merged; losing the race against another writer is no loss, the next run tries again.
 */
export async function compact({ store, view }: Pick<OpenIndex, 'store' | 'view'>): Promise<boolean> {
  // A provider's vectors are carried over, never asked for again: segments that wait for them are merged apart.
  const isReady = ({ embedded }: LoadedSegment) => view.state.embedding === undefined || embedded !== undefined
  for (const group of [view.segments.filter(isReady), view.segments.filter((loaded) => !isReady(loaded))]) {
    const chosen = segmentsToMerge(group.map(({ segment }) => ({ live: segment.liveTokens, all: segment.tokens })))
    if (chosen.length === 0) continue
    const old = chosen.map((at) => group[at])
    return rewriteSegments({ store, view }, old, { keepsDead: true })
  }
  return false
}

/** One segment of what is alive in several. Answers false when another writer was faster. */
export async function rewriteSegments(
  { store, view }: Pick<OpenIndex, 'store' | 'view'>,
  old: readonly LoadedSegment[],
  { keepsDead = false } = {},
): Promise<boolean> {
  const gone = new Set(old.map((loaded) => loaded.name))
  const state = copyState(view.state)
  state.segments = state.segments.filter(({ name }) => !gone.has(name))
  const put: StoredBlob[] = []
  const remove = [...gone, ...dropVectors(state.model, gone), ...dropVectors(state.embedding, gone)]
  if (state.embedding !== undefined && keepsDead) put.push(...keepDeadVectors(state, state.embedding, old))
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

/** Vectors cost more to make than to take over. */
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

/** Indexes of the segments to merge into one: the small ones when there are too many, else those mostly dead. */
export function segmentsToMerge(segments: readonly { live: number; all: number }[]): number[] {
  const order = segments.map((_, at) => at).sort((a, b) => segments[a].live - segments[b].live)
  const small = order.filter((at) => segments[at].live < largeSegment)
  const mostlyDead = order.filter((at) => segments[at].live < segments[at].all * (1 - mostDead))
  return inOrder(small.length > mostSegments ? smallest(small, segments) : mostlyDead.slice(0, 1))
}

/** Taking small ones until the next would outweigh all taken so far keeps the work for each word logarithmic. */
function smallest(order: readonly number[], segments: readonly { live: number }[]): number[] {
  const taken: number[] = []
  let weight = 0
  for (const at of order) {
    const isEnough = taken.length > 1 && order.length - taken.length < mostSegments / 2
    if (weight > largeSegment || (isEnough && segments[at].live > weight)) break
    taken.push(at)
    weight += segments[at].live
  }
  return taken
}

const inOrder = (numbers: number[]): number[] => [...numbers].sort((a, b) => a - b)
