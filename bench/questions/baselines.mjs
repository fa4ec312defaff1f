import { readFileSync } from 'node:fs'
import { basename, relative, sep } from 'node:path'
import { DatabaseSync } from '../peers/sqlite.mjs'
import { noteFiles } from '../vaults/note-files.mjs'

/** Results of SQLite's full-text search, with the name of a note weighted five times. */
export function baselines(folder, queries) {
  const notes = noteFiles(folder).map((file) => ({
    path: relative(folder, file).split(sep).join('/'),
    title: basename(file, '.md'),
    body: readFileSync(file, 'utf8'),
  }))
  return {
    'FTS5 porter': answers(notes, queries, 'porter unicode61 remove_diacritics 2', (word) => [word]),
    'FTS5 trigram': answers(notes, queries, 'trigram', trigrams),
  }
}

function answers(notes, queries, tokenizer, termsOf) {
  const database = new DatabaseSync(':memory:')
  database.exec(`CREATE VIRTUAL TABLE notes USING fts5(path UNINDEXED, title, body, tokenize = '${tokenizer}')`)
  const insert = database.prepare('INSERT INTO notes VALUES (?, ?, ?)')
  database.exec('BEGIN')
  for (const { path, title, body } of notes) insert.run(path, title, body)
  database.exec('COMMIT')
  const select = database.prepare(
    'SELECT path FROM notes WHERE notes MATCH ? ORDER BY bm25(notes, 0, 5.0, 1.0) LIMIT 10',
  )
  const found = new Map()
  for (const { id, query } of queries) {
    const words = query.match(/[\p{L}\p{N}\p{M}_]+/gu) ?? []
    const terms = [...new Set(words.flatMap((word) => termsOf(word)).map((term) => term.toLowerCase()))]
    const hits =
      terms.length === 0 ? [] : select.all(terms.map((term) => `"${term}"`).join(' OR ')).map((row) => row.path)
    if (termsOf === trigrams) addByShortWords(hits, words, notes)
    found.set(id, hits.slice(0, 10))
  }
  database.close()
  return found
}

function trigrams(word) {
  const points = [...word]
  return Array.from({ length: Math.max(0, points.length - 2) }, (_, at) => points.slice(at, at + 3).join(''))
}

/** The trigram index cannot find words under three characters: they are looked for in every note. */
function addByShortWords(hits, words, notes) {
  const short = words.filter((word) => [...word].length < 3).map((word) => word.toLowerCase())
  if (short.length === 0 || hits.length >= 10) return
  const scored = notes.map(({ path, title, body }) => {
    const [inTitle, inBody] = [title.toLowerCase(), body.toLowerCase()]
    const score = short.reduce((sum, word) => sum + 5 * inTitle.includes(word) + inBody.includes(word), 0)
    return { path, score }
  })
  const more = scored.filter(({ path, score }) => score > 0 && !hits.includes(path)).sort((a, b) => b.score - a.score)
  hits.push(...more.map(({ path }) => path))
}
