// Ranking quality on the judged sets, step by step. Usage: node bench/retrieval/run.mjs [set …]
import { hasData, readRetrievalSet, retrievalSets } from '../data.mjs'
import { indexSet } from './index-set.mjs'
import { loadEngine } from './load-engine.mjs'
import { isOdd, mean, ndcg, recall } from './measures.mjs'

const steps = [
  ['stems', 'lexical', { surface: 0, names: 0, subword: 0 }],
  ['+ surface', 'lexical', { names: 0, subword: 0 }],
  ['+ names', 'lexical', { subword: 0 }],
  ['+ word pieces (lexical)', 'lexical', {}],
  ['whole notes only', 'hybrid', { chunkShare: 0 }],
  ['best passages only', 'hybrid', { noteShare: 0 }],
  ['meaning alone', 'semantic', {}],
  ['all (hybrid)', 'hybrid', {}],
]

const engine = await loadEngine()
const wanted = process.argv.slice(2)
for (const name of wanted.length > 0 ? wanted : retrievalSets) {
  if (!hasData('retrieval', name)) {
    console.log(`${name}: skipped, no data`)
    continue
  }
  const set = readRetrievalSet(name)
  const searched = indexSet(engine, set.docs)
  const { noteCount, chunkTotal } = searched.segments[0].segment
  console.log(`\n${name}: ${noteCount} notes, ${chunkTotal} chunks, ${set.queries.length} queries`)
  console.log('step                       nDCG@10    odd     even    R@20   empty')
  for (const [step, mode, change] of steps) console.log(row(step, measure(set, searched, mode, change)))
}

function measure({ docs, queries, judgements }, searched, mode, change) {
  const recipe = { ...engine.defaultWeights, ...change }
  return queries
    .filter(({ id }) => judgements.has(id))
    .map(({ id, text }) => {
      const { hits } = engine.rank(searched, text, { limit: 20, mode }, recipe)
      const found = hits.map(({ note }) => docs[note - 1].id)
      const grades = judgements.get(id)
      return { id, ndcg: ndcg(found, grades), recall: recall(found, grades), isEmpty: found.length === 0 }
    })
}

function row(step, results) {
  const of = (some) => mean(some.map((result) => result.ndcg)).toFixed(4)
  const odd = results.filter(({ id }) => isOdd(id))
  const even = results.filter(({ id }) => !isOdd(id))
  const empty = `${((100 * results.filter(({ isEmpty }) => isEmpty).length) / results.length).toFixed(1)} %`
  return `${step.padEnd(25)}  ${of(results)}  ${of(odd)}  ${of(even)}  ${mean(results.map((result) => result.recall)).toFixed(3)}  ${empty}`
}
