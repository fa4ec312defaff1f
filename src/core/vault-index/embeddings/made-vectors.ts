import { IndexCorrupt, type IndexStore } from '../index-store.js'
import type { IndexView } from '../index-view.js'
import { openVectors, packVectors, type VectorBlock } from '../semantic/index.js'
import { keyFrom, keyNumbers } from './passages.js'

export interface MadeVector {
  values: Int8Array
  scale: number
}

/** Vectors of one model by the text they were made of, wherever they lie: nothing is asked for twice. */
export type MadeVectors = Map<string, MadeVector>

/** Those in segments, also of notes that have changed since, and those of runs that were cut off. */
export async function madeVectors(store: IndexStore, { state, segments }: IndexView, id: string): Promise<MadeVectors> {
  const made: MadeVectors = new Map()
  if (state.embedding?.id !== id) return made
  for (const { embedded } of segments) if (embedded?.model === id) addAll(made, embedded)
  for (const { blob } of state.embedding.parts) addAll(made, await openPart(store, blob))
  return made
}

export async function openPart(store: IndexStore, name: string): Promise<VectorBlock> {
  const blob = await store.blob(name)
  if (blob === undefined) throw new IndexCorrupt(`the index has lost ${name}`)
  return openVectors(blob.bytes)
}

function addAll(made: MadeVectors, block: VectorBlock): void {
  for (let row = 0; row < block.count; row++) {
    const key = keyAt(block, row)
    if (key !== undefined) made.set(key, vectorAt(block, row))
  }
}

/** undefined for a row that was made of no text of its own. */
export function keyAt({ keys }: VectorBlock, row: number): string | undefined {
  if (keys === undefined || (keys[row * 2] === 0 && keys[row * 2 + 1] === 0)) return undefined
  return keyFrom(keys[row * 2], keys[row * 2 + 1])
}

export const vectorAt = ({ vectors, scales, dimension }: VectorBlock, row: number): MadeVector => ({
  values: vectors.subarray(row * dimension, (row + 1) * dimension),
  scale: scales[row],
})

/** Vectors with what they were made of, one after the other, as they are kept until their segment is complete. */
export function packPart(model: string, dimension: number, made: ReadonlyMap<string, MadeVector>): Uint8Array {
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
