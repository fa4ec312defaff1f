import * as z from 'zod'
import { yieldToHost } from '../../index/index.js'
import { visibleText } from '../../text/index.js'
import type { NotePath } from '../../vault/index.js'
import { decodeNote, notePath } from '../../vault/index.js'
import { boundedLimit, counted, jsonText, remarks, remarksField, shortText } from '../result-format.js'
import { defineTool } from '../tool.js'
import type { ReadableVault } from '../tool-context.js'
import { validationFailure } from '../tool-input.js'
import { literalMatcher, notesToScan, scanNotes, toNfc, tooLongRemark } from './scan-notes.js'

export const vaultSearch = defineTool({
  name: 'vault_search',
  title: 'Search names and text',
  description:
    'Find notes whose name or content contains a text exactly as written, ignoring case. Use it for names, phrases and identifiers; use search_notes for topics. Returns path, basename, number of matches and a preview, matches in names first.',
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
        matches: z.number().describe('Occurrences in the name and content'),
        preview: z.string(),
      }),
    ),
    remarks: remarksField,
  }),

  async run({ query, limit: asked }, context) {
    if (query.trim() === '') throw validationFailure('vault_search', 'query: empty')
    const { limit, remark } = boundedLimit('limit', asked, { usual: 10, most: 50 })
    const wanted = literalMatcher(query.trim())
    const inNames = new Map<NotePath, number>()
    for (const path of await notesToScan(context)) inNames.set(path, wanted.countIn(toNfc(basenameOf(path))).count)
    const paths = [...inNames.keys()]
    const inOrder = [...paths.filter((path) => inNames.get(path)), ...paths.filter((path) => !inNames.get(path))]
    const pause = yieldToHost()
    const hits: Hit[] = []
    const tooLarge: NotePath[] = []
    let looked = 0
    // Privacy is known only after reading, so a note found by its name is also read before it is named.
    for await (const { path, text, isTooLarge } of scanNotes(inOrder, context)) {
      looked++
      if (isTooLarge) tooLarge.push(path)
      const inName = inNames.get(path) ?? 0
      const found = text === undefined ? { count: 0, first: -1 } : await wanted.countInLong(text, pause)
      const shown = text ?? (isTooLarge && inName > 0 ? await startOf(path, context.vault) : undefined)
      if (shown === undefined || inName + found.count === 0) continue
      hits.push({
        path,
        basename: shortText(basenameOf(path)),
        matches: inName + found.count,
        preview: visibleText(wanted.previewOf(shown, found.first)).text,
      })
      if (hits.length === limit) break
    }
    const isCut = hits.length === limit && looked < inOrder.length
    return { results: hits, ...remarks(remark, isCut ? more(limit) : undefined, tooLongRemark(tooLarge)) }
  },

  render: (found) => jsonText(found.results, found.remarks),
  notesIn: ({ results }) => results.map(({ path }) => notePath(path)),
  summary: ({ results }) => counted(results.length, 'note'),
})

interface Hit {
  path: string
  basename: string
  matches: number
  preview: string
}

const basenameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/i, '')

async function startOf(path: NotePath, vault: ReadableVault): Promise<string | undefined> {
  const part = await vault.readPart(path, { from: 0, bytes: 1000 })
  return part && toNfc(decodeNote(part.bytes).text)
}

const more = (limit: number): string =>
  `Stopped at ${limit}; there may be more. ${limit < 50 ? 'Raise limit or use' : 'Use'} a longer query.`
