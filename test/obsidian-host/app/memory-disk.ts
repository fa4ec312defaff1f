import type { DiskEntry } from '../folder-calls.js'
import type { Disk } from './disk.js'

interface Kept {
  bytes: Uint8Array<ArrayBuffer>
  mtime: number
}

/** A folder that lies in the page, for measures in which no bridge to a real one shall count. */
export interface MemoryDisk extends Disk {
  /** Milliseconds that this page has spent in it. */
  spentMs: number
  snapshot(): Map<string, Uint8Array>
}

/** Each answer comes in a later task, as one from a real disk does. */
export function memoryDisk(files: Record<string, string>): MemoryDisk {
  const encoder = new TextEncoder()
  const kept = new Map<string, Kept>(
    Object.entries(files).map(([path, text]) => [path, { bytes: encoder.encode(text), mtime: 1 }]),
  )
  const folders = new Set([...kept.keys()].flatMap(foldersAbove))
  let clock = 1

  function entryAt(path: string): DiskEntry | undefined {
    const found = kept.get(path)
    if (found !== undefined) return { path, kind: 'file', size: found.bytes.length, mtime: found.mtime, ctime: 1 }
    return folders.has(path) ? { path, kind: 'folder', size: 0, mtime: 1, ctime: 1 } : undefined
  }
  function mustHave(path: string): Kept {
    const found = kept.get(path)
    if (found === undefined) throw new Error(`ENOENT: no such file or directory, open '${path}'`)
    return found
  }
  function put(path: string, bytes: Uint8Array): void {
    for (const folder of foldersAbove(path)) folders.add(folder)
    kept.set(path, { bytes: new Uint8Array(bytes), mtime: ++clock })
  }

  const self: MemoryDisk = {
    spentMs: 0,
    snapshot: () => new Map([...kept].map(([path, { bytes }]) => [path, bytes])),
    entry: (path) => later(() => entryAt(path)),
    everything: () =>
      later(() => [...folders, ...kept.keys()].filter((path) => !isDotted(path)).map((path) => entryAt(path)!)),
    list: (path) =>
      later(() => [...folders, ...kept.keys()].filter((one) => folderOf(one) === path).map((one) => entryAt(one)!)),
    read: (path) => later(() => mustHave(path).bytes.slice()),
    write: (path, bytes) => later(() => put(path, bytes)),
    writeFromOutside: (path, bytes) => later(() => put(path, bytes)),
    makeFolder: (path) => later(() => void folders.add(path)),
    rename: (path, to) =>
      later(() => {
        put(to, mustHave(path).bytes)
        kept.delete(path)
      }),
    remove: (path) => later(() => void kept.delete(path)),
    removeFolder: (path) => later(() => void folders.delete(path)),
    trashOutside: (path) => later(() => void kept.delete(path)),
  }

  const waiting: (() => void)[] = []
  const { port1, port2 } = new MessageChannel()
  port1.onmessage = () => waiting.shift()!()
  function later<T>(work: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      waiting.push(() => {
        const started = performance.now()
        try {
          resolve(work())
        } catch (error) {
          reject(error)
        }
        self.spentMs += performance.now() - started
      })
      port2.postMessage(null)
    })
  }
  return self
}

const isDotted = (path: string) => path.split('/').some((part) => part.startsWith('.'))

const folderOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf('/')))

function foldersAbove(path: string): string[] {
  const folder = folderOf(path)
  return folder === '' ? [] : [folder, ...foldersAbove(folder)]
}
