/** Changes with every change of the tables or of what their columns mean. A file of another version is rebuilt. */
export const schemaVersion = 1

/** Ids of chunks and links are the note's id times this, plus their place in the note: one range per note, no second index. */
export const placesPerNote = 2 ** 21

/**
 * Names as people know them: `documents`, `chunks` and `links` join by `document_id` and by path. Lists that belong to
 * one note are JSON columns, and views show them as rows. `seals` and `facets` are the store's own bookkeeping.
 */
export const tables = [
  `CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID`,
  `CREATE TABLE files (path TEXT PRIMARY KEY, id INTEGER, size INTEGER, mtime_ms TEXT, ctime_ms TEXT, hash TEXT, state TEXT, reason TEXT) WITHOUT ROWID`,
  `CREATE TABLE documents (id INTEGER PRIMARY KEY, path TEXT UNIQUE, title TEXT, frontmatter TEXT, modified_at REAL, created_ms TEXT, aliases TEXT, tags TEXT, headings TEXT, blocks TEXT, frontmatter_error TEXT, created_at REAL AS (created_ms / 1000.0))`,
  `CREATE TABLE chunks (id INTEGER PRIMARY KEY, heading TEXT, start_line INTEGER, end_line INTEGER, start_offset INTEGER, end_offset INTEGER, seal INTEGER, content TEXT, embedding_model TEXT, embedding BLOB, document_id INTEGER AS (id / ${placesPerNote}), ordinal INTEGER AS (id % ${placesPerNote}))`,
  `CREATE TABLE links (id INTEGER PRIMARY KEY, source_path TEXT, target_path TEXT, link_text TEXT, link_type TEXT, raw TEXT, written TEXT, subpath TEXT, line INTEGER, link_key TEXT, target_bucket INTEGER, key_bucket INTEGER, document_id INTEGER AS (id / ${placesPerNote}))`,
  `CREATE TABLE blobs (name TEXT PRIMARY KEY, kind TEXT, size INTEGER, checksum INTEGER, first_page INTEGER) WITHOUT ROWID`,
  `CREATE TABLE blob_pages (id INTEGER PRIMARY KEY, bytes BLOB)`,
  `CREATE TABLE facets (page INTEGER PRIMARY KEY, notes TEXT)`,
  `CREATE TABLE seals (id INTEGER PRIMARY KEY, words BLOB)`,
] as const

export const indexes = [
  `CREATE INDEX links_by_target ON links (target_bucket)`,
  `CREATE INDEX links_by_key ON links (key_bucket)`,
] as const

export const views = [
  `CREATE VIEW tags AS SELECT d.id AS document_id, d.path, j.value AS tag, lower(j.value) AS folded FROM documents d, json_each(d.tags) j`,
  `CREATE VIEW aliases AS SELECT d.id AS document_id, d.path, j.value AS alias FROM documents d, json_each(d.aliases) j`,
  `CREATE VIEW headings AS SELECT d.id AS document_id, d.path, j.value ->> 0 AS level, j.value ->> 1 AS text, j.value ->> 2 AS line FROM documents d, json_each(d.headings) j`,
  `CREATE VIEW blocks AS SELECT d.id AS document_id, d.path, j.value ->> 0 AS block, j.value ->> 1 AS line FROM documents d, json_each(d.blocks) j`,
  `CREATE VIEW properties AS SELECT d.id AS document_id, d.path, j.key AS name, j.value FROM documents d, json_each(d.frontmatter) j`,
  `CREATE VIEW segments AS SELECT name, kind, size FROM blobs`,
] as const

/** Before the first write of a new file: neither can be changed later. */
export const filePragmas = `PRAGMA page_size = 8192; PRAGMA auto_vacuum = NONE`

export const connectionPragmas = [
  'PRAGMA busy_timeout = 15000',
  'PRAGMA journal_mode = WAL',
  'PRAGMA synchronous = NORMAL',
  'PRAGMA cache_size = -16384',
  'PRAGMA wal_autocheckpoint = 4000',
  'PRAGMA journal_size_limit = 67108864',
  'PRAGMA foreign_keys = OFF',
  'PRAGMA temp_store = MEMORY',
] as const
