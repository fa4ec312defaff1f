import type { OpenIndex, WorkOptions } from './catch-up.js'
import { chunkVectorRows } from './chunk-vector-rows.js'
import type { Segment } from './engine/index.js'
import { copyState, stateMeta } from './index-state.js'
import type { StoredBlob } from './index-store.js'
import { type LoadedSegment, refreshView } from './index-view.js'
import { type Embedder, embedTexts, openVectors, packVectors, quantise } from './semantic/index.js'
import { yieldToHost } from './yield-to-host.js'

/** Passages sent before what came back is kept, so that a run that is cut off loses little. */
const passagesAtOnce = 512

/** Whether some note has no vector of this embedder's model yet. */
export function needsEmbeddings({ view }: Pick<OpenIndex, 'view'>, embedder: Embedder): boolean {
  return view.segments.some((loaded) => !isEmbedded(loaded, embedder))
}

/**
 * Asks the embedder for the vectors that are missing, segment by segment, behind everything else. Another model than
 * before means new vectors for all; until they are there, search goes without.
 */
export async function refreshEmbeddings(
  index: OpenIndex,
  embedder: Embedder,
  options: WorkOptions = {},
): Promise<void> {
  const made = new Map<string, Uint8Array>()
  const pause = yieldToHost(options.yieldEveryMs)
  for (;;) {
    index.view = await refreshView(index.store, index.view)
    const waiting = index.view.segments.find((loaded) => !isEmbedded(loaded, embedder))
    if (waiting === undefined) return
    const bytes = made.get(waiting.name) ?? (await embedSegment(index, waiting.segment, embedder, options, pause))
    made.set(waiting.name, bytes)
    await keep(index, waiting, embedder, bytes)
  }
}

const isEmbedded = ({ embedded }: LoadedSegment, { id, dimension }: Embedder): boolean =>
  embedded?.model === id && embedded.dimension === dimension

async function embedSegment(
  { store }: OpenIndex,
  segment: Segment,
  embedder: Embedder,
  options: WorkOptions,
  pause: () => Promise<void> | undefined,
): Promise<Uint8Array> {
  const wanted: { note: number; ordinal: number; row: number }[] = []
  for (const [note, id] of segment.arrays.noteIds.entries()) {
    if (segment.dead[note] === 1) continue
    const first = segment.noteCount + segment.arrays.noteChunks[note]
    for (let ordinal = 0; ordinal < segment.chunkCount(id); ordinal++) {
      wanted.push({ note: id, ordinal, row: first + ordinal })
    }
  }
  const { dimension } = embedder
  const rows = segment.noteCount + segment.chunkTotal
  const vectors = new Int8Array(rows * dimension)
  const scales = new Float32Array(rows)
  const signal = options.signal ?? new AbortController().signal
  for (let from = 0; from < wanted.length; from += passagesAtOnce) {
    options.onProgress?.({ phase: 'vectors', done: from, total: wanted.length })
    const batch = wanted.slice(from, from + passagesAtOnce)
    const chunks = await store.chunks(batch)
    const block = openVectors(
      await embedTexts(
        embedder,
        chunks.map((chunk) => chunk?.content ?? ''),
        signal,
      ),
    )
    for (const [at, { row }] of batch.entries()) {
      vectors.set(block.vectors.subarray(at * dimension, (at + 1) * dimension), row * dimension)
      scales[row] = block.scales[at]
    }
    await pause()
  }
  averageNotes(segment, dimension, vectors, scales)
  return packVectors({ model: embedder.id, dimension, vectors, scales })
}

/** A note points where its passages point on average. */
function averageNotes(segment: Segment, dimension: number, vectors: Int8Array, scales: Float32Array): void {
  const sum = new Float32Array(dimension)
  for (let note = 0; note < segment.noteCount; note++) {
    sum.fill(0)
    for (let chunk = segment.arrays.noteChunks[note]; chunk < segment.arrays.noteChunks[note + 1]; chunk++) {
      const row = segment.noteCount + chunk
      for (let i = 0; i < dimension; i++) sum[i] += vectors[row * dimension + i] * scales[row]
    }
    const { values, scale } = quantise(sum)
    vectors.set(values, note * dimension)
    scales[note] = scale
  }
}

/** When another writer was faster nothing is kept, and the caller looks again: what was made is not asked for twice. */
async function keep({ store, view }: OpenIndex, loaded: LoadedSegment, embedder: Embedder, bytes: Uint8Array) {
  const { id, dimension } = embedder
  const state = copyState(view.state)
  const remove: string[] = []
  if (state.embedding?.id !== id || state.embedding.dimension !== dimension) {
    remove.push(...Object.values(state.embedding?.vectors ?? {}))
    state.embedding = { id, dimension, vectors: {} }
  }
  const blob: StoredBlob = { name: `vectors-${state.nextBlob++}`, kind: 'vectors', bytes }
  state.embedding.vectors[loaded.name] = blob.name
  const block = openVectors(bytes)
  const [rows] = chunkVectorRows(loaded.segment, block, Number.POSITIVE_INFINITY)
  const generation = await store.commit({
    expect: view.generation,
    blobs: { put: [blob], remove },
    embeddings: { model: id, dimension, rows },
    meta: stateMeta(state),
  })
  if (generation === undefined) return
  view.generation = generation
  view.state = state
  if (remove.length > 0) for (const other of view.segments) other.embedded = undefined
  loaded.embedded = block
}
