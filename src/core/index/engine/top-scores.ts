// `!` is used on places of the heap, which are below `count`.

/** Keeps the best of many scored items in a heap. Ties go to the smaller id, so that results are stable. */
export class TopScores {
  readonly scores: Float64Array
  readonly ids: Int32Array
  readonly keys: Float64Array
  count = 0

  constructor(readonly limit: number) {
    this.scores = new Float64Array(limit)
    this.ids = new Int32Array(limit)
    this.keys = new Float64Array(limit)
  }

  /** The lowest score that can still enter. */
  get threshold(): number {
    return this.count < this.limit ? Number.NEGATIVE_INFINITY : this.scores[0]!
  }

  offer(score: number, id: number, key: number): void {
    if (this.count < this.limit) {
      this.rise(this.count++, score, id, key)
    } else if (this.limit > 0 && isWorse(this.scores[0]!, this.ids[0]!, score, id)) {
      this.sink(score, id, key)
    }
  }

  /** Keys of the kept items, best first. */
  sorted(): Float64Array {
    const { scores, ids, keys, count } = this
    const order: number[] = []
    for (let at = 0; at < count; at++) order.push(at)
    order.sort((a, b) => scores[b]! - scores[a]! || ids[a]! - ids[b]!)
    const best = new Float64Array(count)
    for (let at = 0; at < count; at++) best[at] = keys[order[at]!]!
    return best
  }

  /** The worst item is at the root, to be replaced first. */
  private rise(from: number, score: number, id: number, key: number): void {
    let at = from
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!isWorse(score, id, this.scores[parent]!, this.ids[parent]!)) break
      this.move(parent, at)
      at = parent
    }
    this.place(at, score, id, key)
  }

  private sink(score: number, id: number, key: number): void {
    let at = 0
    for (;;) {
      let child = at * 2 + 1
      if (child >= this.count) break
      if (
        child + 1 < this.count &&
        isWorse(this.scores[child + 1]!, this.ids[child + 1]!, this.scores[child]!, this.ids[child]!)
      )
        child++
      if (!isWorse(this.scores[child]!, this.ids[child]!, score, id)) break
      this.move(child, at)
      at = child
    }
    this.place(at, score, id, key)
  }

  private move(from: number, to: number): void {
    this.place(to, this.scores[from]!, this.ids[from]!, this.keys[from]!)
  }

  private place(at: number, score: number, id: number, key: number): void {
    this.scores[at] = score
    this.ids[at] = id
    this.keys[at] = key
  }
}

function isWorse(score: number, id: number, other: number, otherId: number): boolean {
  return score < other || (score === other && id > otherId)
}
