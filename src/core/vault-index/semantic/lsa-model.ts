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
export function lookupTerm(model: LsaModel, stem: string): number {
  let numbers = numbersOf.get(model)
  if (numbers === undefined) {
    numbers = new Map(model.terms.map((term, number) => [term, number]))
    numbersOf.set(model, numbers)
  }
  return numbers.get(stem) ?? -1
}

// Built at the first lookup, so that opening a model costs nothing.
const numbersOf = new WeakMap<LsaModel, Map<string, number>>()
