/** Mean and standard deviation, gathered number by number. */
export class Spread {
  private sum = 0
  private squares = 0
  private count = 0

  add(value: number): void {
    this.sum += value
    this.squares += value * value
    this.count++
  }

  /** Many units that were not hit count as zeros. */
  addZeros(count: number): void {
    this.count += count
  }

  done(): { mean: number; deviation: number } {
    const count = Math.max(1, this.count)
    const mean = this.sum / count
    const variance = this.squares / count - mean * mean
    // Where all are alike nothing stands out.
    return { mean, deviation: variance > 1e-18 ? Math.sqrt(variance) : Number.POSITIVE_INFINITY }
  }
}

export type Scale = ReturnType<Spread['done']>

export function standing(value: number, { mean, deviation }: Scale): number {
  return (value - mean) / deviation
}
