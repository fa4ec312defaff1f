import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { Failure } from '../../../core/errors.js'
import { type FileAccess, makeFolders, readWholeFile, writeAll } from '../files/file-access.js'

export interface LockOptions {
  /** The locked thing, to begin a sentence with: "The vault". */
  subject: string
  /** How long to wait for another process, in milliseconds. */
  waitMs: number
  isAlive?: (holder: LockHolder) => boolean
}

/**
 * Runs `work` while no other process does, by a lock file in a folder. The file appears with its content in one step,
 * and a dead holder's file is taken away by one claimant only.
 */
export async function withLock<T>(
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

async function takeLock(files: FileAccess, folder: string, { subject, waitMs, isAlive }: LockOptions) {
  const path = `${folder}/lock`
  const holder = thisHolder()
  const draft = `${folder}/lock-${holder.token}`
  // A clock that is set back meanwhile would make the wait endless.
  const until = performance.now() + waitMs

  async function removeDead(dead: string, token: string): Promise<void> {
    // Only one process can make the claim on this token, so only one removes the file that carries it.
    const claim = `${folder}/claim-${token}`
    if (await placeFile(draft, claim)) {
      if (isDead(await readLock(files, dead, isAlive), token)) await files.remove(dead)
      await files.remove(claim)
      await sweep()
      return
    }
    const claimant = await readLock(files, claim, isAlive)
    if (claimant?.kind === 'strange') throw lockFailure(subject, claim, claimant)
    if (claimant?.kind !== 'dead') return
    // A claim carries its claimant's token, never the one it is on. One that was torn by a power cut carries none.
    if (claimant.token === token || claimant.token === 'empty') await removeQuietly(files, claim)
    else await removeDead(claim, claimant.token)
  }

  /** A process that died may have left its draft. */
  async function sweep(): Promise<void> {
    const open = await files.openFolder(folder)
    if (open === undefined) return
    const names = (await files.listFolder(open)).map(({ name }) => name).filter((name) => /^(lock|claim)-/.test(name))
    await files.closeFolder(open)
    for (const name of names) {
      const found = await readLock(files, `${folder}/${name}`, isAlive)
      // A draft that is empty may be one that is just being written.
      const isOthers = found?.kind === 'dead' && found.token !== 'empty' && found.token !== holder.token
      if (isOthers) await removeQuietly(files, `${folder}/${name}`)
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
      const other = await readLock(files, path, isAlive)
      if (other?.kind === 'strange') throw lockFailure(subject, path, other)
      if (other?.kind === 'dead') {
        await removeDead(path, other.token)
        if (await placeFile(draft, path)) break
      }
      if (performance.now() >= until) throw lockFailure(subject, path, other)
      await sleep(pause + Math.random() * pause)
    }
  } finally {
    await removeQuietly(files, draft)
  }
  return () => removeQuietly(files, path)
}

function isDead(found: LockFile | undefined, token: string): boolean {
  return found?.kind === 'dead' && found.token === token
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
    // `!`: a file opened to create it is there, or open throws.
    return (await files.open(path, 'create', 0o600))!
  }
}

