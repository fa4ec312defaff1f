/** Changes with every change of the tables or the meaning of their columns. A file of another version is rebuilt. */
export const schemaVersion = 6

/** Ids of chunks and links are the note's id times this, plus their place in the note: one range per note. */
export const placesPerNote = 2 ** 21

/**
 * Public table names: `documents`, `chunks` and `links` join by `document_id` and by path. Few columns are stored,
 * because each costs more than its bytes: `row` holds the rest as JSON, and virtual columns and views expose it.
 * `facts`, `link_rows` and `link_sums` are internal.
 */
export const tables = [
  `CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID`,
  `CREATE TABLE files (path TEXT PRIMARY KEY, row TEXT, id INTEGER AS (row ->> 1), size INTEGER AS (row ->> 2), mtime_ms REAL AS (row ->> 3), ctime_ms REAL AS (row ->> 4), hash TEXT AS (row ->> 5), state TEXT AS (row ->> 6), reason TEXT AS (row ->> 7)) WITHOUT ROWID`,
  `CREATE TABLE documents (id INTEGER PRIMARY KEY, path TEXT UNIQUE, modified_at REAL, checksum INTEGER, chunk_count INTEGER, link_sum INTEGER, row TEXT, title TEXT AS (row ->> 1), frontmatter TEXT AS (nullif(row -> 2, 'null')), created_at REAL AS ((row ->> 3) / 1000.0), frontmatter_error TEXT AS (row ->> 8))`,
  `CREATE TABLE facts (id INTEGER PRIMARY KEY, row TEXT)`,
  `CREATE TABLE chunks (id INTEGER PRIMARY KEY, checksum INTEGER, row TEXT, content TEXT, embedding_model TEXT, embedding BLOB, document_id INTEGER AS (id / ${placesPerNote}), ordinal INTEGER AS (id % ${placesPerNote}), heading TEXT AS (row ->> 0), start_line INTEGER AS (row ->> 1), end_line INTEGER AS (row ->> 2), start_offset INTEGER AS (row ->> 3), end_offset INTEGER AS (row ->> 4))`,
  `CREATE TABLE link_rows (id INTEGER PRIMARY KEY, target_slot INTEGER, key_slot INTEGER, checksum INTEGER, row TEXT)`,
  `CREATE TABLE link_sums (slot INTEGER PRIMARY KEY, sum INTEGER)`,
  `CREATE TABLE blobs (name TEXT PRIMARY KEY, kind TEXT, size INTEGER, head INTEGER, checksum INTEGER) WITHOUT ROWID`,
] as const

export const createLinkIndexes = [
  `CREATE INDEX links_by_target ON link_rows (target_slot, checksum)`,
  `CREATE INDEX links_by_key ON link_rows (key_slot, checksum)`,
  `INSERT INTO link_sums SELECT target_slot, sum(checksum) & 4294967295 FROM link_rows WHERE target_slot IS NOT NULL GROUP BY target_slot`,
  `INSERT INTO link_sums SELECT key_slot, sum(checksum) & 4294967295 FROM link_rows WHERE key_slot IS NOT NULL GROUP BY key_slot`,
]

export const views = [
  `CREATE VIEW links AS SELECT l.id, d.id AS document_id, d.path AS source_path, l.row ->> 0 AS target_path, l.row ->> 1 AS link_text, l.row ->> 2 AS link_type, l.row ->> 3 AS raw, l.row ->> 4 AS line, l.row ->> 5 AS subpath, l.row ->> 6 AS written, l.row ->> 7 AS link_key FROM link_rows l JOIN documents d ON d.id = l.id / ${placesPerNote}`,
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
  // A power cut leaves the state of one commit, never parts of two.
  'PRAGMA synchronous = NORMAL',
  'PRAGMA cache_size = -8192',
  'PRAGMA wal_autocheckpoint = 4000',
  'PRAGMA journal_size_limit = 67108864',
  'PRAGMA foreign_keys = OFF',
  'PRAGMA temp_store = MEMORY',
] as const
