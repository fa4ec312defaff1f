import { randomBytes } from 'node:crypto'
import { chmodSync, closeSync, lstatSync, mkdirSync, openSync, renameSync } from 'node:fs'
import { dirname } from 'node:path'
import { isDamage, openDriver, type SqliteDriver } from '../sqlite-store/index.js'

/** A reply that was given to a client, as text, with names that it can be found by. */
export interface ReplyRow {
  id: string
  text: string
  names: readonly string[]
}

/** Replies of our server that clients may come back to, kept for some time after they were last used. */
export interface RepliesFile {
  put(row: ReplyRow): void
  get(id: string): string | undefined
  delete(id: string): boolean
  /** Ids of replies that can be found by this name, the newest first. */
  withName(name: string): string[]
  /** Random bytes, the same for as long as the file is there. */
  secret(): Uint8Array
  close(): void
}

export interface RepliesOptions {
  keepMs: number
  now?(): number
  /** Told when the file was damaged and a new one was begun. */
  onDamage?(aside: string): void
}

const tables = [
  'CREATE TABLE IF NOT EXISTS replies (id TEXT PRIMARY KEY, used_at INTEGER NOT NULL, made_at INTEGER NOT NULL, reply TEXT NOT NULL)',
  'CREATE TABLE IF NOT EXISTS names (name TEXT NOT NULL, reply_id TEXT NOT NULL, PRIMARY KEY (name, reply_id)) WITHOUT ROWID',
  'CREATE INDEX IF NOT EXISTS names_by_reply ON names (reply_id)',
  'CREATE INDEX IF NOT EXISTS replies_by_use ON replies (used_at)',
  'CREATE TABLE IF NOT EXISTS secrets (name TEXT PRIMARY KEY, value BLOB NOT NULL)',
] as const

const pragmas = [
  'PRAGMA busy_timeout = 15000',
  'PRAGMA journal_mode = WAL',
  'PRAGMA synchronous = NORMAL',
  // What is deleted is overwritten, not only no longer found.
  'PRAGMA secure_delete = ON',
  'PRAGMA temp_store = MEMORY',
] as const

export function repliesFile(file: string, options: RepliesOptions): RepliesFile {
  const { keepMs, now = Date.now } = options
  const driver = openWhole(file, options.onDamage)
  let forgottenAt = 0

  /** Looks for old replies once a minute at most. */
  function forgetOld(): void {
    if (now() - forgottenAt < 60_000) return
    forgottenAt = now()
    const before = now() - keepMs
    driver.run('DELETE FROM names WHERE reply_id IN (SELECT id FROM replies WHERE used_at < ?)', [before])
    driver.run('DELETE FROM replies WHERE used_at < ?', [before])
  }

  return {
    put: ({ id, text, names }) =>
      within(driver, () => {
        forgetOld()
        driver.run(
          'INSERT INTO replies (id, used_at, made_at, reply) VALUES (?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET used_at = excluded.used_at, reply = excluded.reply',
          [id, now(), now(), text],
        )
        for (const name of names) {
          driver.run('INSERT OR IGNORE INTO names (name, reply_id) VALUES (?, ?)', [name, id])
        }
      }),
    get(id) {
      const row = driver.first('SELECT reply, used_at FROM replies WHERE id = ? AND used_at >= ?', [id, now() - keepMs])
      if (row === undefined) return undefined
      // A conversation that goes on is kept as a whole.
      if (now() - Number(row[1]) > 60_000) driver.run('UPDATE replies SET used_at = ? WHERE id = ?', [now(), id])
      return String(row[0])
    },
    delete: (id) =>
      within(driver, () => {
        const isThere = driver.first('SELECT 1 FROM replies WHERE id = ?', [id]) !== undefined
        driver.run('DELETE FROM names WHERE reply_id = ?', [id])
        driver.run('DELETE FROM replies WHERE id = ?', [id])
        return isThere
      }),
    withName: (name) =>
      driver
        .all(
          'SELECT r.id FROM names n JOIN replies r ON r.id = n.reply_id WHERE n.name = ? AND r.used_at >= ? ORDER BY r.made_at DESC, r.rowid DESC LIMIT 100',
          [name, now() - keepMs],
        )
        .map(([id]) => String(id)),
    secret() {
      driver.run("INSERT OR IGNORE INTO secrets (name, value) VALUES ('seal', ?)", [randomBytes(32)])
      return driver.first("SELECT value FROM secrets WHERE name = 'seal'")?.[0] as Uint8Array
    },
    close: () => driver.close(),
  }
}

/** A damaged file is put beside: what clients were told can be asked for again. */
function openWhole(file: string, onDamage: (aside: string) => void = () => {}): SqliteDriver {
  try {
    return open(file)
  } catch (error) {
    if (!isDamage(error)) throw error
    const aside = `${file}.damaged-${Date.now()}`
    for (const end of ['', '-wal', '-shm']) {
      if (lstatSync(file + end, { throwIfNoEntry: false }) !== undefined) renameSync(file + end, aside + end)
    }
    onDamage(aside)
    return open(file)
  }
}

function open(file: string): SqliteDriver {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  // Created here rather than by SQLite, so that there is no moment in which others could read it.
  closeSync(openSync(file, 'a', 0o600))
  chmodSync(file, 0o600)
  const driver = openDriver(file)
  try {
    for (const statement of [...pragmas, ...tables]) driver.exec(statement)
    return driver
  } catch (error) {
    driver.close()
    throw error
  }
}

function within<T>(driver: SqliteDriver, work: () => T): T {
  driver.exec('BEGIN IMMEDIATE')
  try {
    const answer = work()
    driver.exec('COMMIT')
    return answer
  } catch (error) {
    driver.exec('ROLLBACK')
    throw error
  }
}
