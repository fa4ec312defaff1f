import { Failure } from '../errors.js'

/** The plugin's folder below Obsidian's settings: the one folder that plugin and command line both reach. */
export const pluginFolder = 'plugins/notewright'

/** The calls that a lease needs of that folder. Paths are relative to it. */
export interface LeaseFolder {
  /** Names in a folder; undefined where there is no such folder. */
  names(path: string): Promise<string[] | undefined>
  /** A folder with one empty file in it. */
  make(folder: string, file: string): Promise<void>
  /** Fails where a folder with something in it has the name already. */
  rename(path: string, to: string): Promise<void>
  remove(file: string): Promise<void>
  /** Fails unless it is empty. */
  removeFolder(path: string): Promise<void>
}

/** Long enough for a dead holder to be detected, and for some others to finish. */
const mostWaitMs = 20_000
/** After this wait the caller is notified. */
const momentMs = 1500
/** A holder that does not renew its lease within this time is considered dead. */
const silentMs = 8000
const renewMs = 1000
const leaseName = 'turn'

/**
 * Runs `work` while no other program of ours writes to the notes. Obsidian writes into a file, while the command line
 * replaces it: without a lease one would overwrite acknowledged changes of the other. A lease is a folder with a file
 * named for its holder, created by an atomic rename. Only the holder's own file is ever removed. `onWait` is called
 * once if it takes longer than a moment.
 */
export async function withWriteLease<T>(folder: LeaseFolder, work: () => Promise<T>, onWait = () => {}): Promise<T> {
  const release = await takeLease(folder, onWait)
  try {
    return await work()
  } finally {
    await release?.()
  }
}

/** Answers how to give it back; undefined on a disk where no turns can be made. */
async function takeLease(folder: LeaseFolder, onWait: () => void): Promise<(() => Promise<void>) | undefined> {
  const token = crypto.randomUUID()
  const begun = performance.now()
  let hasTold = false
  let seen = { holder: '', since: 0 }
  let vain = 0
  for (let pause = 1; ; pause = Math.min(pause * 2, 16)) {
    const holder = (await folder.names(leaseName))?.join()
    if (!holder) {
      const isTaken = await claim(folder, token, holder === '')
      if (isTaken) return renewLease(folder, token)
      // The lease is free, yet taking it failed.
      if (isTaken === undefined || ++vain > mostInVain) return undefined
    } else {
      vain = 0
      const now = performance.now()
      if (holder !== seen.holder) seen = { holder, since: now }
      else if (now - seen.since > silentMs) await removeDeadLease(folder, holder.split(','))
    }
    const waited = performance.now() - begun
    if (waited >= mostWaitMs) throw inUse()
    if (waited >= momentMs && !hasTold) {
      hasTold = true
      onWait()
    }
    await sleep(pause + Math.random() * pause)
  }
}

const mostInVain = 40

/** undefined where not even the attempt can be made. */
async function claim(folder: LeaseFolder, token: string, isLeftEmpty: boolean): Promise<boolean | undefined> {
  const draft = `${leaseName}-${token}`
  const file = fileOf(token, 0)
  try {
    await folder.make(draft, file)
  } catch {
    return undefined
  }
  try {
    // Not every system renames a folder onto an empty one.
    if (isLeftEmpty) await quietly(folder.removeFolder(leaseName))
    await folder.rename(draft, leaseName)
    return true
  } catch {
    await removeLeaseFolder(folder, draft, [file])
    return false
  }
}

function renewLease(folder: LeaseFolder, token: string): () => Promise<void> {
  let renewals = 0
  let renewing: Promise<unknown> = Promise.resolve()
  let timer: ReturnType<typeof setTimeout>
  const renew = () => {
    const [from, to] = [fileOf(token, renewals), fileOf(token, renewals + 1)]
    renewing = folder.rename(`${leaseName}/${from}`, `${leaseName}/${to}`).then(
      () => {
        renewals++
        timer = setTimeout(renew, renewMs)
      },
      () => undefined,
    )
  }
  timer = setTimeout(renew, renewMs)
  return async () => {
    clearTimeout(timer)
    await renewing
    clearTimeout(timer)
    await removeLeaseFolder(folder, leaseName, [fileOf(token, renewals)])
  }
}

const fileOf = (token: string, renewals: number): string => `${token}-${renewals}`

/** Removes a dead holder's lease, and drafts of processes that died while trying. The caller then tries again. */
async function removeDeadLease(folder: LeaseFolder, files: readonly string[]): Promise<void> {
  await removeLeaseFolder(folder, leaseName, files)
  for (const name of (await folder.names('')) ?? []) {
    if (!name.startsWith(`${leaseName}-`)) continue
    // Renamed first: emptied in place, it could still become another process's lease.
    const swept = name.replace(leaseName, sweptAway)
    await quietly(folder.rename(name, swept))
    await removeLeaseFolder(folder, swept, (await folder.names(swept)) ?? [])
  }
}

const sweptAway = 'old-turn'

async function removeLeaseFolder(folder: LeaseFolder, path: string, files: readonly string[]): Promise<void> {
  for (const file of files) await quietly(folder.remove(`${path}/${file}`))
  await quietly(folder.removeFolder(path))
}

/** Ignores errors: the file is already gone, or belongs to another process now. */
const quietly = (work: Promise<void>): Promise<void> => work.catch(() => undefined)

const sleep = (ms: number): Promise<void> => new Promise((resume) => setTimeout(resume, ms))

function inUse(): Failure {
  return new Failure('timeout', 'Another program is writing to these notes. Nothing was written.', {
    hint: 'Try again in a moment.',
  })
}
