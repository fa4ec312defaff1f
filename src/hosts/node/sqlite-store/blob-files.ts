import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  read,
  readdirSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import type { IndexBatch, OpenBlob, StoredBlob } from '../../../core/index/index.js'
import { IndexCorrupt } from '../../../core/index/index.js'
import type { SqliteDriver } from '../sqlite.js'
import { diskFull } from '../sqlite.js'
import type { StoreState } from './store-state.js'
import { addTo, checksumOf, takeFrom } from './store-state.js'

type BlobRow = [name: string, kind: string, size: number, head: number, checksum: number]

/** A file that no row names may be one that another process is about to name. */
const orphanAgeMs = 10 * 60 * 1000

/**
 * The engine's blobs are files next to the database, which stores their names and checksums: reading them through
 * SQLite took three times as long for a large index. A file is written before the row that names it and never changed.
 */
export interface BlobFiles {
  /** Beside other work: the disk is read by a thread of Node's own. */
  read(row: BlobRow): Promise<OpenBlob>
  /** Inside the transaction that `driver` is in. */
  change(driver: SqliteDriver, state: StoreState, blobs: NonNullable<IndexBatch['blobs']>): void
  /** After a commit: deletes files that no row names any more. */
  sweep(rows: readonly BlobRow[], removed: readonly string[]): void
  /** Bytes on the disk. */
  size(): number
  clear(): void
  /** Blobs that were read before can no longer be used. */
  close(): void
}

/** With `readsAhead`, blobs are read whole when opened, not on access. */
export function blobFiles(folder: string, readsAhead: boolean): BlobFiles {
  const place = (name: string, checksum: number): string => join(folder, `${name}.${checksum.toString(16)}`)
  /** Open as long as their blobs are used: another process may take a file away while we read from it. */
  const handles = new Set<BlobHandle>()
  const unused = new FinalizationRegistry<BlobHandle>((handle) => {
    handle.close()
    handles.delete(handle)
  })

  function write({ name, kind, bytes, head = bytes.length }: StoredBlob): BlobRow {
    const { table, checksum } = blockChecksums(bytes, head)
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
        // Users of the blob keep a reference to `need`, perhaps to nothing else of it.
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
        if (isOurs || age > orphanAgeMs) rmSync(file, { force: true })
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

/** Bytes after the head are checked in blocks of this size, each of which can be read alone. */
const blockBytes = 4096

interface Extent {
  size: number
  head: number
  checksum: number
}

/** A blob in its file: the bytes, then a checksum for each block after the head. */
interface BlobFile extends OpenBlob {
  readonly handle: BlobHandle
  /** Loads the missing parts in the background. */
  readAll(): Promise<void>
}

/** The open file of a blob. It has no reference to the blob, so that the bytes can be freed. */
interface BlobHandle {
  readonly file: number
  isOpen(): boolean
  close(): void
}

/** The checksums of the blocks after the head, and one over the head and these checksums. */
function blockChecksums(bytes: Uint8Array, head: number): { table: Uint8Array; checksum: number } {
  const table = new Uint32Array(blocksIn({ size: bytes.length, head }))
  for (let block = 0; block < table.length; block++) {
    const start = head + block * blockBytes
    table[block] = crc32(bytes.subarray(start, start + blockBytes))
  }
  const tableBytes = new Uint8Array(table.buffer)
  return { table: tableBytes, checksum: headChecksum(bytes.subarray(0, head), tableBytes) }
}

/** Node's crc32 of an empty buffer is 0 even with a previous value. */
function headChecksum(head: Uint8Array, table: Uint8Array): number {
  return table.length === 0 ? crc32(head) : crc32(table, crc32(head))
}

/** Reads the head, by a thread of Node's own. undefined if there is no such file, or it is damaged. */
async function openBlobFile(path: string, extent: Extent): Promise<BlobFile | undefined> {
  const file = openIfExists(path)
  if (file === undefined) return undefined
  const handle = blobHandle(file)
  let isMore = false
  try {
    const { size, head, checksum } = extent
    const stat = fstatSync(file)
    const blocks = blocksIn(extent)
    if (!stat.isFile() || stat.size !== size + 4 * blocks) return undefined
    // Pages that are never read take no physical memory.
    const bytes = Buffer.allocUnsafeSlow(size)
    const table = new Uint32Array(blocks)
    const tableBytes = new Uint8Array(table.buffer)
    if ((await readLater(file, bytes.subarray(0, head), 0)) !== head) return undefined
    if (readNow(file, tableBytes, size) !== tableBytes.length) return undefined
    if (headChecksum(bytes.subarray(0, head), tableBytes) !== checksum) return undefined
    isMore = blocks > 0
    return blobFile(handle, bytes, head, table)
  } finally {
    if (!isMore) handle.close()
  }
}

function blobFile(handle: BlobHandle, bytes: Buffer, head: number, table: Uint32Array): BlobFile {
  const { file } = handle
  const isThere = new Uint8Array(table.length)
  let isWhole = table.length === 0

  function prove(first: number, end: number): void {
    for (let block = first; block < end; block++) {
      const start = head + block * blockBytes
      if (crc32(bytes.subarray(start, start + blockBytes)) !== table[block]) throw new IndexCorrupt('A blob is damaged')
      isThere[block] = 1
    }
  }

  function readBlocks(first: number, end: number): void {
    const start = head + first * blockBytes
    const stretch = bytes.subarray(start, head + end * blockBytes)
    if (readNow(file, stretch, start) !== stretch.length) throw new IndexCorrupt('A blob is cut short')
    prove(first, end)
  }

  return {
    handle,
    bytes,
    need(from, to) {
      if (isWhole) return
      const end = Math.ceil((to - head) / blockBytes)
      for (let block = Math.max(0, Math.floor((from - head) / blockBytes)); block < end; block++) {
        if (isThere[block] === 1) continue
        const first = block
        while (block < end && isThere[block] === 0) block++
        readBlocks(first, block)
      }
    },
    async readAll() {
      if (isWhole) return
      const rest = bytes.subarray(head)
      if ((await readLater(file, rest, head)) !== rest.length) throw new IndexCorrupt('A blob is cut short')
      prove(0, table.length)
      isWhole = true
    },
  }
}

function blobHandle(file: number): BlobHandle {
  let isOpen = true
  return {
    file,
    isOpen: () => isOpen,
    close() {
      if (isOpen) closeSync(file)
      isOpen = false
    },
  }
}

const blocksIn = ({ size, head }: Pick<Extent, 'size' | 'head'>): number => Math.ceil((size - head) / blockBytes)

function openIfExists(path: string): number | undefined {
  try {
    return openSync(path, 'r')
  } catch (error) {
    // Deleted, or replaced by something else.
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
}

/** Only reading runs in another thread: moving other work there costs more than it saves. */
async function readLater(file: number, into: Uint8Array, position: number): Promise<number> {
  let done = 0
  while (done < into.length) {
    const count = await new Promise<number>((resolve, reject) => {
      read(file, into, done, into.length - done, position + done, (error, length) =>
        error ? reject(error) : resolve(length),
      )
    })
    if (count === 0) break
    done += count
  }
  return done
}

/** Reads until `into` is full or the file ends; returns how many bytes that were. */
export function readNow(file: number, into: Uint8Array, position: number): number {
  let done = 0
  while (done < into.length) {
    const count = readSync(file, into, done, into.length - done, position + done)
    if (count === 0) break
    done += count
  }
  return done
}
