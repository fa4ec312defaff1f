import type { FileAccess, FileStat, OpenFolder, StampedItem } from './file-access.js'

interface MemoryFile {
  kind: 'file'
  number: number
  bytes: Uint8Array
  /** What a power cut would leave. */
  synced: Uint8Array
  mode: number
  time: number
}

interface MemoryFolder {
  kind: 'folder'
  number: number
  entries: Map<string, MemoryFile | MemoryFolder>
  synced: Map<string, MemoryFile | MemoryFolder>
  time: number
}

export interface MemoryFiles extends FileAccess {
  /** Pulls the plug: every folder and file falls back to what was synced, or, where `keeps` says so, keeps the newer. */
  losePower(keeps?: () => boolean): void
  /** Writes past the interface, synced: plays the world outside. */
  put(path: string, bytes: Uint8Array): void
  /** Saves into the file that is there, as most editors do; a file that is not there is made. */
  overwrite(path: string, bytes: Uint8Array): void
  erase(path: string): void
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
    return { kind: 'folder', number: ++counter, entries: new Map(), synced: new Map(), time: ++clock }
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

  function syncDeep(path: string): void {
    const parts = path.split('/').filter(Boolean)
    let here = root
    for (const name of parts.slice(0, -1)) {
      const next = here.entries.get(name) ?? folder()
      here.entries.set(name, next)
      here.synced.set(name, next)
      here = next as MemoryFolder
    }
  }

  function put(path: string, bytes: Uint8Array): void {
    syncDeep(path)
    const [above, name] = parent(path)
    const file: MemoryFile = { kind: 'file', number: ++counter, bytes, synced: bytes, mode: 0o644, time: ++clock }
    above.entries.set(name, file)
    above.synced.set(name, file)
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
      const node = handles.get(handle) as MemoryFolder
      node.synced = new Map(node.entries)
    },
    stat(path) {
      const node = lookup(path)
      return node && statOf(node)
    },
    open(path, how, mode = 0o666) {
      const node = lookup(path)
      if (how === 'read') return node === undefined ? undefined : handleFor(node)
      if (how === 'create' && node !== undefined) throw systemError('EEXIST', path)
      if (node?.kind === 'folder') throw systemError('EISDIR', path)
      if (node !== undefined) return handleFor(node)
      const [above, name] = parent(path)
      const none = new Uint8Array()
      const file: MemoryFile = { kind: 'file', number: ++counter, bytes: none, synced: none, mode, time: ++clock }
      above.entries.set(name, file)
      return handleFor(file)
    },
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
        else node.synced = new Map(node.entries)
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
      source.entries.delete(name)
      target.entries.set(newName, node)
    },
    link(from, to) {
      const node = lookup(from)
      if (node === undefined) throw systemError('ENOENT', from)
      const [target, name] = parent(to)
      if (target.entries.has(name)) throw systemError('EEXIST', to)
      target.entries.set(name, node)
    },
    remove(path) {
      const [above, name] = parent(path)
      if (!above.entries.delete(name)) throw systemError('ENOENT', path)
    },
    makeFolder(path) {
      const [above, name] = parent(path)
      if (above.entries.has(name)) throw systemError('EEXIST', path)
      above.entries.set(name, folder())
    },
    removeFolder(path) {
      const node = lookup(path)
      if (node?.kind !== 'folder') throw systemError('ENOENT', path)
      if (node.entries.size > 0) throw systemError('ENOTEMPTY', path)
      const [above, name] = parent(path)
      above.entries.delete(name)
    },

    losePower(keeps = () => false) {
      const fallBack = (node: MemoryFolder) => {
        if (keeps()) node.synced = new Map(node.entries)
        else node.entries = new Map(node.synced)
        for (const child of node.entries.values()) {
          if (child.kind === 'folder') fallBack(child)
          else if (keeps()) child.synced = child.bytes
          else child.bytes = child.synced
        }
      }
      fallBack(root)
      handles.clear()
    },
    put,
    overwrite(path, bytes) {
      const node = lookup(path)
      if (node?.kind !== 'file') put(path, bytes)
      else {
        node.bytes = bytes
        node.synced = bytes
        node.time = ++clock
      }
    },
    erase(path) {
      const [above, name] = parent(path)
      above.entries.delete(name)
      above.synced.delete(name)
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

export function systemError(code: string, path: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${code}: ${path}`), { code })
}
