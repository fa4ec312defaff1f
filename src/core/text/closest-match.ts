/** The name the user most likely meant; `undefined` when none is similar. */
export function nearestName(typed: string, names: readonly string[]): string | undefined {
  return nearestNames(typed, names, 1)[0]
}

/** The names the user may have meant, the most similar first. */
export function nearestNames(typed: string, names: readonly string[], most = 3): string[] {
  const wanted = typed.toLowerCase().slice(0, 64)
  const allowed = (name: string) => Math.max(1, Math.floor(Math.max(wanted.length, name.length) * 0.4))
  return names
    .map((name) => ({ name, distance: editDistance(wanted, name.toLowerCase()) }))
    .filter(({ name, distance }) => distance <= allowed(name))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, most)
    .map(({ name }) => name)
}

/** Damerau–Levenshtein distance: insertions, deletions, replacements and swaps of neighbours. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const replaced = at(last, column - 1) + (a[row - 1] === b[column - 1] ? 0 : 1)
      let cost = Math.min(at(last, column) + 1, at(current, column - 1) + 1, replaced)
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      if (isSwap) cost = Math.min(cost, at(beforeLast, column - 2) + 1)
      current.push(cost)
    }
    beforeLast = last
    last = current
  }
  return at(last, b.length)
}

/** An entry of a row; every index above is inside it. */
const at = (row: readonly number[], column: number): number => row[column] ?? 0
