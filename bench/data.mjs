// Locations of the benchmark's input data and of its generated files.
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'

export const repository = fileURLToPath(new URL('..', import.meta.url))

export const dataFolder = resolve(repository, process.env.NOTEWRIGHT_DATA ?? '../shared/data')

/** Generated vaults and built indexes; may be deleted at any time. */
export const cacheFolder = join(tmpdir(), 'notewright-bench')
mkdirSync(cacheFolder, { recursive: true })

export const retrievalSets = ['cranfield', 'xquad-en', 'xquad-ru', 'xquad-zh']

export function hasData(...parts) {
  return existsSync(join(dataFolder, ...parts))
}

/** One retrieval set: documents, queries, and for each query its relevant documents with their grades. */
export function readRetrievalSet(name) {
  const docs = readJsonLines(join('retrieval', name, 'docs.jsonl.gz')).map(({ _id, title, text }) => ({
    id: _id,
    title: clean(title),
    text: clean(text),
  }))
  const queries = readJsonLines(join('retrieval', name, 'queries.jsonl.gz')).map(({ _id, text }) => ({
    id: _id,
    text: clean(text),
  }))
  const judgements = new Map()
  for (const line of readGzip(join('retrieval', name, 'qrels.tsv.gz'))
    .split('\n')
    .slice(1)) {
    const [query, doc, score] = line.split('\t')
    if (!doc) continue
    if (!judgements.has(query)) judgements.set(query, new Map())
    judgements.get(query).set(doc, Number(score))
  }
  return { name, docs, queries, judgements }
}

/** Some documents begin with a byte order mark; in the middle of a note it would be part of a word. */
function clean(text) {
  return (text ?? '').replaceAll('\uFEFF', '').trim()
}

function readJsonLines(path) {
  return readGzip(path)
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
}

function readGzip(path) {
  return gunzipSync(readFileSync(join(dataFolder, path))).toString('utf8')
}
