/** A value now or later: Node's synchronous calls answer at once, a test's slow disk may not. */
export type Eventually<T> = T | Promise<T>

export type FileKind = 'file' | 'folder' | 'link' | 'other'

export interface FileStat {
  kind: FileKind
  size: number
  mtimeMs: number
  ctimeMs: number
  /** Device and inode as one text: tells whether two names are the same file. */
  identity: string
  mode: number
}

export interface FolderItem {
  name: string
  kind: FileKind
}

export interface StampedItem extends FolderItem {
  size: number
  mtimeMs: number
  ctimeMs: number
  /** Where the system did not let it be looked at: its kind and its stamps are not known. */
  error?: unknown
}

/**
 * An open folder. Everything in it is reached through `at`, which on Linux is bound to the folder itself and not to
 * its name, so that a link swapped in between a check and a call leads nowhere else.
 */
export interface OpenFolder {
  /** Absolute path without any link in it, as of the opening. */
  readonly realPath: string
  at(name: string): string
  readonly handle: number
}

/** Every file call of the Node host goes through here, so that tests can stand in a disk that fails. */
export interface FileAccess {
  /** Whether a file is found under other capitals than its name has, as on most disks of macOS and Windows. */
  readonly foldsNames?: boolean
  /** undefined when there is nothing there. */
  realPath(path: string): Eventually<string | undefined>
  /** undefined when there is no such folder. */
  openFolder(path: string): Eventually<OpenFolder | undefined>
  closeFolder(folder: OpenFolder): Eventually<void>
  listFolder(folder: OpenFolder): Eventually<FolderItem[]>
  /** Shows what is in a folder with its stamps, links not followed. */
  statFolder(folder: OpenFolder, see: (item: StampedItem) => void): Eventually<void>
  /** Makes what was renamed, linked or removed in the folder last. */
  syncFolder(folder: OpenFolder): Eventually<void>
  /** Does not follow a link; undefined when there is nothing there. */
  stat(path: string): Eventually<FileStat | undefined>
  /**
   * `read` never follows a link and never waits for a pipe's other end; undefined when there is no such file.
   * `create` fails if there is one; `append` makes it if need be.
   */
  open(path: string, how: 'read' | 'create' | 'append', mode?: number): Eventually<number | undefined>
  /** Like `open` to create, for many at once: a new file can take the disk as long as all its bytes. */
  create(path: string, mode: number): Eventually<number>
  statOpen(file: number): Eventually<FileStat>
  setMode(file: number, mode: number): Eventually<void>
  /** Bytes read, fewer than asked only at the end of the file. */
  read(file: number, into: Uint8Array, position: number): Eventually<number>
  /** Bytes written, maybe fewer than given. */
  write(file: number, bytes: Uint8Array): Eventually<number>
  sync(file: number): Eventually<void>
  /** Many at once, open folders' handles among them: the disk does them together, in a tenth of the time. */
  syncAll(handles: readonly number[]): Eventually<void>
  truncate(file: number, size: number): Eventually<void>
  close(file: number): Eventually<void>
  /** Many at once. The last hold on a file that has no name any more makes the disk work, which need not be waited for. */
  closeAll(files: readonly number[]): Eventually<void>
  rename(from: string, to: string): Eventually<void>
  /** A second name for a file; fails if the name is taken. */
  link(from: string, to: string): Eventually<void>
  remove(path: string): Eventually<void>
  makeFolder(path: string, mode?: number): Eventually<void>
  /** Fails unless it is empty. */
  removeFolder(path: string): Eventually<void>
}
