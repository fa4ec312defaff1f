// `!` is used on the table of logarithms, below its length.

/**
 * The natural logarithm by basic operations only. `Math.log` may differ in its last bit between engines, and a model
 * must be the same on every host. For finite numbers of at least 1.
 */
export function naturalLog(value: number): number {
  let mantissa = value
  let halvings = 0
  while (mantissa > 1.5) {
    mantissa /= 2
    halvings++
  }
  // ln m = 2 artanh((m − 1) / (m + 1)); the ratio is at most 1/5 here, so thirteen terms reach double precision.
  const ratio = (mantissa - 1) / (mantissa + 1)
  const square = ratio * ratio
  let sum = 0
  for (let odd = 25; odd >= 1; odd -= 2) sum = sum * square + 1 / odd
  return 2 * ratio * sum + halvings * Math.LN2
}

/** Natural logarithm of a count, from a table for small ones: it is computed millions of times. */
export function logOfCount(count: number): number {
  return count < smallLogs.length ? smallLogs[count]! : naturalLog(count)
}

const smallLogs = Float64Array.from({ length: 256 }, (_, count) => (count < 1 ? 0 : naturalLog(count)))

/** Uniform numbers in [0, 1) from a seed: the same on every host, and never to be used for secrets. */
export function randomSource(seed: number): () => number {
  // Xorshift never leaves a state of zero.
  let state = seed >>> 0 || 0x9e3779b9
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 0x1_0000_0000
  }
}
