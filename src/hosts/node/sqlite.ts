import { lstatSync, mkdirSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Failure } from '../../core/errors.js'
import { IndexCorrupt } from '../../core/index/index.js'

export type SqlValue = string | number | null | Uint8Array

/** The part of SQLite that the store uses. Synchronous: a call is one round trip to a local file. */
export interface SqliteDriver {
  exec(sql: string): void
  run(sql: string, values?: readonly SqlValue[]): void
  /** Every row as an array of its columns, whose names must differ. */
  all(sql: string, values?: readonly SqlValue[]): unknown[][]
  /** The first row alone. */
  first(sql: string, values?: readonly SqlValue[]): unknown[] | undefined
  close(): void
}

/** The part of `node:sqlite` in use, which `@photostructure/sqlite` implements identically. */
interface NodeSqlite {
  DatabaseSync: new (file: string) => { exec(sql: string): void; prepare(sql: string): Statement; close(): void }
}

interface Statement {
  run(...values: SqlValue[]): unknown
  all(...values: SqlValue[]): Row[]
  get(...values: SqlValue[]): Row | undefined
  /** Since Node 22.16. */
  setReturnArrays?(isArray: boolean): void
}

type Row = unknown[] | Record<string, unknown>

let sqlite: NodeSqlite | undefined

export function openDriver(file: string): SqliteDriver {
  sqlite ??= loadSqlite()
  const database = new sqlite.DatabaseSync(file)
  const statements = new Map<string, Statement>()

  /** Statements are few and fixed, so each is prepared once. */
  function prepared(sql: string): Statement {
    let statement = statements.get(sql)
    if (statement === undefined) {
      statement = database.prepare(sql)
      statement.setReturnArrays?.(true)
      statements.set(sql, statement)
    }
    return statement
  }

  return {
    exec: (sql) => database.exec(sql),
    run: (sql, values = []) => void prepared(sql).run(...values),
    all: (sql, values = []) =>
      prepared(sql)
        .all(...values)
        .map(columnsOf),
    first(sql, values = []) {
      const row = prepared(sql).get(...values)
      return row && columnsOf(row)
    },
    close() {
      // Node's SQLite ends all statements here. The package ends one when it is collected and offers no other way, so
      // there the file, `-wal` and `-shm` may stay open for a moment.
      statements.clear()
      database.close()
    },
  }
}

const columnsOf = (row: Row): unknown[] => (Array.isArray(row) ? row : Object.values(row))

/** Node's own SQLite where it has one (22.13 and later), else a package. Loaded at the first use: `--help` needs none. */
function loadSqlite(): NodeSqlite {
  const own = process.getBuiltinModule('node:sqlite') as NodeSqlite | undefined
  if (own !== undefined) return own
  try {
    return createRequire(import.meta.url)('@photostructure/sqlite') as NodeSqlite
  } catch (error) {
    const reason = (error as Error).message.split('\n')[0]
    throw new Failure('internal', `SQLite could not be loaded: ${reason}`, {
      hint: 'Use Node.js 22.13 or later, which includes SQLite, or reinstall Notewright.',
    })
  }
}

/**
 * Statements and tables are fixed, so an SQLite error has one of two causes: the system refuses for now (locked,
 * full, read-only), which is passed on, or the file is damaged.
 */
export function asIndexError(error: unknown): unknown {
  if (error instanceof SyntaxError) return new IndexCorrupt('The index holds unreadable rows', { cause: error })
  if (!(error instanceof Error) || !isSqliteError(error)) return error
  if (isFull(error)) return diskFull(error)
  if (isTransient(error)) return error
  return new IndexCorrupt(`SQLite: ${error.message}`, { cause: error })
}

/** A number out of range was not written by us either. */
const isSqliteError = (error: Error): boolean =>
  ['ERR_SQLITE_ERROR', 'ERR_OUT_OF_RANGE'].includes(`${(error as { code?: unknown }).code}`)

/** PERM, BUSY, LOCKED, READONLY, INTERRUPT, FULL, CANTOPEN, PROTOCOL. */
const transientCodes = new Set([3, 5, 6, 8, 9, 13, 14, 15])

/** The machine refuses for now; the file is unchanged. */
export function isTransient(error: Error): boolean {
  const code = sqliteCode(error)
  if (code !== undefined) return transientCodes.has(code)
  return /locked|busy|full|read-?only|unable to open/i.test(error.message)
}

const fullCode = 13

function isFull(error: Error): boolean {
  const code = sqliteCode(error)
  return code === undefined ? /disk is full/i.test(error.message) : code === fullCode
}

/** SQLite's own primary result code. */
export function sqliteCode(error: unknown): number | undefined {
  const { errcode } = (error ?? {}) as { errcode?: unknown }
  return typeof errcode === 'number' ? errcode & 0xff : undefined
}

/** The file itself is damaged. */
export const isDamage = (error: unknown): boolean =>
  error instanceof Error && isSqliteError(error) && !isTransient(error)

export function diskFull(cause: Error): Failure {
  const failure = new Failure('too-large', 'Disk full. The index could not be updated.', {
    hint: 'Free some space on the disk with the index and try again.',
  })
  failure.cause = cause
  return failure
}

const staleLockMs = 10_000

/** Runs work in one process at a time: removing the log of a database that is being created would damage it. */
export function withFileLock<T>(file: string, work: () => T): T {
  const turn = `${file}-replacing`
  while (!tryLock(turn)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
  try {
    return work()
  } finally {
    rmSync(turn, { recursive: true, force: true })
  }
}

function tryLock(turn: string): boolean {
  try {
    mkdirSync(turn)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    const since = lstatSync(turn, { throwIfNoEntry: false })?.mtimeMs
    // The lock of a killed process.
    if (since !== undefined && Math.abs(Date.now() - since) > staleLockMs)
      rmSync(turn, { recursive: true, force: true })
    return false
  }
}
