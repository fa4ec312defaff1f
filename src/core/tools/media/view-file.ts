import * as z from 'zod'
import { Failure } from '../../errors.js'
import { fileFacts, fileWords, looksSent, takenKinds } from '../../files/index.js'
import { nearestNames } from '../../names/index.js'
import { isNote, type NotePath, notePath } from '../../vault/index.js'
import { shortText } from '../answer/index.js'
import { defineTool } from '../tool.js'
import type { ToolContext } from '../tool-context.js'

const output = z.object({
  path: z.string(),
  kind: z.enum(['image', 'pdf']),
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
  description:
    'Look at a picture (PNG, JPEG, WebP, GIF) or a PDF of the vault, for example one that a note embeds. Use its path; a unique name works too. The file follows the result.',
  activity: 'Looking at a file',
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

  render: (seen) => `${shortText(seen.path, 1000)}: ${fileWords(seen)}.`,
  notesIn: ({ path }) => [notePath(path)],
  filesIn: ({ path, ...facts }) => [{ ...facts, path: notePath(path) }],
  summary: fileWords,
})

/** By its path, or by a name that only one file has, however it was linked. */
async function fileNamed(wanted: string, { vault, index }: ToolContext): Promise<NotePath> {
  const name = wanted.trim().replace(/^!?\[\[([^[\]|#]*)(?:[|#][^[\]]*)?\]\]$/, '$1')
  if (name === '') throw notThere(wanted)
  const path = notePath(name)
  const exact = await vault.stat(path)
  // Also where there is none: whether a note is there is for those who may read it.
  if (isNote(path)) throw notSeen(path)
  if (exact !== undefined) return exact.path
  const tail = `/${path}`.toLowerCase()
  const files = await index.files()
  const found = files.filter((file) => `/${file}`.toLowerCase().endsWith(tail))
  if (found.length === 1) return found[0]
  if (found.length > 1) {
    throw new Failure('ambiguous', `Several files are called ${shortText(name)}: ${found.join(', ')}`, {
      hint: 'Give the path of the one you mean.',
      data: { candidates: found },
    })
  }
  throw notThere(wanted, files)
}

function notSeen(path: string): Failure {
  return new Failure('invalid-input', `${shortText(path)} is not ${takenKinds}.`, {
    hint: 'Notes and canvases are read with read_note.',
  })
}

function notThere(wanted: string, files: readonly NotePath[] = []): Failure {
  const names = new Set(files.filter(looksSent).map((path) => path.slice(path.lastIndexOf('/') + 1)))
  const near = nearestNames(wanted.slice(wanted.lastIndexOf('/') + 1), [...names].slice(0, mostCompared))
  return new Failure('not-found', `File not found: ${shortText(wanted)}`, {
    ...(near.length > 0 && { hint: `Did you mean ${near.join(' or ')}?` }),
  })
}

/** Comparing letters takes its time. */
const mostCompared = 5000
