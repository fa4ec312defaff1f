import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Failure } from '../../../core/errors.js'
import { loadLibsql } from './load-libsql.js'

export type SqlValue = string | number | null | Uint8Array

/** As much of a SQLite binding as the store uses. Synchronous: a call is one round trip to a local file. */
export interface SqliteDriver {
  exec(sql: string): void
  run(sql: string, values?: readonly SqlValue[]): void
  /** Every row as an array of its columns. */
  all(sql: string, values?: readonly SqlValue[]): unknown[][]
  /** The first row alone, in a third of the time. */
  first(sql: string, values?: readonly SqlValue[]): unknown[] | undefined
  close(): void
}

/** Opens a database with libsql, or with the runtime's own SQLite where libsql has no binary. */
export function openDriver(file: string): SqliteDriver {
  const open = (loaded ??= loadOpen())
  return open(file)
}

let loaded: ((file: string) => SqliteDriver) | undefined

const require = createRequire(import.meta.url)

// Loading the binary takes tens of milliseconds, so it happens at the first use and never for `--help`.
function loadOpen(): (file: string) => SqliteDriver {
  try {
    const Database = askingOnce(loadLibsql) as new (file: string) => LibsqlDatabase
    return (file) => libsqlDriver(new Database(file))
  } catch (error) {
    const { DatabaseSync } = builtinSqlite(error)
    return (file) => nodeDriver(new DatabaseSync(file))
  }
}

/** To tell one C library from another, two packages ask Node for a whole report each, which takes longer than all else. */
function askingOnce<T>(load: () => T): T {
  const { report } = process
  const ask = report.getReport
  let answer: object | undefined
  report.getReport = () => (answer ??= hasGlibcAlone() ? { header: { glibcVersionRuntime: '2' } } : ask.call(report))
  try {
    return load()
  } finally {
    report.getReport = ask
  }
}

/** What starts programs that use glibc is there, and what starts those that use musl is not: nothing else could run us. */
function hasGlibcAlone(): boolean {
  const loader = process.platform === 'linux' ? loaders[process.arch] : undefined
  return loader !== undefined && existsSync(loader.gnu) && !existsSync(loader.musl)
}

const loaders: Partial<Record<NodeJS.Architecture, { gnu: string; musl: string }>> = {
  x64: { gnu: '/lib64/ld-linux-x86-64.so.2', musl: '/lib/ld-musl-x86_64.so.1' },
  arm64: { gnu: '/lib/ld-linux-aarch64.so.1', musl: '/lib/ld-musl-aarch64.so.1' },
}

function builtinSqlite(cause: unknown): { DatabaseSync: new (file: string) => NodeDatabase } {
  try {
    return require('node:sqlite') as { DatabaseSync: new (file: string) => NodeDatabase }
  } catch {
    const reason = (cause as Error).message.split('\n')[0]
    throw new Failure('internal', `SQLite could not be loaded: ${reason}`, {
      hint: 'Install Notewright again without leaving out optional dependencies, or use a Node that has node:sqlite.',
    })
  }
}

interface LibsqlStatement {
  raw(): LibsqlStatement
  run(values: readonly SqlValue[]): unknown
  all(values: readonly SqlValue[]): unknown[][]
  get(values: readonly SqlValue[]): unknown[] | undefined
}

interface LibsqlDatabase {
  exec(sql: string): void
  prepare(sql: string): LibsqlStatement
  close(): void
}

function libsqlDriver(database: LibsqlDatabase): SqliteDriver {
  let writes = remembered((sql) => database.prepare(sql))
  let reads = remembered((sql) => database.prepare(sql).raw())
  return {
    exec: (sql) => database.exec(sql),
    run: (sql, values = []) => void writes(sql).run(values),
    all: (sql, values = []) => reads(sql).all(values),
    first: (sql, values = []) => reads(sql).get(values),
    close() {
      // A statement keeps the file open until it is collected.
      writes = reads = isClosed
      database.close()
    },
  }
}

interface NodeDatabase {
  exec(sql: string): void
  prepare(sql: string): {
    run(...values: SqlValue[]): unknown
    all(...values: SqlValue[]): Record<string, unknown>[]
    get(...values: SqlValue[]): Record<string, unknown> | undefined
  }
  close(): void
}

function nodeDriver(database: NodeDatabase): SqliteDriver {
  const statements = remembered((sql) => database.prepare(sql))
  return {
    exec: (sql) => database.exec(sql),
    run: (sql, values = []) => void statements(sql).run(...values),
    all: (sql, values = []) =>
      statements(sql)
        .all(...values)
        .map(Object.values),
    first(sql, values = []) {
      const row = statements(sql).get(...values)
      return row && Object.values(row)
    },
    close: () => database.close(),
  }
}

function isClosed(): never {
  throw new Error('The index is closed')
}

/** Statements are few and fixed, so each is prepared once. */
function remembered<T>(prepare: (sql: string) => T): (sql: string) => T {
  const known = new Map<string, T>()
  return (sql) => {
    let statement = known.get(sql)
    if (statement === undefined) known.set(sql, (statement = prepare(sql)))
    return statement
  }
}
