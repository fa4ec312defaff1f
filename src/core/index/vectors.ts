import { compactIndex } from './compact.js'
import type { Segment } from './engine/segment.js'
import { fitInput, segmentVectors } from './engine/segment-vectors.js'
import { writeConflicts } from './index-run.js'
import { copyState, type ModelState, stateMeta } from './index-state.js'
import type { IndexBatch, StoredBlob } from './index-store.js'
import type { OpenIndex, WorkOptions } from './index-view.js'
import { type IndexView, refreshView } from './index-view.js'
import { fitLimit, fitLsa, shouldRefit } from './semantic/fit-lsa.js'
import { encodeModel, type LsaModel } from './semantic/lsa-model.js'
import { openVectors, type VectorBlock } from './semantic/vector-block.js'
import { yieldToHost } from './yield-to-host.js'

// `!` is used on arrays of a segment that have one entry for each of its notes.

/** Computes missing vectors, and merges segments. Returns false if a merge of more than `mergesUpTo` words is left. */
export async function updateVectors(index: OpenIndex, options: VectorOptions): Promise<boolean> {
  await computeVectors(index, options)
  options.onProgress?.({ phase: 'merging', done: 0, total: 0 })
  index.view = await refreshView(index.store, index.view)
  const outcome = await compactIndex(index, options.mergesUpTo)
  if (outcome === 'merged') await computeVectors(index, options)
  return outcome !== 'too-large'
}

export function hasAllVectors({ view }: OpenIndex): boolean {
  return !needsVectors(view)
}

/** True if the vault has outgrown its model, or a segment has no vectors. */
export function needsVectors(view: IndexView): boolean {
  return wantsFit(view) || (view.model !== undefined && view.segments.some(({ vectors }) => vectors === undefined))
}

export interface VectorOptions extends WorkOptions {
  /** false only projects new notes into the existing model: fast enough to wait for. */
  fit?: boolean
  /** Words of segments that are merged; a merge cannot pause. Default: any number. */
  mergesUpTo?: number
}

/**
 * Fits a model if the vault has none or has outgrown it, and computes missing vectors. Model and vectors are replaced
 * together; search uses the old ones until then.
 */
export async function computeVectors(index: OpenIndex, options: VectorOptions = {}): Promise<void> {
  let fitted: LsaModel | undefined
  const made = new Map<string, Uint8Array>()
  const conflicts = writeConflicts(index.store)
  for (;;) {
    index.view = await refreshView(index.store, index.view)
    const { view } = index
    if (!needsVectors(view)) return copyVectorsToRows(index, options)
    if (options.fit !== false && wantsFit(view)) fitted ??= await fitModel(view, options)
    const model = fitted ?? view.model
    if (model === undefined) return
    // A refit that yields the same model still resets its age; its vectors are computed again.
    const isNew = fitted !== undefined
    const waiting = view.segments.filter(({ vectors }) => isNew || vectors === undefined)
    if (waiting.length === 0) return copyVectorsToRows(index, options)
    for (const [done, { name, segment }] of waiting.entries()) {
      if (made.has(name)) continue
      const share = (part: number) => 0.6 + (0.4 * (done + part)) / waiting.length
      made.set(name, await runSlices(segmentVectors(segment, model), options, share))
    }
    if (await swapIn(index, model, isNew, made)) return copyVectorsToRows(index, options)
    await conflicts.wait(waiting.length, options.signal)
  }
}

async function fitModel(view: IndexView, options: WorkOptions): Promise<LsaModel> {
  return runSlices(fitLsa(fitInput(view.segments.map(({ segment }) => segment))), options, (part) => 0.6 * part)
}

function wantsFit({ state: { model }, segments }: IndexView): boolean {
  return shouldRefit({
    fittedUnits: model?.fittedUnits ?? 0,
    unitsAtFit: model?.unitsAtFit ?? 0,
    addedOrRemovedSinceFit: model?.changedSince ?? 0,
    units: liveNotes(segments),
  })
}

