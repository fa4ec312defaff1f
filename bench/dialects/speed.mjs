import { feed, markdown, openEmpty, replies } from './replies.mjs'

const megabyte = 1e6
const rounds = 3

/** Plain text and Markdown at full speed; one long argument in every way of cutting, at four sizes. */
export async function measureSpeed({ openReader }, check) {
  console.log('\n## Speed (best of 3)\n')
  const sentence = 'The quick brown fox jumps over the lazy dog, and then some more words follow here.\n'
  const plain = sentence.repeat(Math.ceil((20 * megabyte) / sentence.length))
  const notes = markdown(20 * megabyte)
  for (const [name, text, size] of [
    ['plain text, whole', plain, plain.length],
    ['plain text, pieces of 4096', plain, 4096],
    ['plain text, pieces of 20', plain, 20],
    ['Markdown notes, whole', notes, notes.length],
    ['Markdown notes, pieces of 4096', notes, 4096],
    ['Markdown notes, pieces of 20', notes, 20],
  ]) {
    const ms = best(() => feed(openReader, text, size))
    const speed = text.length / 1000 / ms
    const line = `${name}: ${speed.toFixed(0)} MB/s`
    if (size >= 4096) check(`${line} (at least 50)`, speed >= 50)
    else console.log(`       ${line}`)
  }

  console.log('\n## One long argument: nanoseconds per character\n')
  for (const [name, make, size] of [
    ['JSON string, whole', replies.json, Number.POSITIVE_INFINITY],
    ['JSON string, pieces of 64', replies.json, 64],
    ['JSON string, pieces of 4', replies.json, 4],
    ['JSON in a JSON string, pieces of 64', replies.jsonInString, 64],
    ['raw XML value, whole', replies.xml, Number.POSITIVE_INFINITY],
    ['raw XML value, pieces of 64', replies.xml, 64],
    ['after a lone backtick, pieces of 64', replies.afterLoneBacktick, 64],
    ['never closed, pieces of 64', (length) => replies.json(length).slice(0, -20), 64],
  ]) {
    const costs = [1.25, 2.5, 5, 10].map((size_) => {
      const text = make(size_ * megabyte)
      return (best(() => feed(openReader, text, Math.min(size, text.length))) * 1e6) / text.length
    })
    const shown = costs.map((cost) => cost.toFixed(0)).join(', ')
    const usual = costs.slice(0, 3).sort((one, other) => one - other)[1]
    check(
      `${name}: ${shown} at 1.25, 2.5, 5, 10 MB (the last at most twice the median of the others)`,
      costs[3] <= usual * 2,
    )
  }

  console.log('\n## Memory\n')
  const before = used()
  const reader = openEmpty(openReader)
  let most = 0
  for (let count = 0; count < 100; count++) {
    reader.push(plain.slice(0, megabyte))
    most = Math.max(most, used() - before)
  }
  reader.end()
  check(
    `100 MB of text through one reader: ${(most / megabyte).toFixed(0)} MB more in use (at most 64)`,
    most < 64 * megabyte,
  )
}

function best(run) {
  let least = Number.POSITIVE_INFINITY
  for (let round = 0; round < rounds; round++) {
    const start = performance.now()
    run()
    least = Math.min(least, performance.now() - start)
  }
  return least
}

function used() {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed
}
