import * as fs from 'node:fs'
import { promisify } from 'node:util'
import type { FileAccess, FileStat, FileType, OpenFolder } from './file-access.js'

const { O_RDONLY, O_WRONLY, O_CREAT, O_EXCL, O_APPEND, O_RDWR } = fs.constants
// Windows has neither; there, real paths are compared instead.
const O_NOFOLLOW = fs.constants.O_NOFOLLOW ?? 0
const O_NONBLOCK = fs.constants.O_NONBLOCK ?? 0
const O_DIRECTORY = fs.constants.O_DIRECTORY ?? 0

const orUndefined = { throwIfNoEntry: false } as const
const syncLater = promisify(fs.fsync)
const closeLater = promisify(fs.close)
const openLater = promisify(fs.open)

/** On Linux, a path through `/proc/self/fd` starts at the open folder itself, like `openat`. */
const reachesThroughHandle = process.platform === 'linux' && fs.existsSync('/proc/self/fd')

/** The real disk. Synchronous, because for many small files a trip to the thread pool costs more than the call. */
export const nodeFiles: FileAccess = {
  foldsNames: process.platform === 'darwin' || process.platform === 'win32',
  realPath: (path) => orMissing(() => fs.realpathSync.native(path)),

  openFolder(path) {
    if (process.platform === 'win32') return openByName(path)
    const handle = orMissing(() => fs.openSync(path, O_RDONLY | O_DIRECTORY | O_NONBLOCK))
    if (handle === undefined) return undefined
    try {
      return reachesThroughHandle ? throughHandle(handle) : checkedByName(handle, path)
    } catch (error) {
      fs.closeSync(handle)
      throw error
    }
  },
  closeFolder({ handle }) {
    if (handle >= 0) fs.closeSync(handle)
  },
  listFolder: (folder) =>
    fs.readdirSync(folder.at('.'), { withFileTypes: true }).map((item) => ({ name: item.name, kind: kindOf(item) })),
  statFolder(folder, see) {
    for (const name of fs.readdirSync(folder.at('.'))) {
      let stat: fs.Stats | undefined
      try {
        stat = fs.lstatSync(folder.at(name), orUndefined)
      } catch (error) {
        see({ name, kind: 'other', size: 0, mtimeMs: 0, ctimeMs: 0, error })
      }
      if (stat === undefined) continue
      const { mode, size, mtimeMs, ctimeMs } = stat
      see({ name, kind: kindOfMode(mode), size, mtimeMs, ctimeMs })
    }
  },
  syncFolder({ handle }) {
    if (handle >= 0) fs.fsyncSync(handle)
  },

  stat(path) {
    const stat = orMissing(() => fs.lstatSync(path, orUndefined))
    return stat && fileStat(stat)
  },
  open(path, how, mode = 0o666) {
    if (how === 'read') return orMissing(() => fs.openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK))
    if (how === 'create') return fs.openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode)
    return fs.openSync(path, O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW, mode)
  },
  create: (path, mode) => openLater(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode),
  statOpen: (file) => fileStat(fs.fstatSync(file)),
  setMode: (file, mode) => fs.fchmodSync(file, mode & 0o7777),
  read(file, into, position) {
    let done = 0
    while (done < into.length) {
      const count = fs.readSync(file, into, done, into.length - done, position + done)
      if (count === 0) break
      done += count
    }
    return done
  },
  write: (file, bytes) => fs.writeSync(file, bytes),
  sync: (file) => fs.fsyncSync(file),
  async syncAll(handles) {
    const results = await Promise.allSettled(handles.filter((handle) => handle >= 0).map((handle) => syncLater(handle)))
    // A file must not be closed during a sync, so the first error waits for the other calls.
    for (const result of results) if (result.status === 'rejected') throw result.reason
  },
  truncate: (file, size) => fs.ftruncateSync(file, size),
  close: (file) => fs.closeSync(file),
  async closeAll(files) {
    const results = await Promise.allSettled(files.map((file) => closeLater(file)))
    for (const result of results) if (result.status === 'rejected') throw result.reason
  },
  rename: (from, to) => fs.renameSync(from, to),
  link: (from, to) => fs.linkSync(from, to),
  remove: (path) => fs.unlinkSync(path),
  makeFolder: (path, mode) => fs.mkdirSync(path, { mode }),
  removeFolder: (path) => fs.rmdirSync(path),
}

function throughHandle(handle: number): OpenFolder {
  const base = `/proc/self/fd/${handle}`
  return { handle, realPath: fs.readlinkSync(base), at: (name) => `${base}/${name}` }
}

function checkedByName(handle: number, path: string): OpenFolder {
  const realPath = fs.realpathSync.native(path)
  const [opened, named] = [fs.fstatSync(handle), fs.lstatSync(realPath)]
  if (opened.ino !== named.ino || opened.dev !== named.dev) throw new Error(`${path} was replaced while it was opened`)
  return { handle, realPath, at: (name) => `${realPath}/${name}` }
}

// Windows cannot open a folder as a file, nor needs its entries synced.
function openByName(path: string): OpenFolder | undefined {
  const realPath = orMissing(() => fs.realpathSync.native(path))
  if (realPath === undefined || !fs.statSync(realPath).isDirectory()) return undefined
  return { handle: -1, realPath, at: (name) => `${realPath}/${name}` }
}

function fileStat(stat: fs.Stats): FileStat {
  const { dev, ino, mode, size, mtimeMs, ctimeMs } = stat
  return {
    kind: kindOfMode(mode),
    size,
    mtimeMs,
    ctimeMs,
    // Made only for those who ask: a listing of a large vault does not.
    get identity() {
      return `${dev}:${ino}`
    },
    mode,
  }
}

const { S_IFMT, S_IFREG, S_IFDIR, S_IFLNK } = fs.constants

function kindOfMode(mode: number): FileType {
  const type = mode & S_IFMT
  return type === S_IFREG ? 'file' : type === S_IFDIR ? 'folder' : type === S_IFLNK ? 'link' : 'other'
}

function kindOf(item: fs.Dirent): FileType {
  return item.isFile() ? 'file' : item.isDirectory() ? 'folder' : item.isSymbolicLink() ? 'link' : 'other'
}

function orMissing<T>(call: () => T): T | undefined {
  try {
    return call()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ENAMETOOLONG') return undefined
    throw error
  }
}
