import type { OpenIndex } from './catch-up.js'
import { mergeSegments, openSegment } from './engine/index.js'
import { stateMeta } from './index-state.js'

const mostSegments = 8
/** A segment this full of dead notes is worth rewriting alone. */
const mostDead = 0.3

/**
 * Merges small segments into one when there are too many, and rewrites those that are mostly dead. Answers whether
 * anything was merged; losing the race against another writer is no loss, the next run tries again.
 */
export async function compact({ store, view }: Pick<OpenIndex, 'store' | 'view'>): Promise<boolean> {
  const chosen = segmentsToMerge(
    view.segments.map(({ segment }) => ({ live: segment.liveTokens, all: segment.tokens })),
  )
  if (chosen.length === 0) return false
  const old = chosen.map((at) => view.segments[at])
  const state = structuredCopy(view.state)
  const name = `text-${state.nextBlob++}`
  const bytes = mergeSegments(old.map(({ segment }) => segment))
  const gone = new Set(old.map((loaded) => loaded.name))
  const removed = [...gone]
  state.segments = [...state.segments.filter((segment) => !gone.has(segment.name)), { name, dead: [] }]
  if (state.model !== undefined) {
    for (const segment of gone) {
      if (state.model.vectors[segment] !== undefined) removed.push(state.model.vectors[segment])
      delete state.model.vectors[segment]
    }
  }
  const generation = await store.commit({
    expect: view.generation,
    blobs: { put: [{ name, kind: 'text', bytes }], remove: removed },
    meta: stateMeta(state),
  })
  if (generation === undefined) return false
  view.generation = generation
  view.state = state
  view.segments = [...view.segments.filter((loaded) => !gone.has(loaded.name)), { name, segment: openSegment(bytes) }]
  return true
}

/** Indexes of the segments to merge into one: the small ones when there are too many, else those mostly dead. */
export function segmentsToMerge(segments: readonly { live: number; all: number }[]): number[] {
  const order = segments.map((_, at) => at).sort((a, b) => segments[a].live - segments[b].live)
  if (segments.length > mostSegments) {
    // Taking small ones until the next would outweigh all taken so far keeps the work of a word logarithmic.
    const taken: number[] = []
    let weight = 0
    for (const at of order) {
      const enough = segments.length - taken.length < mostSegments / 2
      if (enough && taken.length > 1 && segments[at].live > weight) break
      taken.push(at)
      weight += segments[at].live
    }
    return taken.sort((a, b) => a - b)
  }
  return order.filter((at) => segments[at].live < segments[at].all * (1 - mostDead)).sort((a, b) => a - b)
}

function structuredCopy<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T
}
