import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from './sqlite.mjs'

/** SQLite's full-text search through the same SQLite that Notewright stores its rows with. It keeps the text. */
export const fts5Porter = (folder) => fts5('FTS5 porter', 'porter unicode61', wordsAsPhrases, folder)
export const fts5Unicode = (folder) => fts5('FTS5 unicode61', 'unicode61', wordsAsPhrases, folder)
export const fts5Trigram = (folder) => fts5('FTS5 trigram', 'trigram', gramsAsPhrases, folder)

function fts5(name, tokenizer, toPhrases, folder) {
  const file = join(folder, `${name.replace(' ', '-').toLowerCase()}.db`)
  let database
  let statement

  return {
    name,
    build(notes) {
      rmSync(file, { force: true })
      database = new DatabaseSync(file)
      database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
      database.exec(`CREATE VIRTUAL TABLE documents USING fts5(path UNINDEXED, title, body, tokenize = '${tokenizer}')`)
      const insert = database.prepare('INSERT INTO documents (path, title, body) VALUES (?, ?, ?)')
      database.exec('BEGIN')
      for (const { path, title, body } of notes) insert.run(path, title, body)
      database.exec('COMMIT')
    },
    save() {
      database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
      return statSync(file).size
    },
    open() {
      database = new DatabaseSync(file)
    },
    query(text, limit) {
      const match = toPhrases(text).join(' OR ')
      if (match === '') return []
      statement ??= database.prepare('SELECT path FROM documents WHERE documents MATCH ? ORDER BY rank LIMIT ?')
      return statement.all(match, limit).map((row) => row.path)
    },
    close() {
      statement = undefined
      database?.close()
    },
  }
}

/** A word asked twice counts twice: that is how FTS5 ranks best on these sets. */
function wordsAsPhrases(text) {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).map(quoted)
}

/** The trigram tokenizer finds nothing shorter than three characters and reads a quoted run as one exact string. */
function gramsAsPhrases(text) {
  const grams = (text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []).flatMap((run) =>
    /\p{Script=Han}/u.test(run) ? Array.from({ length: run.length - 2 }, (_, at) => run.slice(at, at + 3)) : [run],
  )
  return grams.map(quoted)
}

function quoted(term) {
  return `"${term}"`
}
