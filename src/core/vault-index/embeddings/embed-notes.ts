import { Failure } from '../../errors.js'
import type { OpenIndex, WorkOptions } from '../catch-up.js'
import { stateMeta } from '../index-state.js'
import type { StoredNote } from '../index-store.js'
import { type LoadedSegment, refreshView } from '../index-view.js'
import { type Embedder, embedPassages, openVectors } from '../semantic/index.js'
import { yieldToHost } from '../yield-to-host.js'
import { embeddingProgress } from './embedding-progress.js'
import { newBlob, stateForModel } from './embedding-state.js'
import { type MadeVector, type MadeVectors, madeVectors, packPart } from './made-vectors.js'
import { type Passage, passagesOf } from './passages.js'
import { segmentBlock } from './segment-block.js'

export interface EmbedOptions extends WorkOptions {
  /** Whether a rule keeps the note from being read by a model, and so from being sent to one. */
  isWithheld?(note: StoredNote): boolean
}

/** What has come back is kept after so many passages, or so long: a run that is cut off loses no more. */
const keptTogether = 256
const keptAfterMs = 10_000

/**
 * Asks the embedder for the vectors that are missing, behind everything else. What says the same as before is not asked
 * for again, and what came back before a run was cut off is not either. Before a note is sent it is read once more: one
 * that has become private or excluded since it was indexed stays here. Another model, or another dimension, means new
 * vectors for all.
 */
export async function embedNotes(index: OpenIndex, embedder: Embedder, options: EmbedOptions = {}): Promise<void> {
  // A view of its own: others go on with the index while this waits for answers.
  const run: Run = {
    index: { ...index, view: { ...index.view } },
    embedder,
    options,
    signal: options.signal ?? new AbortController().signal,
    made: new Map(),
    unkept: new Map(),
    keptAt: performance.now(),
    empty: new Set(),
  }
  await look(run)
  run.made = await madeVectors(index.store, run.index.view, embedder.id)
  for (;;) {
    const waiting = await nextSegment(run)
    if (waiting === undefined) break
    await embedSegment(run, waiting).catch(async (error) => {
      await keepPart(run).catch(() => undefined)
      throw error
    })
    await look(run)
  }
  await dropParts(run)
}

interface Run {
  index: OpenIndex
  embedder: Embedder
  options: EmbedOptions
  signal: AbortSignal
  made: MadeVectors
  /** What has come back and is not kept yet, with the notes it is of. */
  unkept: Map<string, MadeVector & { note: number }>
  keptAt: number
  /** Segments of which nothing may be sent. */
  empty: Set<string>
  dimension?: number
}

async function look({ index }: Run): Promise<void> {
  index.view = await refreshView(index.store, index.view)
}

async function nextSegment(run: Run): Promise<LoadedSegment | undefined> {
  const { view, store } = run.index
  const { embedding } = view.state
  for (const loaded of view.segments) {
    if (loaded.segment.liveNotes === 0 || run.empty.has(loaded.name)) continue
    if (loaded.embedded?.model !== run.embedder.id || loaded.embedded.dimension !== embedding?.dimension) return loaded
    const without = (embedding?.without ?? []).filter((id) => loaded.segment.has(id))
    for (const note of (await store.notes(without)).values()) if (await mayLeave(run, note)) return loaded
  }
  return undefined
}

/** The index may be behind: what counts is what the note is now. */
async function mayLeave({ index, options }: Run, note: StoredNote): Promise<boolean> {
  if (options.isWithheld?.(note)) return false
  try {
    return (await index.vault.read(note.path))?.hash === note.hash
  } catch (error) {
    if (error instanceof Failure) return false
    throw error
  }
}

