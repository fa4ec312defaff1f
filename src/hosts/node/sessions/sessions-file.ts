import { chmodSync, closeSync, lstatSync, mkdirSync, openSync, renameSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { Failure } from '../../../core/errors.js'
import { isDamage, openDriver, type SqliteDriver, takingTurns } from '../sqlite-store/index.js'
import { pragmas, schemaVersion, tables } from './schema.js'

/** The file of a vault's sessions, opened when it is first needed, and again when somebody has replaced it. */
export interface SessionsFile {
  /** Work that only looks; nothing is made for it. Undefined where there is no file yet. */
  look<T>(work: (driver: SqliteDriver) => T): T | undefined
  /** Work that writes: all of it or nothing. */
  change<T>(work: (driver: SqliteDriver) => T): T
  /** Leaves nothing in the write-ahead log. */
  flush(): void
  close(): void
}

/** A damaged file is put beside, whole, for whoever can make something of it. `onDamage` is told where it is. */
export function sessionsFile(file: string, onDamage: (aside: string) => void): SessionsFile {
  let driver: SqliteDriver | undefined
  let inode = 0
  let hasWritten = false

  function opened(): SqliteDriver {
    // Another process may have set it aside.
    if (driver !== undefined && inodeOf(file) !== inode) close()
    driver ??= open(file)
    inode = inodeOf(file) ?? 0
    return driver
  }

  function close(): void {
    try {
      driver?.close()
    } catch {
      // Too damaged to close.
    }
    driver = undefined
  }

  /** While another process reads, it or the next one does it. */
  function flush(): void {
    try {
      driver?.all('PRAGMA wal_checkpoint(TRUNCATE)')
    } catch (error) {
      if (isDamage(error)) throw error
    }
  }

  /** What is damaged is tried once more on a new file. */
  function onWholeFile<T>(work: () => T): T {
    const before = inodeOf(file)
    try {
      return work()
    } catch (error) {
      if (!isDamage(error)) throw error
      close()
      const aside = takingTurns(file, () => (inodeOf(file) === before ? setAside(file) : undefined))
      if (aside !== undefined) onDamage(aside)
      return work()
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
        // SQLite has rolled back by itself.
      }
      throw error
    }
  }

  return {
    look: (work) => onWholeFile(() => (inodeOf(file) === undefined ? undefined : within('BEGIN', opened(), work))),
    change(work) {
      hasWritten = true
      return onWholeFile(() => within('BEGIN IMMEDIATE', opened(), work))
    },
    flush,
    close() {
      try {
        if (hasWritten) flush()
      } catch {
        // Whoever opens it next finds the damage.
      }
      close()
    },
  }
}

const inodeOf = (file: string): number | undefined => statSync(file, { throwIfNoEntry: false })?.ino

function open(file: string): SqliteDriver {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  // Created here rather than by SQLite, so that there is no moment in which others could read it.
  closeSync(openSync(file, 'a', 0o600))
  chmodSync(file, 0o600)
  const driver = openDriver(file)
  try {
    for (const pragma of pragmas) driver.exec(pragma)
    const version = Number(driver.first('PRAGMA user_version')?.[0])
    if (version > schemaVersion) throw madeLater(file)
    if (version < schemaVersion) {
      driver.exec('BEGIN IMMEDIATE')
      for (const statement of tables) driver.exec(statement)
      driver.exec(`PRAGMA user_version = ${schemaVersion}`)
      driver.exec('COMMIT')
    }
    return driver
  } catch (error) {
    driver.close()
    throw error
  }
}

function madeLater(file: string): Failure {
  return new Failure('conflict', `The sessions in ${file} were written by a later version of Notewright.`, {
    hint: 'Update Notewright, or go on without keeping sessions: --no-session',
  })
}

function setAside(file: string): string {
  const stamp = new Date().toISOString().replace(/[:.]/g, '-')
  const aside = `${file.replace(/\.db$/, '')}-damaged-${stamp}.db`
  for (const end of ['', '-wal', '-shm']) {
    if (lstatSync(file + end, { throwIfNoEntry: false }) !== undefined) renameSync(file + end, aside + end)
  }
  return aside
}
