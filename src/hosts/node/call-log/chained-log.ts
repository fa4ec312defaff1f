import { resolve } from 'node:path'
import { type FileAccess, makeFolders, writeAll } from '../files/index.js'
import { withLock } from '../lock/index.js'
import { beginning, type Link, openRow, sealRow } from './chained-row.js'
import { currentName, fullFiles, numberedName, readTally, tallyName } from './log-files.js'

export interface ChainedLogOptions {
  files: FileAccess
  folder: string
  /** A file that has grown to this is full; the first row of the next one carries its last hash and its own number. */
  maxBytes: number
  /** With the current one; at least two. The oldest are dropped. */
  maxFiles: number
  /** How long to wait for another process that is adding a row. */
  waitMs: number
}

/** Rows added by any number of processes, each carrying the hash of the one before it. */
export interface ChainedLog {
  /** Adds the row that `make` returns for its number. With `durable` it is on the disk before this returns. */
  add(make: (n: number) => object, durable: boolean): Promise<number>
}

/**
 * Every row is one write at the end of one file, made under a lock that is held for that write alone: so the hash
 * before it is the hash before it, whoever else is writing. Syncing happens after the lock is given back.
 */
export function chainedLog(options: ChainedLogOptions): ChainedLog {
  const { files, maxBytes, maxFiles, waitMs } = options
  const folder = slashes(resolve(options.folder))
  const current = `${folder}/${currentName}`
  /** How this process left the log; while the file has this size, nobody has added to it. */
  let known: End | undefined
  let isPrepared = false
  let syncedEntry: string | undefined
  let queue: Promise<unknown> = Promise.resolve()

  async function prepare(): Promise<void> {
    await makeFolders(files, folder)
    const { mode } = (await files.stat(folder))!
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
      const open = (await files.openFolder(folder))!
      await files.setMode(open.handle, 0o700)
      await files.closeFolder(open)
    }
    isPrepared = true
  }

  function alone<T>(work: () => Promise<T>): Promise<T> {
    const turn = queue.then(async () => {
      if (!isPrepared) await prepare()
      return withLock(files, folder, { subject: 'The tool-call log', waitMs }, work)
    })
    queue = turn.catch(() => undefined)
    return turn
  }

  /** Writes the row and answers the open file, for whoever wants it synced. */
  async function write(make: (n: number) => object): Promise<{ n: number; file: number; identity: string }> {
    let file = (await files.open(current, 'append', 0o600))!
    try {
      let end = await endOf(file)
      if (end.size >= maxBytes) {
        await files.close(file)
        await setAside()
        file = (await files.open(current, 'append', 0o600))!
        end = { ...end, size: 0, identity: (await files.statOpen(file)).identity }
      }
      if (end.size === 0) {
        const number = ((await fullFiles(files, folder)).at(-1) ?? 0) + 1
        end = await put(file, end, () => ({ row: 'file', number }))
      }
      const { n, identity } = await put(file, end, make)
      return { n, file, identity }
    } catch (error) {
      await files.close(file)
      throw error
    }
  }

  async function put(file: number, end: End, make: (n: number) => object): Promise<End> {
    const tally = await readTally(files, folder)
    // Where rows have gone missing, their numbers stay missing.
    const n = Math.max(end.n, tally) + 1
    const { line, hash } = sealRow(make(n), { n, prev: end.hash })
    known = undefined
    try {
      await writeAll(files, file, line)
    } catch (error) {
      await takeBack(files, file, end.size)
      throw error
    }
    known = { identity: end.identity, size: end.size + line.length, n, hash }
    await count(n - tally)
    return known
  }

  /** The last row, with whatever a killed process left of the next one taken away. */
  async function endOf(file: number): Promise<End> {
    const { identity, size } = await files.statOpen(file)
    if (known?.identity === identity && known.size === size) return known
    const last = await lastRow(files, file, size)
    if (last.end < size) await files.truncate(file, last.end)
    if (last.row === undefined) return { ...(await endOfFull()), identity, size: last.end }
    return { n: last.row.n, hash: last.row.hash, identity, size: last.end }
  }

  /** What a new file goes on from. */
  async function endOfFull(): Promise<Pick<Link, 'n' | 'hash'>> {
    for (const number of (await fullFiles(files, folder)).reverse()) {
      const file = await files.open(`${folder}/${numberedName(number)}`, 'read')
      if (file === undefined) continue
      try {
        const { row } = await lastRow(files, file, (await files.statOpen(file)).size)
        if (row !== undefined) return { n: row.n, hash: row.hash }
      } finally {
        await files.close(file)
      }
    }
    return beginning
  }

  /** Gives the full file a number, and drops the oldest of its kind. */
  async function setAside(): Promise<void> {
    const full = await fullFiles(files, folder)
    await files.rename(current, `${folder}/${numberedName((full.at(-1) ?? 0) + 1)}`)
    const surplus = full.slice(0, Math.max(0, full.length + 2 - Math.max(2, maxFiles)))
    for (const number of surplus) await files.remove(`${folder}/${numberedName(number)}`)
  }

  /** A mark too few is caught up with the next row. */
  async function count(marks: number): Promise<void> {
    try {
      const file = (await files.open(`${folder}/${tallyName}`, 'append', 0o600))!
      try {
        await writeAll(files, file, Buffer.alloc(marks, '|'))
      } finally {
        await files.close(file)
      }
    } catch {}
  }

  async function sync(file: number, identity: string): Promise<void> {
    await files.syncAll([file])
    if (syncedEntry === identity) return
    const open = (await files.openFolder(folder))!
    try {
      await files.syncFolder(open)
    } finally {
      await files.closeFolder(open)
    }
    syncedEntry = identity
  }

  return {
    async add(make, durable) {
      const { n, file, identity } = await alone(() => write(make))
      try {
        if (durable) await sync(file, identity)
      } finally {
        await files.close(file)
      }
      return n
    },
  }
}

interface End extends Pick<Link, 'n' | 'hash'> {
  identity: string
  size: number
}

const newline = 10

/** The last row that can be read, and where the last whole line ends. */
async function lastRow(files: FileAccess, file: number, size: number): Promise<{ row?: Link; end: number }> {
  for (let length = Math.min(size, 16_384); ; length = Math.min(size, length * 8)) {
    const bytes = Buffer.alloc(length)
    await files.read(file, bytes, size - length)
    const stop = bytes.lastIndexOf(newline) + 1
    // The first line of the part may be the end of a longer one.
    const start = length === size ? 0 : bytes.indexOf(newline) + 1
    const lines = bytes.toString('utf8', start, Math.max(start, stop)).split('\n')
    for (const line of lines.reverse()) {
      const { row } = openRow<object>(line)
      if (row !== undefined) return { row, end: size - length + stop }
    }
    if (length === size) return { end: stop }
  }
}

// What stays of the row has no line end, so the next writer takes it away.
async function takeBack(files: FileAccess, file: number, size: number): Promise<void> {
  try {
    await files.truncate(file, size)
  } catch {}
}

function slashes(path: string): string {
  return process.platform === 'win32' ? path.replaceAll('\\', '/') : path
}
