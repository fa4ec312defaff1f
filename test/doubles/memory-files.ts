import type { FileAccess, FileStat, OpenFolder, StampedItem } from '../../src/hosts/node/files/file-access.js'

interface MemoryFile {
  kind: 'file'
  number: number
  bytes: Uint8Array
  /** The bytes that a power cut would leave. */
  synced: Uint8Array
  mode: number
  time: number
}

interface MemoryFolder {
  kind: 'folder'
  number: number
  entries: Entries
  synced: Entries
  /** Changes of the entries since they were synced: a power cut keeps the first few. */
  unsynced: ((entries: Entries) => void)[]
  time: number
}

type Entries = Map<string, MemoryFile | MemoryFolder>

export interface MemoryFiles extends FileAccess {
  /**
   * Pulls the plug: every folder and file falls back to what was synced. `keeps` is asked what newer things reached
   * the disk all the same: of a folder the first few changes, of a file all its bytes or some of them.
   */
  losePower(keeps?: () => boolean): void
  /** Writes past the interface, synced: plays the world outside. */
  put(path: string, bytes: Uint8Array): void
  /** Saves into the file that is there, as most editors do; a file that is not there is made. */
  overwrite(path: string, bytes: Uint8Array): void
  erase(path: string): void
  /** Gives a file or a folder another name, onto whatever is there. */
  relocate(path: string, to: string): void
  /** Every file below a folder, by path relative to it. */
  tree(path: string): Map<string, Uint8Array>
}

/**
 * A disk in memory that knows what has been synced and what has not. For tests of crashes: entries and bytes that
 * were not synced can be taken away.
 */
