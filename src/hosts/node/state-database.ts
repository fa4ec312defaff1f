import { chmodSync, closeSync, fsyncSync, lstatSync, mkdirSync, openSync, renameSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Failure } from '../../core/errors.js'
import { type EarlierFiles, earlierUserFiles, earlierVaultFiles, importEarlierFiles } from './earlier-state.js'
import { isDamage, openDriver, type SqliteDriver, sqliteCode, withFileLock } from './sqlite.js'

/** A database of state. It is opened when it is first needed, and again when another process has replaced it. */
export interface StateDatabase {
  /** Runs work that only reads. Undefined where nothing was ever stored: no file is created for it. */
  look<T>(work: (driver: SqliteDriver) => T): T | undefined
  /** Runs work that writes: all or nothing. */
  change<T>(work: (driver: SqliteDriver) => T, options?: TransactionOptions): T
  /** Leaves nothing in the write-ahead log. */
  flush(): void
  close(): void
}

export interface TransactionOptions {
  /** The change is on the disk when it returns, and survives a power cut. */
  durable?: boolean
  /** How long to wait for another process that writes. Default 15 s. */
  waitMs?: number
}

/** Opens the state of one vault, `state.db` in its state folder: conversations, call log, permissions, approvals. */
export function vaultState(stateDir: string, onTrouble: (text: string) => void = () => {}): StateDatabase {
  return stateDatabase(join(stateDir, vaultStateName), {
    schema: vaultSchema,
    earlier: earlierVaultFiles(stateDir, onTrouble),
    onDamage: (aside) =>
      onTrouble(
        `The stored chats, call log and rules of this vault were damaged. They were moved to ${aside}, and a new store was created.`,
      ),
  })
}

export const vaultStateName = 'state.db'

/** Opens what is stored for the user, for all vaults: approved programs, trusted servers, timers, responses. */
export function userState(stateFolder: string, onTrouble: (text: string) => void = () => {}): StateDatabase {
  return stateDatabase(join(stateFolder, 'state.db'), {
    schema: userSchema,
    earlier: earlierUserFiles(stateFolder, onTrouble),
    onDamage: (aside) =>
      onTrouble(
        `The stored approvals of programs and servers, timers and responses were damaged. They were moved to ${aside}, and a new store was created.`,
      ),
  })
}

/** Uses a database for one task and closes it afterwards; it stays open where others in this process use it. */
export function usingDatabase<T>(database: StateDatabase, work: (database: StateDatabase) => T): T {
  try {
    return work(database)
  } finally {
    database.close()
  }
}

export interface StateSchema {
  /** Statements for each version: the first list makes version 1 of an empty file, the next one version 2 of that. */
  versions: readonly (readonly string[])[]
  /** The contents of the file, for the message about a file of a later version. */
  contents: string
}

export interface StateDatabaseOptions {
  schema: StateSchema
  /** Files of earlier versions of Notewright, which are imported once and removed. */
  earlier?: EarlierFiles
  /** A damaged file is kept, whole, beside the new one. Receives its path. */
  onDamage(aside: string): void
}

/** NOMEM, IOERR, CONSTRAINT: the file may be as it was, so it is not set aside for these. */
const otherErrors = new Set<number | undefined>([7, 10, 19])

const isDamagedFile = (error: unknown): boolean => isDamage(error) && !otherErrors.has(sqliteCode(error))

/** One connection per file serves every user of it in this process. */
const connections = new Map<string, { connection: Connection; users: number }>()

export function stateDatabase(file: string, { schema, earlier, onDamage }: StateDatabaseOptions): StateDatabase {
  let connection: Connection | undefined

  function connect(): Connection {
    if (connection !== undefined) return connection
    const shared = connections.get(file) ?? { connection: openConnection(file, schema), users: 0 }
    shared.users++
    connections.set(file, shared)
    connection = shared.connection
    return connection
  }

  function release(): void {
    const shared = connections.get(file)
    if (connection === undefined || shared === undefined) return
    connection = undefined
    if (--shared.users > 0) return
    connections.delete(file)
    shared.connection.close()
  }

  /** Work on a damaged file is tried once more, on a new one. */
  function onWholeFile<T>(work: (on: Connection) => T): T {
    const before = inodeOf(file)
    try {
      return work(connect())
    } catch (error) {
      if (!isDamagedFile(error)) throw error
      connect().disconnect()
      const aside = withFileLock(file, () => (inodeOf(file) === before ? setAside(file) : undefined))
      if (aside !== undefined) onDamage(aside)
      return work(connect())
    }
  }

  return {
    look: (work) =>
      onWholeFile((on) => {
        if (inodeOf(file) === undefined && !earlier?.exist()) return undefined
        return within('BEGIN', on.driver(earlier), work)
      }),
    change: (work, options = {}) => onWholeFile((on) => on.change(work, options, earlier)),
    flush: () => connection?.flush(),
    close: release,
  }
}