async function removeQuietly(files: FileAccess, path: string): Promise<void> {
  try {
    await files.remove(path)
  } catch {
    // Already gone, or left behind: an old lock is recognised by its holder, not by its absence.
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** The file under a lock's name. `strange`: not written by Notewright, so not ours to remove. */
type LockFile =
  | { kind: 'held'; holder: LockHolder }
  | { kind: 'dead'; token: string }
  | { kind: 'strange'; what: string }

/** undefined if there is none. */
async function readLock(
  files: FileAccess,
  path: string,
  alive: (holder: LockHolder) => boolean = isAlive,
): Promise<LockFile | undefined> {
  const stat = await files.stat(path)
  if (stat === undefined) return undefined
  if (stat.kind !== 'file') return { kind: 'strange', what: `a ${stat.kind === 'other' ? 'device' : stat.kind}` }
  if (stat.size > mostBytes) return { kind: 'strange', what: 'a file that is not a lock' }
  const text = await textOf(files, path)
  if (typeof text !== 'string') return text
  // A lock appears with its content in one step. Only a power cut leaves it empty or partial, and then its holder has
  // ended too.
  if (/^\0*$/.test(text) || /^\{"pid":[^}]*$/.test(text)) return { kind: 'dead', token: 'empty' }
  const holder = holderIn(text)
  if (holder === undefined) return { kind: 'strange', what: 'a file that is not a lock' }
  return alive(holder) ? { kind: 'held', holder } : { kind: 'dead', token: holder.token }
}

const mostBytes = 4096

async function textOf(files: FileAccess, path: string): Promise<string | LockFile | undefined> {
  try {
    const bytes = await readWholeFile(files, path)
    return bytes && Buffer.from(bytes).toString()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') throw error
    return { kind: 'strange', what: 'a file you have no permission to read' }
  }
}

/** Reason why a lock is unavailable, and advice for the user. */
function lockFailure(subject: string, path: string, found: LockFile | undefined): Failure {
  const data = { lockFile: path }
  if (found?.kind === 'strange') {
    return new Failure('conflict', `${subject} cannot be locked: ${path} is ${found.what}. Nothing was written.`, {
      hint: `Notewright did not create it. If nothing else needs it, remove it: ${removal(path, found.what)}`,
      data,
    })
  }
  if (found?.kind === 'held' && isOnOtherHost(found.holder)) {
    const { pid, host } = found.holder
    return new Failure('timeout', `${subject} is locked by process ${pid} on another computer, ${host}.`, {
      hint: `Nothing was written. If Notewright is no longer running there, remove the lock: ${removal(path)}`,
      data,
    })
  }
  const who = found?.kind === 'held' ? `process ${found.holder.pid}` : 'another process'
  return new Failure('timeout', `${subject} is in use by ${who}. Nothing was written.`, {
    hint: `Try again in a moment. If no such process exists, remove the lock: ${removal(path)}`,
    data,
  })
}

function removal(path: string, what = ''): string {
  return `rm ${what === 'a folder' ? '-r ' : ''}'${path.replaceAll("'", "'\\''")}'`
}

/** Describes a problem with the lock of a folder before anything has failed; undefined when there is none. */
export async function describeLock(
  files: FileAccess,
  folder: string,
): Promise<{ text: string; advice: string } | undefined> {
  const path = `${folder}/lock`
  const found = await readLock(files, path)
  if (found === undefined || found.kind === 'dead') return undefined
  if (found.kind === 'held' && !isOnOtherHost(found.holder)) return undefined
  const { message, details } = lockFailure('The vault', path, found)
  // `!`: lockFailure always gives a hint.
  return { text: message, advice: details.hint! }
}

/** The holder of a lock: enough to tell a living process from a dead one whose pid was reused. */
export interface LockHolder {
  pid: number
  host: string
  /** Identifies the boot of the machine; '' if the system does not report it. */
  boot: string
  /** Start time of the process as counted by the system; '' if it does not report it. */
  started: string
  time: number
  token: string
}

export function thisHolder(): LockHolder {
  const { pid } = process
  ownStart ??= processStart(pid)
  return { pid, host: hostname(), boot: thisBoot(), started: ownStart, time: Date.now(), token: randomUUID() }
}

/** Parses a lock file; undefined if it is not one of ours, as any file can have that name. */
export function holderIn(text: string): LockHolder | undefined {
  let found: Partial<LockHolder> | null
  try {
    found = JSON.parse(text) as Partial<LockHolder> | null
  } catch {
    return undefined
  }
  if (typeof found !== 'object' || found === null) return undefined
  const { pid, host, boot = '', started, time, token } = found
  if (pid === undefined || !Number.isSafeInteger(pid) || pid <= 0 || !Number.isFinite(time)) return undefined
  if (![host, boot, started, token].every((each) => typeof each === 'string' && each.length < 300)) return undefined
  // It becomes part of a file's name.
  if (!/^[\w-]{1,64}$/.test(token!)) return undefined
  return { pid: pid!, host: host!, boot, started: started!, time: time!, token: token! }
}

/**
 * No clock is asked: one that was set right meanwhile would make a living process look as if it were from before the
 * machine was started.
 */
export function isAlive(holder: LockHolder): boolean {
  if (isOnOtherHost(holder)) return true
  const boot = thisBoot()
  if (boot !== '' && holder.boot !== '' && boot !== holder.boot) return false
  try {
    process.kill(holder.pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
  }
  const started = processStart(holder.pid)
  return started === '' || holder.started === '' || started === holder.started
}

/** Processes of other machines cannot be checked, so waiting for one has a timeout. */
export function isOnOtherHost({ host }: LockHolder): boolean {
  return host !== hostname()
}

/** Neither changes while this process runs, and a lock is taken for every row of a log. */
let ownStart: string | undefined
let ownBoot: string | undefined

function thisBoot(): string {
  ownBoot ??= readOr('', '/proc/sys/kernel/random/boot_id').trim()
  return ownBoot
}

// Field 22 of Linux's process table; the name before it may hold spaces and brackets.
function processStart(pid: number): string {
  const stat = readOr('', `/proc/${pid}/stat`)
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
}

function readOr(otherwise: string, path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return otherwise
  }
}