export function memoryFiles(): MemoryFiles {
  let counter = 0
  let clock = 1_700_000_000_000
  const root: MemoryFolder = folder()
  const handles = new Map<number, MemoryFile | MemoryFolder>()

  function folder(): MemoryFolder {
    return { kind: 'folder', number: ++counter, entries: new Map(), synced: new Map(), unsynced: [], time: ++clock }
  }

  function lookup(path: string): MemoryFile | MemoryFolder | undefined {
    let here: MemoryFile | MemoryFolder | undefined = root
    for (const name of path.split('/').filter((part) => part !== '' && part !== '.')) {
      here = here?.kind === 'folder' ? here.entries.get(name) : undefined
    }
    return here
  }

  function parent(path: string): [MemoryFolder, string] {
    const cut = path.lastIndexOf('/')
    const above = lookup(path.slice(0, cut))
    if (above?.kind !== 'folder') throw systemError('ENOENT', path)
    return [above, path.slice(cut + 1)]
  }

  function handleFor(node: MemoryFile | MemoryFolder): number {
    const handle = ++counter
    handles.set(handle, node)
    return handle
  }

  function opened(handle: number): MemoryFile {
    const node = handles.get(handle)
    if (node?.kind !== 'file') throw systemError('EBADF', String(handle))
    return node
  }

  function statOf(node: MemoryFile | MemoryFolder): FileStat {
    const size = node.kind === 'file' ? node.bytes.length : 0
    const mode = node.kind === 'file' ? node.mode : 0o700
    return { kind: node.kind, size, mtimeMs: node.time, ctimeMs: node.time, identity: `1:${node.number}`, mode }
  }

  function change(folder: MemoryFolder, how: (entries: Entries) => void): void {
    how(folder.entries)
    folder.unsynced.push(how)
  }

  function syncDeep(path: string): void {
    const parts = path.split('/').filter(Boolean)
    let here = root
    for (const name of parts.slice(0, -1)) {
      const next = here.entries.get(name) ?? folder()
      here.entries.set(name, next)
      syncEntries(here)
      here = next as MemoryFolder
    }
  }

  function put(path: string, bytes: Uint8Array): void {
    syncDeep(path)
    const [above, name] = parent(path)
    const file: MemoryFile = { kind: 'file', number: ++counter, bytes, synced: bytes, mode: 0o644, time: ++clock }
    above.entries.set(name, file)
    syncEntries(above)
  }

  function open(path: string, how: 'read' | 'create' | 'append', mode = 0o666): number | undefined {
    const node = lookup(path)
    if (how === 'read') return node === undefined ? undefined : handleFor(node)
    if (how === 'create' && node !== undefined) throw systemError('EEXIST', path)
    if (node?.kind === 'folder') throw systemError('EISDIR', path)
    if (node !== undefined) return handleFor(node)
    const [above, name] = parent(path)
    const none = new Uint8Array()
    const file: MemoryFile = { kind: 'file', number: ++counter, bytes: none, synced: none, mode, time: ++clock }
    change(above, (entries) => entries.set(name, file))
    return handleFor(file)
  }

  function statFolder({ handle }: OpenFolder, see: (item: StampedItem) => void): void {
    const node = handles.get(handle) as MemoryFolder
    for (const [name, entry] of node.entries) see({ name, ...statOf(entry) })
  }

  return {
    realPath: (path) => (lookup(path) === undefined ? undefined : path),
    openFolder(path): OpenFolder | undefined {
      const node = lookup(path)
      if (node?.kind !== 'folder') return undefined
      return { realPath: path, handle: handleFor(node), at: (name) => `${path}/${name}` }
    },
    closeFolder: ({ handle }) => void handles.delete(handle),
    listFolder({ handle }) {
      const node = handles.get(handle) as MemoryFolder
      return [...node.entries].map(([name, { kind }]) => ({ name, kind }))
    },
    statFolder,
    syncFolder({ handle }) {
      syncEntries(handles.get(handle) as MemoryFolder)
    },
    stat(path) {
      const node = lookup(path)
      return node && statOf(node)
    },
    open,
    create: (path, mode) => open(path, 'create', mode)!,
    statOpen: (file) => statOf(handles.get(file)!),
    setMode(file, mode) {
      opened(file).mode = mode
    },
    read(file, into, position) {
      const part = opened(file).bytes.subarray(position, position + into.length)
      into.set(part)
      return part.length
    },
    write(file, bytes) {
      const node = opened(file)
      const longer = new Uint8Array(node.bytes.length + bytes.length)
      longer.set(node.bytes)
      longer.set(bytes, node.bytes.length)
      node.bytes = longer
      node.time = ++clock
      return bytes.length
    },
    sync(file) {
      const node = opened(file)
      node.synced = node.bytes
    },
    syncAll(all) {
      for (const handle of all) {
        const node = handles.get(handle)!
        if (node.kind === 'file') node.synced = node.bytes
        else syncEntries(node)
      }
    },
    truncate(file, size) {
      const node = opened(file)
      node.bytes = node.bytes.slice(0, size)
    },
    close: (file) => void handles.delete(file),
    closeAll(files) {
      for (const file of files) handles.delete(file)
    },
    rename(from, to) {
      const [source, name] = parent(from)
      const [target, newName] = parent(to)
      const node = source.entries.get(name)
      if (node === undefined) throw systemError('ENOENT', from)
      if (source !== target) change(source, (entries) => entries.delete(name))
      change(target, (entries) => {
        if (source === target) entries.delete(name)
        entries.set(newName, node)
      })
    },
    link(from, to) {
      const node = lookup(from)
      if (node === undefined) throw systemError('ENOENT', from)
      const [target, name] = parent(to)
      if (target.entries.has(name)) throw systemError('EEXIST', to)
      change(target, (entries) => entries.set(name, node))
    },
    remove(path) {
      const [above, name] = parent(path)
      if (!above.entries.has(name)) throw systemError('ENOENT', path)
      change(above, (entries) => entries.delete(name))
    },
    makeFolder(path) {
      const [above, name] = parent(path)
      if (above.entries.has(name)) throw systemError('EEXIST', path)
      const made = folder()
      change(above, (entries) => entries.set(name, made))
    },
    removeFolder(path) {
      const node = lookup(path)
      if (node?.kind !== 'folder') throw systemError('ENOENT', path)
      if (node.entries.size > 0) throw systemError('ENOTEMPTY', path)
      const [above, name] = parent(path)
      change(above, (entries) => entries.delete(name))
    },

    losePower(keeps = () => false) {
      const fallBack = (node: MemoryFolder) => {
        for (const how of node.unsynced) {
          if (!keeps()) break
          how(node.synced)
        }
        node.entries = new Map(node.synced)
        node.unsynced = []
        for (const child of node.entries.values()) {
          if (child.kind === 'folder') fallBack(child)
          else if (child.bytes !== child.synced) {
            child.bytes = keeps() ? child.bytes : keeps() ? torn(child) : child.synced
            child.synced = child.bytes
          }
        }
      }
      fallBack(root)
      handles.clear()
    },
    put,
    overwrite(path, bytes) {
      const node = lookup(path)
      if (node?.kind !== 'file') return put(path, bytes)
      node.bytes = bytes
      node.synced = bytes
      node.time = ++clock
      // Syncing a file on ext4, XFS and Btrfs also syncs the name it was opened by.
      syncDeep(path)
      syncEntries(parent(path)[0])
    },
    erase(path) {
      const [above, name] = parent(path)
      above.entries.delete(name)
      syncEntries(above)
    },
    relocate(path, to) {
      const [source, name] = parent(path)
      syncDeep(to)
      const [target, newName] = parent(to)
      const node = source.entries.get(name)
      if (node === undefined) throw systemError('ENOENT', path)
      source.entries.delete(name)
      target.entries.set(newName, node)
      syncEntries(source)
      syncEntries(target)
    },
    tree(path) {
      const files = new Map<string, Uint8Array>()
      const walk = (node: MemoryFolder, prefix: string) => {
        for (const [name, child] of [...node.entries].sort(([a], [b]) => (a < b ? -1 : 1))) {
          if (child.kind === 'folder') walk(child, `${prefix}${name}/`)
          else files.set(prefix + name, child.bytes)
        }
      }
      const start = lookup(path)
      if (start?.kind === 'folder') walk(start, '')
      return files
    },
  }
}

function syncEntries(folder: MemoryFolder): void {
  folder.synced = new Map(folder.entries)
  folder.unsynced = []
}

/** Half of what was written since the last sync. */
function torn({ bytes, synced }: MemoryFile): Uint8Array {
  return bytes.slice(0, (synced.length + bytes.length) >> 1)
}

export function systemError(code: string, path: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${code}: ${path}`), { code })
}
