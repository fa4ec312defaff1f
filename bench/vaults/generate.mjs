// Generates the synthetic vaults: `node bench/vaults/generate.mjs 10k 100k`. The same seed gives the same bytes.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { cacheFolder, dataFolder, retrievalSets } from '../data.mjs'
import { noteFiles } from './note-files.mjs'
import { planNotes } from './plan-notes.mjs'
import { readPool } from './pool.mjs'
import { seededRandom } from './random.mjs'
import { writeNote } from './write-note.mjs'

/** Goes up when the recipe changes, so that vaults of the old one are made again. */
const recipe = 2
const seed = 20240229

export const vaultSizes = { '1k': 1_000, '10k': 10_000, '100k': 100_000 }

/** Makes the vault of that size unless it is there already; answers its folder and what is in it. */
export function generatedVault(size) {
  const folder = join(cacheFolder, `v${size}`)
  const stampFile = `${folder}.json`
  const stamp = { recipe, seed, data: dataFingerprint() }
  if (existsSync(stampFile) && existsSync(folder)) {
    const known = JSON.parse(readFileSync(stampFile, 'utf8'))
    const isCurrent = JSON.stringify(known.stamp) === JSON.stringify(stamp)
    if (isCurrent && noteFiles(folder).length === known.notes) return known
  }
  const made = { name: `v${size}`, folder, stamp, ...generate(folder, vaultSizes[size]) }
  writeFileSync(stampFile, `${JSON.stringify(made, null, 2)}\n`)
  return made
}

function generate(folder, count) {
  const scratch = `${folder}.making`
  rmSync(scratch, { recursive: true, force: true })
  rmSync(folder, { recursive: true, force: true })

  const random = seededRandom(seed + count)
  const pool = readPool()
  const notes = planNotes(count, pool, random)
  // The first notes of this order draw most of the links: the very first about one in twenty at 10,000 notes.
  const popularity = random.shuffle(notes.filter((note) => !note.reuses))
  // Only one note may bear the hub's name, so that the links to it can be counted by their spelling alone.
  popularity.unshift(
    ...popularity.splice(
      popularity.findIndex((note) => !note.isTwin),
      1,
    ),
  )
  for (const name of new Set(notes.map((note) => note.folder))) mkdirSync(join(scratch, name), { recursive: true })

  const hub = popularity[0]
  const totals = { bytes: 0, links: 0, linksToHub: 0, filesLinkingToHub: 0 }
  for (const note of notes) {
    const written = writeNote(note, { pool, random, popularity, hub })
    writeFileSync(join(scratch, note.path), written.text)
    totals.bytes += Buffer.byteLength(written.text)
    totals.links += written.links
    totals.linksToHub += written.linksToHub
    if (written.linksToHub > 0) totals.filesLinkingToHub++
  }
  renameSync(scratch, folder)
  return { notes: count, ...totals, hub: { path: hub.path, title: hub.title } }
}

function dataFingerprint() {
  const files = [
    ...['blue-book', 'tasks-docs'].map((name) => join('vaults', `${name}.tar.gz`)),
    ...retrievalSets.map((name) => join('retrieval', name, 'docs.jsonl.gz')),
  ]
  return files.map((file) => `${file}:${statSync(join(dataFolder, file)).size}`).join(' ')
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const sizes = process.argv.slice(2)
  const unknown = sizes.filter((size) => !(size in vaultSizes))
  if (sizes.length === 0 || unknown.length > 0) {
    console.error(`Usage: node bench/vaults/generate.mjs ${Object.keys(vaultSizes).join('|')} …`)
    process.exit(2)
  }
  for (const size of sizes) {
    const start = performance.now()
    const { notes, bytes, links, hub, filesLinkingToHub, folder } = generatedVault(size)
    const seconds = ((performance.now() - start) / 1000).toFixed(1)
    console.log(`${folder}: ${notes} notes, ${(bytes / 1e6).toFixed(1)} MB, ${links} links, ${seconds} s`)
    console.log(`  hub: ${hub.path}, linked from ${filesLinkingToHub} notes`)
  }
}
