/** nDCG@10 with linear gain. */
export function ndcg(found, grades, depth = 10) {
  const gain = (list) => list.slice(0, depth).reduce((sum, grade, at) => sum + grade / Math.log2(at + 2), 0)
  const ideal = gain([...grades.values()].sort((a, b) => b - a))
  return ideal === 0 ? 0 : gain(found.map((id) => grades.get(id) ?? 0)) / ideal
}

export function recall(found, grades, depth = 20) {
  const relevant = [...grades].filter(([, grade]) => grade > 0)
  const top = new Set(found.slice(0, depth))
  return relevant.length === 0 ? 0 : relevant.filter(([id]) => top.has(id)).length / relevant.length
}

/** Constants are chosen on odd queries only. A hexadecimal id is odd when its last digit is. */
export function isOdd(id) {
  return Number.parseInt(id.at(-1), 16) % 2 === 1
}

export const mean = (values) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
