import * as z from 'zod'
import { Failure } from '../../errors.js'
import { acceptedKinds, describeFile, fileFacts, fileKinds, hasPictureOrPdfName } from '../../files.js'
import { nearestNames } from '../../text/index.js'
import { isNote, type NotePath, notePath } from '../../vault/index.js'
import { shortText } from '../result-format.js'
import { defineTool } from '../tool.js'
import type { ToolContext } from '../tool-context.js'

const output = z.object({
  path: z.string(),
  kind: z.enum(fileKinds),
  mediaType: z.string(),
  size: z.number().describe('Bytes'),
  hash: z.string(),
  width: z.number().optional(),
  height: z.number().optional(),
  pages: z.number().optional(),
  tokens: z.number(),
})

export const viewFile = defineTool({
  name: 'view_file',
  title: 'View file',
  description: `View ${acceptedKinds} in the vault, for example one that a note embeds. Use its path; a unique name also works. The file follows the result.`,
  activity: 'Viewing a file',
  category: 'media',
  effects: ['reads'],
  needsVault: true,
  input: z.object({ path: z.string() }),
  example: { path: 'Attachments/quince.png' },
  output,

  async reaches({ path: wanted }, context) {
    const path = await fileNamed(wanted, context)
    return { notes: [path], input: { path } }
  },

  async run({ path: given }, { vault }) {
    const path = notePath(given)
    const file = await vault.read(path)
    if (file === undefined) throw notThere(given)
    const facts = fileFacts(file.path, file.bytes)
    if (facts !== undefined) return { path: file.path, ...facts }
    throw notSeen(path)
  },

  render: (seen) => `${shortText(seen.path, 1000)}: ${describeFile(seen)}.`,
  notesIn: ({ path }) => [notePath(path)],
  filesIn: ({ path, ...facts }) => [{ ...facts, path: notePath(path) }],
  summary: describeFile,
})

/** By its path, or by a name that only one file has, however it was linked. */
async function fileNamed(wanted: string, { vault, index }: ToolContext): Promise<NotePath> {
  const name = wanted.trim().replace(/^!?\[\[([^[\]|#]*)(?:[|#][^[\]]*)?\]\]$/, '$1')
  if (name === '') throw notThere(wanted)
  const path = notePath(name)
  const exact = await vault.stat(path)
  // Also for a missing note: whether it exists is only for readers of the note.
  if (isNote(path)) throw notSeen(path)
  if (exact !== undefined) return exact.path
  const tail = `/${path}`.toLowerCase()
  const files = await index.files()
  const found = files.filter((file) => `/${file}`.toLowerCase().endsWith(tail))
  const [only, ...others] = found
  if (only !== undefined && others.length === 0) return only
  if (found.length > 1) {
    throw new Failure('ambiguous', `Several files have the name ${shortText(name)}: ${found.join(', ')}`, {
      hint: 'Use the path of one of them.',
      data: { candidates: found },
    })
  }
  throw notThere(wanted, files)
}

function notSeen(path: string): Failure {
  return new Failure('invalid-input', `${shortText(path)} is not ${acceptedKinds}.`, {
    modelHint: 'To read notes and canvases, use read_note.',
    tools: ['read_note'],
  })
}

function notThere(wanted: string, files: readonly NotePath[] = []): Failure {
  const names = new Set(files.filter(hasPictureOrPdfName).map((path) => path.slice(path.lastIndexOf('/') + 1)))
  const near = nearestNames(wanted.slice(wanted.lastIndexOf('/') + 1), [...names].slice(0, mostCompared))
  return new Failure('not-found', `File not found: ${shortText(wanted)}`, {
    ...(near.length > 0 && { hint: `Did you mean ${near.join(' or ')}?` }),
  })
}

/** Comparing letters takes its time. */
const mostCompared = 5000
