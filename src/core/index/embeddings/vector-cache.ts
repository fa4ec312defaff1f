import { hashBytes } from '../../vault/index.js'
import type { Segment } from '../engine/segment.js'
import { copyState, type EmbeddingState, type IndexState, newBlob, stateMeta } from '../index-state.js'
import { IndexCorrupt, type IndexStore, type StoredBlob, type StoredChunk, type StoredNote } from '../index-store.js'
import type { OpenIndex } from '../index-view.js'
import { type IndexView, type LoadedSegment, refreshView } from '../index-view.js'
import { openVectors, packVectors, quantise, type VectorBlock } from '../semantic/vector-block.js'

// `!` is used on arrays of a segment at its own notes, on rows of a block (two numbers of a key, one scale), and on the
// embedding that a cache belongs to.

export interface CachedVector {
  values: Int8Array
  scale: number
}

/** Vectors of one model by the key of their text, so that no text is sent twice. */
export type VectorCache = Map<string, CachedVector>

/** Loads the vectors of all segments, including dead notes, and the parts of interrupted runs. */
export async function vectorCache(store: IndexStore, { state, segments }: IndexView, id: string): Promise<VectorCache> {
  const made: VectorCache = new Map()
  if (state.embedding?.id !== id) return made
  for (const { embedded } of segments) if (embedded?.model === id) addBlock(made, embedded)
  for (const { blob } of state.embedding.parts) addBlock(made, await openCachedPart(store, blob))
  return made
}

async function openCachedPart(store: IndexStore, name: string): Promise<VectorBlock> {
  const blob = await store.blob(name)
  if (blob === undefined) throw new IndexCorrupt(`the index has lost ${name}`)
  return openVectors(blob.bytes)
}

function addBlock(made: VectorCache, block: VectorBlock): void {
  for (let row = 0; row < block.count; row++) {
    const key = keyAt(block, row)
    if (key !== undefined) made.set(key, vectorAt(block, row))
  }
}

/** undefined for a row without its own text. */
function keyAt({ keys }: VectorBlock, row: number): string | undefined {
  if (keys === undefined || (keys[row * 2] === 0 && keys[row * 2 + 1] === 0)) return undefined
  return keyFrom(keys[row * 2]!, keys[row * 2 + 1]!)
}

const vectorAt = ({ vectors, scales, dimension }: VectorBlock, row: number): CachedVector => ({
  values: vectors.subarray(row * dimension, (row + 1) * dimension),
  scale: scales[row]!,
})

/** Packs vectors with their text keys, as stored until their segment is complete. */
export function packPart(model: string, dimension: number, made: ReadonlyMap<string, CachedVector>): Uint8Array {
  const vectors = new Int8Array(made.size * dimension)
  const scales = new Float32Array(made.size)
  const keys = new Uint32Array(made.size * 2)
  let row = 0
  for (const [key, { values, scale }] of made) {
    vectors.set(values, row * dimension)
    scales[row] = scale
    keys.set(keyNumbers(key), row * 2)
    row++
  }
  return packVectors({ model, dimension, vectors, scales, keys })
}

/** Saves the vectors of dead notes when their segment is merged: most passages of a changed note stay the same. */
export function saveDeadVectors(
  state: IndexState,
  embedding: EmbeddingState,
  merged: readonly LoadedSegment[],
): StoredBlob[] {
  const dead = new Map<string, CachedVector>()
  for (const { segment, embedded } of merged) {
    if (embedded?.model !== embedding.id) continue
    for (let note = 0; note < segment.noteCount; note++) {
      if (segment.dead[note] === 0) continue
      const { noteChunks } = segment.arrays
      for (let chunk = noteChunks[note]!; chunk < noteChunks[note + 1]!; chunk++) {
        const key = keyAt(embedded, segment.noteCount + chunk)
        if (key !== undefined) dead.set(key, vectorAt(embedded, segment.noteCount + chunk))
      }
    }
  }
  if (dead.size === 0) return []
  const blob = newBlob(state, packPart(embedding.id, embedding.dimension, dead))
  embedding.parts.push({ blob: blob.name, count: dead.size })
  return [blob]
}

