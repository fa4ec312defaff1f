import { IndexCorrupt } from '../../../core/vault-index/index.js'
import type { SqliteDriver, SqlValue } from './driver.js'

// Text is always read as a blob. Two reasons: libsql ends the process when a TEXT column holds bytes that are no UTF-8
// (one flipped bit is enough), and one large value crosses into JavaScript several times faster than many small ones.

/** Rows of any columns but real numbers, which would lose digits on the way. */
export function jsonRows<Row extends unknown[]>(
  driver: SqliteDriver,
  columns: string,
  from: string,
  values: readonly SqlValue[] = [],
): Row[] {
  const text = oneText(
    driver,
    `SELECT CAST(json_group_array(json_array(${columns})) AS BLOB) AS bytes FROM ${from}`,
    values,
  )
  return JSON.parse(text) as Row[]
}

/** A column of JSON arrays, one to a line: JSON has no line ends of its own. */
export function jsonLines(
  driver: SqliteDriver,
  column: string,
  from: string,
  values: readonly SqlValue[] = [],
): string {
  return oneText(driver, `SELECT CAST(group_concat(${column}, char(10)) AS BLOB) AS bytes FROM ${from}`, values)
}

/** The rows of `jsonLines`. Damage may have made them anything else. */
export function parsedLines<Row extends unknown[]>(lines: string): Row[] {
  const rows = JSON.parse(`[${lines.replaceAll('\n', ',')}]`) as unknown[]
  if (!rows.every(Array.isArray)) throw new IndexCorrupt('The index holds unreadable rows')
  return rows as Row[]
}

function oneText(driver: SqliteDriver, sql: string, values: readonly SqlValue[]): string {
  const bytes = driver.first(sql, values)?.[0]
  if (!(bytes instanceof Uint8Array)) return ''
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8')
}
