import * as z from 'zod'
import { Failure } from '../../errors.js'
import { compareText } from '../../index/index.js'
import { foldPath, type NotePath } from '../../vault/index.js'
import { counted, folderPath, shortText } from '../result-format.js'
import { defineTool } from '../tool.js'

const output = z.object({
  folder: z.string(),
  folders: z.array(
    z.object({
      path: z.string(),
      depth: z.number(),
      counts: z.record(z.string(), z.number()).describe('Files by extension, subfolders included'),
      files: z.array(z.string()).optional(),
    }),
  ),
  cursor: z.string().optional(),
  names_left_out: z.boolean(),
  cut_below: z.number().optional().describe('Deeper folders are counted, not listed'),
  folders_left_out: z.number(),
})

export const getFileTree = defineTool({
  name: 'get_file_tree',
  title: 'Get file tree',
  description:
    'Show the folders and files of the vault or of one folder, with counts by extension. Use it to learn how the vault is organized. A large vault is shown without file names, a large folder in pages.',
  activity: 'Listing folders',
  category: 'file',
  effects: ['reads'],
  needsVault: true,
  input: z.object({
    folder: z.string().optional(),
    depth: z.number().min(0).optional().describe('Levels of subfolders'),
    cursor: z.string().optional(),
  }),
  inBrief: ['folder'],
  example: { folder: 'Garden', depth: 1 },
  output,

  async run({ folder: wanted, depth, cursor }, { index, room }) {
    const folder = await folderPath(wanted, index)
    const names = Math.min(roomForNames, room === undefined ? roomForNames : room * charactersPerToken)
    const tree = fileTree(await index.files(), { folder, depth, after: cursor, names })
    if (tree === undefined && folder !== '') {
      throw new Failure('not-found', `Folder not found: ${shortText(folder)}`, {
        hint: 'Omit folder to list all folders.',
      })
    }
    return {
      folder: tree?.folders[0]?.path ?? '',
      folders: tree?.folders ?? [],
      ...(tree?.cursor !== undefined && { cursor: tree.cursor }),
      names_left_out: tree?.namesLeftOut ?? false,
      ...(tree?.cutBelow !== undefined && { cut_below: tree.cutBelow }),
      folders_left_out: tree?.foldersLeftOut ?? 0,
    }
  },

  render({ folders, cursor, names_left_out, cut_below, folders_left_out }) {
    if (folders.length === 0) return 'The vault is empty.'
    const lines = folders.flatMap(entryLines)
    if (cursor !== undefined) lines.push(`More with cursor ${JSON.stringify(cursor)}.`)
    if (names_left_out) lines.push('File names are left out because there are too many. Name one folder to see them.')
    if (cut_below !== undefined) lines.push(`Folders more than ${cut_below} deep are only counted, not listed.`)
    if (folders_left_out > 0) lines.push(`${counted(folders_left_out, 'more folder')} left out.`)
    return lines.join('\n')
  },
  summary: ({ folders }) => counted(folders.length, 'folder'),
})

function entryLines({ path, depth, counts, files = [] }: FolderEntry): string[] {
  const indent = '  '.repeat(depth)
  const name = path === '' ? 'Vault' : shortText(depth === 0 ? path : path.slice(path.lastIndexOf('/') + 1), 300)
  const what = Object.entries(counts).map(([extension, count]) => `${count} ${shortText(extension)}`)
  return [`${indent}${name}/ (${what.join(', ')})`, ...files.map((file) => `${indent}  ${shortText(file, 300)}`)]
}

interface FolderEntry {
  path: string
  /** 0 for the folder asked for. */
  depth: number
  /** Files by extension, those of folders below included. */
  counts: Record<string, number>
  /** Names of the files right here; absent where they are left out. */
  files?: string[] | undefined
}

interface FileTree {
  folders: FolderEntry[]
  /** The last file shown, if more files follow. */
  cursor?: string | undefined
  namesLeftOut: boolean
  /** Folders below this depth are only counted, because there are too many. */
  cutBelow?: number
  /** Folders left out although they are not too deep. */
  foldersLeftOut: number
}

/** Most characters of names in one result. */
const roomForNames = 16_000
const charactersPerToken = 3
const mostExtensions = 8

/** The wanted part of a tree. */
interface TreeWish {
  folder: string
  depth?: number | undefined
  /** A file: its page ended with it. */
  after?: string | undefined
  /** Most characters of names. */
  names?: number
}

/**
 * The folders below one, with their content. If there is too much to show, the files of one folder come in pages. For
 * the whole vault file names go first, then the deepest folders, then the last ones. undefined if there is no such
 * folder.
 */
