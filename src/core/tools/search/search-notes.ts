import * as z from 'zod'
import { Failure } from '../../errors.js'
import type { NoteIndex, SearchAnswer, SearchRequest } from '../../index/index.js'
import { bestPartStart, contentStems, noteFilter } from '../../index/index.js'
import type { MemoryEntry } from '../../memory.js'
import { defaultMemoryNote, parseMemories } from '../../memory.js'
import { charactersFor, estimateTokens, visibleText } from '../../text/index.js'
import type { NoteFile } from '../../vault/index.js'
import { notePath } from '../../vault/index.js'
import {
  boundedLimit,
  counted,
  cutText,
  folderPath,
  jsonText,
  remarks,
  remarksField,
  shortText,
} from '../result-format.js'
import { defineTool } from '../tool.js'
import type { ToolContext } from '../tool-context.js'
import { validationFailure } from '../tool-input.js'

// `!` is used on the first of the memories, which are not empty there.

const input = z.object({
  query: z
    .string()
    .max(2000)
    .describe('In the user\'s own words and language; "quotes" for an exact phrase, -word to exclude'),
  top_k: z.number().min(1).optional().describe('Default 10'),
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
  salient_terms: z.array(z.string()).max(100).optional().describe('Additional keywords'),
  time_range: z
    .object({ startTime: z.unknown().optional(), endTime: z.unknown().optional() })
    .optional()
    .describe('Epoch ms or ISO 8601, as returned by get_time_range'),
})

const found = z.object({
  path: z.string(),
  title: z.string(),
  chunk: z.string(),
  score: z.number(),
  heading: z.string().optional(),
  lines: z.tuple([z.number(), z.number()]).optional(),
  shown: z.literal(true).optional().describe('The model has this passage already'),
})
type Found = z.output<typeof found>

type SearchNotesInput = z.output<typeof input>

export const searchNotes = defineTool({
  name: 'search_notes',
  title: 'Search notes',
  description:
    'Search all notes by words and meaning. Use it to find what the vault says about a topic, and again with other words if you get few results. Returns the best passages with path, title, lines and score.',
  activity: 'Searching notes',
  category: 'search',
  effects: ['reads'],
  guidance:
    "Search before you answer a question about the notes, and cite the paths you used. Use the user's own words in query, in their own language: do not translate them or add other words. To list the notes from a period, leave query empty and set time_range or the dates in filter.",
  needsVault: true,
  inBrief: ['query', 'top_k'],
  input,
  example: { query: 'late blight', top_k: 3, filter: { tags: ['garden'], folder: 'Garden' } },
  output: z.object({ results: z.array(found), remarks: remarksField }),

  async run(given, context) {
    const { index, room } = context
    const { limit, remark } = boundedLimit('top_k', given.top_k, { usual: 10, most: 50 })
    const dates = restrictDates(given)
    const request = await requestFor(given, limit, index)
    if (request.query === '' && !isFiltered(request) && !dates.isRestricted) {
      throw validationFailure('search_notes', 'query: empty', {
        hint: 'Give words to search for, or a filter.',
      })
    }
    if (dates.isEmpty) return { results: [], ...remarks(remark, 'filter and time_range do not overlap.') }
    const answer = await index.search({ ...request, ...dates.range })
    const isOpen = !isFiltered(request) && !dates.isRestricted
    const remembered = isOpen ? await findMemories(request.query, context) : undefined
    const hits = withRemembered(answer.hits.map(passage), remembered).slice(0, limit)
    const fitted = fitPassages(hits, given.query, Math.min(room ?? usualRoom, usualRoom))
    const { remark: shortened } = fitted
    const results = fitted.hits.map((hit) => (isRepeated(hit, context) ? { ...hit, shown: true as const } : hit))
    return { results, ...remarks(remark, dates.remark, ...remarksOn(answer), shortened) }
  },

  render: (found) => jsonText(found.results.map(leanHit), found.remarks),
  notesIn: ({ results }) => results.map(({ path }) => notePath(path)),
  summary: ({ results }) => counted(results.length, 'note'),
})

