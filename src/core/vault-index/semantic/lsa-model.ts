/**
 * Latent semantic analysis of one vault: a direction for every term it was fitted on. The direction of term t is
 * `vectors[t * dimension …] * scales[t]`.
 */
export interface LsaModel {
  /** Made from the contents: two models with one id are the same model. */
  readonly id: string
  readonly dimension: number
  /** Stems in code-unit order. Their positions are the model's term numbers. */
  readonly terms: readonly string[]
  readonly idf: Float32Array
  readonly vectors: Int8Array
  readonly scales: Float32Array
}

/** The model's number of a stem, or -1 when the model does not know it. */
export function lookupTerm({ terms }: LsaModel, stem: string): number {
  // A search in the order of the stems: a table would cost more to build at a cold start than a query looks up.
  let low = 0
  let high = terms.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (terms[middle] < stem) low = middle + 1
    else high = middle
  }
  return terms[low] === stem ? low : -1
}
