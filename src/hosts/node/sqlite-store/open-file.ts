import { chmodSync, closeSync, lstatSync, mkdirSync, openSync, readSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { IndexCorrupt } from '../../../core/vault-index/index.js'
import { openDriver, type SqliteDriver } from './driver.js'
import { connectionPragmas, filePragmas, schemaVersion, tables, views } from './schema.js'
import { asIndexError } from './sqlite-errors.js'
import { emptyStoreState, parseState, readStateText, writeState } from './store-state.js'
import { takingTurns } from './taking-turns.js'

/** Opens the store's file. One that is damaged or of another version is a cache gone stale: it is thrown away. */
export function openFile(file: string): { driver: SqliteDriver; rebuiltBecause?: string } {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  if (isMissing(file)) return { driver: takingTurns(file, () => openOrReplace(file)) }
  try {
    return { driver: openExisting(file) }
  } catch (error) {
    const rebuiltBecause = damage(error).message
    return { driver: takingTurns(file, () => openOrReplace(file)), rebuiltBecause }
  }
}

export function replaceFile(file: string): SqliteDriver {
  return takingTurns(file, () => {
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
      damage(error)
    }
  }
  setAside(file)
  return openNew(file)
}

function openExisting(file: string): SqliteDriver {
  checkHeader(file)
  chmodSync(file, 0o600)
  return opened(file, (driver) => {
    const [[version]] = driver.all('PRAGMA user_version')
    if (version !== schemaVersion) {
      throw new IndexCorrupt(`The index has schema version ${version}, this program writes ${schemaVersion}`)
    }
    parseState(readStateText(driver))
  })
}

function openNew(file: string): SqliteDriver {
  // Created here rather than by SQLite, so that there is no moment in which others could read it.
  closeSync(openSync(file, 'wx', 0o600))
  return opened(file, (driver) => {
    driver.exec('BEGIN IMMEDIATE')
    for (const statement of [...tables, ...views]) driver.exec(statement)
    writeState(driver, emptyStoreState(Date.now()))
    driver.exec(`PRAGMA user_version = ${schemaVersion}`)
    driver.exec('COMMIT')
  })
}

function opened(file: string, prepare: (driver: SqliteDriver) => void): SqliteDriver {
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

/** Rethrows what is no damage. */
function damage(error: unknown): IndexCorrupt {
  const reason = asIndexError(error)
  if (reason instanceof IndexCorrupt) return reason
  throw reason
}

const isMissing = (file: string): boolean => lstatSync(file, { throwIfNoEntry: false }) === undefined

/** Name, page size, log mode, no reserved bytes, fractions: a flipped bit in some of these would only look read-only. */
const startOfFile = Buffer.from('SQLite format 3\0\x20\0\x02\x02\0\x40\x20\x20', 'latin1')

/** What can be told before SQLite is asked. */
function checkHeader(file: string): void {
  for (const part of [file, ...companions(file)]) {
    const isOdd = lstatSync(part, { throwIfNoEntry: false })?.isFile() === false
    if (isOdd) throw new IndexCorrupt('The index is not a regular file')
  }
  const header = Buffer.alloc(100)
  const descriptor = openSync(file, 'r')
  const length = readSync(descriptor, header, 0, 100, 0)
  closeSync(descriptor)
  if (length < 100 || !startOfFile.every((byte, at) => byte === header[at])) {
    throw new IndexCorrupt('The index is not a SQLite database of ours')
  }
}

function setAside(file: string): void {
  const stats = lstatSync(file, { throwIfNoEntry: false })
  // Whatever a folder of that name holds, it was not made here.
  if (stats?.isDirectory()) renameSync(file, `${file}.not-an-index-${Date.now()}`)
  else rmSync(file, { force: true })
  // A log without its database would be replayed into the next one.
  for (const part of companions(file)) rmSync(part, { recursive: true, force: true })
}

const companions = (file: string): string[] => ['-wal', '-shm', '-journal'].map((end) => file + end)
