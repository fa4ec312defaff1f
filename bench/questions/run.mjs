// Judges search results for questions that people type.
// Usage: node bench/questions/run.mjs [--vaults FOLDER] [--vault NAME] [--worst N] [--set name=value …]
import { parseArgs } from 'node:util'
import { loadEngine } from '../retrieval/load-engine.mjs'
import { baselines } from './baselines.mjs'
import { indexVault } from './index-vault.mjs'
import { meanOf, measure } from './measures.mjs'
import { hasQueries, readQueries } from './queries.mjs'
import { questionVaults, vaultFolder } from './vaults.mjs'

const { values: options } = parseArgs({
  options: {
    /** Folder that holds the fetched vaults, each under its name. */
    vaults: { type: 'string', default: process.env.NOTEWRIGHT_QUESTION_VAULTS },
    vault: { type: 'string', multiple: true },
    worst: { type: 'string', default: '0' },
    /** Constants of the ranking to try. */
    set: { type: 'string', multiple: true, default: [] },
  },
})

if (!hasQueries()) {
  console.log('skipped: the data folder has no vault-questions')
  process.exit()
}
const engine = await loadEngine()
const tried = Object.fromEntries(options.set.map((each) => each.split('=')).map(([key, value]) => [key, Number(value)]))
Object.assign(engine.defaultWeights, tried)
const rows = []
for (const vault of questionVaults) {
  if (options.vault && !options.vault.includes(vault.name)) continue
  const folder = vaultFolder(vault, options.vaults)
  if (folder === undefined) console.log(`${vault.name}: left out, not found (${vault.source ?? 'in the data folder'})`)
  else rows.push(...(await answer(vault.name, folder)))
}
report(rows)

/** Each question with what every system made of it. */
async function answer(name, folder) {
  const queries = readQueries(name)
  const searched = await indexVault(engine, name, folder)
  const pathsOf = async ({ query }, rank) => {
    const { hits } = await engine.answerSearch(searched, { query, limit: 10, rank }, 'fresh')
    return hits.map(({ path }) => path)
  }
  const peers = baselines(folder, queries)
  const answered = []
  for (const query of queries) {
    const found = { hybrid: await pathsOf(query, 'hybrid'), lexical: await pathsOf(query, 'lexical') }
    for (const [peer, answers] of Object.entries(peers)) found[peer] = answers.get(query.id)
    const of = Object.fromEntries(Object.entries(found).map(([key, paths]) => [key, measure(paths, query.relevant)]))
    answered.push({ ...query, found, of })
  }
  return answered
}

function report(rows) {
  const kinds = [...new Set(rows.map(({ kind }) => kind))]
  const vaults = [...new Set(rows.map(({ vault }) => vault))]
  table('all vaults', rows, kinds)
  for (const vault of vaults) {
    table(
      vault,
      rows.filter((row) => row.vault === vault),
      kinds,
    )
  }
  const worst = [...rows].sort((a, b) => a.of.hybrid.ndcg - b.of.hybrid.ndcg).slice(0, Number(options.worst))
  for (const { id, kind, query, of, found, relevant } of worst) {
    const wanted = Object.keys(relevant).sort((a, b) => relevant[b] - relevant[a])[0]
    console.log(
      `${of.hybrid.ndcg.toFixed(2)} ${id} [${kind}] ${query}\n     first ${found.hybrid[0]}\n     wanted ${wanted}`,
    )
  }
}

function table(title, rows, kinds) {
  console.log(`\n${title}`)
  console.log(`${'system'.padEnd(14)}${'kind'.padEnd(12)}    n   nDCG@10  S@1    S@5    MRR@10`)
  const groups = [
    ['all', rows],
    ['odd lines', rows.filter(({ isOdd }) => isOdd)],
    ['even lines', rows.filter(({ isOdd }) => !isOdd)],
    ...kinds.map((kind) => [kind, rows.filter((row) => row.kind === kind)]),
  ]
  for (const system of Object.keys(rows[0]?.of ?? {})) {
    for (const [name, group] of system.startsWith('FTS5') ? groups.slice(0, 1) : groups) {
      const { n, ...means } = meanOf(group.map(({ of }) => of[system]))
      const cells = Object.values(means).map((mean) => mean.toFixed(3).padStart(7))
      console.log(`${system.padEnd(14)}${name.padEnd(12)}${String(n).padStart(5)}  ${cells.join('')}`)
    }
  }
}
