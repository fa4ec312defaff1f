import * as z from 'zod'
import { Failure } from '../../errors.js'
import { visibleText } from '../../text/index.js'
import { decodeNote, isNote, type NotePath, notePath } from '../../vault/index.js'
import { yieldToHost } from '../../vault-index/index.js'
import { boundedLimit, counted, jsonText, remarks, remarksField, shortText } from '../answer/index.js'
import { defineTool } from '../tool.js'
import type { ReadableVault } from '../tool-context.js'
import { composed, type Needle, needle } from './literal-search.js'

/** Reading is mostly waiting; more at once would only hold more large notes in memory. */
const readAtOnce = 4

export const vaultSearch = defineTool({
  name: 'vault_search',
  title: 'Search names and text',
  description:
    'Find notes whose name or content contains a text exactly as written, whatever its case. Use it for names, phrases and identifiers; search_notes finds topics. Returns path, basename, number of matches and a preview, names first.',
  activity: 'Searching the vault',
  category: 'search',
  effects: ['reads'],
  needsVault: true,
  input: z.object({
    query: z.string().max(500),
    limit: z.number().min(1).optional().describe('Default 10, at most 50'),
  }),
  example: { query: 'compost', limit: 5 },
  output: z.object({
    results: z.array(
      z.object({
        path: z.string(),
        basename: z.string(),
        matches: z.number().describe('Occurrences in the name and the content together'),
        preview: z.string(),
      }),
    ),
    remarks: remarksField,
  }),

  async run({ query, limit: asked }, { vault, signal }) {
    if (query.trim() === '') throw new Failure('invalid-input', 'Tool vault_search validation failed: query: empty')
    const { limit, remark } = boundedLimit('limit', asked, { usual: 10, most: 50 })
    const wanted = needle(query.trim())
    const notes = (await vault.files(signal))
      .filter(({ path }) => isNote(path))
      .map(({ path }) => candidate(path, wanted))
    const inOrder = [...notes.filter(({ inName }) => inName > 0), ...notes.filter(({ inName }) => inName === 0)]
    const pause = yieldToHost()
    const hits: Hit[] = []
    const unsearched: NotePath[] = []
    let looked = 0
    while (looked < inOrder.length && hits.length < limit) {
      signal.throwIfAborted()
      const few = inOrder.slice(looked, looked + readAtOnce)
      const found = await Promise.all(few.map((note) => lookInto(note, vault, wanted, pause)))
      for (const { hit, isUnsearched, path } of found) {
        if (isUnsearched) unsearched.push(path)
        if (hit !== undefined && hits.length < limit) hits.push(hit)
      }
      looked += few.length
      await pause()
    }
    const isCut = hits.length === limit && looked < inOrder.length
    const left = unsearched.length > 0 ? tooLong(unsearched) : undefined
    return { results: hits, ...remarks(remark, isCut ? more(limit) : undefined, left) }
  },

  render: (found) => jsonText(found.results, found.remarks),
  notesIn: ({ results }) => results.map(({ path }) => notePath(path)),
  summary: ({ results }) => counted(results.length, 'note'),
})

interface Candidate {
  path: NotePath
  basename: string
  /** Occurrences in the name. */
  inName: number
}

interface Hit {
  path: string
  basename: string
  matches: number
  preview: string
}

interface Look {
  path: NotePath
  hit?: Hit
  isUnsearched?: boolean
}

function candidate(path: NotePath, wanted: Needle): Candidate {
  const basename = path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/i, '')
  return { path, basename, inName: wanted.countIn(composed(basename)).count }
}

/** Only reading a note tells that it is private, so also one found by its name is read before it is named. */
async function lookInto(
  note: Candidate,
  vault: ReadableVault,
  wanted: Needle,
  pause: () => Promise<void> | undefined,
): Promise<Look> {
  const { path } = note
  let text: string
  try {
    const file = await vault.read(path)
    if (file === undefined) return { path }
    text = composed(file.text)
  } catch (error) {
    if (error instanceof Failure && error.code === 'too-large') return lookAtStart(note, vault, wanted)
    // A note that cannot be read does not keep the others from being found.
    return { path }
  }
  const { count, first } = await wanted.countInLong(text, pause)
  return { path, hit: hitFor(note, count, wanted.previewOf(text, first)) }
}

async function lookAtStart(note: Candidate, vault: ReadableVault, wanted: Needle): Promise<Look> {
  const { path } = note
  const part = note.inName === 0 ? undefined : await vault.readPart(path, { from: 0, bytes: 1000 })
  const start = part === undefined ? '' : `${wanted.previewOf(composed(decodeNote(part.bytes).text), -1)}`
  return { path, isUnsearched: true, hit: part && hitFor(note, 0, start) }
}

function hitFor({ path, basename, inName }: Candidate, inText: number, preview: string): Hit | undefined {
  const matches = inName + inText
  return matches === 0
    ? undefined
    : { path, basename: shortText(basename), matches, preview: visibleText(preview).text }
}

const more = (limit: number): string =>
  `Stopped at ${limit}; there may be more. ${limit < 50 ? 'Raise limit or use' : 'Use'} a longer query.`

function tooLong(paths: readonly NotePath[]): string {
  const named = paths.slice(0, 5).map((path) => shortText(path))
  const rest = paths.length > named.length ? ` and ${paths.length - named.length} more` : ''
  return `Too large to search inside: ${named.join(', ')}${rest}. read_note reads them in parts.`
}
