import { crc32 } from 'node:zlib'
import { IndexCorrupt, type StoredBlob } from '../../../core/vault-index/index.js'
import type { SqliteDriver } from './driver.js'
import { hashRow } from './hash-row.js'
import { jsonRows } from './json-rows.js'
import type { StoreState } from './store-state.js'

/** Small enough that SQLite and its binding use the same memory again for each: one large page takes twice as long. */
const pageBytes = 1 << 20

export type BlobRow = [name: string, kind: string, size: number, checksum: number, firstPage: number]

/** All blobs' rows: they are few, and only together do they add up. */
export function blobRows(driver: SqliteDriver, state: StoreState): BlobRow[] {
  const rows = jsonRows<BlobRow>(driver, 'name, kind, size, checksum, first_page', 'blobs')
  const sum = rows.reduce((total, row) => (total + hashRow(row)) >>> 0, 0)
  if (sum !== state.blobSum) throw new IndexCorrupt('The list of blobs does not add up')
  return rows
}

export function readBlob(driver: SqliteDriver, [name, , size, checksum, firstPage]: BlobRow): Uint8Array {
  const bytes = size <= pageBytes ? readPage(driver, name, firstPage, size) : joinPages(driver, name, firstPage, size)
  if (crc32(bytes) !== checksum) throw new IndexCorrupt(`${name} is damaged`)
  return bytes
}

function joinPages(driver: SqliteDriver, name: string, firstPage: number, size: number): Uint8Array {
  const bytes = new Uint8Array(size)
  for (let at = 0, page = firstPage; at < size; at += pageBytes, page++) {
    bytes.set(readPage(driver, name, page, Math.min(pageBytes, size - at)), at)
  }
  return bytes
}

/** Asked for by its type: damage can turn it into text, which libsql would die of. */
function readPage(driver: SqliteDriver, name: string, page: number, size: number): Uint8Array {
  if (size === 0) return new Uint8Array()
  const [row] = driver.all("SELECT bytes FROM blob_pages WHERE id = ? AND typeof(bytes) = 'blob'", [page])
  const part = row?.[0]
  if (part instanceof Uint8Array && part.length === size) return part
  throw new IndexCorrupt(`A page of ${name} is missing`)
}

export function changeBlobs(
  driver: SqliteDriver,
  state: StoreState,
  put: readonly StoredBlob[],
  remove: readonly string[],
): void {
  const known = new Map(blobRows(driver, state).map((row) => [row[0], row]))
  const forget = (name: string) => {
    const row = known.get(name)
    if (row === undefined) return
    driver.run('DELETE FROM blobs WHERE name = ?', [name])
    driver.run('DELETE FROM blob_pages WHERE id >= ? AND id < ?', [row[4], row[4] + Math.ceil(row[2] / pageBytes)])
    state.blobSum = (state.blobSum - hashRow(row)) >>> 0
    known.delete(name)
  }
  for (const name of remove) forget(name)
  for (const { name, kind, bytes } of put) {
    forget(name)
    const firstPage = 1 + Math.max(0, ...[...known.values()].map((row) => row[4] + Math.ceil(row[2] / pageBytes)))
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    for (let at = 0, page = firstPage; at < bytes.length; at += pageBytes, page++) {
      driver.run('INSERT INTO blob_pages (id, bytes) VALUES (?, ?)', [page, buffer.subarray(at, at + pageBytes)])
    }
    const row: BlobRow = [name, kind, bytes.length, crc32(buffer), firstPage]
    driver.run('INSERT INTO blobs (name, kind, size, checksum, first_page) VALUES (?, ?, ?, ?, ?)', row)
    state.blobSum = (state.blobSum + hashRow(row)) >>> 0
    known.set(name, row)
  }
}
