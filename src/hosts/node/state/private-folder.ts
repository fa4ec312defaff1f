import { chmodSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { Failure } from '../../../core/errors.js'

/** Makes the folder, and those above it that are missing, for its owner's eyes only. Answers the path. */
export async function privateFolder(path: string): Promise<string> {
  await makeFolder(path)
  const { mode } = statSync(path)
  if (process.platform !== 'win32' && (mode & 0o077) !== 0) chmodSync(path, 0o700)
  return path
}

/**
 * Like `mkdir -p`. Node's own way tries for ever where the system says that the folder above is missing although it is
 * there, as below `/proc` or behind a link that leads nowhere.
 */
export async function makeFolder(path: string, isAboveMade = false): Promise<void> {
  if (isFolder(path)) return
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    // Another process may just have made it.
    if (isFolder(path)) return
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ENOENT' || isAboveMade) {
      const failure = new Failure('invalid-input', `No folder can be made at ${path} (${code}).`, {
        hint: 'Name another place for what Notewright keeps: NOTEWRIGHT_HOME=/path/to/a/folder',
      })
      failure.cause = error
      throw failure
    }
    await makeFolder(dirname(path))
    await makeFolder(path, true)
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}
