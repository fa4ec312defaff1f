import { Failure } from '../../../core/errors.js'
import { type FileAccess, type FileStat, writeNew } from '../files/index.js'

/** Asks, right before a file is replaced or taken away, whether it is the one that was meant. */
export type StillThere = (now: FileStat) => Promise<boolean> | boolean

export interface GivenUp {
  place: string
  /** For messages. */
  path: string
  stillThere: StillThere
  /** Where to lay what someone saves in this very moment: names to try, for whoever was cut off here may have left some. */
  kept(attempt: number): string
  /** Closes the old file, now or later. */
  letGo(file: number): Promise<void> | void
}

/**
 * Lets a file go that must still be as it was seen. It keeps another name meanwhile, and is held open: what an editor
 * saves into it in this very moment is found there, also by whoever comes after a kill, and goes back to its place.
 */
export async function giveUp(files: FileAccess, given: GivenUp, act: () => Promise<void> | void): Promise<void> {
  const { place, path, stillThere, letGo } = given
  const old = await files.open(place, 'read')
  if (old === undefined) throw changedMeanwhile(path)
  try {
    const before = await files.statOpen(old)
    await checkStillThere(files, place, path, stillThere)
    const { kept, isNamed } = await secondNameFor(files, place, given.kept)
    await act()
    const after = await files.statOpen(old)
    if (after.size === before.size && after.mtimeMs === before.mtimeMs) {
      if (isNamed) await removeIfThere(files, kept)
      return
    }
    if (!isNamed) await keepBytes(files, old, after, kept)
    await files.rename(kept, place)
  } finally {
    await letGo(old)
  }
  throw changedMeanwhile(path)
}

/** The first name that is free. Disks that know no second names get none; there it is only found out. */
async function secondNameFor(
  files: FileAccess,
  place: string,
  nameOf: (attempt: number) => string,
): Promise<{ kept: string; isNamed: boolean }> {
  for (let attempt = 1; ; attempt++) {
    const kept = nameOf(attempt)
    try {
      await files.link(place, kept)
      return { kept, isNamed: true }
    } catch (error) {
      const code = codeOf(error) ?? ''
      if (noSecondNames.includes(code) && (await files.stat(kept)) === undefined) return { kept, isNamed: false }
      if (code !== 'EEXIST' && !noSecondNames.includes(code)) throw error
    }
  }
}

async function keepBytes(files: FileAccess, old: number, { size, mode }: FileStat, kept: string): Promise<void> {
  const bytes = new Uint8Array(size)
  const count = await files.read(old, bytes, 0)
  await writeNew(files, kept, bytes.subarray(0, count), mode & 0o777)
}

export async function checkStillThere(
  files: FileAccess,
  place: string,
  path: string,
  stillThere: StillThere,
): Promise<void> {
  const now = await files.stat(place)
  if (now === undefined || !(await stillThere(now))) throw changedMeanwhile(path)
}

const noSecondNames = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']

/** A second name, or, on disks that know none (exFAT, some network shares), the only one. Never over another file. */
export async function linkOrRename(files: FileAccess, from: string, onto: string, path: string): Promise<void> {
  try {
    await files.link(from, onto)
  } catch (error) {
    const code = codeOf(error)
    if (code === 'EEXIST') throw takenMeanwhile(path)
    if (!noSecondNames.includes(code ?? '')) throw error
    if ((await files.stat(onto)) !== undefined) throw takenMeanwhile(path)
    await files.rename(from, onto)
  }
}

export async function removeIfThere(files: FileAccess, path: string): Promise<void> {
  try {
    await files.remove(path)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
  }
}

export function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code
}

export function changedMeanwhile(path: string): Failure {
  return new Failure('conflict', `${path} was changed by another program just now. Nothing was written.`, {
    hint: 'Read the note again and plan the change from its new text.',
    data: { path },
  })
}

export function takenMeanwhile(path: string): Failure {
  return new Failure('conflict', `A file already exists at ${path}. Nothing was written.`, {
    hint: 'Choose another name, or edit the note that is there.',
    data: { path },
  })
}
