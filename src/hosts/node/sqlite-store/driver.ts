import { createRequire } from 'node:module'
import { Failure } from '../../../core/errors.js'

export type SqlValue = string | number | null | Uint8Array

/** As much of SQLite as the store uses. Synchronous: a call is one round trip to a local file. */
export interface SqliteDriver {
  exec(sql: string): void
  run(sql: string, values?: readonly SqlValue[]): void
  /** Every row as an array of its columns, whose names must differ. */
  all(sql: string, values?: readonly SqlValue[]): unknown[][]
  /** The first row alone. */
  first(sql: string, values?: readonly SqlValue[]): unknown[] | undefined
  close(): void
}

/** As much of `node:sqlite`, which `@photostructure/sqlite` follows to the letter. */
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
      hint: 'Use Node 22.13 or later, which has SQLite built in, or install Notewright again.',
    })
  }
}
