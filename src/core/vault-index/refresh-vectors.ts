import type { OpenIndex, WorkOptions } from './catch-up.js'
import { chunkVectorRows } from './chunk-vector-rows.js'
import { fitInput, segmentVectors } from './engine/index.js'
import { copyState, type ModelState, stateMeta } from './index-state.js'
import type { StoredBlob } from './index-store.js'
import { type IndexView, refreshView } from './index-view.js'
import { encodeModel, fitLimit, fitLsa, type LsaModel, openVectors, shouldRefit } from './semantic/index.js'
import { yieldToHost } from './yield-to-host.js'

/** Whether the vault has outgrown its model, or some segment still has no vectors. */
export function needsVectors(view: IndexView): boolean {
  return wantsFit(view) || (view.model !== undefined && view.segments.some(({ vectors }) => vectors === undefined))
}

export interface VectorOptions extends WorkOptions {
  /** false only places new notes in the model there is: quick enough to do before answering. */
  fit?: boolean
}

/**
 * Fits a model to the vault when it has none or has outgrown it, and makes the vectors that are missing. Model and
 * vectors are swapped in together; search keeps using the old ones until then.
 */
export async function refreshVectors(index: OpenIndex, options: VectorOptions = {}): Promise<void> {
  let fitted: LsaModel | undefined
  const made = new Map<string, Uint8Array>()
  for (;;) {
    index.view = await refreshView(index.store, index.view)
    const { view } = index
    if (!needsVectors(view)) return show(index, options)
    if (options.fit !== false && wantsFit(view)) fitted ??= await fitModel(view, options)
    const model = fitted ?? view.model
    if (model === undefined) return
    // A refit that comes to the same model still begins a new age; its vectors are made again.
    const isNew = fitted !== undefined
    const waiting = view.segments.filter(({ vectors }) => isNew || vectors === undefined)
    if (waiting.length === 0) return show(index, options)
    for (const [done, { name, segment }] of waiting.entries()) {
      if (made.has(name)) continue
      const share = (part: number) => 0.6 + (0.4 * (done + part)) / waiting.length
      made.set(name, await work(segmentVectors(segment, model), options, share))
    }
    if (await swapIn(index, model, isNew, made)) return show(index, options)
  }
}

async function fitModel(view: IndexView, options: WorkOptions): Promise<LsaModel> {
  return work(fitLsa(fitInput(view.segments.map(({ segment }) => segment))), options, (part) => 0.6 * part)
}

function wantsFit({ state: { model }, segments }: IndexView): boolean {
  return shouldRefit({
    fittedUnits: model?.fittedUnits ?? 0,
    unitsAtFit: model?.unitsAtFit ?? 0,
    addedOrRemovedSinceFit: model?.changedSince ?? 0,
    units: liveNotes(segments),
  })
}

/** Answers false when another writer was faster: then look again. */
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

/** Rows written in one transaction: others wait for it no longer than a moment. */
const rowsAtOnce = 4000

/** Copies vectors into the rows of their chunks. The engine does not need them there, so it comes last. */
async function show(index: OpenIndex, { signal, yieldEveryMs, resting }: WorkOptions): Promise<void> {
  const pause = yieldToHost(yieldEveryMs, resting)
  for (;;) {
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
      if (generation === undefined) break
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

/** Runs work that comes in slices, with pauses and progress, until it is done or called off. */
export async function work<T>(
  slices: Generator<number, T>,
  { signal, onProgress, yieldEveryMs, resting }: WorkOptions,
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