interface Connection {
  driver(earlier: EarlierFiles | undefined): SqliteDriver
  change<T>(work: (driver: SqliteDriver) => T, options: TransactionOptions, earlier: EarlierFiles | undefined): T
  flush(): void
  /** Closes the file; the next use opens it again. */
  disconnect(): void
  close(): void
}

function openConnection(file: string, schema: StateSchema): Connection {
  let opened: SqliteDriver | undefined
  let inode = 0
  let hasWritten = false

  function driver(earlier: EarlierFiles | undefined): SqliteDriver {
    // Another process may have set the file aside.
    if (opened !== undefined && inodeOf(file) !== inode) disconnect()
    opened ??= openFile(file, schema, earlier)
    inode = inodeOf(file) ?? 0
    return opened
  }

  function disconnect(): void {
    try {
      opened?.close()
    } catch {
      // A damaged file may be impossible to close.
    }
    opened = undefined
  }

  /** While another process reads, the log stays; that process or the next one empties it. */
  function flush(): void {
    try {
      opened?.all('PRAGMA wal_checkpoint(TRUNCATE)')
    } catch (error) {
      if (isDamage(error)) throw error
    }
  }

  return {
    driver,
    change(work, { durable = false, waitMs = defaultWaitMs }, earlier) {
      const on = driver(earlier)
      hasWritten = true
      if (durable) on.exec('PRAGMA synchronous = FULL')
      if (waitMs !== defaultWaitMs) on.exec(`PRAGMA busy_timeout = ${waitMs}`)
      try {
        return within('BEGIN IMMEDIATE', on, work)
      } finally {
        if (durable) on.exec('PRAGMA synchronous = NORMAL')
        if (waitMs !== defaultWaitMs) on.exec(`PRAGMA busy_timeout = ${defaultWaitMs}`)
      }
    },
    flush,
    disconnect,
    close() {
      try {
        if (hasWritten) flush()
      } catch {
        // The next process that opens the file reports the damage.
      }
      disconnect()
    },
  }
}

function within<T>(begin: string, on: SqliteDriver, work: (driver: SqliteDriver) => T): T {
  on.exec(begin)
  try {
    const answer = work(on)
    on.exec('COMMIT')
    return answer
  } catch (error) {
    try {
      on.exec('ROLLBACK')
    } catch {
      // SQLite has already rolled back.
    }
    throw error
  }
}

const inodeOf = (file: string): number | undefined => statSync(file, { throwIfNoEntry: false })?.ino

function openFile(file: string, schema: StateSchema, earlier: EarlierFiles | undefined): SqliteDriver {
  const isNew = inodeOf(file) === undefined
  const folder = dirname(file)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (process.platform !== 'win32' && (statSync(folder).mode & 0o077) !== 0) chmodSync(folder, 0o700)
  // Created here and not by SQLite, so that other users can never read it.
  closeSync(openSync(file, 'a', 0o600))
  chmodSync(file, 0o600)
  if (isNew) syncFolder(folder)
  const driver = openDriver(file)
  try {
    for (const pragma of pragmas) driver.exec(pragma)
    migrate(driver, file, schema)
    if (earlier?.exist()) importEarlierFiles(driver, earlier)
    return driver
  } catch (error) {
    driver.close()
    throw error
  }
}

const defaultWaitMs = 15_000

const pragmas = [
  `PRAGMA busy_timeout = ${defaultWaitMs}`,
  'PRAGMA journal_mode = WAL',
  // A killed process loses nothing. A power cut may take the last commits that were not durable, and never half of one.
  'PRAGMA synchronous = NORMAL',
  // Deleted content is overwritten.
  'PRAGMA secure_delete = ON',
  'PRAGMA cache_size = -4096',
  'PRAGMA temp_store = MEMORY',
] as const

function migrate(driver: SqliteDriver, file: string, { versions, contents }: StateSchema): void {
  const versionOf = () => Number(driver.first('PRAGMA user_version')?.[0])
  if (versionOf() > versions.length) {
    throw new Failure('conflict', `The ${contents} in ${file} were written by a later version of Notewright.`, {
      hint: 'Update Notewright.',
    })
  }
  if (versionOf() === versions.length) return
  within('BEGIN IMMEDIATE', driver, () => {
    // Another process may have done it meanwhile.
    for (const statements of versions.slice(versionOf())) for (const statement of statements) driver.exec(statement)
    driver.exec(`PRAGMA user_version = ${Math.max(versionOf(), versions.length)}`)
  })
}

/** Makes the name of a new file durable. Where folders cannot be synced, the system does it eventually. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

function setAside(file: string): string {
  const stamp = new Date().toISOString().replace(/[:.]/g, '-')
  const aside = `${file.replace(/\.db$/, '')}-damaged-${stamp}.db`
  for (const end of ['', '-wal', '-shm']) {
    if (lstatSync(file + end, { throwIfNoEntry: false }) !== undefined) renameSync(file + end, aside + end)
  }
  return aside
}

/** Events of one session have one range of ids: the session's number times this, plus the event's number. */
export const eventsPerSession = 2 ** 31

