import * as z from 'zod'
import { Failure } from '../../errors.js'
import { counted, folderPath, shortText } from '../answer/index.js'
import { defineTool } from '../tool.js'
import { type FolderEntry, fileTree } from './read/file-tree.js'

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
  names_left_out: z.boolean(),
  cut_below: z.number().optional().describe('Deeper folders are only counted'),
  folders_left_out: z.number(),
})

export const getFileTree = defineTool({
  name: 'get_file_tree',
  title: 'Get file tree',
  description:
    'Show the folders and files of the vault or of one folder, with counts by extension. Use it to learn how the vault is organised. File names are left out where there are too many.',
  activity: 'Looking at the folders',
  category: 'file',
  effects: ['reads'],
  needsVault: true,
  input: z.object({
    folder: z.string().optional(),
    depth: z.number().min(0).optional().describe('Levels of folders below it; default all'),
  }),
  example: { folder: 'Garden', depth: 1 },
  output,

  async run({ folder: wanted, depth }, { index }) {
    const folder = folderPath(wanted)
    const tree = fileTree(await index.files(), folder, depth)
    if (tree === undefined && folder !== '') {
      throw new Failure('not-found', `Folder not found: ${shortText(folder)}`, {
        hint: 'Leave folder out to see which there are.',
      })
    }
    return {
      folder: tree?.folders[0].path ?? '',
      folders: tree?.folders ?? [],
      names_left_out: tree?.namesLeftOut ?? false,
      ...(tree?.cutBelow !== undefined && { cut_below: tree.cutBelow }),
      folders_left_out: tree?.foldersLeftOut ?? 0,
    }
  },

  render({ folders, names_left_out, cut_below, folders_left_out }) {
    if (folders.length === 0) return 'The vault is empty.'
    const lines = folders.flatMap(entryLines)
    if (names_left_out) lines.push('File names are left out: there are too many. Ask for one folder to see them.')
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
