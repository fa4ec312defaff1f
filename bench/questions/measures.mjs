/** How good an answer is: nDCG@10 with gain 2^grade - 1; a note of grade 2 or more is a success. */
export function measure(paths, relevant) {
  const grades = paths.slice(0, 10).map((path) => relevant[path] ?? 0)
  const ideal = Object.values(relevant).sort((a, b) => b - a)
  const first = grades.findIndex((grade) => grade >= 2)
  return {
    ndcg: gain(grades) / gain(ideal.slice(0, 10)),
    at1: first === 0 ? 1 : 0,
    at5: first >= 0 && first < 5 ? 1 : 0,
    mrr: first < 0 ? 0 : 1 / (first + 1),
  }
}

function gain(grades) {
  return grades.reduce((sum, grade, at) => sum + (2 ** grade - 1) / Math.log2(at + 2), 0)
}

export function meanOf(measured) {
  const mean = (key) => measured.reduce((sum, each) => sum + each[key], 0) / Math.max(1, measured.length)
  return { n: measured.length, ndcg: mean('ndcg'), at1: mean('at1'), at5: mean('at5'), mrr: mean('mrr') }
}
