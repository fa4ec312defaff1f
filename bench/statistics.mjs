export function percentile(values, share) {
  const sorted = Float64Array.from(values).sort()
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
}

export function median(values) {
  const sorted = Float64Array.from(values).sort()
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/** nDCG@10 with linear gain; `ranked` are document ids, best first, `grades` maps relevant ones to their grade. */
export function ndcg(ranked, grades, depth = 10) {
  const gain = (grade, rank) => grade / Math.log2(rank + 2)
  const found = ranked.slice(0, depth).reduce((sum, id, rank) => sum + gain(grades.get(id) ?? 0, rank), 0)
  const ideal = [...grades.values()].sort((a, b) => b - a).slice(0, depth)
  return found / ideal.reduce((sum, grade, rank) => sum + gain(grade, rank), 0)
}
