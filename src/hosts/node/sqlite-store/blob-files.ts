import { closeSync, fstatSync, mkdirSync, openSync, read, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { type IndexBatch, IndexCorrupt, type StoredBlob } from '../../../core/vault-index/index.js'
import type { SqliteDriver } from './driver.js'
import { hashRow } from './hash-row.js'
import { jsonRows } from './json-rows.js'
import { diskFull } from './sqlite-errors.js'
import type { StoreState } from './store-state.js'

export type BlobRow = [name: string, kind: string, size: number, checksum: number]

/** A file that no row names may be one that another process is about to name. */
const patienceMs = 10 * 60 * 1000

/**
 * The engine's blobs lie as files beside the database, which keeps their names and checksums: through SQLite, opening
 * a large index took three times as long. A file is written before the row that names it and never changed.
 */
export interface BlobFiles {
  /** Beside other work: the disk is read by a thread of Node's own. */
  read(row: BlobRow): Promise<Uint8Array>
  /** Inside the transaction that `driver` is in. */
  change(driver: SqliteDriver, state: StoreState, blobs: NonNullable<IndexBatch['blobs']>): void
  /** After a commit: takes away what no row names any more. */
  sweep(rows: readonly BlobRow[], removed: readonly string[]): void
  /** Bytes on the disk. */
  size(): number
  clear(): void
}

export function blobFiles(folder: string): BlobFiles {
  const place = (name: string, checksum: number): string => join(folder, `${name}.${checksum.toString(16)}`)

  function write({ name, kind, bytes }: StoredBlob): BlobRow {
    const checksum = crc32(bytes)
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    try {
      writeFileSync(place(name, checksum), bytes, { mode: 0o600 })
    } catch (error) {
      throw (error as NodeJS.ErrnoException).code === 'ENOSPC' ? diskFull(error as Error) : error
    }
    return [name, kind, bytes.length, checksum]
  }

  return {
    async read([name, , size, checksum]) {
      const bytes = await bytesOf(place(name, checksum), size)
      if (bytes === undefined || crc32(bytes) !== checksum) throw new IndexCorrupt(`${name} is damaged`)
      return bytes
    },
    change(driver, state, { put = [], remove = [] }) {
      const known = new Map(blobRows(driver, state).map((row) => [row[0], row]))
      const forget = (name: string) => {
        const row = known.get(name)
        if (row === undefined) return
        driver.run('DELETE FROM blobs WHERE name = ?', [name])
        state.blobSum = (state.blobSum - hashRow(row)) >>> 0
        known.delete(name)
      }
      for (const name of remove) forget(name)
      for (const blob of put) {
        forget(blob.name)
        const row = write(blob)
        driver.run('INSERT INTO blobs (name, kind, size, checksum) VALUES (?, ?, ?, ?)', row)
        state.blobSum = (state.blobSum + hashRow(row)) >>> 0
      }
    },
    sweep(rows, removed) {
      const named = new Set(rows.map(([name, , , checksum]) => place(name, checksum)))
      for (const file of filesIn(folder)) {
        if (named.has(file)) continue
        const isOurs = removed.some((name) => file.startsWith(join(folder, `${name}.`)))
        const age = Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0)
        if (isOurs || age > patienceMs) rmSync(file, { force: true })
      }
    },
    size: () => filesIn(folder).reduce((sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0),
    clear: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** All blobs' rows: they are few, and only together do they add up. */
export function blobRows(driver: SqliteDriver, state: StoreState): BlobRow[] {
  const rows = jsonRows<BlobRow>(driver, 'name, kind, size, checksum', 'blobs')
  const sum = rows.reduce((total, row) => (total + hashRow(row)) >>> 0, 0)
  if (sum !== state.blobSum) throw new IndexCorrupt('The list of blobs does not add up')
  return rows
}

/** undefined when there is no such file of this size. */
async function bytesOf(path: string, size: number): Promise<Uint8Array | undefined> {
  const file = openIfThere(path)
  if (file === undefined) return undefined
  try {
    const stat = fstatSync(file)
    if (!stat.isFile() || stat.size !== size) return undefined
    const bytes = Buffer.allocUnsafeSlow(size)
    return (await readAll(file, bytes)) === size ? bytes : undefined
  } finally {
    closeSync(file)
  }
}

function openIfThere(path: string): number | undefined {
  try {
    return openSync(path, 'r')
  } catch (error) {
    // Gone, or something else in its place.
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
}

/** Only the reading itself is left to another thread: whatever else waits for one costs more than it saves. */
async function readAll(file: number, bytes: Buffer): Promise<number> {
  let done = 0
  while (done < bytes.length) {
    const count = await new Promise<number>((resolve, reject) => {
      read(file, bytes, done, bytes.length - done, done, (error, length) => (error ? reject(error) : resolve(length)))
    })
    if (count === 0) break
    done += count
  }
  return done
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name))
  } catch {
    return []
  }
}
