import * as z from 'zod'
import { Failure } from '../../errors.js'
import { visibleText } from '../../text/index.js'
import { notePath } from '../../vault/index.js'
import type { SearchAnswer, SearchRequest } from '../../vault-index/index.js'
import { boundedLimit, counted, folderPath, jsonText, remarks, remarksField, shortText } from '../answer/index.js'
import { defineTool } from '../tool.js'
import { fitPassages } from './fit-passages.js'
import { type RememberedHit, rememberedFor } from './remembered-first.js'
import { restrictDates } from './restrict-dates.js'

const input = z.object({
  query: z
    .string()
    .max(2000)
    .describe('The question in the person\'s own words and language; "quotes" for an exact phrase, -word to leave out'),
  top_k: z.number().min(1).optional().describe('Default 10, at most 50'),
  filter: z
    .object({
      tags: z.array(z.string()).max(50).optional().describe('All must match; parents include children'),
      date_after: z.string().optional().describe('ISO 8601'),
      date_before: z.string().optional(),
      date_field: z.enum(['modified', 'created', 'any']).optional(),
      folder: z.string().optional(),
      properties: z
        .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
        .optional()
        .describe('Property to value; lists match by any member'),
    })
    .optional(),
  salient_terms: z.array(z.string()).max(100).optional().describe('Further key words'),
  time_range: z
    .object({ startTime: z.unknown().optional(), endTime: z.unknown().optional() })
    .optional()
    .describe('Epoch ms or ISO 8601, as get_time_range answers'),
})

const found = z.object({
  path: z.string(),
  title: z.string(),
  chunk: z.string(),
  score: z.number(),
  heading: z.string().optional(),
  lines: z.tuple([z.number(), z.number()]).optional(),
})
type Found = z.output<typeof found>

export type SearchNotesInput = z.output<typeof input>

export const searchNotes = defineTool({
  name: 'search_notes',
  title: 'Search notes',
  description:
    'Search all notes by words and meaning. Use it to find what the vault says about a topic; ask again in other words when little comes back. Returns the best passages with path, title, lines and score.',
  activity: 'Searching notes',
  category: 'search',
  effects: ['reads'],
  guidance:
    "Search before answering a question about the notes, and cite the paths you used. Put the person's own words in query, in their own language: do not translate them, and do not add words they did not use. To list the notes of a time, leave query empty and give time_range or filter dates.",
  needsVault: true,
  inBrief: ['query', 'top_k'],
  input,
  example: { query: 'late blight', top_k: 3, filter: { tags: ['garden'], folder: 'Garden' } },
  output: z.object({ results: z.array(found), remarks: remarksField }),

  async run(given, context) {
    const { index, room } = context
    const { limit, remark } = boundedLimit('top_k', given.top_k, { usual: 10, most: 50 })
    const dates = restrictDates(given)
    const request = requestFor(given, limit)
    if (request.query === '' && !isFiltered(request) && !dates.isRestricted) {
      throw new Failure('invalid-input', 'Tool search_notes validation failed: query: empty', {
        hint: 'Give words to search for, or a filter to list notes by.',
      })
    }
    if (dates.isEmpty) return { results: [], ...remarks(remark, 'filter and time_range have no time in common.') }
    const answer = await index.search({ ...request, ...dates.range })
    const isOpen = !isFiltered(request) && !dates.isRestricted
    const remembered = isOpen ? await rememberedFor(request.query, context) : undefined
    const hits = withRemembered(answer.hits.map(passage), remembered).slice(0, limit)
    const { hits: results, remark: shortened } = fitPassages(hits, given.query, room)
    return { results, ...remarks(remark, dates.remark, ...remarksOn(answer), shortened) }
  },

  render: (found) => jsonText(found.results, found.remarks),
  notesIn: ({ results }) => results.map(({ path }) => notePath(path)),
  summary: ({ results }) => counted(results.length, 'note'),
})

function requestFor({ query, salient_terms, filter }: SearchNotesInput, limit: number): SearchRequest {
  const folder = folderPath(filter?.folder)
  const properties = mapValues(filter?.properties ?? {})
  return {
    query: withTerms(query.trim(), salient_terms ?? []),
    limit,
    texts: true,
    ...(filter?.tags?.length && { tags: filter.tags }),
    ...(folder !== '' && { folder }),
    ...(Object.keys(properties).length > 0 && { properties }),
  }
}

const mapValues = (properties: Record<string, string | number | boolean>): Record<string, string> =>
  Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, String(value)]))

const isFiltered = ({ tags, folder, properties }: SearchRequest): boolean =>
  tags !== undefined || folder !== undefined || properties !== undefined

const mostTerms = 20

/** Terms the query does not hold yet follow it. Quotes would turn them into phrases, which must be found. */
function withTerms(query: string, terms: readonly string[]): string {
  const words = new Set(query.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu))
  const isNew = (term: string) =>
    !(term.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).every((word) => words.has(word))
  const plain = terms.slice(0, mostTerms).map((term) => shortText(term.replace(/["“”„«»「」]/g, ' '), 100))
  return [query, ...new Set(plain.filter(isNew))].join(' ').trim()
}

function passage({ path, title, text = '', score, heading, lines }: SearchAnswer['hits'][number]): Found {
  return {
    path,
    title: shortText(title),
    chunk: visibleText(text).text,
    score: Math.round(score * 10_000) / 10_000,
    ...(heading !== '' && { heading: shortText(heading) }),
    lines,
  }
}

/** What is remembered comes before what was found. */
function withRemembered(hits: Found[], remembered: RememberedHit | undefined): Found[] {
  if (remembered === undefined) return hits
  const { note, memories } = remembered
  const { from, to } = memories[0]
  const own = hits.find(({ path }) => path === note.path)
  const first: Found = {
    path: note.path,
    title: own?.title ?? shortText(note.path.replace(/^.*\/|\.md$/gi, '')),
    chunk: memories.map(({ text }) => `- ${visibleText(text).text}`).join('\n'),
    score: Math.max(own?.score ?? 0, hits[0]?.score ?? 1),
    ...(memories.length === 1 && { lines: [from + 1, to] }),
  }
  return [first, ...hits.filter((hit) => hit !== own)]
}

function remarksOn({ corrected, phraseMissed, freshness }: SearchAnswer): (string | undefined)[] {
  const words = Object.entries(corrected ?? {}).map(([wrong, right]) => `${shortText(wrong, 50)} (searched: ${right})`)
  return [
    words.length > 0 ? `Not in the vault: ${words.join(', ')}.` : undefined,
    phraseMissed ? 'No note holds the quoted phrase; these notes hold its words.' : undefined,
    freshness === 'fresh' ? undefined : `The index is ${freshness}, so recent changes may be missing.`,
  ]
}
