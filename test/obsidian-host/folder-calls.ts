/** A file or folder as it crosses from the disk to the page. */
export interface DiskEntry {
  path: string
  kind: 'file' | 'folder'
  size: number
  mtime: number
  ctime: number
}

/** Disk operations for the page. Bytes are base64, because bindings carry JSON. */
export interface FolderCalls {
  entry(path: string): Promise<DiskEntry | undefined>
  everything(): Promise<DiskEntry[]>
  list(path: string): Promise<DiskEntry[]>
  read(path: string): Promise<string>
  write(path: string, base64: string): Promise<void>
  makeFolder(path: string): Promise<void>
  rename(path: string, to: string): Promise<void>
  remove(path: string): Promise<void>
  removeFolder(path: string, recursive: boolean): Promise<void>
  trashOutside(path: string): Promise<void>
  /** Plays another program: folders are made as needed. */
  writeFromOutside(path: string, base64: string): Promise<void>
}
