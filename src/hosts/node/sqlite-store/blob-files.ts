import { closeSync, mkdirSync, openSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type IndexBatch, IndexCorrupt, type OpenBlob, type StoredBlob } from '../../../core/vault-index/index.js'
import { type BlobHandle, openBlobFile, proofOf } from './blob-file.js'
import { addTo, checksumOf, takeFrom } from './checksum.js'
import type { SqliteDriver } from './driver.js'
import { diskFull } from './sqlite-errors.js'
import type { StoreState } from './store-state.js'

export type BlobRow = [name: string, kind: string, size: number, head: number, checksum: number]

/** A file that no row names may be one that another process is about to name. */
const patienceMs = 10 * 60 * 1000

/**
 * The engine's blobs lie as files beside the database, which keeps their names and checksums: through SQLite, opening
 * a large index took three times as long. A file is written before the row that names it and never changed.
 */
export interface BlobFiles {
  /** Beside other work: the disk is read by a thread of Node's own. */
  read(row: BlobRow): Promise<OpenBlob>
  /** Inside the transaction that `driver` is in. */
  change(driver: SqliteDriver, state: StoreState, blobs: NonNullable<IndexBatch['blobs']>): void
  /** After a commit: takes away what no row names any more. */
  sweep(rows: readonly BlobRow[], removed: readonly string[]): void
  /** Bytes on the disk. */
  size(): number
  clear(): void
  /** What was read so far can be looked at no longer. */
  close(): void
}

/** With `readsAhead`, blobs are read whole when they are opened, and not where they are looked at. */
export function blobFiles(folder: string, readsAhead: boolean): BlobFiles {
  const place = (name: string, checksum: number): string => join(folder, `${name}.${checksum.toString(16)}`)
  /** Open as long as their blobs are used: another process may take a file away while we read from it. */
  const handles = new Set<BlobHandle>()
  const unused = new FinalizationRegistry<BlobHandle>((handle) => {
    handle.close()
    handles.delete(handle)
  })

  function write({ name, kind, bytes, head = bytes.length }: StoredBlob): BlobRow {
    const { table, checksum } = proofOf(bytes, head)
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    try {
      const file = openSync(place(name, checksum), 'w', 0o600)
      try {
        writeFileSync(file, bytes)
        writeFileSync(file, table)
      } finally {
        closeSync(file)
      }
    } catch (error) {
      throw (error as NodeJS.ErrnoException).code === 'ENOSPC' ? diskFull(error as Error) : error
    }
    return [name, kind, bytes.length, head, checksum]
  }

  return {
    async read([name, , size, head, checksum]) {
      const file = await openBlobFile(place(name, checksum), { size, head, checksum })
      if (file === undefined) throw new IndexCorrupt(`${name} is damaged`)
      const { handle } = file
      if (readsAhead) await file.readAll().finally(() => handle.close())
      if (handle.isOpen()) {
        handles.add(handle)
        // Whoever may still ask holds on to this, and perhaps to nothing else of the blob.
        unused.register(file.need, handle)
      }
      return file
    },
    change(driver, state, { put = [], remove = [] }) {
      const known = new Map(blobRows(driver, state).map((row) => [row[0], row]))
      const forget = (name: string) => {
        const row = known.get(name)
        if (row === undefined) return
        driver.run('DELETE FROM blobs WHERE name = ?', [name])
        state.blobSum = takeFrom(state.blobSum, checksumOf(...row))
        known.delete(name)
      }
      for (const name of remove) forget(name)
      for (const blob of put) {
        forget(blob.name)
        const row = write(blob)
        driver.run('INSERT INTO blobs (name, kind, size, head, checksum) VALUES (?, ?, ?, ?, ?)', row)
        state.blobSum = addTo(state.blobSum, checksumOf(...row))
      }
    },
    sweep(rows, removed) {
      const named = new Set(rows.map(([name, , , , checksum]) => place(name, checksum)))
      for (const file of filesIn(folder)) {
        if (named.has(file)) continue
        const isOurs = removed.some((name) => file.startsWith(join(folder, `${name}.`)))
        const age = Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0)
        if (isOurs || age > patienceMs) rmSync(file, { force: true })
      }
    },
    size: () => filesIn(folder).reduce((sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0),
    clear: () => rmSync(folder, { recursive: true, force: true }),
    close() {
      for (const handle of handles) handle.close()
      handles.clear()
    },
  }
}

/** All blobs' rows: they are few, and only together do they add up. */
export function blobRows(driver: SqliteDriver, state: StoreState): BlobRow[] {
  const rows = driver.all('SELECT name, kind, size, head, checksum FROM blobs') as BlobRow[]
  const sum = rows.reduce((total, row) => addTo(total, checksumOf(...row)), 0)
  if (sum !== state.blobSum) throw new IndexCorrupt('The list of blobs does not add up')
  return rows
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name))
  } catch {
    return []
  }
}
