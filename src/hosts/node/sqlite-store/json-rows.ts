import type { SqliteDriver, SqlValue } from './driver.js'

/**
 * Rows as JSON, in one blob. Two reasons: libsql ends the process when a TEXT column holds bytes that are no UTF-8 (one
 * flipped bit is enough), and one large value crosses into JavaScript several times faster than many small ones.
 * Real numbers would lose digits on the way, so exact ones are kept as text.
 */
export function jsonRows<Row extends unknown[]>(
  driver: SqliteDriver,
  columns: string,
  from: string,
  values: readonly SqlValue[] = [],
): Row[] {
  const sql = `SELECT CAST(json_group_array(json_array(${columns})) AS BLOB) AS bytes FROM ${from}`
  const [[bytes]] = driver.all(sql, values) as [[Uint8Array]]
  return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8')) as Row[]
}