/** Anyone can open the file with `sqlite3`, e.g. `SELECT * FROM events WHERE session = …`. */
const vaultSchema: StateSchema = {
  contents: 'chats and permissions',
  versions: [
    [
      `CREATE TABLE sessions (number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT UNIQUE NOT NULL, title TEXT NOT NULL DEFAULT '', titled_by TEXT, created_at TEXT, updated_at TEXT, about TEXT, bytes INTEGER NOT NULL DEFAULT 0, last INTEGER NOT NULL DEFAULT 0, touched INTEGER NOT NULL DEFAULT 0, holder TEXT)`,
      `CREATE TABLE states (session INTEGER PRIMARY KEY, state TEXT NOT NULL)`,
      `CREATE TABLE event_rows (id INTEGER PRIMARY KEY, time TEXT NOT NULL, type TEXT NOT NULL, event TEXT NOT NULL, words TEXT)`,
      `CREATE TABLE file_rows (session INTEGER NOT NULL, hash TEXT NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY (session, hash)) WITHOUT ROWID`,
      `CREATE TABLE usage (time TEXT NOT NULL, session TEXT, turn TEXT, model TEXT NOT NULL, project TEXT, input INTEGER, output INTEGER, cached INTEGER, cost REAL)`,
      `CREATE INDEX sessions_by_touch ON sessions (touched)`,
      `CREATE INDEX usage_by_time ON usage (time)`,
      `CREATE INDEX usage_by_session ON usage (session)`,
      `CREATE VIEW events AS SELECT s.id AS session, e.id % ${eventsPerSession} AS seq, e.time, e.type, e.event FROM event_rows e JOIN sessions s ON s.number = e.id / ${eventsPerSession}`,
      // A row is a tool call, or a request to a model. `outcome` is added when a call ends.
      `CREATE TABLE call_log (n INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, time TEXT NOT NULL, session TEXT, turn TEXT, tool TEXT, pid INTEGER, row TEXT NOT NULL, outcome TEXT, erased INTEGER NOT NULL DEFAULT 0)`,
      `CREATE INDEX call_log_by_session ON call_log (session)`,
      `CREATE TABLE call_log_size (bytes INTEGER NOT NULL)`,
      `INSERT INTO call_log_size (bytes) VALUES (0)`,
      `CREATE TABLE grants (id TEXT PRIMARY KEY, rule TEXT UNIQUE NOT NULL, created_at TEXT NOT NULL, about TEXT)`,
      `CREATE TABLE embedding_consent (recipient TEXT PRIMARY KEY, answer TEXT NOT NULL)`,
      `CREATE TABLE approval_requests (id TEXT PRIMARY KEY, session TEXT NOT NULL, hash TEXT NOT NULL, panel TEXT NOT NULL, created_at INTEGER NOT NULL, expires_at INTEGER NOT NULL, holder TEXT NOT NULL, answer TEXT)`,
      `CREATE TABLE client_provenance (client TEXT NOT NULL, provenance TEXT NOT NULL, seen_at INTEGER NOT NULL, PRIMARY KEY (client, provenance)) WITHOUT ROWID`,
      `CREATE TABLE client_notes (client TEXT NOT NULL, path TEXT NOT NULL, read_at INTEGER NOT NULL, PRIMARY KEY (client, path)) WITHOUT ROWID`,
    ],
    [`ALTER TABLE sessions ADD COLUMN pinned INTEGER NOT NULL DEFAULT 0`],
  ],
}

const userSchema: StateSchema = {
  contents: 'approvals, timers and responses',
  versions: [
    [
      `CREATE TABLE timers (name TEXT PRIMARY KEY, timer TEXT NOT NULL)`,
      `CREATE TABLE dialects (model TEXT PRIMARY KEY, dialect TEXT NOT NULL)`,
      `CREATE TABLE seen_tools (server TEXT NOT NULL, name TEXT NOT NULL, tool TEXT NOT NULL, PRIMARY KEY (server, name))`,
      `CREATE TABLE trusted_servers (vault TEXT NOT NULL, server TEXT NOT NULL, hash TEXT NOT NULL, PRIMARY KEY (vault, server))`,
      `CREATE TABLE approved_programs (hash TEXT PRIMARY KEY, id TEXT NOT NULL, argv TEXT NOT NULL, cwd TEXT NOT NULL, env TEXT NOT NULL)`,
      `CREATE TABLE responses (id TEXT PRIMARY KEY, used_at INTEGER NOT NULL, made_at INTEGER NOT NULL, response TEXT NOT NULL)`,
      `CREATE TABLE response_names (name TEXT NOT NULL, response_id TEXT NOT NULL, PRIMARY KEY (name, response_id)) WITHOUT ROWID`,
      `CREATE INDEX response_names_by_response ON response_names (response_id)`,
      `CREATE INDEX responses_by_use ON responses (used_at)`,
      `CREATE TABLE secrets (name TEXT PRIMARY KEY, value BLOB NOT NULL)`,
    ],
  ],
}
