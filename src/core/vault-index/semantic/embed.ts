import type { Embedder } from './embedder.js'
import { type QuantisedVector, quantise } from './quantise.js'
import { type QueryVector, VectorMismatch } from './vector-block.js'

/** One vector per passage. There must be no more of them than the embedder takes at once. */
export async function embedPassages(
  embedder: Embedder,
  texts: string[],
  signal: AbortSignal,
  notes?: readonly string[],
): Promise<QuantisedVector[]> {
  signal.throwIfAborted()
  return checked(embedder, texts, await embedder.embed(texts, 'passage', signal, notes))
}

/** A query in the embedder's space. */
export async function embedQuery(embedder: Embedder, text: string, signal: AbortSignal): Promise<QueryVector> {
  const [vector] = checked(embedder, [text], await embedder.embed([text], 'query', signal))
  return { model: embedder.id, dimension: vector.values.length, ...vector }
}

function checked({ id }: Embedder, texts: readonly string[], vectors: readonly Float32Array[]): QuantisedVector[] {
  if (vectors.length !== texts.length) {
    throw new VectorMismatch(`${id} gave ${vectors.length} vectors for ${texts.length} texts.`)
  }
  const dimension = vectors[0]?.length
  for (const { length } of vectors) {
    if (length === 0 || length !== dimension) {
      throw new VectorMismatch(`${id} gave a vector of dimension ${length} beside one of ${dimension}.`)
    }
  }
  return vectors.map(quantise)
}