/** Tokens of all passages, also where a model has room for more: fifty notes would take more than ten thousand. */
const usualRoom = 5500

/** Shorter passages cost less than the reference to them. */
const leastRepeated = 120

const isRepeated = ({ chunk, lines }: Found, { isShown }: Pick<ToolContext, 'isShown'>): boolean =>
  lines !== undefined && chunk.length >= leastRepeated && isShown?.(chunk) === true

/** A hit as the model reads it, without what the path already says or what it has read before. */
function leanHit({ path, title, chunk, score, heading, lines, shown }: Found) {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/i, '')
  return {
    path,
    ...(title !== name && { title }),
    chunk: shown && lines ? `(already shown above, ${path} lines ${lines[0]}-${lines[1]})` : chunk,
    score: Math.round(score * 100) / 100,
    ...(heading !== undefined && { heading }),
    ...(lines && { lines }),
  }
}

async function requestFor(
  { query, salient_terms, filter }: SearchNotesInput,
  limit: number,
  index: NoteIndex,
): Promise<SearchRequest> {
  const folder = await folderPath(filter?.folder, index)
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

/** Memories come before the hits. */
function withRemembered(hits: Found[], remembered: MemoryHit | undefined): Found[] {
  if (remembered === undefined) return hits
  const { note, memories } = remembered
  const { from, to } = memories[0]!
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
    phraseMissed ? 'No note contains the quoted phrase. These notes contain its words.' : undefined,
    freshness === 'fresh' ? undefined : `The index is ${freshness}, so recent changes may be missing.`,
  ]
}

interface DateRestriction {
  /** For the search request. */
  range: Pick<SearchRequest, 'after' | 'before' | 'dateField'>
  isRestricted: boolean
  /** No note can be in both ranges. */
  isEmpty: boolean
  remark?: string
}

/**
 * The dates of notes to search. Filter dates mean the time of modification by default; a time range means any date, so
 * a daily note of that day counts too. Reversed ends are an error in both. A range with a missing, zero or invalid end
 * is ignored: models write it when they mean no range.
 */
function restrictDates({ filter, time_range }: Pick<SearchNotesInput, 'filter' | 'time_range'>): DateRestriction {
  const dates = noteFilter({ query: '', after: filter?.date_after, before: filter?.date_before }) ?? {}
  const time = time_range && readRange(time_range)
  const afterMs = latest(dates.afterMs, time?.start)
  const beforeMs = earliest(dates.beforeMs, time?.end)
  const hasDates = dates.afterMs !== undefined || dates.beforeMs !== undefined
  const isRestricted = hasDates || time !== undefined
  return {
    range: {
      ...(afterMs !== undefined && { after: new Date(afterMs).toISOString() }),
      ...(beforeMs !== undefined && { before: new Date(beforeMs).toISOString() }),
      ...(isRestricted && { dateField: filter?.date_field ?? (hasDates ? 'modified' : 'any') }),
    },
    isRestricted,
    isEmpty: afterMs !== undefined && beforeMs !== undefined && beforeMs <= afterMs,
    ...(time_range && time === undefined && { remark: rangeIgnored }),
  }
}

const rangeIgnored =
  'time_range was ignored: it needs a startTime and a later endTime, each as epoch milliseconds or ISO 8601.'

function readRange({ startTime, endTime }: { startTime?: unknown; endTime?: unknown }) {
  const start = instantOf(startTime, 'after')
  const end = instantOf(endTime, 'before')
  if (start === undefined || end === undefined) return undefined
  if (end <= start) throw new Failure('invalid-input', 'End time must be after start time')
  // A plain date as an end already means the day after. A time names the last moment that counts.
  return { start, end: typeof endTime === 'string' && plainDate.test(endTime) ? end : end + 1 }
}

