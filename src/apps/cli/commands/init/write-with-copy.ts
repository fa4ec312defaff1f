import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { copyFile, mkdir, open, realpath, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Puts a text in place of a file, in one step, and keeps the file as it was beside it. Answers the name of the copy. */
export async function writeWithCopy(file: string, text: string, now: Date): Promise<string | undefined> {
  // A file that is kept elsewhere behind a link stays a link.
  const target = await realpath(file).catch(() => file)
  await mkdir(dirname(target), { recursive: true })
  const before = await stat(target).catch(() => undefined)
  const copy = before && (await keepCopy(target, now))
  const temporary = `${target}.${randomBytes(6).toString('hex')}.tmp`
  try {
    const handle = await open(temporary, 'wx', before?.mode ?? 0o600)
    try {
      await handle.writeFile(text)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(temporary, target)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
  return copy
}

async function keepCopy(target: string, now: Date): Promise<string> {
  const stamp = now
    .toISOString()
    .replace(/[-:]|\.\d+Z$/g, '')
    .replace('T', '-')
  for (let count = 1; ; count++) {
    const copy = `${target}.before-notewright-${stamp}${count === 1 ? '' : `-${count}`}`
    try {
      await copyFile(target, copy, constants.COPYFILE_EXCL)
      return copy
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}
