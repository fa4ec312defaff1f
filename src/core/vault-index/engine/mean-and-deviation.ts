/** Mean and standard deviation, gathered number by number. */
export class MeanAndDeviation {
  private sum = 0
  private squares = 0
  private count = 0

  add(value: number): void {
    this.sum += value
    this.squares += value * value
    this.count++
  }

  /** Numbers already summed up. */
  addMany(sum: number, squares: number, count: number): void {
    this.sum += sum
    this.squares += squares
    this.count += count
  }

  done(least = 1e-3): { mean: number; deviation: number } {
    const count = Math.max(1, this.count)
    const mean = this.sum / count
    const variance = this.squares / count - mean * mean
    // Where all are nearly alike, as for a query of words without weight, small differences must not look large.
    return { mean, deviation: Math.max(least, Math.sqrt(Math.max(0, variance))) }
  }
}

export type Scale = ReturnType<MeanAndDeviation['done']>

export function standardScore(value: number, { mean, deviation }: Scale): number {
  return (value - mean) / deviation
}
