import { statSync } from 'node:fs'
import type { SqliteDriver } from './driver.js'
import { openFile, replaceFile } from './open-file.js'
import { asIndexError, isCircumstance } from './sqlite-errors.js'
import { parseState, readStateText, type Snapshot, type StoreState, writeState } from './store-state.js'

/** One open file, its transactions, and what is remembered between them. */
export interface Connection {
  readonly rebuiltBecause?: string
  read<T>(look: (snapshot: Snapshot) => T): T
  /** `change` answers undefined to leave everything as it was. The generation grows by itself. */
  write<T>(change: (snapshot: Snapshot) => T | undefined): T | undefined
  /** Another process may have replaced the file; then its successor is opened. */
  followFile(): void
  /** Writes the file anew, without what was deleted from it. Answers false while another connection reads the old one. */
  erase(): boolean
  replace(): void
  close(): void
}

export function openConnection(file: string): Connection {
  const opened = openFile(file)
  let driver = opened.driver
  let inode = statSync(file).ino
  let known: Known | undefined

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
      // Rows of two different moments, or real damage: the transaction will tell.
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
        known = { text, version: known!.version, state }
        return { answer, keep: true }
      }),
    followFile() {
      if (statSync(file, { throwIfNoEntry: false })?.ino !== inode) reopen(() => openFile(file).driver)
    },
    erase() {
      try {
        // What is in use is gathered in a file beside, not in memory.
        driver.exec('PRAGMA temp_store = DEFAULT')
        driver.exec('VACUUM')
        const [isBusy] = driver.first('PRAGMA wal_checkpoint(TRUNCATE)') ?? [1]
        return Number(isBusy) === 0
      } catch (error) {
        if (error instanceof Error && isCircumstance(error)) return false
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

interface Known {
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
