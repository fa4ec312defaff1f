import type { Segment } from './engine/index.js'
import type { IndexBatch } from './index-store.js'
import type { VectorBlock } from './semantic/index.js'

type Rows = NonNullable<IndexBatch['embeddings']>['rows']

/**
 * What `chunks.embedding` shows: one signed byte per dimension; its direction is the vector's. In pieces of `most`,
 * the last of them shorter.
 */
export function* chunkVectorRows(segment: Segment, block: VectorBlock, most: number): Generator<Rows> {
  const { vectors, dimension } = block
  const all = new Uint8Array(vectors.buffer, vectors.byteOffset, vectors.length)
  let rows: Rows = []
  for (const [note, id] of segment.arrays.noteIds.entries()) {
    if (segment.dead[note] === 1) continue
    const first = segment.noteCount + segment.arrays.noteChunks[note]
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
