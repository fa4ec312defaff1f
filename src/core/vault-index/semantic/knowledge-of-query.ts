import { logOfCount } from './log-of-count.js'
import { type LsaModel, lookupTerm } from './lsa-model.js'

/** A word of a query; see `QueryStem`. */
export interface AskedTerm {
  text: string
  count: number
  share: number
  words: number
}

/** So many words say enough of a topic. */
const enoughWords = 6

/**
 * How much a model knows of what is asked, 0 to 1: the length that the query keeps in the model's space, less for a
 * query of few words. Of a code, a date or a rare word it knows nothing, and one word alone may mean anything.
 */
export function knowledgeOf(model: LsaModel, stems: readonly AskedTerm[], passages: number): number {
  const { dimension, idf, vectors, scales } = model
  // What the model does not have is as rare as the rarest it has: a term is in two passages at least.
  const rarest = Math.log(Math.max(2, passages / 2))
  const sums = new Float64Array(dimension)
  let asked = 0
  let known = 0
  for (const { text, count, share, words } of stems) {
    const term = lookupTerm(model, text)
    const weight = share * (1 + logOfCount(count)) * (term < 0 ? rarest : idf[term])
    asked += weight * weight
    if (term < 0) continue
    if (share === 1) known += words
    const scale = weight * scales[term]
    for (let at = 0; at < dimension; at++) sums[at] += scale * vectors[term * dimension + at]
  }
  const kept = sums.reduce((sum, value) => sum + value * value, 0)
  return asked === 0 ? 0 : Math.min(1, Math.sqrt(kept / asked)) * Math.min(1, known / enoughWords)
}
