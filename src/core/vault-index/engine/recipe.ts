/** The constants of the ranking. One set for every vault and every language. */
export interface Recipe {
  k1: number
  /** Saturation of a word repeated in the query. */
  k3: number
  b: number
  nameB: number
  /** What a word that only joins, points or asks counts for. */
  functionShare: number
  /** What another spelling of the query's words counts for. */
  otherShare: number
  /** Weights of the fields; the stem's is 1. */
  surface: number
  names: number
  subword: number
  /** Weight of the query's words standing near each other. */
  nearness: number
  /** Weight of a row of words that is one thing. */
  rows: number
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
  /** Most weight of the semantic part, reached in a vault of `semanticFull` notes by a query the model knows all of. */
  semantic: number
  semanticFull: number
  semanticFrom: number
  /** Weight of a provider's vectors. */
  provided: number
  /** Shares of the whole note and of its best passage. */
  noteShare: number
  chunkShare: number
  /** What a note's second best passage adds to its best one. */
  secondShare: number
  /** What a name that begins with the query is worth, in standard deviations. */
  namePrefix: number
}

export const defaultRecipe: Recipe = {
  k1: 1.2,
  k3: 1.5,
  b: 0.75,
  nameB: 0.3,
  functionShare: 0.4,
  otherShare: 0.5,
  surface: 0.25,
  names: 0.5,
  subword: 0.25,
  nearness: 0.8,
  rows: 1,
  namesInChunks: true,
  candidates: 50,
  fewCandidates: 50,
  reranked: 40,
  walkLimit: 400_000,
  semantic: 4,
  semanticFull: 1000,
  semanticFrom: 64,
  provided: 0.5,
  noteShare: 1,
  chunkShare: 1,
  secondShare: 0.2,
  namePrefix: 8,
}
