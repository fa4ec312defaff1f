import type { Disk } from './disk.js'

/** As most disks of macOS and Windows are: a file is found under other capitals than its name has. */
export function foldingDisk(disk: Disk): Disk {
  /** As it is spelled there, as far as it is there. */
  async function spelled(path: string): Promise<string> {
    let known = ''
    for (const part of path === '' ? [] : path.split('/')) {
      const wanted = known === '' ? part : `${known}/${part}`
      const found = (await disk.list(known).catch(() => [])).find(
        (one) => one.path.toLowerCase() === wanted.toLowerCase(),
      )
      known = found?.path ?? wanted
    }
    return known
  }
  /** A new name is spelled as it is given. */
  async function named(path: string): Promise<string> {
    const cut = path.lastIndexOf('/')
    return cut < 0 ? path : `${await spelled(path.slice(0, cut))}${path.slice(cut)}`
  }
  return {
    ...disk,
    entry: async (path) => disk.entry(await spelled(path)),
    list: async (path) => disk.list(await spelled(path)),
    read: async (path) => disk.read(await spelled(path)),
    write: async (path, bytes) => disk.write(await spelled(path), bytes),
    writeFromOutside: async (path, bytes) => disk.writeFromOutside(await spelled(path), bytes),
    makeFolder: async (path) => disk.makeFolder(await spelled(path)),
    rename: async (path, to) => disk.rename(await spelled(path), await named(to)),
    remove: async (path) => disk.remove(await spelled(path)),
    removeFolder: async (path, recursive) => disk.removeFolder(await spelled(path), recursive),
    trashOutside: async (path) => disk.trashOutside(await spelled(path)),
  }
}
