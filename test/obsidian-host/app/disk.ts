import type { DiskEntry, FolderCalls } from '../folder-calls.js'

/** The folder behind the vault, over the binding that the test has put into the page. */
type Bound = (vault: string, name: string, args: unknown[]) => Promise<unknown>

export type Disk = ReturnType<typeof diskOf>

export function diskOf(vault: string) {
  const bound = (globalThis as unknown as { askFolder: Bound }).askFolder
  const ask = <Name extends keyof FolderCalls>(name: Name, ...args: Parameters<FolderCalls[Name]>) =>
    bound(vault, name, args) as ReturnType<FolderCalls[Name]>
  return {
    entry: (path: string) => ask('entry', path) as Promise<DiskEntry | undefined>,
    everything: () => ask('everything'),
    list: (path: string) => ask('list', path),
    read: async (path: string): Promise<Uint8Array<ArrayBuffer>> => fromBase64(await ask('read', path)),
    write: (path: string, bytes: Uint8Array) => ask('write', path, toBase64(bytes)),
    writeFromOutside: (path: string, bytes: Uint8Array) => ask('writeFromOutside', path, toBase64(bytes)),
    makeFolder: (path: string) => ask('makeFolder', path),
    rename: (path: string, to: string) => ask('rename', path, to),
    remove: (path: string) => ask('remove', path),
    removeFolder: (path: string, recursive: boolean) => ask('removeFolder', path, recursive),
    trashOutside: (path: string) => ask('trashOutside', path),
  }
}

export function toBase64(bytes: Uint8Array): string {
  let text = ''
  for (let from = 0; from < bytes.length; from += 0x8000) {
    text += String.fromCharCode(...bytes.subarray(from, from + 0x8000))
  }
  return btoa(text)
}

export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
}
