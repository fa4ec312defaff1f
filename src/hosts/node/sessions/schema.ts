/** A file of a later version is left alone: it is a person's conversations, not a cache. */
export const schemaVersion = 1

/** Events of one session lie in one range of ids: the session's number times this, plus the event's. */
export const eventsPerSession = 2 ** 31

/** Anyone can open it with `sqlite3`: `SELECT * FROM events WHERE session = …`. */
export const tables = [
  `CREATE TABLE IF NOT EXISTS sessions (number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT UNIQUE NOT NULL, title TEXT NOT NULL DEFAULT '', titled_by TEXT, created_at TEXT, updated_at TEXT, about TEXT, bytes INTEGER NOT NULL DEFAULT 0, last INTEGER NOT NULL DEFAULT 0, touched INTEGER NOT NULL DEFAULT 0, holder TEXT)`,
  `CREATE TABLE IF NOT EXISTS states (session INTEGER PRIMARY KEY, state TEXT NOT NULL)`,
  `CREATE TABLE IF NOT EXISTS event_rows (id INTEGER PRIMARY KEY, time TEXT NOT NULL, type TEXT NOT NULL, event TEXT NOT NULL, words TEXT)`,
  `CREATE TABLE IF NOT EXISTS file_rows (session INTEGER NOT NULL, hash TEXT NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY (session, hash)) WITHOUT ROWID`,
  `CREATE TABLE IF NOT EXISTS usage (time TEXT NOT NULL, session TEXT, turn TEXT, model TEXT NOT NULL, project TEXT, input INTEGER, output INTEGER, cached INTEGER, cost REAL)`,
  `CREATE INDEX IF NOT EXISTS sessions_by_touch ON sessions (touched)`,
  `CREATE INDEX IF NOT EXISTS usage_by_time ON usage (time)`,
  `CREATE INDEX IF NOT EXISTS usage_by_session ON usage (session)`,
  `CREATE VIEW IF NOT EXISTS events AS SELECT s.id AS session, e.id % ${eventsPerSession} AS seq, e.time, e.type, e.event FROM event_rows e JOIN sessions s ON s.number = e.id / ${eventsPerSession}`,
] as const

export const pragmas = [
  'PRAGMA busy_timeout = 15000',
  'PRAGMA journal_mode = WAL',
  // A killed process loses nothing; a power cut may take the last moments, and never a part of one.
  'PRAGMA synchronous = NORMAL',
  // What is deleted is overwritten, not only no longer found.
  'PRAGMA secure_delete = ON',
  'PRAGMA cache_size = -4096',
  'PRAGMA temp_store = MEMORY',
] as const
