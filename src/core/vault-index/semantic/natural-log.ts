/**
 * The natural logarithm from the four basic operations alone. `Math.log` may differ in its last bit from one engine to
 * the next, and a model must be the same on every host. For finite numbers of at least 1.
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