/** Removes saved vectors whose text is in no note any more. Returns false if another writer committed first. */
export async function forgetHiddenVectors(index: OpenIndex): Promise<boolean> {
  const { store, view } = index
  if (view.state.embedding === undefined || view.state.embedding.parts.length === 0) return true
  const state = copyState(view.state)
  const embedding = state.embedding!
  const said = new Set<string>()
  for (const { segment, embedded } of view.segments) {
    if (embedded?.model === embedding.id) continue
    for await (const { passages } of passagesOf(store, segment)) for (const { key } of passages) said.add(key)
  }
  const known = await vectorCache(store, { ...view, segments: [] }, embedding.id)
  const kept = new Map([...known].filter(([key]) => said.has(key)))
  const remove = embedding.parts.map(({ blob }) => blob)
  embedding.parts = []
  const put = kept.size === 0 ? [] : [newBlob(state, packPart(embedding.id, embedding.dimension, kept))]
  for (const { name } of put) embedding.parts.push({ blob: name, count: kept.size })
  const generation = await store.commit({ expect: view.generation, blobs: { put, remove }, meta: stateMeta(state) })
  if (generation === undefined) return false
  index.view = await refreshView(store, index.view)
  return true
}

/** A passage of a note as it is sent to a provider's model. */
export interface PassageToEmbed {
  note: StoredNote
  /** Its row in the vectors of its segment. */
  row: number
  text: string
  /** Key of the text: equal texts are embedded once. */
  key: string
}

/** Notes per store request. */
const notesAtOnce = 64

/** The passages of a segment's live notes, note by note. */
export async function* passagesOf(
  store: IndexStore,
  segment: Segment,
): AsyncGenerator<{ note: StoredNote; passages: PassageToEmbed[] }> {
  const alive = [...segment.arrays.noteIds].filter((id) => segment.has(id))
  for (let from = 0; from < alive.length; from += notesAtOnce) {
    const ids = alive.slice(from, from + notesAtOnce)
    const wanted = ids.flatMap((note) =>
      Array.from({ length: segment.chunkCount(note) }, (_, ordinal) => ({ note, ordinal })),
    )
    const [notes, chunks] = [await store.notes(ids), await store.chunks(wanted)]
    const passages = new Map<number, PassageToEmbed[]>()
    for (const [at, { note: id, ordinal }] of wanted.entries()) {
      const [note, chunk] = [notes.get(id), chunks[at]]
      if (note === undefined || chunk === undefined) continue
      const row = segment.noteCount + segment.arrays.noteChunks[segment.noteNumber(id)]! + ordinal
      const text = passageText(note, chunk)
      const known = passages.get(id) ?? []
      known.push({ note, row, text, key: textKey(text) })
      passages.set(id, known)
    }
    for (const [id, note] of notes) yield { note, passages: passages.get(id) ?? [] }
  }
}

/** The passage with its note's title and heading, which often name the topic. */
function passageText({ title }: StoredNote, { heading, content }: StoredChunk): string {
  const place = heading === '' || heading === title ? title : `${title} › ${heading}`
  return `${place}\n\n${content}`
}

const encoder = new TextEncoder()

const textKey = (text: string): string => hashBytes(encoder.encode(text)).slice(0, 16)

const keyNumbers = (key: string): [number, number] => [
  Number.parseInt(key.slice(0, 8), 16),
  Number.parseInt(key.slice(8), 16),
]

const keyFrom = (high: number, low: number): string =>
  `${high.toString(16).padStart(8, '0')}${low.toString(16).padStart(8, '0')}`

/** Packs the vectors of a segment: one per note, then one per passage. Rows without a key have none. */
export function segmentBlock(
  segment: Segment,
  model: string,
  dimension: number,
  keyOfRow: ReadonlyMap<number, string>,
  made: VectorCache,
): Uint8Array {
  const rows = segment.noteCount + segment.chunkTotal
  const vectors = new Int8Array(rows * dimension)
  const scales = new Float32Array(rows)
  const keys = new Uint32Array(rows * 2)
  for (const [row, key] of keyOfRow) {
    const vector = made.get(key)
    if (vector === undefined) continue
    vectors.set(vector.values, row * dimension)
    scales[row] = vector.scale
    keys.set(keyNumbers(key), row * 2)
  }
  averageNotes(segment, dimension, vectors, scales)
  return packVectors({ model, dimension, vectors, scales, keys })
}

/** A note's vector is the mean of its passages'. */
function averageNotes(segment: Segment, dimension: number, vectors: Int8Array, scales: Float32Array): void {
  const sum = new Float32Array(dimension)
  for (let note = 0; note < segment.noteCount; note++) {
    sum.fill(0)
    for (let chunk = segment.arrays.noteChunks[note]!; chunk < segment.arrays.noteChunks[note + 1]!; chunk++) {
      const row = segment.noteCount + chunk
      for (let i = 0; i < dimension; i++) sum[i]! += vectors[row * dimension + i]! * scales[row]!
    }
    const { values, scale } = quantise(sum)
    vectors.set(values, note * dimension)
    scales[note] = scale
  }
}
