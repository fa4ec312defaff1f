import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'

/** Who holds a lock: enough to tell a living process from a dead one whose number was given to another. */
export interface LockHolder {
  pid: number
  host: string
  /** Names the run of the machine from one start to the next; '' where the system does not tell. */
  boot: string
  /** Start of the process in the system's own count; '' where the system does not tell. */
  started: string
  time: number
  token: string
}

export function thisHolder(): LockHolder {
  const { pid } = process
  ownStart ??= processStart(pid)
  return { pid, host: hostname(), boot: thisBoot(), started: ownStart, time: Date.now(), token: randomUUID() }
}

/** What a lock file says, if it is one of ours: anything can lie under that name. */
export function holderIn(text: string): LockHolder | undefined {
  let found: Partial<LockHolder> | null
  try {
    found = JSON.parse(text) as Partial<LockHolder> | null
  } catch {
    return undefined
  }
  if (typeof found !== 'object' || found === null) return undefined
  const { pid, host, boot = '', started, time, token } = found
  if (!Number.isSafeInteger(pid) || pid! <= 0 || !Number.isFinite(time)) return undefined
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
  if (isElsewhere(holder)) return true
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

/** Another machine's processes cannot be seen from here; whoever waits for one must not wait for ever. */
export function isElsewhere({ host }: LockHolder): boolean {
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
