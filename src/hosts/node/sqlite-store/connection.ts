import { chmodSync, closeSync, lstatSync, mkdirSync, openSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { IndexCorrupt } from '../../../core/index/index.js'
import { asIndexError, isTransient, openDriver, type SqliteDriver, withFileLock } from '../sqlite.js'
import { readNow } from './blob-files.js'
import { connectionPragmas, filePragmas, schemaVersion, tables, views } from './schema.js'
import {
  emptyStoreState,
  parseState,
  readStateText,
  type Snapshot,
  type StoreState,
  writeState,
} from './store-state.js'

/** One open file with its transactions and the state cached between them. */
interface Connection {
  readonly rebuiltBecause?: string | undefined
  read<T>(look: (snapshot: Snapshot) => T): T
  /** `change` returns undefined to leave everything unchanged. The generation increases automatically. */
  write<T>(change: (snapshot: Snapshot) => T | undefined): T | undefined
  /** Another process may have replaced the file; then its successor is opened. */
  followFile(): void
  /** Rewrites the file without deleted content. Returns false while another connection reads the old one. */
  erase(): boolean
  replace(): void
  close(): void
}

export function openStoreConnection(file: string): Connection {
  const opened = openFile(file)
  let driver = opened.driver
  let inode = statSync(file).ino
  let known: CachedState | undefined

  function snapshot(on: SqliteDriver): Snapshot {
    const version = dataVersion(on)
    const text = readStateText(on)
    if (known?.text !== text) known = { text, version, state: parseState(text) }
    else known.version = version
    return { driver: on, state: known.state }
  }

  /**
   * Most looks find the file as the last one left it. SQLite's own count of other connections' commits, asked last,
   * proves that nothing was committed up to then: the same answer as in a transaction, in half the calls.
   */
  function readUnchanged<T>(look: (snapshot: Snapshot) => T): { answer: T } | undefined {
    if (known === undefined) return undefined
    try {
      const answer = look({ driver, state: known.state })
      return dataVersion(driver) === known.version ? { answer } : undefined
    } catch {
      // Rows of two different moments, or real damage: the transaction distinguishes them.
      return undefined
    }
  }

  function transaction<T>(begin: string, work: () => { answer: T; keep: boolean }): T {
    try {
      driver.exec(begin)
      try {
        const { answer, keep } = work()
        driver.exec(keep ? 'COMMIT' : 'ROLLBACK')
        return answer
      } catch (error) {
        known = undefined
        rollBack(driver)
        throw error
      }
    } catch (error) {
      throw asIndexError(error)
    }
  }

  function reopen(open: () => SqliteDriver): void {
    closeQuietly(driver)
    known = undefined
    driver = open()
    inode = statSync(file).ino
  }

  return {
    rebuiltBecause: opened.rebuiltBecause,
    read(look) {
      const unchanged = readUnchanged(look)
      if (unchanged !== undefined) return unchanged.answer
      return transaction('BEGIN', () => ({ answer: look(snapshot(driver)), keep: false }))
    },
    write: (change) =>
      transaction('BEGIN IMMEDIATE', () => {
        const state = { ...snapshot(driver).state }
        const answer = change({ driver, state })
        if (answer === undefined) return { answer, keep: false }
        state.generation += 1
        const text = writeState(driver, state)
        // `!`: snapshot() has set it.
        known = { text, version: known!.version, state }
        return { answer, keep: true }
      }),
    followFile() {
      if (statSync(file, { throwIfNoEntry: false })?.ino !== inode) reopen(() => openFile(file).driver)
    },
    erase() {
      try {
        // VACUUM uses a temporary file here instead of memory.
        driver.exec('PRAGMA temp_store = DEFAULT')
        driver.exec('VACUUM')
        const [isBusy] = driver.first('PRAGMA wal_checkpoint(TRUNCATE)') ?? [1]
        return Number(isBusy) === 0
      } catch (error) {
        if (error instanceof Error && isTransient(error)) return false
        throw asIndexError(error)
      } finally {
        driver.exec('PRAGMA temp_store = MEMORY')
      }
    },
    replace: () => reopen(() => replaceFile(file)),
    close() {
      try {
        driver.exec('PRAGMA wal_checkpoint(TRUNCATE)')
      } catch {
        // Another process is reading; it or the next one will do it.
      }
      closeQuietly(driver)
    },
  }
}

interface CachedState {
  text: string
  /** SQLite's count when the state was read; it stays the same when this connection itself commits. */
  version: number
  state: StoreState
}

function dataVersion(driver: SqliteDriver): number {
  return Number(driver.first('PRAGMA data_version')?.[0])
}

function rollBack(driver: SqliteDriver): void {
  try {
    driver.exec('ROLLBACK')
  } catch {
    // SQLite has already rolled back by itself.
  }
}

function closeQuietly(driver: SqliteDriver): void {
  try {
    driver.close()
  } catch {
    // Closed already, or too damaged to close.
  }
}

/** Opens the store's file. It is a cache: a damaged file, or one of another version, is discarded. */
export function openFile(file: string): { driver: SqliteDriver; rebuiltBecause?: string } {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  if (isMissing(file)) return { driver: withFileLock(file, () => openOrReplace(file)) }
  try {
    return { driver: openExisting(file) }
  } catch (error) {
    const rebuiltBecause = asDamage(error).message
    return { driver: withFileLock(file, () => openOrReplace(file)), rebuiltBecause }
  }
}

function replaceFile(file: string): SqliteDriver {
  return withFileLock(file, () => {
    setAside(file)
    return openNew(file)
  })
}

/** Another process may have done it while this one waited for its turn. */
function openOrReplace(file: string): SqliteDriver {
  if (!isMissing(file)) {
    try {
      return openExisting(file)
    } catch (error) {
      asDamage(error)
    }
  }
  setAside(file)
  return openNew(file)
}

function openExisting(file: string): SqliteDriver {
  checkHeader(file)
  chmodSync(file, 0o600)
  return openWith(file, (driver) => {
    const [version] = driver.first('PRAGMA user_version') ?? []
    if (version !== schemaVersion) {
      throw new IndexCorrupt(`The index has schema version ${version}, this program writes ${schemaVersion}`)
    }
    parseState(readStateText(driver))
  })
}

function openNew(file: string): SqliteDriver {
  // Created here rather than by SQLite, so that there is no moment in which others could read it.
  closeSync(openSync(file, 'wx', 0o600))
  return openWith(file, (driver) => {
    driver.exec('BEGIN IMMEDIATE')
    for (const statement of [...tables, ...views]) driver.exec(statement)
    writeState(driver, emptyStoreState(Date.now()))
    driver.exec(`PRAGMA user_version = ${schemaVersion}`)
    driver.exec('COMMIT')
  })
}

function openWith(file: string, prepare: (driver: SqliteDriver) => void): SqliteDriver {
  const driver = openDriver(file)
  try {
    driver.exec(filePragmas)
    for (const pragma of connectionPragmas) driver.exec(pragma)
    prepare(driver)
    return driver
  } catch (error) {
    driver.close()
    throw error
  }
}

/** Rethrows errors that are not damage. */
function asDamage(error: unknown): IndexCorrupt {
  const reason = asIndexError(error)
  if (reason instanceof IndexCorrupt) return reason
  throw reason
}

const isMissing = (file: string): boolean => lstatSync(file, { throwIfNoEntry: false }) === undefined

/** Name, page size, log mode, no reserved bytes, fractions: a flipped bit in some of these would only look read-only. */
const startOfFile = Buffer.from('SQLite format 3\0\x20\0\x02\x02\0\x40\x20\x20', 'latin1')

/** Checks that need no SQLite. */
function checkHeader(file: string): void {
  for (const part of [file, ...companions(file)]) {
    const isOdd = lstatSync(part, { throwIfNoEntry: false })?.isFile() === false
    if (isOdd) throw new IndexCorrupt('The index is not a regular file')
  }
  const header = Buffer.alloc(100)
  if (readStart(file, header) < header.length || !startOfFile.every((byte, at) => byte === header[at])) {
    throw new IndexCorrupt('The index is not a SQLite database of ours')
  }
}

function readStart(file: string, into: Buffer): number {
  const descriptor = openSync(file, 'r')
  try {
    return readNow(descriptor, into, 0)
  } finally {
    closeSync(descriptor)
  }
}

function setAside(file: string): void {
  const stats = lstatSync(file, { throwIfNoEntry: false })
  // A folder of that name was not made by Notewright, so it is renamed and not deleted.
  if (stats?.isDirectory()) renameSync(file, `${file}.not-an-index-${Date.now()}`)
  else rmSync(file, { force: true })
  // A log without its database would be replayed into the next one.
  for (const part of companions(file)) rmSync(part, { recursive: true, force: true })
}

const companions = (file: string): string[] => ['-wal', '-shm', '-journal'].map((end) => file + end)
