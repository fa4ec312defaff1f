import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Failure } from '../../../core/errors.js'
import { privateFolder } from '../state/index.js'
import { isInsideVault } from './is-inside-vault.js'

export interface KeyFiles {
  read(provider: string): Promise<string | undefined>
  write(provider: string, key: string): Promise<void>
  remove(provider: string): Promise<boolean>
  pathOf(provider: string): string
}

const longestKey = 8192

/** One file for each key, for its owner's eyes only, never inside a vault: notes are synced and shared. */
export function keyFiles(folder: string, vault: string | undefined): KeyFiles {
  const pathOf = (provider: string) => join(folder, provider)
  const mayBeHere = async () => !(await isInsideVault(folder, vault))
  return {
    pathOf,
    async read(provider) {
      return (await mayBeHere()) ? readPrivate(pathOf(provider)) : undefined
    },
    async write(provider, key) {
      if (!(await mayBeHere())) {
        throw new Failure('path', `Keys are not kept inside a vault: ${folder}`, {
          hint: 'Set NOTEWRIGHT_HOME to a folder outside of it, or keep the key in an environment variable.',
        })
      }
      await privateFolder(folder)
      await writePrivate(pathOf(provider), key)
    },
    async remove(provider) {
      try {
        await rm(pathOf(provider))
        return true
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
        throw error
      }
    },
  }
}

/** A file that others could read is closed first; a link or anything but a file is not a key. */
async function readPrivate(path: string): Promise<string | undefined> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch((error) => {
    if (['ENOENT', 'ELOOP', 'ENOTDIR'].includes(error.code)) return undefined
    throw error
  })
  if (file === undefined) return undefined
  try {
    const stat = await file.stat()
    if (!stat.isFile() || stat.size > longestKey) return undefined
    if (process.platform !== 'win32' && (stat.mode & 0o077) !== 0) await file.chmod(0o600)
    const key = (await file.readFile('utf8')).trim()
    return key === '' ? undefined : key
  } finally {
    await file.close()
  }
}

async function writePrivate(path: string, key: string): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`
  try {
    const file = await open(temporary, 'wx', 0o600)
    try {
      await file.writeFile(`${key}\n`)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}
