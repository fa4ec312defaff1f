/**
 * Latent semantic analysis of one vault: a direction for every term it was fitted on. The direction of term t is
 * `vectors[t * dimension …] * scales[t]`.
 */
export interface LsaModel {
  /** Made from the contents: two models with one id are the same model. */
  readonly id: string
  readonly dimension: number
  /** Stems in code-unit order. Their positions are the model's term numbers. */
  readonly terms: TermList
  readonly idf: Float32Array
  readonly vectors: Int8Array
  readonly scales: Float32Array
}

/** As much of an array as is needed of thousands of words, of which a query asks for a few. */
export interface TermList extends Iterable<string> {
  readonly length: number
  at(term: number): string | undefined
}

/** The model's number of a stem, or -1 when the model does not know it. */
export function lookupTerm({ terms }: LsaModel, stem: string): number {
  // A search in the order of the stems: a table would cost more to build at a cold start than a query looks up.
  let low = 0
  let high = terms.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((terms.at(middle) as string) < stem) low = middle + 1
    else high = middle
  }
  return terms.at(low) === stem ? low : -1
}
