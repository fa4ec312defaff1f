// `node bench/plugin/run.mjs [--notes 10k] [--rounds 3]`: the released plugin in Chromium against the same work on Node, in
// one run and in turn. Fails where a bar does not hold. What other programs make longer is measured by the processor's time,
// by the least of several, or as a ratio of neighbours; the clock's time stands beside it.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { buildPlugin, bundlePlugin, sharesOf } from '../../scripts/build-plugin.mjs'
import { bundled } from '../bundled.mjs'
import { repository } from '../data.mjs'
import { percentile } from '../statistics.mjs'
import { generatedVault } from '../vaults/generate.mjs'
import { measureIndex, watchIndex } from './cold-index.mjs'
import { servePlugin } from './plugin-place.mjs'
import { readVault } from './read-vault.mjs'
import { eagerScript, measureStartUp } from './start-up.mjs'

const { values } = parseArgs({
  options: {
    notes: { type: 'string', default: '10k' },
    rounds: { type: 'string', default: '3' },
    starts: { type: 'string', default: '11' },
  },
})
process.chdir(repository)
const { folder } = generatedVault(values.notes)
const notes = readVault(folder)
const { openBrowser } = await bundled('test/browser/open-browser.ts')
const release = mkdtempSync(join(tmpdir(), 'notewright-bench-plugin-'))
const failed = []
try {
  const { bytes, sizes } = await buildPlugin(release)
  console.log(`${cpus().length} cores, load ${loadavg()[0].toFixed(1)}, ${Object.keys(notes).length} notes\n`)
  tell('main.js, kB', bytes / 1000, 2000)
  const [all, shares] = [sizes.reduce((sum, { size }) => sum + size, 0), sharesOf(sizes)]
  for (const [part, size] of shares.slice(0, 15))
    console.log(`    ${((100 * size) / all).toFixed(1).padStart(5)} %  ${part}`)
  const place = await servePlugin(notes, release, await eagerScript(bundlePlugin))
  const browser = await openBrowser()
  try {
    const start = await measureStartUp(browser, place.address, Number(values.starts))
    tell('evaluated, with onload, against everything at once', start.ratio, 0.35, 'x')
    console.log(`    ${start.late.toFixed(0)} ms against ${start.eager.toFixed(0)} ms`)
    tell('onload alone, ms', start.onload, 50)
    failed.push(...start.troubles)
  } finally {
    await browser.close()
  }
  const rounds = []
  for (let round = 0; round < Number(values.rounds); round++) {
    const program = ['bench/plugin/node-index.mjs', folder]
    const node = JSON.parse(execFileSync(process.execPath, program, { encoding: 'utf8' }))
    const plugin = await inFreshBrowser((fresh) => measureIndex(fresh, place.address))
    const watched = await inFreshBrowser((fresh) => watchIndex(fresh, place.address, 'garden'))
    rounds.push({ node, plugin, watched })
  }
  await place.stop()
  report(rounds)
} finally {
  rmSync(release, { recursive: true, force: true })
}
for (const trouble of failed) console.log(`DOES NOT HOLD: ${trouble}`)
if (failed.length > 0) process.exitCode = 1

/** Each measurement gets a browser of its own: memory left by an earlier one would be counted. */
async function inFreshBrowser(measure) {
  const fresh = await openBrowser()
  try {
    return await measure(fresh)
  } finally {
    await fresh.close()
  }
}

function report(rounds) {
  const median = (pick) => percentile(rounds.map(pick), 0.5)
  const seconds = (pick) => `${(median(pick) / 1000).toFixed(1)} s`
  const ratioOf = (name) => median(({ node, plugin }) => plugin[name] / node[name])
  tell('cold index with vectors, against Node in memory, by the clock', ratioOf('all'), 1.5, 'x')
  console.log(`    ${seconds(({ plugin }) => plugin.all)} against ${seconds(({ node }) => node.all)}`)
  tell('the same by the processor, all processes of the browser', ratioOf('processor'), 1.5, 'x')
  console.log(`    ${seconds(({ plugin }) => plugin.processor)} against ${seconds(({ node }) => node.processor)}`)
  console.log(`    of that the browser's own process, IndexedDB: ${seconds(({ plugin }) => plugin.inBrowser)}`)
  console.log(`    and the model of the app, as its disk: ${seconds(({ plugin }) => plugin.host)}`)
  const longest = median(({ watched }) => watched.longest.processor)
  tell('longest task of the page meanwhile, typing, ms of the processor', longest, 50)
  const clock = rounds.map(({ watched }) => watched.longest.clock.toFixed(0)).join(', ')
  console.log(`    ${clock} ms by the clock, ${median(({ watched }) => watched.typed)} keys`)
  const warm = median(({ watched }) => watched.warm.processor)
  tell('start to the first answer with an index, ms of the processor', warm, 1000)
  console.log(`    ${rounds.map(({ watched }) => watched.warm.ms.toFixed(0)).join(', ')} ms by the clock`)
  if (rounds.some(({ watched }) => !watched.warm.found)) failed.push('the first answer finds something')
  const peak = median(({ watched }) => watched.peak / 1e6)
  tell('heap of page and worker at its highest, MB', peak, 250)
  console.log(
    `    ${median(({ watched }) => watched.settled / 1e6).toFixed(0)} MB afterwards, the notes of the disk included`,
  )
}

function tell(text, value, most, unit = '') {
  const holds = value <= most
  const shown = value < 10 ? value.toFixed(2) : value.toFixed(0)
  console.log(`${text.padEnd(66)} ${shown}${unit}, at most ${most}${unit}${holds ? '' : '   NO'}`)
  if (!holds) failed.push(text)
}
