import { Failure } from '../../errors.js'
import { newBlob, stateForModel, stateMeta } from '../index-state.js'
import type { StoredNote } from '../index-store.js'
import type { OpenIndex, WorkOptions } from '../index-view.js'
import { embeddingProgress, type LoadedSegment, refreshView } from '../index-view.js'
import { type Embedder, embedPassages } from '../semantic/embedder.js'
import { openVectors } from '../semantic/vector-block.js'
import { yieldToHost } from '../yield-to-host.js'
import {
  type CachedVector,
  type PassageToEmbed,
  packPart,
  passagesOf,
  segmentBlock,
  type VectorCache,
  vectorCache,
} from './vector-cache.js'

// `!` is used on the vectors of one request, as many as texts and at least one, and inside the bounds of a binary
// search.

export interface EmbedOptions extends WorkOptions {
  /** True if a rule forbids sending the note to a model. */
  isWithheld?: ((note: StoredNote) => boolean) | undefined
}

/** Vectors are saved after this many passages or milliseconds: an interrupted run loses no more. */
const passagesPerSave = 256
const saveEveryMs = 10_000

/**
 * Requests the missing vectors from the embedder. Unchanged texts and texts embedded by an interrupted run are not
 * sent again. Each note is read before it is sent: one that has become private or excluded since it was indexed stays
 * here. Another model, or another dimension, means new vectors for all.
 */
export async function embedNotes(index: OpenIndex, embedder: Embedder, options: EmbedOptions = {}): Promise<void> {
  // A separate view, because the index is used while this run awaits responses.
  const run: EmbedRun = {
    index: { ...index, view: { ...index.view } },
    embedder,
    options,
    signal: options.signal ?? new AbortController().signal,
    cache: new Map(),
    unsaved: new Map(),
    savedAt: performance.now(),
    empty: new Set(),
  }
  await refresh(run)
  run.cache = await vectorCache(index.store, run.index.view, embedder.id)
  for (;;) {
    const waiting = await nextSegment(run)
    if (waiting === undefined) break
    await embedSegment(run, waiting).catch(async (error) => {
      // The first error is the cause; a failed save only loses vectors.
      await savePart(run).catch(() => undefined)
      throw error
    })
    await refresh(run)
  }
  await dropParts(run)
}

interface EmbedRun {
  index: OpenIndex
  embedder: Embedder
  options: EmbedOptions
  signal: AbortSignal
  cache: VectorCache
  /** Received vectors that are not saved yet, with their notes. */
  unsaved: Map<string, CachedVector & { note: number }>
  savedAt: number
  /** Segments without a passage that may be sent. */
  empty: Set<string>
  dimension?: number
}

async function refresh({ index }: EmbedRun): Promise<void> {
  index.view = await refreshView(index.store, index.view)
}

async function nextSegment(run: EmbedRun): Promise<LoadedSegment | undefined> {
  const { view, store } = run.index
  const { embedding } = view.state
  for (const loaded of view.segments) {
    if (loaded.segment.liveNotes === 0 || run.empty.has(loaded.name)) continue
    if (loaded.embedded?.model !== run.embedder.id || loaded.embedded.dimension !== embedding?.dimension) return loaded
    const without = (embedding?.without ?? []).filter((id) => loaded.segment.has(id))
    for (const note of (await store.notes(without)).values()) if (await maySend(run, note)) return loaded
  }
  return undefined
}

/** Checks the current file, because the index may be outdated. */
async function maySend({ index, options }: EmbedRun, note: StoredNote): Promise<boolean> {
  if (options.isWithheld?.(note)) return false
  try {
    return (await index.vault.read(note.path))?.hash === note.hash
  } catch (error) {
    if (error instanceof Failure) return false
    throw error
  }
}

async function embedSegment(run: EmbedRun, loaded: LoadedSegment): Promise<void> {
  const { index, embedder, options, signal } = run
  const pause = yieldToHost(options.yieldEveryMs)
  const keyOfRow = new Map<number, string>()
  const without: number[] = []
  const queue = new Map<string, PassageToEmbed>()
  const before = embeddingProgress(index.view, embedder.id)
  let seen = 0
  const report = () => {
    const done = Math.min(before.passages, before.made + Math.max(0, seen - queue.size))
    options.onProgress?.({ phase: 'embedding', done, total: before.passages })
  }
  const sendSome = async (most: number) => {
    while (queue.size > most) {
      const batch = [...queue.values()].slice(0, embedder.maxBatch)
      await send(run, batch)
      for (const { key } of batch) queue.delete(key)
      report()
    }
  }
  report()
  for await (const { note, passages } of passagesOf(index.store, loaded.segment)) {
    signal.throwIfAborted()
    const missing = passages.filter(({ key }) => !run.cache.has(key))
    if (missing.length > 0 && !(await maySend(run, note))) {
      without.push(note.id)
      continue
    }
    for (const { row, key } of passages) keyOfRow.set(row, key)
    for (const passage of missing) queue.set(passage.key, passage)
    seen += missing.length
    await sendSome(embedder.maxBatch - 1)
    await pause()
  }
  await sendSome(0)
  await saveSegment(run, loaded.name, keyOfRow, without)
}

