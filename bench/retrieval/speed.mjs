// Speed of the engine alone on a generated vault. Usage: node bench/retrieval/speed.mjs [1k|10k|100k] [--meaning]
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { cacheFolder } from '../data.mjs'
import { generatedVault } from '../vaults/generate.mjs'
import { noteFiles } from '../vaults/note-files.mjs'
import { writeQueries } from '../vaults/queries.mjs'
import { run, splitText } from './index-set.mjs'
import { loadEngine } from './load-engine.mjs'

const segmentBytes = 32 << 20

const engine = await loadEngine()
const size = process.argv.find((argument) => /^\d+k$/.test(argument)) ?? '10k'
const { folder } = generatedVault(size)
const build = buildSegments(noteFiles(folder))
console.log(`${size}: ${build.notes} notes, ${(build.bytes / 1e6).toFixed(1)} MB`)
console.log(
  `build ${build.ms.toFixed(0)} ms, ${(build.bytes / 1e3 / build.ms).toFixed(1)} MB/s; processor time ${build.cpu.toFixed(0)} ms, ${(build.bytes / 1e3 / build.cpu).toFixed(1)} MB/s`,
)
const stored = build.blobs.reduce((sum, blob) => sum + blob.length, 0)
console.log(`${build.blobs.length} segments, ${(stored / 1e6).toFixed(1)} MB`)
const opened = performance.now()
const segments = build.blobs.map((blob) => ({ segment: engine.openSegment(blob) }))
console.log(`opened in ${(performance.now() - opened).toFixed(1)} ms`)
const searched = { segments }
if (process.argv.includes('--meaning')) addMeaning(searched)
const { rss, arrayBuffers, heapUsed } = process.memoryUsage()
console.log(`memory: ${mega(rss)} MB resident, ${mega(arrayBuffers)} MB arrays, ${mega(heapUsed)} MB heap`)
measureQueries(searched)

function buildSegments(files) {
  const blobs = []
  const builder = engine.segmentBuilder()
  let gathered = 0
  let ms = 0
  let cpu = 0
  let bytes = 0
  for (const [at, file] of files.entries()) {
    const text = readFileSync(file, 'utf8')
    const path = file.slice(folder.length + 1)
    const chunks = splitText(text)
    const started = performance.now()
    const before = process.cpuUsage()
    builder.add({ id: at + 1, path, title: basename(file, '.md'), names: [], extra: '', chunks })
    gathered += text.length
    if (gathered > segmentBytes || at === files.length - 1) {
      blobs.push(builder.build())
      gathered = 0
    }
    ms += performance.now() - started
    const { user, system } = process.cpuUsage(before)
    cpu += (user + system) / 1e3
    bytes += Buffer.byteLength(text)
  }
  return { blobs, ms, cpu, bytes, notes: files.length }
}

function addMeaning(searched) {
  const started = performance.now()
  searched.model = run(engine.fitLsa(engine.fitInput(segments.map(({ segment }) => segment))))
  console.log(`fitted in ${(performance.now() - started).toFixed(0)} ms`)
  const projecting = performance.now()
  for (const each of segments)
    each.vectors = engine.openVectors(run(engine.segmentVectors(each.segment, searched.model)))
  console.log(`vectors in ${(performance.now() - projecting).toFixed(0)} ms`)
}

function measureQueries(searched) {
  const scratch = mkdtempSync(join(cacheFolder, 'queries-'))
  const files = writeQueries(folder, scratch)
  for (const [name, file] of Object.entries(files)) {
    const queries = readFileSync(file, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
    for (const mode of searched.model === undefined ? ['lexical'] : ['lexical', 'hybrid']) {
      const times = []
      let empty = 0
      const cpu = process.cpuUsage()
      for (const { id, query } of queries) {
        const started = performance.now()
        const { hits } = engine.rank(searched, query, { limit: 10, mode })
        if (id.startsWith('warm')) continue
        times.push(performance.now() - started)
        if (hits.length === 0) empty++
      }
      const { user, system } = process.cpuUsage(cpu)
      times.sort((a, b) => a - b)
      const at = (share) => times[Math.floor(times.length * share)].toFixed(2)
      console.log(
        `${name} ${mode}: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, most ${at(0.999)} ms, ${empty} empty, mean of processor time ${((user + system) / 1e3 / queries.length).toFixed(2)} ms`,
      )
    }
  }
  rmSync(scratch, { recursive: true })
}

function mega(bytes) {
  return (bytes / 1e6).toFixed(0)
}
