import fc from 'fast-check'

/** Every property of the reader, on many more replies than the tests try. A new seed every time; it is printed. */
export function fuzz({ readerProperties }, cases, count, check) {
  const properties = readerProperties(cases)
  const total = fuzzAll('Fuzzing', properties, Math.ceil(count / properties.length), check)
  check(`${total} cases (at least ${count})`, total >= count)
}

/** The same for replies that only talk about calls alone: not one may be read as a call. */
export function fuzzTalk({ talkOfCalls }, cases, count, check) {
  fuzzAll('Replies that only talk about calls', [talkOfCalls(cases)], count, check)
}

function fuzzAll(title, properties, each, check) {
  const seed = Date.now() & 0x7fffffff
  console.log(`\n## ${title} (seed ${seed})\n`)
  let total = 0
  for (const { name, property } of properties) {
    const start = performance.now()
    const { failed, counterexample, errorInstance, numRuns } = fc.check(property, { numRuns: each, seed })
    total += numRuns
    const seconds = ((performance.now() - start) / 1000).toFixed(0)
    check(`${name}: ${numRuns} cases in ${seconds} s`, !failed)
    if (failed) console.log(JSON.stringify(counterexample), errorInstance)
  }
  return total
}
