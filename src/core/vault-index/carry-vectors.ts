import type { Segment } from './engine/index.js'
import { packVectors, type VectorBlock } from './semantic/index.js'

export interface VectorSource {
  segment: Segment
  vectors?: VectorBlock
}

/**
 * The vectors of a merged segment, taken over from the segments it was merged from: one per note, then one per chunk.
 * undefined when one of them has none, or not of one model.
 */
export function carryVectors(merged: Segment, sources: readonly VectorSource[]): Uint8Array | undefined {
  const first = sources[0]?.vectors
  if (first === undefined || sources.some(({ vectors }) => vectors?.model !== first.model)) return undefined
  const { dimension, model } = first
  const rows = merged.noteCount + merged.chunkTotal
  const vectors = new Int8Array(rows * dimension)
  const scales = new Float32Array(rows)
  const keys = first.keys && new Uint32Array(rows * 2)
  for (const [note, id] of merged.arrays.noteIds.entries()) {
    const source = sources.find(({ segment }) => segment.noteNumber(id) >= 0)
    if (source?.vectors === undefined) return undefined
    const old = source.segment.noteNumber(id)
    copy(source.vectors, old, note, 1)
    const from = source.segment.noteCount + source.segment.arrays.noteChunks[old]
    copy(source.vectors, from, merged.noteCount + merged.arrays.noteChunks[note], merged.chunkCount(id))
  }
  return packVectors({ model, dimension, vectors, scales, keys })

  function copy(block: VectorBlock, from: number, to: number, count: number): void {
    vectors.set(block.vectors.subarray(from * dimension, (from + count) * dimension), to * dimension)
    scales.set(block.scales.subarray(from, from + count), to)
    if (block.keys !== undefined) keys?.set(block.keys.subarray(from * 2, (from + count) * 2), to * 2)
  }
}
