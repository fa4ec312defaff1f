import { hash } from 'node:crypto'
import { type DamagedRowFields, readDamagedRow } from '../../../core/vault/index.js'
import { type FileAccess, type FileStat, type OpenFolder, writeAll, writeNew } from '../files/file-access.js'

/** An append-only file of JSON rows, each with a checksum, so that a row that was damaged or torn is noticed. */
interface JournalLog<Row> {
  /** Lines added since the last call, by any process; `restarted` when the file is another one and these are all. */
  newLines(): Promise<{ lines: LogLine<Row>[]; restarted: boolean }>
  /** The bytes after the last complete line: a row that was cut off, or one that is being written just now. */
  unended(): LineDamage | undefined
  /** True when the last row passes the test, without reading the others. Also true of an empty log. */
  endsWith(test: (row: Row) => boolean): Promise<boolean>
  /**
   * Adds a row and makes it last, together with other open files. When that fails, the log is as before and the
   * error is thrown.
   */
  add(row: Row, alsoSync?: readonly number[]): Promise<void>
  /** Makes all rows durable, together with other open files, including rows of other processes. */
  makeLast(alsoSync?: readonly number[]): Promise<void>
  /** True if this process has read or added every row of the log. */
  isAsKnown(): Promise<boolean>
  /** Deletes rows, and older damaged ones. Returns the remaining lines. */
  drop(isDropped: (row: Row) => boolean): Promise<LogLine<Row>[]>
}

export function journalLog<Row>(files: FileAccess, folder: string): JournalLog<Row> {
  const path = `${folder}/log.jsonl`
  let identity: string | undefined
  /** End of the last complete line, the number of lines, and the incomplete rest. */
  let end = 0
  let count = 0
  let torn: Uint8Array = nothing

  async function newLines() {
    const stat = await files.stat(path)
    const restarted = stat === undefined || stat.identity !== identity || stat.size < end
    if (restarted) {
      identity = stat?.identity
      end = 0
      count = 0
    }
    torn = nothing
    if (stat === undefined || stat.size === end) return { lines: [], restarted }
    const bytes = await readFrom(end, stat.size - end)
    const { lines, length, count: more } = parseLines<Row>(bytes)
    for (const line of lines) if ('damage' in line) line.damage.line += count
    end += length
    count += more
    torn = bytes.subarray(length)
    return { lines, restarted }
  }

  async function readFrom(position: number, length: number): Promise<Uint8Array> {
    const file = await files.open(path, 'read')
    if (file === undefined) return nothing
    try {
      const bytes = new Uint8Array(length)
      return bytes.subarray(0, await files.read(file, bytes, position))
    } finally {
      await files.close(file)
    }
  }

  async function syncFolder(path = folder): Promise<void> {
    // `!`: the journal's own folder was made when it was opened.
    const open = path === folder ? (await files.openFolder(path))! : await openIfAllowed(files, path)
    if (open === undefined) return
    try {
      await files.syncFolder(open)
    } finally {
      await files.closeFolder(open)
    }
  }

  /** The process that made the folders may have died, or failed, before their names were synced. */
  async function syncNames(): Promise<void> {
    await syncFolder()
    for (let path = folder; parentOf(path) !== ''; path = parentOf(path)) {
      try {
        await syncFolder(parentOf(path))
      } catch (error) {
        if (!(await isMounted(files, path))) throw error
      }
    }
  }

  /** Bytes after the last complete line were torn by a crash, or cut off by damage: they are removed, but stay recorded. */
  async function cutOff(file: number, size: number): Promise<Buffer> {
    const left = await readFrom(end, size - end)
    await files.truncate(file, end)
    return cutLine(left)
  }

  return {
    newLines,
    unended() {
      if (torn.length === 0) return undefined
      const { lines } = parseLines<Row>(cutLine(torn))
      const [line] = lines
      return line !== undefined && 'damage' in line ? { ...line.damage, line: count + 1 } : undefined
    },
    async endsWith(test) {
      const stat = await files.stat(path)
      if (stat === undefined || stat.size === 0) return true
      const tail = await readFrom(Math.max(0, stat.size - tailBytes), tailBytes)
      const start = tail.lastIndexOf(newline, tail.length - 2) + 1
      const [last, ...more] = parseLines<Row>(tail.subarray(start)).lines
      return last !== undefined && more.length === 0 && 'row' in last && test(last.row)
    },
    async add(row, alsoSync = []) {
      // `!`: a file opened to append is created if it is missing.
      const file = (await files.open(path, 'append', 0o600))!
      try {
        const stat = await files.statOpen(file)
        identity = stat.identity
        // Before the first row: if there is one, the log and the folders above it are durable.
        if (stat.size === 0) await syncNames()
        const cut = stat.size > end ? await cutOff(file, stat.size) : nothing
        const lines = cut.length === 0 ? rowLine(row) : Buffer.concat([cut, rowLine(row)])
        try {
          await writeAll(files, file, lines)
          await files.syncAll([file, ...alsoSync])
        } catch (error) {
          await takeBack(files, file, end)
          throw error
        }
        end += lines.length
        count += cut.length === 0 ? 1 : 2
        torn = nothing
      } finally {
        await closeQuietly(files, file)
      }
    },
    async makeLast(alsoSync = []) {
      // `!`: as in `add`.
      const file = (await files.open(path, 'append', 0o600))!
      try {
        await files.syncAll([file, ...alsoSync])
      } finally {
        await closeQuietly(files, file)
      }
    },
    isAsKnown: async () => ((await files.stat(path))?.size ?? 0) === end,
    async drop(isDropped) {
      const size = (await files.stat(path))?.size ?? 0
      const { lines } = parseLines<Row>(await readFrom(0, size))
      const goes = lines.map((line) => 'row' in line && isDropped(line.row))
      const lastGone = goes.lastIndexOf(true)
      const kept = lines.filter((line, at) => ('row' in line ? !goes[at] : at > lastGone))
      const whole = Buffer.concat(kept.map(({ raw }) => raw))
      const temporary = `${path}.new`
      if ((await files.stat(temporary)) !== undefined) await files.remove(temporary)
      await writeNew(files, temporary, whole)
      await files.rename(temporary, path)
      await syncFolder()
      identity = (await files.stat(path))?.identity
      end = whole.length
      torn = nothing
      const left = parseLines<Row>(whole)
      count = left.count
      return left.lines
    },
  }
}

