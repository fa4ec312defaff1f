import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { hasData, readRetrievalSet, retrievalSets } from '../data.mjs'
import { indexVault, searchBatch } from '../ours.mjs'
import { peerNames } from '../peers/index.mjs'
import { runPeer } from '../run-peer.mjs'
import { ndcg } from '../statistics.mjs'

/** nDCG@10 on the retrieval sets: each document is a note, each query goes the way of a user's query. */
export function measureQuality(setup) {
  for (const name of retrievalSets) {
    if (!hasData('retrieval', name)) {
      setup.record.skip('ranking quality', 'everyone', name, 'the data folder does not hold this set')
      continue
    }
    const set = readRetrievalSet(name)
    const place = writeVault(set, setup.scratch)

    setup.say(`${name}: notewright`)
    const ours = setup.oursMissing ? { failure: setup.oursMissing } : answersOfOurs(place)
    recordQuality(setup.record, 'Notewright', set, ours)
    for (const peer of setup.qualityPeers) {
      setup.say(`${name}: ${peerNames[peer.id]}`)
      const job = { kind: 'answer', peer: peer.id, ...place }
      recordQuality(setup.record, peerNames[peer.id], set, peer.missing ? { failure: peer.missing } : runPeer(job))
    }
  }
}

function answersOfOurs({ vault, folder, queries }) {
  try {
    const home = join(folder, 'home')
    indexVault({ vault, home })
    const { answers } = searchBatch({ vault, home, queries })
    return { answers: answers.map(({ id, hits }) => ({ id, paths: hits.map((hit) => hit.path) })) }
  } catch (error) {
    return { failure: error.message }
  }
}

function recordQuality(record, engine, set, { answers, failure }) {
  if (failure) return record.skip('ranking quality', engine, set.name, failure)
  const scores = answers.flatMap(({ id, paths }) => {
    const grades = set.judgements.get(id)
    return grades === undefined ? [] : [{ isOdd: isOdd(id), score: ndcg(paths.map(documentId), grades) }]
  })
  const mean = (list) => list.reduce((sum, { score }) => sum + score, 0) / list.length
  record.add('ranking quality', engine, set.name, mean(scores))
  record.add('ranking quality, odd ids', engine, set.name, mean(scores.filter(({ isOdd }) => isOdd)))
  record.add('ranking quality, even ids', engine, set.name, mean(scores.filter(({ isOdd }) => !isOdd)))
  record.add('empty answers', engine, set.name, answers.filter(({ paths }) => paths.length === 0).length)
}

/** Constants may be chosen on odd ids only, so both halves are shown. Ids are decimal or hexadecimal numbers. */
function isOdd(id) {
  return Number.parseInt(id.at(-1), 16) % 2 === 1
}

function writeVault({ name, docs, queries }, scratch) {
  const folder = join(scratch, `quality-${name}`)
  const vault = join(folder, 'vault')
  mkdirSync(vault, { recursive: true })
  for (const { id, title, text } of docs) {
    writeFileSync(join(vault, `${noteName(id)}.md`), title ? `# ${title}\n\n${text}\n` : `${text}\n`)
  }
  const file = join(folder, 'queries.jsonl')
  writeFileSync(file, queries.map(({ id, text }) => JSON.stringify({ id, query: text })).join('\n'))
  return { vault, folder, queries: file }
}

/** A document's id as one made-up word, so that no engine takes a number in a query for the name of a note. */
function noteName(id) {
  return `zq${id.replace('-', 'x')}zq`
}

function documentId(path) {
  return basename(path, '.md').slice(2, -2).replace('x', '-')
}
