// `!` is used on arrays that have an entry for each note (`places` and `speeds` two), at indexes of notes of that graph.

/** Positions of the notes of a graph, moved step by step until they are stable. */
interface ForceLayout {
  /** x and y in turn. */
  readonly places: Float32Array
  /** 1 at first; below `restThreshold` nothing moves any more. */
  readonly heat: () => number
  step(): void
}

export const restThreshold = 0.01

/** Notes nearer than this repel each other; others are ignored, so that a step is cheap. */
const reach = 120
const push = 900
const springLength = 45
const springPull = 0.08
/** Longer springs at notes with many links. */
const spread = 9
const middlePull = 0.012
const cooling = 0.985
const friction = 0.6

/** Links attract, notes repel, and the center attracts all notes. The same graph always gets the same layout. */
export function forceLayout(count: number, links: readonly (readonly [number, number])[]): ForceLayout {
  const places = startingPlaces(count)
  const speeds = new Float32Array(count * 2)
  const degrees = new Float32Array(count)
  for (const [from, to] of links) {
    degrees[from]!++
    degrees[to]!++
  }
  let heat = 1
  return {
    places,
    heat: () => heat,
    step() {
      pushApart(places, speeds, heat)
      pullTogether(places, speeds, links, degrees, heat)
      for (let at = 0; at < count * 2; at++) {
        speeds[at] = (speeds[at]! - places[at]! * middlePull * heat) * friction
        places[at]! += Math.max(-reach, Math.min(reach, speeds[at]!))
      }
      heat *= cooling
    },
  }
}

/** A spiral around the first note: no overlaps, and near notes come first. */
function startingPlaces(count: number): Float32Array {
  const places = new Float32Array(count * 2)
  for (let at = 0; at < count; at++) {
    const radius = 18 * Math.sqrt(at)
    const angle = at * Math.PI * (3 - Math.sqrt(5))
    places[at * 2] = radius * Math.cos(angle)
    places[at * 2 + 1] = radius * Math.sin(angle)
  }
  return places
}

/** Notes by square of the plane: each square has its first note, each note the next one in its square. */
interface Squares {
  columns: number
  rows: number
  first: Int32Array
  next: Int32Array
}

function squaresOf(places: Float32Array): Squares {
  let [left, right, top, bottom] = [0, 0, 0, 0]
  for (let at = 0; at < places.length; at += 2) {
    left = Math.min(left, places[at]!)
    right = Math.max(right, places[at]!)
    top = Math.min(top, places[at + 1]!)
    bottom = Math.max(bottom, places[at + 1]!)
  }
  const columns = Math.floor((right - left) / reach) + 1
  const rows = Math.floor((bottom - top) / reach) + 1
  const first = new Int32Array(columns * rows).fill(-1)
  const next = new Int32Array(places.length / 2)
  for (let at = 0; at < next.length; at++) {
    const column = Math.floor((places[at * 2]! - left) / reach)
    const square = Math.floor((places[at * 2 + 1]! - top) / reach) * columns + column
    next[at] = first[square]!
    first[square] = at
  }
  return { columns, rows, first, next }
}

function pushApart(places: Float32Array, speeds: Float32Array, heat: number): void {
  const squares = squaresOf(places)
  const { columns, rows, first, next } = squares
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      for (let one = first[row * columns + column]!; one >= 0; one = next[one]!) {
        pushFrom(one, next[one]!, squares, places, speeds, heat)
        // Each pair of neighbouring squares is met once.
        for (const [right, down] of neighbours) {
          const [otherColumn, otherRow] = [column + right, row + down]
          if (otherColumn < 0 || otherColumn >= columns || otherRow >= rows) continue
          pushFrom(one, first[otherRow * columns + otherColumn]!, squares, places, speeds, heat)
        }
      }
    }
  }
}

const neighbours = [
  [1, 0],
  [-1, 1],
  [0, 1],
  [1, 1],
] as const

/** One note and all later ones in the same grid cell. */
function pushFrom(
  one: number,
  start: number,
  { next }: Squares,
  places: Float32Array,
  speeds: Float32Array,
  heat: number,
): void {
  const own = one * 2
  for (let at = start; at >= 0; at = next[at]!) {
    const other = at * 2
    // Two at one place part in a direction of their own.
    const x = places[own]! - places[other]! || (own - other) * 0.01
    const y = places[own + 1]! - places[other + 1]! || 0.01
    const square = x * x + y * y
    if (square > reach * reach) continue
    const force = (push * heat) / Math.max(30, square) / Math.sqrt(square)
    speeds[own]! += x * force
    speeds[own + 1]! += y * force
    speeds[other]! -= x * force
    speeds[other + 1]! -= y * force
  }
}

/** The one with fewer links moves more, so that a hub does not jump about. */
function pullTogether(
  places: Float32Array,
  speeds: Float32Array,
  links: readonly (readonly [number, number])[],
  degrees: Float32Array,
  heat: number,
): void {
  for (const [from, to] of links) {
    const x = places[to * 2]! - places[from * 2]!
    const y = places[to * 2 + 1]! - places[from * 2 + 1]!
    const length = Math.sqrt(x * x + y * y) || 1
    // A hub needs a longer way to its notes, or they would lie on each other.
    const rest = springLength + spread * Math.sqrt(Math.min(60, Math.max(0, degrees[from]! - 4, degrees[to]! - 4)))
    const force = (springPull * heat * (length - rest)) / length
    const share = degrees[to]! / (degrees[from]! + degrees[to]!)
    speeds[from * 2]! += x * force * share
    speeds[from * 2 + 1]! += y * force * share
    speeds[to * 2]! -= x * force * (1 - share)
    speeds[to * 2 + 1]! -= y * force * (1 - share)
  }
}