/** Returns false if another writer committed first: then retry. */
async function swapIn(
  { store, view }: OpenIndex,
  model: LsaModel,
  isNew: boolean,
  made: ReadonlyMap<string, Uint8Array>,
): Promise<boolean> {
  const state = copyState(view.state)
  const put: StoredBlob[] = []
  const remove: string[] = []
  if (isNew || state.model === undefined) {
    if (state.model !== undefined) remove.push(state.model.blob, ...Object.values(state.model.vectors))
    state.model = modelState(model, `model-${state.nextBlob++}`, liveNotes(view.segments))
    put.push({ name: state.model.blob, kind: 'model', bytes: encodeModel(model) })
    state.vectorsLostBy = undefined
  }
  for (const { name } of state.segments) {
    const bytes = made.get(name)
    if (bytes === undefined) continue
    const blob = `vectors-${state.nextBlob++}`
    state.model.vectors[name] = blob
    state.model.shown = state.model.shown.filter((segment) => segment !== name)
    put.push({ name: blob, kind: 'vectors', bytes })
  }
  const generation = await store.commit({ expect: view.generation, blobs: { put, remove }, meta: stateMeta(state) })
  if (generation === undefined) return false
  view.generation = generation
  view.state = state
  view.model = model
  for (const loaded of view.segments) {
    const bytes = made.get(loaded.name)
    if (bytes !== undefined) loaded.vectors = openVectors(bytes)
  }
  return true
}

/** Rows per transaction, so that others wait only briefly. */
const rowsAtOnce = 4000
const mostLostCopies = 8

/** Copies vectors into the rows of their chunks, last, because the engine does not need them there. */
async function copyVectorsToRows(
  index: OpenIndex,
  { signal, yieldEveryMs, paused: resting }: WorkOptions,
): Promise<void> {
  const pause = yieldToHost(yieldEveryMs, resting)
  // If other writers keep committing first, the next run continues.
  for (let lost = 0; lost < mostLostCopies; ) {
    index.view = await refreshView(index.store, index.view)
    const { view, store } = index
    const { model } = view.state
    const waiting = view.segments.find(({ name, vectors }) => vectors !== undefined && !model?.shown.includes(name))
    if (model === undefined || waiting?.vectors === undefined) return
    const { id, dimension } = { id: model.id, dimension: waiting.vectors.dimension }
    for (const rows of chunkVectorRows(waiting.segment, waiting.vectors, rowsAtOnce)) {
      signal?.throwIfAborted()
      const isLast = rows.length < rowsAtOnce
      const state = copyState(view.state)
      if (isLast) state.model?.shown.push(waiting.name)
      const generation = await store.commit({
        expect: view.generation,
        embeddings: { model: id, dimension, rows },
        meta: isLast ? stateMeta(state) : {},
      })
      if (generation === undefined) {
        lost++
        break
      }
      view.generation = generation
      view.state = state
      await pause()
    }
  }
}

const modelState = (model: LsaModel, blob: string, units: number): ModelState => ({
  id: model.id,
  blob,
  fittedUnits: Math.min(units, fitLimit),
  unitsAtFit: units,
  changedSince: 0,
  vectors: {},
  shown: [],
})

/** Runs a generator with pauses and progress, until it is done or aborted. */
async function runSlices<T>(
  slices: Generator<number, T>,
  { signal, onProgress, yieldEveryMs, paused: resting }: WorkOptions,
  share: (part: number) => number,
): Promise<T> {
  const pause = yieldToHost(yieldEveryMs, resting)
  for (;;) {
    signal?.throwIfAborted()
    const { done, value } = slices.next()
    if (done) return value
    onProgress?.({ phase: 'vectors', done: Math.round(share(value) * 100), total: 100 })
    await pause()
  }
}

const liveNotes = (segments: IndexView['segments']): number =>
  segments.reduce((sum, { segment }) => sum + segment.liveNotes, 0)

type Rows = NonNullable<IndexBatch['embeddings']>['rows']

/**
 * The values of `chunks.embedding`: one signed byte per dimension, the direction of the vector. Yields batches of
 * `most` rows, the last one shorter.
 */
export function* chunkVectorRows(segment: Segment, block: VectorBlock, most: number): Generator<Rows> {
  const { vectors, dimension } = block
  const all = new Uint8Array(vectors.buffer, vectors.byteOffset, vectors.length)
  let rows: Rows = []
  for (const [note, id] of segment.arrays.noteIds.entries()) {
    if (segment.dead[note] === 1) continue
    const first = segment.noteCount + segment.arrays.noteChunks[note]!
    for (let ordinal = 0; ordinal < segment.chunkCount(id); ordinal++) {
      const start = (first + ordinal) * dimension
      rows.push({ note: id, ordinal, bytes: all.subarray(start, start + dimension) })
      if (rows.length < most) continue
      yield rows
      rows = []
    }
  }
  yield rows
}
