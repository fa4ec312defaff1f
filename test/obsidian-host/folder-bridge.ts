import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, rmdir, stat, unlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { DiskEntry, FolderCalls } from './folder-calls.js'

/** One vault's folder. `outside` takes what goes to the system's trash. */
export function folderCalls(root: string, outside: string): FolderCalls {
  const at = (path: string) => join(root, path)

  async function entry(path: string): Promise<DiskEntry | undefined> {
    const found = await stat(at(path)).catch(() => undefined)
    if (found === undefined) return undefined
    const kind = found.isDirectory() ? 'folder' : 'file'
    // Obsidian calls the time of birth ctime.
    return { path, kind, size: found.size, mtime: Math.round(found.mtimeMs), ctime: Math.round(found.birthtimeMs) }
  }

  /** Nothing is looked for in folders with a dot, where others may be at work. */
  async function shownBelow(folder: string): Promise<string[]> {
    const found = (await readdir(at(folder), { withFileTypes: true })).filter(({ name }) => !name.startsWith('.'))
    const below = await Promise.all(
      found.map(async (one) => {
        const path = folder === '' ? one.name : `${folder}/${one.name}`
        return one.isDirectory() ? [path, ...(await shownBelow(path))] : [path]
      }),
    )
    return below.flat()
  }

  return {
    entry,
    async everything(): Promise<DiskEntry[]> {
      return (await Promise.all((await shownBelow('')).map(entry))).filter((one) => one !== undefined)
    },
    async list(path: string): Promise<DiskEntry[]> {
      const names = await readdir(at(path))
      const found = await Promise.all(names.map((name) => entry(path === '' ? name : `${path}/${name}`)))
      return found.filter((one) => one !== undefined)
    },
    read: async (path: string): Promise<string> => (await readFile(at(path))).toString('base64'),
    write: (path: string, base64: string): Promise<void> => writeFile(at(path), Buffer.from(base64, 'base64')),
    makeFolder: async (path: string): Promise<void> => void (await mkdir(at(path), { recursive: true })),
    async rename(path: string, to: string): Promise<void> {
      if (path.toLowerCase() !== to.toLowerCase() && existsSync(at(to))) {
        throw new Error('Destination file already exists!')
      }
      await rename(at(path), at(to))
    },
    remove: (path: string): Promise<void> => unlink(at(path)),
    async removeFolder(path: string, recursive: boolean): Promise<void> {
      if (recursive) await rm(at(path), { recursive: true })
      else await rmdir(at(path))
    },
    async trashOutside(path: string): Promise<void> {
      await mkdir(outside, { recursive: true })
      await rename(at(path), join(outside, path.replaceAll('/', '\u2044')))
    },
    async writeFromOutside(path: string, base64: string): Promise<void> {
      await mkdir(dirname(at(path)), { recursive: true })
      await writeFile(at(path), Buffer.from(base64, 'base64'))
    },
  }
}
