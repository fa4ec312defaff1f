import type { FileAccess } from './file-access.js'

/** Writes all of the bytes, or throws: a short write that goes no further is a full disk. */
export async function writeAll(files: FileAccess, file: number, bytes: Uint8Array): Promise<void> {
  let done = 0
  while (done < bytes.length) {
    const count = await files.write(file, bytes.subarray(done))
    if (count <= 0) throw Object.assign(new Error('ENOSPC: nothing more could be written'), { code: 'ENOSPC' })
    done += count
  }
}

/** A file's bytes, read to the size it had when it was opened; undefined when there is no such file. */
export async function readWhole(files: FileAccess, path: string): Promise<Uint8Array | undefined> {
  const file = await files.open(path, 'read')
  if (file === undefined) return undefined
  try {
    const { size } = await files.statOpen(file)
    const bytes = new Uint8Array(size)
    const count = await files.read(file, bytes, 0)
    return count === size ? bytes : bytes.subarray(0, count)
  } finally {
    await files.close(file)
  }
}

/** Writes a new file and makes its bytes last; the folder's entry is the caller's to sync. */
export async function writeNew(files: FileAccess, path: string, bytes: Uint8Array, mode = 0o600): Promise<void> {
  const file = (await files.open(path, 'create', mode))!
  try {
    await files.setMode(file, mode)
    await writeAll(files, file, bytes)
    await files.sync(file)
  } finally {
    await files.close(file)
  }
}

/** Makes a folder and those above it, each entry synced. */
export async function makeFolders(files: FileAccess, path: string, mode = 0o700): Promise<void> {
  if ((await files.stat(path)) !== undefined) return
  const above = path.slice(0, path.lastIndexOf('/'))
  if (above !== '' && above !== path) await makeFolders(files, above, mode)
  try {
    await files.makeFolder(path, mode)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const folder = await files.openFolder(above === '' ? '/' : above)
  if (folder === undefined) return
  try {
    await files.syncFolder(folder)
  } finally {
    await files.closeFolder(folder)
  }
}
