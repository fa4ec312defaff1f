/** Words further apart than this have nothing to do with each other. */
const reach = 8

/**
 * How near each other the words of a query stand in one passage (Büttcher, Clarke and Lushman 2006): each word gains by
 * the weight of its next neighbour, less with the square of the distance. Words come in the order of the text.
 */
export class Nearness {
  private readonly gains: Float64Array
  private last = -1
  private lastPlace = 0
  private isAny = false

  constructor(
    private readonly weights: Float64Array,
    private readonly areFunction: readonly boolean[],
    private readonly k1: number,
    private readonly share: number,
  ) {
    this.gains = new Float64Array(weights.length)
  }

  meet(word: number, place: number): void {
    const { last, gains, weights } = this
    const distance = place - this.lastPlace
    const isAsking = this.areFunction[word] && this.areFunction[last]
    if (last >= 0 && last !== word && distance <= reach && !isAsking) {
      const nearness = 1 / (distance * distance)
      gains[word] += weights[last] * nearness
      gains[last] += weights[word] * nearness
      this.isAny = true
    }
    this.last = word
    this.lastPlace = place
  }

  /** What the passage has gained, longer ones less by `norm`; the next one begins anew. */
  take(norm: number): number {
    this.last = -1
    if (!this.isAny) return 0
    this.isAny = false
    const { gains, weights, k1 } = this
    let sum = 0
    for (let word = 0; word < gains.length; word++) {
      if (gains[word] === 0) continue
      sum += (Math.min(1, weights[word]) * gains[word] * (k1 + 1)) / (gains[word] + norm)
      gains[word] = 0
    }
    return this.share * sum
  }
}
