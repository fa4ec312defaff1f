import { openRow } from './chained-row.js'
import type { LogFile } from './log-files.js'
import type { StoredRow } from './stored-row.js'

/** The rows of a file from a place on that are as they were written, and where the last whole line ends. */
export async function rowsOf(file: LogFile, from = 0): Promise<{ rows: StoredRow[]; length: number; damaged: number }> {
  const bytes = await file.read(from)
  const length = bytes.lastIndexOf('\n') + 1
  const rows: StoredRow[] = []
  let damaged = 0
  for (const line of bytes.toString('utf8', 0, length).split('\n').slice(0, -1)) {
    const { row, isWhole } = openRow<StoredRow>(line)
    if (row !== undefined && isWhole) rows.push(row)
    else damaged++
  }
  return { rows, length: from + length, damaged }
}
