import type { Segment } from '../engine/index.js'
import { packVectors, quantise } from '../semantic/index.js'
import type { MadeVectors } from './made-vectors.js'
import { keyNumbers } from './passages.js'

/** The vectors of a segment: one a note, then one a passage. Rows without a key have none. */
export function segmentBlock(
  segment: Segment,
  model: string,
  dimension: number,
  keyOfRow: ReadonlyMap<number, string>,
  made: MadeVectors,
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
