import { hash } from 'node:crypto'
import type { FileAccess } from '../files/index.js'
import { writeAll, writeNew } from '../files/index.js'

/** An append-only file of JSON rows, each with a checksum, so that a row torn by a crash is noticed and left out. */
export interface JournalLog<Row> {
  /** Rows added since the last call, by any process; `restarted` when the file is another one and these are all rows. */
  newRows(): Promise<{ rows: Row[]; restarted: boolean }>
  /** True when the last row passes the test, without reading the others. Also true of an empty log. */
  endsWith(test: (row: Row) => boolean): Promise<boolean>
  /**
   * Adds a row and makes it last, together with other open files. When that fails, the log is as before and the
   * error is thrown.
   */
  add(row: Row, alsoSync?: readonly number[]): Promise<void>
  /** Replaces all rows at once. */
  replace(rows: Row[]): Promise<void>
}

export function journalLog<Row>(files: FileAccess, folder: string): JournalLog<Row> {
  const path = `${folder}/log.jsonl`
  let identity: string | undefined
  /** End of the last whole row that was read. */
  let end = 0

  async function newRows() {
    const stat = await files.stat(path)
    const restarted = stat === undefined || stat.identity !== identity || stat.size < end
    if (restarted) {
      identity = stat?.identity
      end = 0
    }
    if (stat === undefined || stat.size === end) return { rows: [], restarted }
    const bytes = await readFrom(end, stat.size - end)
    const { rows, length } = parseRows<Row>(bytes)
    end += length
    return { rows, restarted }
  }

  async function readFrom(position: number, length: number): Promise<Uint8Array> {
    const file = await files.open(path, 'read')
    if (file === undefined) return new Uint8Array()
    try {
      const bytes = new Uint8Array(length)
      return bytes.subarray(0, await files.read(file, bytes, position))
    } finally {
      await files.close(file)
    }
  }

  async function syncFolder(): Promise<void> {
    const open = (await files.openFolder(folder))!
    try {
      await files.syncFolder(open)
    } finally {
      await files.closeFolder(open)
    }
  }

  return {
    newRows,
    async endsWith(test) {
      const stat = await files.stat(path)
      if (stat === undefined || stat.size === 0) return true
      const tail = await readFrom(Math.max(0, stat.size - tailBytes), tailBytes)
      const start = tail.lastIndexOf(newline, tail.length - 2) + 1
      const { rows } = parseRows<Row>(tail.subarray(start))
      return rows.length === 1 && test(rows[0])
    },
    async add(row, alsoSync = []) {
      const file = (await files.open(path, 'append', 0o600))!
      try {
        const stat = await files.statOpen(file)
        const isNew = stat.size === 0
        identity = stat.identity
        // What lies behind the last whole row was torn by a crash.
        if (stat.size > end) await files.truncate(file, end)
        const line = rowLine(row)
        try {
          await writeAll(files, file, line)
          await files.syncAll([file, ...alsoSync])
          if (isNew) await syncFolder()
        } catch (error) {
          await takeBack(files, file, end)
          throw error
        }
        end += line.length
      } finally {
        await files.close(file)
      }
    },
    async replace(rows) {
      const lines = rows.map(rowLine)
      const temporary = `${path}.new`
      if ((await files.stat(temporary)) !== undefined) await files.remove(temporary)
      await writeNew(files, temporary, Buffer.concat(lines))
      await files.rename(temporary, path)
      await syncFolder()
      identity = (await files.stat(path))?.identity
      end = lines.reduce((sum, line) => sum + line.length, 0)
    },
  }
}

const newline = 10
const tailBytes = 4096
const checksumLength = 16

function rowLine(row: unknown): Buffer {
  const json = JSON.stringify(row)
  return Buffer.from(`${checksum(json)} ${json}\n`)
}

function checksum(json: string): string {
  return hash('sha256', json).slice(0, checksumLength)
}

/** Whole rows, and where the last of them ends. A damaged row in the middle is left out, not the ones behind it. */
function parseRows<Row>(bytes: Uint8Array): { rows: Row[]; length: number } {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const rows: Row[] = []
  let length = 0
  for (let start = 0; start < buffer.length; ) {
    const stop = buffer.indexOf(newline, start)
    if (stop === -1) break
    const row = parseRow<Row>(buffer.toString('utf8', start, stop))
    start = stop + 1
    if (row === undefined) continue
    rows.push(row)
    length = start
  }
  return { rows, length }
}

function parseRow<Row>(line: string): Row | undefined {
  const json = line.slice(checksumLength + 1)
  if (line.slice(0, checksumLength) !== checksum(json)) return undefined
  return JSON.parse(json) as Row
}

// If even this fails, a later row for the same entry decides.
async function takeBack(files: FileAccess, file: number, size: number): Promise<void> {
  try {
    await files.truncate(file, size)
    await files.sync(file)
  } catch {}
}
