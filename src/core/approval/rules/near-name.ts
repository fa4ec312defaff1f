/** The name someone most likely meant, or undefined when none is close. */
export function nearName(typed: string, names: readonly string[]): string | undefined {
  const wanted = typed.toLowerCase().slice(0, 64)
  let best: { name: string; distance: number } | undefined
  for (const name of names) {
    const distance = editDistance(wanted, name.toLowerCase())
    const isNear = distance <= Math.max(1, Math.floor(Math.max(wanted.length, name.length) * 0.4))
    if (isNear && (best === undefined || distance < best.distance)) best = { name, distance }
  }
  return best?.name
}

/** Insertions, deletions, replacements and swaps of neighbours. */
function editDistance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, column) => column)]
  for (let row = 1; row <= a.length; row++) {
    const above = rows[row - 1]
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const replaced = above[column - 1] + (a[row - 1] === b[column - 1] ? 0 : 1)
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      const swapped = isSwap ? rows[row - 2][column - 2] + 1 : replaced
      current.push(Math.min(above[column] + 1, current[column - 1] + 1, replaced, swapped))
    }
    rows.push(current)
  }
  return rows[a.length][b.length]
}
