// How fast tool calls are read, against another checkout: `node bench/dialects/against.mjs ../before [rounds]`.
// Both in one process, in turn, by the processor's clock, so that a busy machine slows both alike.
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { bundled } from '../bundled.mjs'
import { feed, markdown, replies } from './replies.mjs'

const [other, rounds = '9'] = process.argv.slice(2)
if (other === undefined) throw new Error('Which checkout? node bench/dialects/against.mjs ../before')
const theirs = await import(pathToFileURL(resolve(other, 'bench/bundled.mjs')).href)
const readers = {
  before: (await theirs.bundled(join('src', 'core', 'dialects', 'index.ts'))).openReader,
  now: (await bundled(join('src', 'core', 'dialects', 'index.ts'))).openReader,
}

const megabyte = 1e6
const cases = [
  ['Markdown notes, whole', markdown(4 * megabyte), Number.POSITIVE_INFINITY],
  ['Markdown notes, pieces of 20', markdown(2 * megabyte), 20],
  ['JSON string, whole', replies.json(2.5 * megabyte), Number.POSITIVE_INFINITY],
  ['JSON string, pieces of 64', replies.json(2.5 * megabyte), 64],
  ['JSON string, pieces of 4', replies.json(megabyte), 4],
  ['JSON in a JSON string, pieces of 64', replies.jsonInString(2.5 * megabyte), 64],
  ['raw XML value, pieces of 64', replies.xml(megabyte), 64],
  ['small calls, whole', replies.smallCalls(2_000), Number.POSITIVE_INFINITY],
  ['small calls, pieces of 20', replies.smallCalls(2_000), 20],
]

const ratios = cases.map(([name, text, size]) => {
  const times = { before: [], now: [] }
  for (let round = 0; round < Number(rounds); round++) {
    for (const which of round % 2 === 0 ? ['before', 'now'] : ['now', 'before']) {
      const start = process.cpuUsage()
      feed(readers[which], text, Math.min(size, text.length))
      const { user, system } = process.cpuUsage(start)
      times[which].push((user + system) / 1000)
    }
  }
  const ratio = median(times.before) / median(times.now)
  console.log(
    `${name.padEnd(36)} before ${median(times.before).toFixed(1)} ms, now ${median(times.now).toFixed(1)} ms: ${ratio.toFixed(2)}×`,
  )
  return ratio
})
const mean = Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length)
console.log(`\nAll together ${mean.toFixed(2)}× as fast (geometric mean; above 1 is faster now)`)

function median(numbers) {
  return [...numbers].sort((one, another) => one - another)[numbers.length >> 1]
}
