import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join, sep } from 'node:path'
import { indexVault, searchBatch, searchOnce, startNothing, timeBacklinks } from '../ours.mjs'
import { peerNames } from '../peers/index.mjs'
import { runPeer } from '../run-peer.mjs'
import { percentile } from '../statistics.mjs'
import { noteFiles } from '../vaults/note-files.mjs'
import { writeQueries } from '../vaults/queries.mjs'
import { seededRandom } from '../vaults/random.mjs'

/** Cold index, warm start, no-op update, queries, backlinks, memory and size, for us and every peer on one vault. */
export function measureIndexAndQuery({ name, folder, notes, hub }, setup) {
  const work = join(setup.scratch, name)
  mkdirSync(work, { recursive: true })
  const queries = writeQueries(folder, work)

  for (let round = 0; round < setup.runs; round++) {
    setup.say(`${name}: notewright, run ${round + 1} of ${setup.runs}`)
    if (setup.oursMissing) setup.record.skip('everything', 'Notewright', name, setup.oursMissing)
    else measureOurs({ name, folder, work, queries, hub }, setup)
    for (const peer of setup.peers) {
      if (round > 0 && peer.isSlow && notes > 20_000) continue
      setup.say(`${name}: ${peerNames[peer.id]}, run ${round + 1} of ${setup.runs}`)
      measurePeer(peer, { name, folder, work, queries }, setup)
    }
  }
  rmSync(work, { recursive: true, force: true })
}

function measureOurs({ name, folder, work, queries, hub }, { record }) {
  const home = join(work, 'home')
  rmSync(home, { recursive: true, force: true })
  const add = (measure, value) => record.add(measure, 'Notewright', name, value)
  const attempt = (measure, action) => {
    try {
      return action()
    } catch (error) {
      record.skip(measure, 'Notewright', name, error.message)
      return undefined
    }
  }

  const cold = attempt('cold index', () => indexVault({ vault: folder, home }))
  if (cold === undefined) return
  add('cold index', (cold.lexicalMs ?? cold.ms) / 1000)
  add('cold index with vectors', cold.ms / 1000)
  if (cold.peak) add('peak memory', cold.peak / 1e6)
  add('index size', sizeOf(home) / 1e6)

  attempt('no-op update', () => add('no-op update', indexVault({ vault: folder, home }).wallMs))
  const query = someTitle(folder)
  attempt('warm start', () => {
    // The first start after a build reads the program from disk and is not counted.
    searchOnce({ vault: folder, home, query })
    for (let again = 0; again < 3; again++) {
      add('warm start', searchOnce({ vault: folder, home, query }).wallMs)
      record.add('warm start', 'Node with nothing to do', name, startNothing())
    }
  })
  for (const kind of ['short', 'long']) {
    attempt(`${kind} queries`, () => {
      const { answers, peak } = searchBatch({ vault: folder, home, queries: queries[kind] })
      addTimings(
        `${kind} queries`,
        measured(answers).map((answer) => answer.ms),
        add,
      )
      if (peak) add('peak memory of querying', peak / 1e6)
    })
  }
  attempt('backlinks', () => {
    const notes = [...somePaths(folder, 200, 3), ...(hub ? [hub.path] : [])]
    addTimings('backlinks', timeBacklinks({ vault: folder, home, notes }).timings, add)
  })
}

function measurePeer(peer, { name, folder, work, queries }, { record }) {
  const add = (measure, value) => record.add(measure, peerNames[peer.id], name, value)
  const skip = (measure, reason) => record.skip(measure, peerNames[peer.id], name, reason)
  if (peer.missing) return skip('everything', peer.missing)

  const job = { peer: peer.id, vault: folder, folder: work }
  const built = runPeer({
    ...job,
    kind: 'build',
    queries,
    saves: true,
    queryBudgetMs: peer.isIndexed ? 60_000 : 15_000,
  })
  if (built.failure) return skip('everything', built.failure)
  if (peer.isIndexed) add('cold index', built.buildMs / 1000)
  else skip('cold index', 'keeps no index')
  add('peak memory', built.peak / 1e6)
  if (built.indexBytes) add('index size', built.indexBytes / 1e6)
  else skip('index size', peer.isIndexed ? 'nothing to store in one file' : 'keeps no index')
  for (const [kind, { timings }] of Object.entries(built.timings)) addTimings(`${kind} queries`, timings, add)

  const query = someTitle(folder)
  for (let again = 0; again < 3; again++) {
    const opened = runPeer({ ...job, kind: 'open', query })
    if (opened.failure || opened.unavailable)
      return skip('warm start', opened.failure ?? 'cannot be opened from one file')
    add('warm start', opened.wallMs)
  }
}

function addTimings(measure, timings, add) {
  if (timings.length === 0) return
  add(`${measure} p50`, percentile(timings, 0.5))
  add(`${measure} p95`, percentile(timings, 0.95))
}

function measured(answers) {
  return answers.filter((answer) => !String(answer.id).startsWith('warm'))
}

function someTitle(vault) {
  return somePaths(vault, 1, 0)[0].split('/').at(-1).slice(0, -3)
}

function somePaths(vault, count, seed) {
  const random = seededRandom(100 + seed)
  const files = noteFiles(vault).map((file) =>
    file
      .slice(vault.length + 1)
      .split(sep)
      .join('/'),
  )
  return Array.from({ length: count }, () => random.pick(files))
}

function sizeOf(folder) {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath ?? entry.path, entry.name)).size, 0)
}
