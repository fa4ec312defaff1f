import type { AskedTerm } from '../knowledge-of-query.js'

/** Words of a query with how often it says each, all of them about the matter. */
export function askedTerms(counts: Iterable<readonly [string, number]>): AskedTerm[] {
  return Array.from(counts, ([text, count]) => ({ text, count, share: 1, words: 1 }))
}
