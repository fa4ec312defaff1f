import type { SqliteDriver, SqlValue } from './driver.js'

/** Inserts many rows with as few statements as SQLite's limit on bound values sensibly allows. */
export function insertRows(
  driver: SqliteDriver,
  table: string,
  columns: readonly string[],
  values: SqlValue[],
  /** What to do where a row is there already. */
  onConflict = '',
): void {
  const width = columns.length
  let group = 1
  while (group * 2 * width <= 1200) group *= 2
  for (let at = 0; at < values.length; ) {
    while (at + group * width > values.length) group /= 2
    driver.run(insertSql(table, columns, group, onConflict), values.slice(at, at + group * width))
    at += group * width
  }
}

const known = new Map<string, string>()

function insertSql(table: string, columns: readonly string[], rows: number, onConflict: string): string {
  const key = `${table} ${rows} ${onConflict}`
  let sql = known.get(key)
  if (sql === undefined) {
    const row = `(${columns.map(() => '?').join(',')})`
    sql = `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${Array(rows).fill(row).join(',')} ${onConflict}`
    known.set(key, sql)
  }
  return sql
}