/** Milliseconds from a number, a text, or an object with one of them in it, as clocks answer. */
function instantOf(value: unknown, side: 'after' | 'before'): number | undefined {
  if (typeof value === 'object' && value !== null) {
    const { epoch, iso, isoString } = value as Record<string, unknown>
    const inner = epoch ?? iso ?? isoString
    return typeof inner === 'object' ? undefined : instantOf(inner, side)
  }
  if (typeof value === 'string' && /^\d{4}-/.test(value)) return dateOf(value, side)
  const ms = typeof value === 'number' ? value : typeof value === 'string' && value !== '' ? Number(value) : 0
  return ms > 0 && ms <= lastInstant ? ms : undefined
}

const lastInstant = 8.64e15 - 1
const plainDate = /^\d{4}-\d{2}-\d{2}$/

function dateOf(text: string, side: 'after' | 'before'): number | undefined {
  try {
    const filter = noteFilter({ query: '', [side]: text })
    return side === 'after' ? filter?.afterMs : filter?.beforeMs
  } catch {
    return undefined
  }
}

const latest = (one?: number, other?: number) => (one === undefined || (other ?? one) > one ? other : one)
const earliest = (one?: number, other?: number) => (one === undefined || (other ?? one) < one ? other : one)

interface MemoryHit {
  note: NoteFile
  /** Memories about the query, newest first. */
  memories: MemoryEntry[]
}

/** Memories about a query, from the memory note. A hidden memory note has none. */
async function findMemories(
  query: string,
  { vault, settings }: Pick<ToolContext, 'vault' | 'settings'>,
): Promise<MemoryHit | undefined> {
  const note = await readMemory(settings.memoryNote ?? defaultMemoryNote, vault)
  if (note === undefined) return undefined
  const asked = contentStems(query)
  const memories = parseMemories(note.text).filter(({ text }) => {
    const said = contentStems(text)
    const shared = [...asked].filter((word) => said.has(word)).length
    return shared > 0 && shared * 3 >= asked.size
  })
  return memories.length === 0 ? undefined : { note, memories: [...memories].reverse().slice(0, mostMemories) }
}

const mostMemories = 5

/** A memory note that cannot be read stops no search. */
async function readMemory(path: string, vault: ToolContext['vault']): Promise<NoteFile | undefined> {
  try {
    return await vault.read(notePath(path))
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}

interface Passage {
  chunk: string
}

/** Shorter passages are useless; below this size there are fewer of them. */
const leastTokens = 110

/**
 * Fits passages into the available room: fewer and shorter ones, the best first. Each is cut to the part that matches
 * most of the query.
 */
export function fitPassages<Hit extends Passage>(
  hits: readonly Hit[],
  query: string,
  room?: number,
): { hits: Hit[]; remark?: string } {
  if (room === undefined || estimateTokens(JSON.stringify(hits)) <= room) return { hits: [...hits] }
  const count = Math.max(1, Math.min(hits.length, Math.floor(room / leastTokens)))
  const startOf = bestPartStart(query)
  let left = room
  const fitted = hits.slice(0, count).map((hit, at) => {
    const around = estimateTokens(JSON.stringify({ ...hit, chunk: '' }))
    // Room that one passage leaves unused goes to the next ones.
    const share = Math.max(0, Math.floor(left / (count - at)) - around)
    const characters = charactersFor(hit.chunk, share)
    const start = startOf(hit.chunk, characters)
    const part = hit.chunk.slice(start)
    const isCut = characters < part.length
    const chunk = `${start > 0 ? '…' : ''}${isCut ? `${cutText(part, characters).trimEnd()}…` : part}`
    left -= around + estimateTokens(chunk)
    return { ...hit, chunk }
  })
  const shown = count < hits.length ? `the first ${count} of ${hits.length}, ` : ''
  return {
    hits: fitted,
    remark: `Shortened to fit: ${shown}with … where text is left out. Read the note for the full text.`,
  }
}
