import type { FileAccess, FileStat, OpenFolder } from '../files/index.js'
import { writeAll, writeNew } from '../files/index.js'
import { cutLine, type LineDamage, type LogLine, newline, parseLines, rowLine } from './log-lines.js'

/** An append-only file of JSON rows, each with a checksum, so that a row that was damaged or torn is noticed. */
export interface JournalLog<Row> {
  /** Lines added since the last call, by any process; `restarted` when the file is another one and these are all. */
  newLines(): Promise<{ lines: LogLine<Row>[]; restarted: boolean }>
  /** What stands behind the last whole line: a row that was cut off, or one that is being written just now. */
  unended(): LineDamage | undefined
  /** True when the last row passes the test, without reading the others. Also true of an empty log. */
  endsWith(test: (row: Row) => boolean): Promise<boolean>
  /**
   * Adds a row and makes it last, together with other open files. When that fails, the log is as before and the
   * error is thrown.
   */
  add(row: Row, alsoSync?: readonly number[]): Promise<void>
  /** Makes all rows last, together with other open files, whoever has added them. */
  makeLast(alsoSync?: readonly number[]): Promise<void>
  /** Whether nothing stands in the log that this process has not read or added. */
  isAsKnown(): Promise<boolean>
  /** Forgets rows, and what is damaged and older than they are. Answers all lines that are left. */
  drop(isDropped: (row: Row) => boolean): Promise<LogLine<Row>[]>
}

export function journalLog<Row>(files: FileAccess, folder: string): JournalLog<Row> {
  const path = `${folder}/log.jsonl`
  let identity: string | undefined
  /** End of the last line that was read, how many lines that were, and what stands behind it without an end. */
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
    const open = path === folder ? (await files.openFolder(path))! : await openIfAllowed(files, path)
    if (open === undefined) return
    try {
      await files.syncFolder(open)
    } finally {
      await files.closeFolder(open)
    }
  }

  /** Whoever made the folders may have died, or failed, before their names were made to last. */
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

  /** What lies behind the last whole line was torn by a crash, or cut off by damage: it makes room, but stays known. */
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
      return 'damage' in line ? { ...line.damage, line: count + 1 } : undefined
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
      const file = (await files.open(path, 'append', 0o600))!
      try {
        const stat = await files.statOpen(file)
        identity = stat.identity
        // Before the first row: where there is one, the log and the folders above it have been made to last.
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

/** Whether a folder is the top of another disk than the one above it, so that nobody here has made its name. */
async function isMounted(files: FileAccess, path: string): Promise<boolean> {
  const [here, above] = [await files.stat(path), await files.stat(parentOf(path))]
  const deviceOf = (stat: FileStat | undefined) => stat?.identity.split(':')[0]
  return deviceOf(here) !== deviceOf(above)
}

const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))

const nothing = new Uint8Array()
const tailBytes = 4096

// What is synced is there, whatever a close says: a row that stands must not be taken for one that could not be added.
async function closeQuietly(files: FileAccess, file: number): Promise<void> {
  try {
    await files.close(file)
  } catch {}
}

// If even this fails, a later row for the same entry decides.
async function takeBack(files: FileAccess, file: number, size: number): Promise<void> {
  try {
    await files.truncate(file, size)
    await files.sync(file)
  } catch {}
}