export function fileTree(
  paths: readonly NotePath[],
  { folder, depth = Number.POSITIVE_INFINITY, after, names = roomForNames }: TreeWish,
): FileTree | undefined {
  const all = foldersBelow(paths, folder)
  if (all.length === 0) return undefined
  const wanted = all.filter((entry) => entry.depth <= depth)
  if (after === undefined && sizeOf(wanted, true) <= names) {
    return { folders: wanted.map(withNames), namesLeftOut: false, foldersLeftOut: 0 }
  }
  if (after !== undefined || folder !== '') return pageOfNames(wanted, after, names)
  const namesLeftOut = wanted.some(({ files }) => files.length > 0)
  const cutBelow = affordableDepth(wanted)
  const shallow = wanted.filter((entry) => entry.depth <= cutBelow)
  const kept = foldersThatFit(shallow)
  return {
    folders: kept.map(({ files: _, ...entry }) => withFewCounts(entry)),
    namesLeftOut,
    ...(shallow.length < wanted.length && { cutBelow }),
    foldersLeftOut: shallow.length - kept.length,
  }
}

/** As many folders and files as fit, in order, from the one after a file on. */
function pageOfNames(folders: readonly CountedFolder[], after: string | undefined, room: number): FileTree {
  const end = after === undefined ? undefined : { folder: parentOf(after), name: after.slice(parentOf(after).length) }
  const page: FolderEntry[] = []
  let left = room
  let last: string | undefined
  for (const entry of folders) {
    const start = entry.path === '' ? '' : `${entry.path}/`
    const order = end === undefined ? 1 : compareText(treeOrder(start), treeOrder(end.folder))
    if (order < 0) continue
    const files =
      end !== undefined && order === 0 ? entry.files.filter((name) => compareText(name, end.name) > 0) : entry.files
    if (end !== undefined && order === 0 && files.length === 0) continue
    left -= lineLength(entry)
    const shown: string[] = []
    for (const name of files) {
      left -= name.length + entry.depth * 2 + 4
      if (left < 0 && last !== undefined) {
        if (shown.length > 0) page.push({ ...withFewCounts(entry), files: shown })
        return { folders: page, cursor: last, namesLeftOut: false, foldersLeftOut: 0 }
      }
      shown.push(name)
      last = start + name
    }
    page.push({ ...withFewCounts(entry), files: shown })
  }
  return { folders: page, namesLeftOut: false, foldersLeftOut: 0 }
}

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1)

type CountedFolder = Omit<FolderEntry, 'counts'> & { counts: Map<string, number>; files: string[] }

function foldersBelow(paths: readonly NotePath[], folder: string): CountedFolder[] {
  const start = folder === '' ? '' : `${foldPath(folder)}/`
  const found = new Map<string, CountedFolder>()
  for (const path of paths) {
    if (start !== '' && !foldPath(path).startsWith(start)) continue
    const segments = path.split('/')
    const top = folder === '' ? 0 : folder.split('/').length
    const name = path.slice(path.lastIndexOf('/') + 1)
    const extension = /[^.]\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? 'no extension'
    for (let depth = top; depth < segments.length; depth++) {
      const own = segments.slice(0, depth).join('/')
      const entry = found.get(own) ?? { path: own, depth: depth - top, counts: new Map<string, number>(), files: [] }
      found.set(own, entry)
      entry.counts.set(extension, (entry.counts.get(extension) ?? 0) + 1)
      if (depth === segments.length - 1) entry.files.push(name)
    }
  }
  for (const { files } of found.values()) files.sort(compareText)
  // A folder precedes its content, which precedes the next folder.
  return [...found.values()].sort((a, b) => (treeOrder(a.path) < treeOrder(b.path) ? -1 : 1))
}

const treeOrder = (path: string): string => path.replaceAll('/', '\0')

const lineLength = ({ path, depth }: CountedFolder): number => path.length - path.lastIndexOf('/') + depth * 2 + 30

function sizeOf(folders: readonly CountedFolder[], withFiles: boolean): number {
  const files = ({ files, depth }: CountedFolder) => files.reduce((sum, name) => sum + name.length + depth * 2 + 4, 0)
  return folders.reduce((sum, entry) => sum + lineLength(entry) + (withFiles ? files(entry) : 0), 0)
}

/** The deepest level that fits the room; the first level is always tried. */
function affordableDepth(folders: readonly CountedFolder[]): number {
  const sizes: number[] = []
  for (const entry of folders) sizes[entry.depth] = (sizes[entry.depth] ?? 0) + lineLength(entry)
  let total = 0
  for (const [depth, size] of sizes.entries()) {
    total += size ?? 0
    if (total > roomForNames) return Math.max(1, depth - 1)
  }
  return Number.POSITIVE_INFINITY
}

function foldersThatFit(folders: readonly CountedFolder[]): readonly CountedFolder[] {
  let left = roomForNames
  const end = folders.findIndex((entry) => (left -= lineLength(entry)) < 0)
  return end < 0 ? folders : folders.slice(0, Math.max(1, end))
}

const withNames = (entry: CountedFolder): FolderEntry => ({ ...withFewCounts(entry), files: entry.files })

function withFewCounts({ path, depth, counts }: Omit<CountedFolder, 'files'>): FolderEntry {
  const byUse = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
  const rare = byUse.slice(mostExtensions).reduce((sum, [, count]) => sum + count, 0)
  const shown = byUse.slice(0, mostExtensions).map(([extension, count]) => [extension.slice(0, 20), count] as const)
  return { path, depth, counts: Object.fromEntries(rare > 0 ? [...shown, ['other', rare]] : shown) }
}
