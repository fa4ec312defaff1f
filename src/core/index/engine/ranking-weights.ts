/** The constants of the ranking: one set for every vault and every language. */
export interface RankingWeights {
  k1: number
  /** Saturation of a word repeated in the query. */
  k3: number
  b: number
  nameB: number
  /** Factor for function words. */
  functionShare: number
  /** Factor for alternative spellings. */
  otherShare: number
  /** Weights of the fields; the stem's is 1. */
  surface: number
  names: number
  subword: number
  /** Weight of the proximity of the query's words. */
  proximity: number
  /** Weight of word sequences such as identifiers and dates. */
  sequences: number
  /** Count a note's names as part of each of its chunks. */
  namesInChunks: boolean
  /** Notes kept from the posting lists for the finer signals. */
  candidates: number
  /** With fewer lexical hits, the nearest notes by vector are added. */
  fewCandidates: number
  /** Candidates whose text is read by the reranker. */
  reranked: number
  /** The most words that reranking or sequence matching reads. */
  readLimit: number
  /**
   * Largest weight of the vault's own model, reached in a vault of `semanticFull` notes by a query that the model
   * covers completely.
   */
  semantic: number
  semanticFull: number
  semanticFrom: number
  /** Weight of a provider's vectors. */
  provided: number
  /** Weights of the whole note and of its best passage. */
  noteShare: number
  chunkShare: number
  /** Factor for a note's second best passage. */
  secondShare: number
  /** Bonus for a name that starts with the query, in standard deviations. */
  namePrefix: number
}

export const defaultWeights: RankingWeights = {
  k1: 1.2,
  k3: 1.5,
  b: 0.75,
  nameB: 0.3,
  functionShare: 0.4,
  otherShare: 0.5,
  surface: 0.25,
  names: 0.5,
  subword: 0.25,
  proximity: 0.8,
  sequences: 1,
  namesInChunks: true,
  candidates: 50,
  fewCandidates: 50,
  reranked: 40,
  readLimit: 400_000,
  semantic: 4,
  semanticFull: 1000,
  semanticFrom: 64,
  provided: 0.5,
  noteShare: 1,
  chunkShare: 1,
  secondShare: 0.2,
  namePrefix: 8,
}