async function embedSegment(run: Run, loaded: LoadedSegment): Promise<void> {
  const { index, embedder, options, signal } = run
  const pause = yieldToHost(options.yieldEveryMs)
  const keyOfRow = new Map<number, string>()
  const without: number[] = []
  const queue = new Map<string, Passage>()
  const before = embeddingProgress(index.view, embedder.id)
  let seen = 0
  const tell = () => {
    const done = Math.min(before.passages, before.made + Math.max(0, seen - queue.size))
    options.onProgress?.({ phase: 'embedding', done, total: before.passages })
  }
  const sendSome = async (most: number) => {
    while (queue.size > most) {
      const batch = [...queue.values()].slice(0, embedder.maxBatch)
      await send(run, batch)
      for (const { key } of batch) queue.delete(key)
      tell()
    }
  }
  tell()
  for await (const { note, passages } of passagesOf(index.store, loaded.segment)) {
    signal.throwIfAborted()
    const missing = passages.filter(({ key }) => !run.made.has(key))
    if (missing.length > 0 && !(await mayLeave(run, note))) {
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
  await keepSegment(run, loaded.name, keyOfRow, without)
}

async function send(run: Run, passages: readonly Passage[]): Promise<void> {
  const { embedder, signal } = run
  const vectors = await embedPassages(
    embedder,
    passages.map(({ text }) => text),
    signal,
    passages.map(({ note }) => note.path),
  )
  const dimension = vectors[0].values.length
  const known = run.dimension ?? run.made.values().next().value?.values.length
  if (known !== undefined && known !== dimension && run.dimension !== undefined) {
    throw new Failure('network', `${embedder.id} answers with vectors of ${known} numbers, then of ${dimension}.`, {
      hint: 'Choose another model for embeddings.',
      command: 'notewright config set embeddings.model provider/model',
    })
  }
  // The model behind the name is another one than before: nothing of the old one can be compared with it.
  if (known !== undefined && known !== dimension) run.made.clear()
  run.dimension = dimension
  for (const [at, { key, note }] of passages.entries()) {
    run.made.set(key, vectors[at])
    run.unkept.set(key, { ...vectors[at], note: note.id })
  }
  if (run.unkept.size >= keptTogether || performance.now() - run.keptAt > keptAfterMs) await keepPart(run)
}

/** Of notes that are still there: one that was hidden meanwhile leaves nothing behind. */
async function keepPart(run: Run): Promise<void> {
  const { index, embedder, unkept, dimension } = run
  while (dimension !== undefined && unkept.size > 0) {
    await look(run)
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
  run.keptAt = performance.now()
}

/** Where the segment has been merged into another one meanwhile, that one is next: its passages are made already. */
async function keepSegment(
  run: Run,
  name: string,
  keyOfRow: ReadonlyMap<number, string>,
  without: readonly number[],
): Promise<void> {
  const { index, embedder } = run
  const missing = [...keyOfRow.values()].some((key) => !run.made.has(key))
  // Vectors of another dimension came in between, and what was known before them is void.
  if (missing) return keepPart(run)
  for (;;) {
    await look(run)
    const { view, store } = index
    const loaded = view.segments.find((other) => other.name === name)
    if (loaded === undefined) return keepPart(run)
    const dimension = run.dimension ?? run.made.values().next().value?.values.length
    if (dimension === undefined) {
      run.empty.add(name)
      return
    }
    const { state, embedding, remove } = stateForModel(view.state, embedder.id, dimension)
    const replaced = embedding.vectors[name]
    if (replaced !== undefined) remove.push(replaced)
    const alive = new Map([...keyOfRow].filter(([row]) => isAliveRow(loaded, row)))
    const bytes = segmentBlock(loaded.segment, embedder.id, dimension, alive, run.made)
    const blob = newBlob(state, bytes)
    embedding.vectors[name] = blob.name
    const others = embedding.without.filter((id) => view.segments.some(({ segment }) => segment.has(id)))
    embedding.without = [...new Set([...others.filter((id) => !loaded.segment.has(id)), ...without])]
    const blobs = { put: [blob], remove }
    const generation = await store.commit({ expect: view.generation, blobs, meta: stateMeta(state) })
    if (generation === undefined) continue
    loaded.embedded = openVectors(bytes)
    run.unkept.clear()
    run.keptAt = performance.now()
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
    if (noteChunks[middle] <= chunk) low = middle
    else high = middle
  }
  return segment.dead[low] === 0
}

/** All segments have what they need: what cut-off runs had kept aside has found its place. */
async function dropParts(run: Run): Promise<void> {
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
    await look(run)
  }
}
