// `!` is used on the 32 counts of letters.

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

/**
 * Finds all names at the smallest distance from a text, for changes that nobody typed: at most a quarter of the letters
 * may differ, and no number. Several names mean that the choice is open.
 */
export function closestNames(names: readonly string[]): (wanted: string) => string[] {
  const known = names.map((name) => {
    const folded = name.toLowerCase().normalize('NFC')
    return { name, folded, numbers: numbersIn(folded), letters: letterCounts(folded) }
  })
  return (wanted) => {
    const folded = wanted.toLowerCase().normalize('NFC')
    if (folded.length > longestCompared) return []
    const [numbers, letters] = [numbersIn(folded), letterCounts(folded)]
    let least = Math.floor(folded.length / 4)
    let found: string[] = []
    for (const each of known) {
      // Letters are counted first, because comparing names is slow.
      if (Math.abs(each.folded.length - folded.length) > least || each.numbers !== numbers) continue
      if (countDifference(each.letters, letters) > 2 * least) continue
      const distance = editDistance(folded, each.folded)
      if (distance > least) continue
      found = distance < least ? [each.name] : [...found, each.name]
      least = distance
    }
    return found
  }
}

const longestCompared = 200

const numbersIn = (text: string): string => (text.match(/\p{N}+/gu) ?? []).join(' ')

function letterCounts(text: string): Uint8Array {
  const counts = new Uint8Array(32)
  for (let at = 0; at < text.length; at++) counts[text.charCodeAt(at) % 32]!++
  return counts
}

function countDifference(a: Uint8Array, b: Uint8Array): number {
  let sum = 0
  for (let at = 0; at < 32; at++) sum += Math.abs(a[at]! - b[at]!)
  return sum
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
