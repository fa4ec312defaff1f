/** The constants of the ranking. One set for every vault and every language. */
export interface Recipe {
  k1: number
  /** Saturation of a word repeated in the query. */
  k3: number
  b: number
  nameB: number
  /** Weights of the fields; the stem's is 1. */
  surface: number
  names: number
  subword: number
  /** Whether a note's names count as part of each of its chunks. */
  namesInChunks: boolean
  /** Hits of the posting lists that the finer parts look at. */
  candidates: number
  /** Fewer lexical hits than this are joined by the nearest vectors. */
  fewCandidates: number
  /** How many of the candidates have their own words read. */
  reranked: number
  /** Words of candidates that the finer parts read at most. */
  walkLimit: number
  /** Most weight of the semantic part, reached in a vault of `semanticFull` notes. */
  semantic: number
  semanticFull: number
  semanticFrom: number
  /** Weight of a provider's vectors. */
  provided: number
  /** Shares of the whole note and of its best passage. */
  noteShare: number
  chunkShare: number
  /** What a name that begins with the query is worth, in standard deviations. */
  namePrefix: number
}

export const defaultRecipe: Recipe = {
  k1: 1.2,
  k3: 8,
  b: 0.75,
  nameB: 0.3,
  surface: 0.25,
  names: 0.5,
  subword: 0.25,
  namesInChunks: true,
  candidates: 50,
  fewCandidates: 50,
  reranked: 40,
  walkLimit: 400_000,
  semantic: 1,
  semanticFull: 1000,
  semanticFrom: 64,
  provided: 0.5,
  noteShare: 1,
  chunkShare: 1,
  namePrefix: 8,
}
