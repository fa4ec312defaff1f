import type { Embedder } from '../../src/core/index/semantic/embedder.js'

/** An embedder for tests: the same text always gives the same vector, and texts that share words are near each other. */
export function hashEmbedder(dimension = 64, maxBatch = 8): Embedder & { batches: number[] } {
  const batches: number[] = []
  return {
    id: `hash-${dimension}`,
    maxBatch,
    batches,
    async embed(texts, _as, signal) {
      signal.throwIfAborted()
      batches.push(texts.length)
      return texts.map((text) => vectorOf(text, dimension))
    },
  }
}

function vectorOf(text: string, dimension: number): Float32Array {
  const vector = new Float32Array(dimension)
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    let hash = 0x811c9dc5
    for (let i = 0; i < word.length; i++) hash = Math.imul(hash ^ word.charCodeAt(i), 0x01000193)
    for (let column = 0; column < dimension; column++) {
      hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) + column
      vector[column] += (hash | 0) / 2 ** 31
    }
  }
  return vector
}
