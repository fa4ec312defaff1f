// Compares search with another checkout on questions that people type: ranking by vault and kind, time of a query,
// size of what is stored. Both run in one process, in turn, measured in processor time, so that a busy machine slows both.
// Usage: node bench/questions/against.mjs ../before [--vaults FOLDER] [--vault NAME] [--rounds N] [--set name=value …]
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { repository } from '../data.mjs'
import { loadEngine } from '../retrieval/load-engine.mjs'
import { median, percentile } from '../statistics.mjs'
import { indexVault } from './index-vault.mjs'
import { meanOf, measure } from './measures.mjs'
import { hasQueries, readQueries } from './queries.mjs'
import { questionVaults, vaultFolder } from './vaults.mjs'

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    vaults: { type: 'string', default: process.env.NOTEWRIGHT_QUESTION_VAULTS },
    vault: { type: 'string', multiple: true },
    rounds: { type: 'string', default: '5' },
    /** Constants of the ranking to try in this checkout. */
    set: { type: 'string', multiple: true, default: [] },
    /** Show the queries that changed by at least so much. */
    changed: { type: 'string', default: '2' },
  },
})
const [other] = positionals
if (other === undefined) throw new Error('Which checkout? node bench/questions/against.mjs ../before')
if (!hasQueries()) {
  console.log('skipped: the data folder has no vault-questions')
  process.exit()
}
const roots = { before: resolve(other), now: repository }
const engines = { before: await loadEngine(roots.before), now: await loadEngine(roots.now) }
for (const [key, value] of options.set.map((each) => each.split('='))) engines.now.defaultWeights[key] = Number(value)

const rows = []
const sizes = []
for (const vault of questionVaults) {
  if (options.vault && !options.vault.includes(vault.name)) continue
  const folder = vaultFolder(vault, options.vaults)
  if (folder === undefined) console.log(`${vault.name}: left out, not found (${vault.source ?? 'in the data folder'})`)
  else await compare(vault.name, folder)
}
report()

async function compare(vault, folder) {
  const indexed = {}
  for (const which of ['before', 'now']) {
    indexed[which] = await indexVault(engines[which], vault, folder, roots[which])
  }
  sizes.push({ vault, before: indexed.before.bytes, now: indexed.now.bytes })
  const queries = readQueries(vault).map((query) => ({ ...query, times: { before: [], now: [] }, of: {} }))
  // The first round warms both up and is not counted.
  for (let round = 0; round <= Number(options.rounds); round++) {
    for (const query of queries) {
      for (const which of round % 2 === 0 ? ['before', 'now'] : ['now', 'before']) {
        const start = process.cpuUsage()
        const { hits } = await engines[which].answerSearch(
          indexed[which],
          { query: query.query, limit: 10, rank: 'hybrid' },
          'fresh',
        )
        const { user, system } = process.cpuUsage(start)
        if (round > 0) query.times[which].push((user + system) / 1000)
        query.of[which] = measure(
          hits.map(({ path }) => path),
          query.relevant,
        )
      }
    }
  }
  rows.push(...queries)
}

function report() {
  console.log(`${'vault'.padEnd(14)}${'kind'.padEnd(12)}    n   nDCG@10 before    now             S@1 before   now`)
  const vaults = [...new Set(rows.map(({ vault }) => vault))]
  for (const vault of ['all', ...vaults]) {
    const own = rows.filter((row) => vault === 'all' || row.vault === vault)
    const kinds = [...new Set(own.map(({ kind }) => kind))]
    line(vault, 'all', own)
    const where = (name, isOne) => line(vault, name, own.filter(isOne))
    where('odd lines', ({ isOdd }) => isOdd)
    where('even lines', ({ isOdd }) => !isOdd)
    for (const kind of kinds) where(kind, (row) => row.kind === kind)
  }
  console.log(`\n${'query, ms'.padEnd(14)}   p50 before     now   p95 before     now`)
  for (const vault of ['all', ...vaults]) {
    const of = (which) =>
      rows.filter((row) => vault === 'all' || row.vault === vault).map((row) => median(row.times[which]))
    const cells = [0.5, 0.95].flatMap((share) => [percentile(of('before'), share), percentile(of('now'), share)])
    const ratio = (cells[3] / cells[2]).toFixed(2)
    console.log(`${vault.padEnd(14)}${cells.map((ms) => ms.toFixed(2).padStart(11)).join('')}   p95 ${ratio}×`)
  }
  console.log(`\n${'stored, kB'.padEnd(14)}text before      now           meaning before      now`)
  for (const { vault, before, now } of sizes) {
    const cells = ['text', 'meaning'].map((part) => {
      const kilobytes = (bytes) => (bytes / 1000).toFixed(0).padStart(9)
      return `${kilobytes(before[part])}${kilobytes(now[part])}   ${(now[part] / before[part]).toFixed(3)}×`
    })
    console.log(`${vault.padEnd(14)}${cells.join('    ')}`)
  }
  const change = ({ of }) => of.now.ndcg - of.before.ndcg
  const changed = rows.filter((row) => Math.abs(change(row)) >= Number(options.changed))
  for (const row of changed.sort((a, b) => change(a) - change(b))) {
    console.log(`${change(row).toFixed(2).padStart(6)} ${row.id} [${row.kind}] ${row.query}`)
  }
}

/** A kind of fewer than ten queries is an anecdote; one that fell by more than .01 is marked. */
function line(vault, name, group) {
  if (group.length === 0) return
  const before = meanOf(group.map(({ of }) => of.before))
  const now = meanOf(group.map(({ of }) => of.now))
  const mark = group.length >= 10 && now.ndcg < before.ndcg - 0.01 ? '  <- below' : ''
  const change = (now.ndcg - before.ndcg).toFixed(3)
  console.log(
    `${vault.padEnd(14)}${name.padEnd(12)}${String(group.length).padStart(5)}${before.ndcg.toFixed(3).padStart(17)}${now.ndcg.toFixed(3).padStart(7)} ${(change.startsWith('-') ? change : `+${change}`).padStart(7)}${before.at1.toFixed(3).padStart(18)}${now.at1.toFixed(3).padStart(6)}${mark}`,
  )
}
