// One peer in a process of its own, so that its peak memory is its own: `node peer-process.mjs '<job as JSON>'`.
// Prints one line of JSON. The jobs: build (index, then time queries), answer (index, then answer queries),
// open (open what an earlier process saved and answer one query).
import { readFileSync } from 'node:fs'
import { peers } from './peers/index.mjs'
import { readNotes } from './vaults/note-files.mjs'

const job = JSON.parse(process.argv[2])
const peer = (await peers[job.peer]())(job.folder, job.vault)
process.stdout.write(`${JSON.stringify(await jobs()[job.kind]())}\n`)
peer.close()

function jobs() {
  return { build, answer, open }
}

async function build() {
  const start = performance.now()
  await peer.build(readNotes(job.vault))
  const buildMs = performance.now() - start
  const buildPeak = peakBytes()
  const timings = {}
  for (const [name, file] of Object.entries(job.queries)) timings[name] = await timeQueries(readQueries(file))
  const peak = peakBytes()
  const indexBytes = job.saves ? peer.save?.() : undefined
  return { buildMs, buildPeak, peak, indexBytes, timings }
}

async function answer() {
  await peer.build(readNotes(job.vault))
  const answers = []
  for (const { id, query } of readQueries(job.queries)) answers.push({ id, paths: await peer.query(query, 10) })
  return { answers }
}

async function open() {
  if (peer.open === undefined) return { unavailable: true }
  peer.open()
  return { paths: await peer.query(job.query, 10) }
}

/** Queries whose id begins with `warm` are asked and not timed. Stops early when a peer is too slow to finish. */
async function timeQueries(queries) {
  const deadline = performance.now() + job.queryBudgetMs
  const timings = []
  let empty = 0
  for (const { id, query } of queries) {
    if (performance.now() > deadline && timings.length >= 3) break
    const start = performance.now()
    const paths = await peer.query(query, 10)
    const elapsed = performance.now() - start
    if (id.startsWith('warm')) continue
    timings.push(elapsed)
    if (paths.length === 0) empty++
  }
  return { timings, empty }
}

function readQueries(file) {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
}

/** maxRSS is in kilobytes on every system Node runs on. */
function peakBytes() {
  return process.resourceUsage().maxRSS * 1024
}
