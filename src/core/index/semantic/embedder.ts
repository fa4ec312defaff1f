import { type QuantisedVector, type QueryVector, quantise, VectorMismatch } from './vector-block.js'

/**
 * A provider's model that turns texts into vectors. Its vectors join the ranking and never replace the lexical part.
 */
export interface Embedder {
  /** Identifies the model exactly; stored with every vector, so that vectors of two models are never compared. */
  readonly id: string
  /** Most texts in one call. */
  readonly maxBatch: number
  /**
   * One vector per text, in order, all of one dimension; zeros for a text that the model rejects. `as` tells models
   * that distinguish queries from passages. `notes` are the paths of the notes that the texts come from, in the same
   * order, for the log of sent data.
   */
  embed(
    texts: string[],
    as: 'query' | 'passage',
    signal: AbortSignal,
    notes?: readonly string[],
  ): Promise<Float32Array[]>
}

/** Requests one vector per passage, at most `maxBatch` of them. */
export async function embedPassages(
  embedder: Embedder,
  texts: string[],
  signal: AbortSignal,
  notes?: readonly string[],
): Promise<QuantisedVector[]> {
  signal.throwIfAborted()
  return checkVectors(embedder, texts, await embedder.embed(texts, 'passage', signal, notes))
}

/** Requests the vector of a query. */
export async function embedQuery(embedder: Embedder, text: string, signal: AbortSignal): Promise<QueryVector> {
  // One text, so `checkVectors` answers one vector or throws.
  const vector = checkVectors(embedder, [text], await embedder.embed([text], 'query', signal))[0]!
  return { model: embedder.id, dimension: vector.values.length, ...vector }
}

function checkVectors({ id }: Embedder, texts: readonly string[], vectors: readonly Float32Array[]): QuantisedVector[] {
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
