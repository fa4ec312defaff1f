/** Most terms a model knows. */
export const vocabularyLimit = 10_000

/**
 * The terms worth a direction: in at least two units and at most half of them, the most frequent first when there are
 * too many. Answers their numbers in the code-unit order of their stems, so that a model does not depend on numbering.
 */
export function selectTerms(terms: readonly string[], documentFrequency: Int32Array, unitCount: number): Int32Array {
  const most = Math.floor(unitCount / 2)
  const unitsOf = (term: number) => {
    const frequency = documentFrequency[term]
    return frequency >= 2 && frequency <= most && terms[term].length <= longestTerm ? frequency : 0
  }

  const termsWith = new Int32Array(most + 1)
  for (let term = 0; term < terms.length; term++) termsWith[unitsOf(term)]++
  // The frequency at which the limit is reached: all terms above it are taken, and the first by stem of those at it.
  let cut = most
  let above = 0
  while (cut >= 2 && above + termsWith[cut] <= vocabularyLimit) above += termsWith[cut--]

  const chosen: number[] = []
  const tied: number[] = []
  for (let term = 0; term < terms.length; term++) {
    const frequency = unitsOf(term)
    if (frequency > cut && frequency > 0) chosen.push(term)
    else if (frequency === cut && cut >= 2) tied.push(term)
  }
  const byStem = (a: number, b: number) => (terms[a] < terms[b] ? -1 : terms[a] > terms[b] ? 1 : 0)
  tied.sort(byStem)
  return Int32Array.from([...chosen, ...tied.slice(0, vocabularyLimit - chosen.length)].sort(byStem))
}

// What the blob of a model can hold.
const longestTerm = 0xffff
