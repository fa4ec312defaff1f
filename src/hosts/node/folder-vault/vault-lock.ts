import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { hostname, uptime } from 'node:os'
import { Failure } from '../../../core/errors.js'
import { type FileAccess, makeFolders, readWhole, writeAll } from '../files/index.js'

/** Who holds a lock: enough to tell a living process from a dead one whose number was given to another. */
export interface LockHolder {
  pid: number
  host: string
  /** Start of the process in the system's own count; '' where the system does not tell. */
  started: string
  time: number
  token: string
}

export interface LockOptions {
  /** How long to wait for another process, in milliseconds. */
  waitMs: number
  isAlive?: (holder: LockHolder) => boolean
}

/**
 * Runs `work` while no other process does, by a lock file beside the journal. The file appears with its content in
 * one step, and a dead holder's file is taken away by one claimant only.
 */
export async function withVaultLock<T>(
  files: FileAccess,
  folder: string,
  options: LockOptions,
  work: () => Promise<T>,
): Promise<T> {
  const release = await takeLock(files, folder, options)
  try {
    return await work()
  } finally {
    await release()
  }
}

async function takeLock(files: FileAccess, folder: string, { waitMs, isAlive = isAliveHere }: LockOptions) {
  const path = `${folder}/lock`
  const holder = thisHolder()
  const draft = `${folder}/lock-${holder.token}`
  const until = Date.now() + waitMs

  async function removeDead(dead: string, of: LockHolder): Promise<void> {
    // Only one process can make the claim on this token, so only one removes the file that carries it.
    const claim = `${folder}/claim-${of.token}`
    if (await placeFile(draft, claim)) {
      if ((await readHolder(files, dead))?.token === of.token) await files.remove(dead)
      await files.remove(claim)
      await sweep()
      return
    }
    const claimant = await readHolder(files, claim)
    if (claimant !== undefined && !isAlive(claimant)) await removeDead(claim, claimant)
  }

  /** Where one process died, it may have left its draft. */
  async function sweep(): Promise<void> {
    const open = await files.openFolder(folder)
    if (open === undefined) return
    const names = (await files.listFolder(open)).map(({ name }) => name).filter((name) => /^(lock|claim)-/.test(name))
    await files.closeFolder(open)
    for (const name of names) {
      const owner = await readHolder(files, `${folder}/${name}`)
      // A draft that cannot be read may be one that is just being written.
      if (owner === undefined || owner.token === unreadable || owner.token === holder.token) continue
      if (!isAlive(owner)) await removeQuietly(files, `${folder}/${name}`)
    }
  }

  async function placeFile(from: string, to: string): Promise<boolean> {
    try {
      await files.link(from, to)
      return true
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
      throw error
    }
  }

  await writeDraft(files, folder, draft, holder)
  try {
    for (let pause = 1; ; pause = Math.min(pause * 2, 20)) {
      if (await placeFile(draft, path)) break
      const other = await readHolder(files, path)
      if (other !== undefined && !isAlive(other)) await removeDead(path, other)
      else if (Date.now() >= until) throw busy(path, other)
      else await sleep(pause + Math.random() * pause)
    }
  } finally {
    await removeQuietly(files, draft)
  }
  return () => removeQuietly(files, path)
}

// Not synced: a lock need not outlive a power cut.
async function writeDraft(files: FileAccess, folder: string, path: string, holder: LockHolder): Promise<void> {
  const file = await createIn(files, folder, path)
  try {
    await writeAll(files, file, Buffer.from(JSON.stringify(holder)))
  } finally {
    await files.close(file)
  }
}

/** The folder is nearly always there already. */
async function createIn(files: FileAccess, folder: string, path: string): Promise<number> {
  try {
    return (await files.open(path, 'create', 0o600))!
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    await makeFolders(files, folder)
    return (await files.open(path, 'create', 0o600))!
  }
}

const unreadable = 'unreadable'

async function readHolder(files: FileAccess, path: string): Promise<LockHolder | undefined> {
  const bytes = await readWhole(files, path)
  try {
    return bytes === undefined ? undefined : (JSON.parse(Buffer.from(bytes).toString()) as LockHolder)
  } catch {
    // Not one of ours: whoever wrote it, it is not a living holder.
    return { pid: 0, host: hostname(), started: '', time: 0, token: unreadable }
  }
}

function isAliveHere(holder: LockHolder): boolean {
  // Another machine's processes cannot be seen from here; the wait's limit protects us instead.
  if (holder.host !== hostname()) return true
  if (holder.pid <= 0 || holder.time < Date.now() - uptime() * 1000 - 60_000) return false
  try {
    process.kill(holder.pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
  }
  const started = processStart(holder.pid)
  return started === '' || holder.started === '' || started === holder.started
}

/** When this process started does not change, and a lock is taken for every row of a log. */
let ownStart: string | undefined

function thisHolder(): LockHolder {
  const { pid } = process
  ownStart ??= processStart(pid)
  return { pid, host: hostname(), started: ownStart, time: Date.now(), token: randomUUID() }
}

// Field 22 of Linux's process table; the name before it may hold spaces and brackets.
function processStart(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
  } catch {
    return ''
  }
}

function busy(path: string, other: LockHolder | undefined): Failure {
  const who = other === undefined ? 'another process' : `process ${other.pid} on ${other.host}`
  return new Failure('timeout', `The vault is being changed by ${who}. Nothing was written.`, {
    hint: 'Try again in a moment. If no such process exists, delete the lock file.',
    data: { lockFile: path },
  })
}

// Gone already, or left behind: an old lock is recognised by its holder, not by its absence.
async function removeQuietly(files: FileAccess, path: string): Promise<void> {
  try {
    await files.remove(path)
  } catch {}
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
