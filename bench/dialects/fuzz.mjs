import fc from 'fast-check'

/** Every property of the reader, on many more replies than the tests try. A new seed every time; it is printed. */
export function fuzz({ readerProperties }, cases, count, check) {
  const seed = Date.now() & 0x7fffffff
  console.log(`\n## Fuzzing (seed ${seed})\n`)
  const properties = readerProperties(cases)
  const each = Math.ceil(count / properties.length)
  let total = 0
  for (const { name, property } of properties) {
    const start = performance.now()
    const { failed, counterexample, errorInstance, numRuns } = fc.check(property, { numRuns: each, seed })
    total += numRuns
    const seconds = ((performance.now() - start) / 1000).toFixed(0)
    check(`${name}: ${numRuns} cases in ${seconds} s`, !failed)
    if (failed) console.log(JSON.stringify(counterexample), errorInstance)
  }
  check(`${total} cases (at least ${count})`, total >= count)
}
