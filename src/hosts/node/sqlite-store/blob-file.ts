import { closeSync, fstatSync, openSync, read, readSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { IndexCorrupt, type OpenBlob } from '../../../core/vault-index/index.js'

/** What follows the head is proved in blocks of so many bytes, each of which can be read alone. */
const blockBytes = 4096

interface Extent {
  size: number
  head: number
  checksum: number
}

/** A blob in its file: the bytes, then a checksum for each block behind the head. */
export interface BlobFile extends OpenBlob {
  readonly handle: BlobHandle
  /** Beside other work, what is not there yet. */
  readAll(): Promise<void>
}

/** What a blob is read from. Knows nothing of the blob, so that it does not keep its bytes in memory. */
export interface BlobHandle {
  readonly file: number
  isOpen(): boolean
  close(): void
}

/** The checksums of the blocks behind the head, and one of the head and of these. */
export function proofOf(bytes: Uint8Array, head: number): { table: Uint8Array; checksum: number } {
  const table = new Uint32Array(blocksIn({ size: bytes.length, head }))
  for (let block = 0; block < table.length; block++) {
    const start = head + block * blockBytes
    table[block] = crc32(bytes.subarray(start, start + blockBytes))
  }
  const tableBytes = new Uint8Array(table.buffer)
  return { table: tableBytes, checksum: checksumOf(bytes.subarray(0, head), tableBytes) }
}

/** Of nothing, with what came before, Node's checksum is 0. */
function checksumOf(head: Uint8Array, table: Uint8Array): number {
  return table.length === 0 ? crc32(head) : crc32(table, crc32(head))
}

/** Reads the head, by a thread of Node's own. undefined when there is no such file, or it is damaged. */
export async function openBlobFile(path: string, extent: Extent): Promise<BlobFile | undefined> {
  const file = openIfThere(path)
  if (file === undefined) return undefined
  const handle = blobHandle(file)
  let isMore = false
  try {
    const { size, head, checksum } = extent
    const stat = fstatSync(file)
    const blocks = blocksIn(extent)
    if (!stat.isFile() || stat.size !== size + 4 * blocks) return undefined
    // The memory of what is never read is never taken from the system.
    const bytes = Buffer.allocUnsafeSlow(size)
    const table = new Uint32Array(blocks)
    const tableBytes = new Uint8Array(table.buffer)
    if ((await readLater(file, bytes.subarray(0, head), 0)) !== head) return undefined
    if (readNow(file, tableBytes, size) !== tableBytes.length) return undefined
    if (checksumOf(bytes.subarray(0, head), tableBytes) !== checksum) return undefined
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

function readNow(file: number, into: Uint8Array, position: number): number {
  let done = 0
  while (done < into.length) {
    const count = readSync(file, into, done, into.length - done, position + done)
    if (count === 0) break
    done += count
  }
  return done
}
