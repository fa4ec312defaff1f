import type { Embedder } from './embedder.js'
import { quantise, quantiseInto } from './quantise.js'
import { packVectors, type QueryVector, VectorMismatch } from './vector-block.js'

/** Texts as one blob of vectors, asked for in batches the embedder can take. */
export async function embedTexts(
  embedder: Embedder,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<Uint8Array> {
  const { id, dimension } = embedder
  const vectors = new Int8Array(texts.length * dimension)
  const scales = new Float32Array(texts.length)
  for (let first = 0; first < texts.length; first += embedder.maxBatch) {
    signal.throwIfAborted()
    const batch = await embedBatch(embedder, texts.slice(first, first + embedder.maxBatch), signal)
    batch.forEach((vector, i) => {
      scales[first + i] = quantiseInto(vector, vectors, (first + i) * dimension)
    })
  }
  return packVectors({ model: id, dimension, vectors, scales })
}

/** A query in the embedder's space. */
export async function embedQuery(embedder: Embedder, text: string, signal: AbortSignal): Promise<QueryVector> {
  const [vector] = await embedBatch(embedder, [text], signal)
  return { model: embedder.id, dimension: embedder.dimension, ...quantise(vector) }
}

async function embedBatch(embedder: Embedder, texts: string[], signal: AbortSignal): Promise<Float32Array[]> {
  const vectors = await embedder.embed(texts, signal)
  if (vectors.length !== texts.length) {
    throw new VectorMismatch(`${embedder.id} gave ${vectors.length} vectors for ${texts.length} texts.`)
  }
  for (const { length } of vectors) {
    if (length !== embedder.dimension) {
      throw new VectorMismatch(`${embedder.id} gave a vector of dimension ${length} instead of ${embedder.dimension}.`)
    }
  }
  return vectors
}
