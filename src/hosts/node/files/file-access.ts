/** A value now or later: Node's synchronous calls answer at once, a test's slow disk may not. */
type MaybePromise<T> = T | Promise<T>

export type FileType = 'file' | 'folder' | 'link' | 'other'

export interface FileStat {
  kind: FileType
  size: number
  mtimeMs: number
  ctimeMs: number
  /** Device and inode as one text: tells whether two names are the same file. */
  identity: string
  mode: number
}

export interface FolderItem {
  name: string
  kind: FileType
}

export interface StampedItem extends FolderItem {
  size: number
  mtimeMs: number
  ctimeMs: number
  /** The error if the system refused access: kind and stamps are unknown. */
  error?: unknown
}

/**
 * An open folder. Everything in it is reached through `at`, which on Linux is bound to the folder itself and not to
 * its name, so that a link swapped between a check and a call has no effect.
 */
export interface OpenFolder {
  /** Absolute path without any link in it, as of the opening. */
  readonly realPath: string
  at(name: string): string
  readonly handle: number
}

/** All file operations of the Node host go through this interface, so that tests can simulate a failing disk. */
export interface FileAccess {
  /** True if a file is found under other capitals than its name has, as on most disks of macOS and Windows. */
  readonly foldsNames?: boolean
  /** undefined if it does not exist. */
  realPath(path: string): MaybePromise<string | undefined>
  /** undefined if there is no such folder. */
  openFolder(path: string): MaybePromise<OpenFolder | undefined>
  closeFolder(folder: OpenFolder): MaybePromise<void>
  listFolder(folder: OpenFolder): MaybePromise<FolderItem[]>
  /** Lists a folder's items with their stamps; links are not followed. */
  statFolder(folder: OpenFolder, see: (item: StampedItem) => void): MaybePromise<void>
  /** Makes renames, links and removals in the folder durable. */
  syncFolder(folder: OpenFolder): MaybePromise<void>
  /** Does not follow a link; undefined if it does not exist. */
  stat(path: string): MaybePromise<FileStat | undefined>
  /**
   * `read` never follows a link and never blocks on a pipe; undefined if there is no such file. `create` fails if there
   * is one; `append` creates it if needed.
   */
  open(path: string, how: 'read' | 'create' | 'append', mode?: number): MaybePromise<number | undefined>
  /** Like `open` to create, for many at once: a new file can take the disk as long as all its bytes. */
  create(path: string, mode: number): MaybePromise<number>
  statOpen(file: number): MaybePromise<FileStat>
  setMode(file: number, mode: number): MaybePromise<void>
  /** Bytes read, fewer than asked only at the end of the file. */
  read(file: number, into: Uint8Array, position: number): MaybePromise<number>
  /** Bytes written, maybe fewer than given. */
  write(file: number, bytes: Uint8Array): MaybePromise<number>
  sync(file: number): MaybePromise<void>
  /** Many at once, open folders' handles among them: the disk does them together, in a tenth of the time. */
  syncAll(handles: readonly number[]): MaybePromise<void>
  truncate(file: number, size: number): MaybePromise<void>
  close(file: number): MaybePromise<void>
  /** Many at once. The last hold on a file that has no name any more makes the disk work, which need not be waited for. */
  closeAll(files: readonly number[]): MaybePromise<void>
  rename(from: string, to: string): MaybePromise<void>
  /** A second name for a file; fails if the name is taken. */
  link(from: string, to: string): MaybePromise<void>
  remove(path: string): MaybePromise<void>
  makeFolder(path: string, mode?: number): MaybePromise<void>
  /** Fails unless it is empty. */
  removeFolder(path: string): MaybePromise<void>
}

/** Writes all of the bytes, or throws: a short write that goes no further is a full disk. */
export async function writeAll(files: FileAccess, file: number, bytes: Uint8Array): Promise<void> {
  let done = 0
  while (done < bytes.length) {
    const count = await files.write(file, bytes.subarray(done))
    if (count <= 0) throw Object.assign(new Error('ENOSPC: nothing more could be written'), { code: 'ENOSPC' })
    done += count
  }
}

/** A file's bytes, read to the size it had when it was opened; undefined if there is no such file. */
export async function readWholeFile(files: FileAccess, path: string): Promise<Uint8Array | undefined> {
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