/** Far up are folders that are not ours to look into, nor to make anything in. */
async function openIfAllowed(files: FileAccess, path: string): Promise<OpenFolder | undefined> {
  try {
    return await files.openFolder(path)
  } catch (error) {
    if (['EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
}

/** True if a folder is a mount point, so that its name was not created here. */
async function isMounted(files: FileAccess, path: string): Promise<boolean> {
  const [here, above] = [await files.stat(path), await files.stat(parentOf(path))]
  const deviceOf = (stat: FileStat | undefined) => stat?.identity.split(':')[0]
  return deviceOf(here) !== deviceOf(above)
}

const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))

const nothing = new Uint8Array()
const tailBytes = 4096

async function closeQuietly(files: FileAccess, file: number): Promise<void> {
  try {
    await files.close(file)
  } catch {
    // A synced row is durable even if closing fails: it must not be reported as failed.
  }
}

async function takeBack(files: FileAccess, file: number, size: number): Promise<void> {
  try {
    await files.truncate(file, size)
    await files.sync(file)
  } catch {
    // A later row for the same entry decides, and the failure to write this one is thrown.
  }
}

/** A line of a log: a row, or the readable rest of one. `raw` is the line in the file. */
export type LogLine<Row> = { raw: Uint8Array; row: Row } | { raw: Uint8Array; damage: LineDamage }

export interface LineDamage {
  /** 1-based line in the parsed text. */
  line: number
  isCut: boolean
  remains: DamagedRowFields
}

/** A row as it is written: its checksum, the row, a line break. */
function rowLine(row: unknown): Buffer {
  const json = JSON.stringify(row)
  return Buffer.from(`${checksum(json)} ${json}\n`)
}

/** Replaces a row whose end was missing, so that the loss stays visible. */
function cutLine(torn: Uint8Array): Buffer {
  return rowLine({ cut: readDamagedRow(Buffer.from(torn).toString()) })
}

/**
 * All lines that have an end, and where the last one ends. One that is damaged does not take its neighbours along, not
 * even where the damage is the line break between them.
 */
function parseLines<Row>(bytes: Uint8Array): { lines: LogLine<Row>[]; length: number; count: number } {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const lines: LogLine<Row>[] = []
  let count = 0
  let start = 0
  for (let stop = buffer.indexOf(newline); stop !== -1; stop = buffer.indexOf(newline, start)) {
    count++
    const raw = buffer.subarray(start, stop + 1)
    const row = parseRow<Row>(raw.toString('utf8', 0, raw.length - 1))
    if (row !== undefined) lines.push(lineOf(raw, row, count))
    else lines.push(...piecesOf<Row>(raw, count))
    start = stop + 1
  }
  return { lines, length: start, count }
}

const newline = 10
const checksumLength = 16

function checksum(json: string): string {
  return hash('sha256', json).slice(0, checksumLength)
}

function parseRow<Row>(line: string): Row | { cut: DamagedRowFields } | undefined {
  const json = line.slice(checksumLength + 1)
  if (line.slice(0, checksumLength) !== checksum(json)) return undefined
  return JSON.parse(json) as Row | { cut: DamagedRowFields }
}

function lineOf<Row>(raw: Uint8Array, row: Row | { cut: DamagedRowFields }, line: number): LogLine<Row> {
  const cut = (row as { cut?: DamagedRowFields }).cut
  return cut === undefined ? { raw, row: row as Row } : { raw, damage: { line, isCut: true, remains: cut } }
}

/** Rows begin in a way that nothing inside a row can look like: there every quotation mark of a text has a backslash. */
const rowStart = /[0-9a-f]{16} \{"/g

function piecesOf<Row>(raw: Buffer, line: number): LogLine<Row>[] {
  // One byte per character: damaged data need not be text.
  const text = raw.toString('latin1', 0, raw.length - 1)
  const starts = [...new Set([0, ...[...text.matchAll(rowStart)].map(({ index }) => index)])]
  return starts.map((start, at) => {
    const piece = raw.subarray(start, starts[at + 1] ?? raw.length - 1)
    // Between two rows there was a line break once.
    for (const length of [piece.length, piece.length - 1]) {
      const row = parseRow<Row>(piece.toString('utf8', 0, length))
      if (row !== undefined) return lineOf(Buffer.concat([piece.subarray(0, length), Buffer.of(newline)]), row, line)
    }
    const remains = readDamagedRow(piece.toString('utf8'))
    return { raw: Buffer.concat([piece, Buffer.of(newline)]), damage: { line, isCut: false, remains } }
  })
}
