/** Changes with every change of the tables or of what their columns mean. A file of another version is rebuilt. */
export const schemaVersion = 5

/** Ids of chunks are the note's id times this, plus their place in the note: one range per note, no second index. */
export const placesPerNote = 2 ** 21

/**
 * Names as people know them: `documents`, `chunks` and `links` join by `document_id` and by path. What is written is
 * few rows of few columns, because each costs more than its bytes: `row` holds the rest as JSON, a note's links are one
 * text, and virtual columns and views show them. `seals`, `facets` and `link_buckets` are the store's own bookkeeping.
 */
export const tables = [
  `CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID`,
  `CREATE TABLE files (path TEXT PRIMARY KEY, row TEXT, id INTEGER AS (row ->> 1), size INTEGER AS (row ->> 2), mtime_ms REAL AS (row ->> 3), ctime_ms REAL AS (row ->> 4), hash TEXT AS (row ->> 5), state TEXT AS (row ->> 6), reason TEXT AS (row ->> 7)) WITHOUT ROWID`,
  `CREATE TABLE documents (id INTEGER PRIMARY KEY, path TEXT UNIQUE, modified_at REAL, row TEXT, links TEXT, buckets TEXT, title TEXT AS (row ->> 1), frontmatter TEXT AS (nullif(row -> 2, 'null')), created_at REAL AS ((row ->> 3) / 1000.0), frontmatter_error TEXT AS (row ->> 8))`,
  `CREATE TABLE chunks (id INTEGER PRIMARY KEY, seal INTEGER, row TEXT, content TEXT, embedding_model TEXT, embedding BLOB, document_id INTEGER AS (id / ${placesPerNote}), ordinal INTEGER AS (id % ${placesPerNote}), heading TEXT AS (row ->> 0), start_line INTEGER AS (row ->> 1), end_line INTEGER AS (row ->> 2), start_offset INTEGER AS (row ->> 3), end_offset INTEGER AS (row ->> 4))`,
  `CREATE TABLE link_buckets (page INTEGER PRIMARY KEY, notes BLOB)`,
  `CREATE TABLE blobs (name TEXT PRIMARY KEY, kind TEXT, size INTEGER, head INTEGER, checksum INTEGER) WITHOUT ROWID`,
  `CREATE TABLE facets (page INTEGER PRIMARY KEY, notes TEXT)`,
  `CREATE TABLE seals (id INTEGER PRIMARY KEY, words BLOB)`,
] as const

export const views = [
  `CREATE VIEW links AS SELECT d.id * ${placesPerNote} + j.key - 1 AS id, d.id AS document_id, d.path AS source_path, j.value ->> 0 AS target_path, j.value ->> 1 AS link_text, j.value ->> 2 AS link_type, j.value ->> 3 AS raw, j.value ->> 4 AS line, j.value ->> 5 AS subpath, j.value ->> 6 AS written, j.value ->> 7 AS link_key FROM documents d, json_each(d.links) j WHERE j.key > 0`,
  `CREATE VIEW tags AS SELECT d.id AS document_id, d.path, j.value AS tag, lower(j.value) AS folded FROM documents d, json_each(d.row, '$[5]') j`,
  `CREATE VIEW aliases AS SELECT d.id AS document_id, d.path, j.value AS alias FROM documents d, json_each(d.row, '$[4]') j`,
  `CREATE VIEW headings AS SELECT d.id AS document_id, d.path, j.value ->> 0 AS level, j.value ->> 1 AS text, j.value ->> 2 AS line FROM documents d, json_each(d.row, '$[6]') j`,
  `CREATE VIEW blocks AS SELECT d.id AS document_id, d.path, j.value ->> 0 AS block, j.value ->> 1 AS line FROM documents d, json_each(d.row, '$[7]') j`,
  `CREATE VIEW properties AS SELECT d.id AS document_id, d.path, j.key AS name, j.value FROM documents d, json_each(d.row, '$[2]') j`,
  `CREATE VIEW segments AS SELECT name, kind, size FROM blobs`,
] as const

/** Before the first write of a new file: neither can be changed later. */
export const filePragmas = `PRAGMA page_size = 8192; PRAGMA auto_vacuum = NONE`

export const connectionPragmas = [
  'PRAGMA busy_timeout = 15000',
  'PRAGMA journal_mode = WAL',
  // A cache that proves its answers need not wait for the disk: what a power cut damages is noticed and built again.
  'PRAGMA synchronous = OFF',
  'PRAGMA cache_size = -8192',
  'PRAGMA wal_autocheckpoint = 4000',
  'PRAGMA journal_size_limit = 67108864',
  'PRAGMA foreign_keys = OFF',
  'PRAGMA temp_store = MEMORY',
] as const
