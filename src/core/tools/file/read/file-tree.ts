import { foldPath, type NotePath } from '../../../vault/index.js'

export interface FolderEntry {
  path: string
  /** 0 for the folder asked for. */
  depth: number
  /** Files by extension, those of folders below included. */
  counts: Record<string, number>
  /** Names of the files right here; absent where they are left out. */
  files?: string[]
}

export interface FileTree {
  folders: FolderEntry[]
  namesLeftOut: boolean
  /** Folders below this depth are only counted, because there are too many. */
  cutBelow?: number
  /** Folders left out although they are not too deep. */
  foldersLeftOut: number
}

/** So many characters of names fit into one answer. */
const room = 16_000
const mostExtensions = 8

/**
 * The folders below one, with what is in them. When there is too much to show, file names go first, then the deepest
 * folders, then the last ones. undefined when there is no such folder.
 */
export function fileTree(
  paths: readonly NotePath[],
  folder: string,
  depth = Number.POSITIVE_INFINITY,
): FileTree | undefined {
  const all = foldersBelow(paths, folder)
  if (all.length === 0) return undefined
  const wanted = all.filter((entry) => entry.depth <= depth)
  if (sizeOf(wanted, true) <= room) {
    return { folders: wanted.map(withNames), namesLeftOut: false, foldersLeftOut: 0 }
  }
  const namesLeftOut = wanted.some(({ files }) => files.length > 0)
  const cutBelow = affordableDepth(wanted)
  const shallow = wanted.filter((entry) => entry.depth <= cutBelow)
  const kept = fitting(shallow)
  return {
    folders: kept.map(({ files: _, ...entry }) => bounded(entry)),
    namesLeftOut,
    ...(shallow.length < wanted.length && { cutBelow }),
    foldersLeftOut: shallow.length - kept.length,
  }
}

type Gathered = Omit<FolderEntry, 'counts'> & { counts: Map<string, number>; files: string[] }

function foldersBelow(paths: readonly NotePath[], folder: string): Gathered[] {
  const start = folder === '' ? '' : `${foldPath(folder)}/`
  const found = new Map<string, Gathered>()
  for (const path of paths) {
    if (start !== '' && !foldPath(path).startsWith(start)) continue
    const segments = path.split('/')
    const top = folder === '' ? 0 : folder.split('/').length
    const name = segments[segments.length - 1]
    const extension = /[^.]\.([^.]+)$/.exec(name)?.[1].toLowerCase() ?? 'no extension'
    for (let depth = top; depth < segments.length; depth++) {
      const own = segments.slice(0, depth).join('/')
      const entry = found.get(own) ?? { path: own, depth: depth - top, counts: new Map<string, number>(), files: [] }
      found.set(own, entry)
      entry.counts.set(extension, (entry.counts.get(extension) ?? 0) + 1)
      if (depth === segments.length - 1) entry.files.push(name)
    }
  }
  // A folder comes before what is in it, and that before the next folder.
  return [...found.values()].sort((a, b) => (treeOrder(a.path) < treeOrder(b.path) ? -1 : 1))
}

const treeOrder = (path: string): string => path.replaceAll('/', '\0')

const lineLength = ({ path, depth }: Gathered): number => path.length - path.lastIndexOf('/') + depth * 2 + 30

function sizeOf(folders: readonly Gathered[], withFiles: boolean): number {
  const files = ({ files, depth }: Gathered) => files.reduce((sum, name) => sum + name.length + depth * 2 + 4, 0)
  return folders.reduce((sum, entry) => sum + lineLength(entry) + (withFiles ? files(entry) : 0), 0)
}

/** How deep one can go and stay within the room; the first level is always tried. */
function affordableDepth(folders: readonly Gathered[]): number {
  const sizes: number[] = []
  for (const entry of folders) sizes[entry.depth] = (sizes[entry.depth] ?? 0) + lineLength(entry)
  let total = 0
  for (const [depth, size] of sizes.entries()) {
    total += size ?? 0
    if (total > room) return Math.max(1, depth - 1)
  }
  return Number.POSITIVE_INFINITY
}

function fitting(folders: readonly Gathered[]): readonly Gathered[] {
  let left = room
  const end = folders.findIndex((entry) => (left -= lineLength(entry)) < 0)
  return end < 0 ? folders : folders.slice(0, Math.max(1, end))
}

const withNames = (entry: Gathered): FolderEntry => ({ ...bounded(entry), files: entry.files })

function bounded({ path, depth, counts }: Omit<Gathered, 'files'>): FolderEntry {
  const byUse = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
  const rare = byUse.slice(mostExtensions).reduce((sum, [, count]) => sum + count, 0)
  const shown = byUse.slice(0, mostExtensions).map(([extension, count]) => [extension.slice(0, 20), count] as const)
  return { path, depth, counts: Object.fromEntries(rare > 0 ? [...shown, ['other', rare]] : shown) }
}