async function send(run: EmbedRun, passages: readonly PassageToEmbed[]): Promise<void> {
  const { embedder, signal } = run
  const vectors = await embedPassages(
    embedder,
    passages.map(({ text }) => text),
    signal,
    passages.map(({ note }) => note.path),
  )
  const dimension = vectors[0]!.values.length
  const known = run.dimension ?? run.cache.values().next().value?.values.length
  if (known !== undefined && known !== dimension && run.dimension !== undefined) {
    throw new Failure('network', `${embedder.id} returned vectors of ${known} numbers, then of ${dimension}.`, {
      hint: 'Choose another embeddings model.',
      command: 'notewright config set embeddings.model provider/model',
    })
  }
  // The model behind the name has changed: its old vectors are not comparable.
  if (known !== undefined && known !== dimension) run.cache.clear()
  run.dimension = dimension
  for (const [at, { key, note }] of passages.entries()) {
    const vector = vectors[at]!
    run.cache.set(key, vector)
    run.unsaved.set(key, { ...vector, note: note.id })
  }
  if (run.unsaved.size >= passagesPerSave || performance.now() - run.savedAt > saveEveryMs) await savePart(run)
}

/** Saves vectors of live notes only: a note hidden meanwhile leaves nothing behind. */
async function savePart(run: EmbedRun): Promise<void> {
  const { index, embedder, unsaved: unkept, dimension } = run
  while (dimension !== undefined && unkept.size > 0) {
    await refresh(run)
    const { view, store } = index
    const alive = new Map([...unkept].filter(([, { note }]) => view.segments.some(({ segment }) => segment.has(note))))
    if (alive.size === 0) break
    const { state, embedding, remove } = stateForModel(view.state, embedder.id, dimension)
    const blob = newBlob(state, packPart(embedder.id, dimension, alive))
    embedding.parts.push({ blob: blob.name, count: alive.size })
    const blobs = { put: [blob], remove }
    const generation = await store.commit({ expect: view.generation, blobs, meta: stateMeta(state) })
    if (generation !== undefined) break
  }
  unkept.clear()
  run.savedAt = performance.now()
}

/** If the segment was merged meanwhile, the merged one comes next: its passages are already embedded. */
async function saveSegment(
  run: EmbedRun,
  name: string,
  keyOfRow: ReadonlyMap<number, string>,
  without: readonly number[],
): Promise<void> {
  const { index, embedder } = run
  const missing = [...keyOfRow.values()].some((key) => !run.cache.has(key))
  // Vectors of another dimension have arrived, which invalidates the earlier ones.
  if (missing) return savePart(run)
  for (;;) {
    await refresh(run)
    const { view, store } = index
    const loaded = view.segments.find((other) => other.name === name)
    if (loaded === undefined) return savePart(run)
    const dimension = run.dimension ?? run.cache.values().next().value?.values.length
    if (dimension === undefined) {
      run.empty.add(name)
      return
    }
    const { state, embedding, remove } = stateForModel(view.state, embedder.id, dimension)
    const replaced = embedding.vectors[name]
    if (replaced !== undefined) remove.push(replaced)
    const alive = new Map([...keyOfRow].filter(([row]) => isAliveRow(loaded, row)))
    const bytes = segmentBlock(loaded.segment, embedder.id, dimension, alive, run.cache)
    const blob = newBlob(state, bytes)
    embedding.vectors[name] = blob.name
    const others = embedding.without.filter((id) => view.segments.some(({ segment }) => segment.has(id)))
    embedding.without = [...new Set([...others.filter((id) => !loaded.segment.has(id)), ...without])]
    const blobs = { put: [blob], remove }
    const generation = await store.commit({ expect: view.generation, blobs, meta: stateMeta(state) })
    if (generation === undefined) continue
    loaded.embedded = openVectors(bytes)
    run.unsaved.clear()
    run.savedAt = performance.now()
    return
  }
}

function isAliveRow({ segment }: LoadedSegment, row: number): boolean {
  const { noteChunks } = segment.arrays
  const chunk = row - segment.noteCount
  let low = 0
  let high = segment.noteCount
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (noteChunks[middle]! <= chunk) low = middle
    else high = middle
  }
  return segment.dead[low] === 0
}

/** All segments are complete: the parts saved by interrupted runs are no longer needed. */
async function dropParts(run: EmbedRun): Promise<void> {
  const { index, embedder } = run
  for (;;) {
    const { view, store } = index
    const { embedding } = view.state
    if (embedding?.id !== embedder.id || embedding.parts.length === 0) return
    const changed = stateForModel(view.state, embedding.id, embedding.dimension)
    changed.embedding.parts = []
    const remove = embedding.parts.map(({ blob }) => blob)
    const meta = stateMeta(changed.state)
    if ((await store.commit({ expect: view.generation, blobs: { remove }, meta })) !== undefined) return
    await refresh(run)
  }
}
