import { type FileAccess, makeFolders, writeAll } from '../files/index.js'
import { lockFailure } from './lock-failures.js'
import { type LockFile, readLock } from './lock-file.js'
import { type LockHolder, thisHolder } from './lock-holder.js'

export interface LockOptions {
  /** What is locked, to begin a sentence with: "The vault". */
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

  /** Where one process died, it may have left its draft. */
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
    return (await files.open(path, 'create', 0o600))!
  }
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
