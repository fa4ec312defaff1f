import { Failure } from '../errors.js'
import type { NotePath } from '../vault/index.js'
import type { OpenIndex } from './catch-up.js'
import { notesWithout, rank } from './engine/index.js'
import type { IndexStore, NoteFilter, StoredChunk } from './index-store.js'
import type { IndexView } from './index-view.js'
import { previewOf } from './preview.js'
import type { Freshness, SearchAnswer, SearchHit, SearchRequest } from './search-request.js'
import { readSearchText, type SearchText, withFilters } from './search-text.js'

const defaultLimit = 10
const mostHits = 1000

/** Filters, ranks, and turns the engine's hits into passages a person can read. */
export async function answerSearch(
  { store, view, embedder, queries }: Pick<OpenIndex, 'store' | 'view' | 'embedder' | 'queries'>,
  request: SearchRequest,
  freshness: Freshness,
): Promise<SearchAnswer> {
  const typed = readSearchText(request.query)
  const filter = noteFilter(withFilters(request, typed))
  const allowed = excluding(view, typed, await withTypedTags(store, typed, filter))
  const limit = Math.min(Math.max(1, request.limit ?? defaultLimit), mostHits)
  if (typed.text === '') {
    return { query: request.query, freshness, hits: await newest(store, allowed, limit, request) }
  }
  const asked =
    request.rank === 'lexical' || embedder === undefined
      ? {}
      : await queries?.ask({ store, view }, embedder, typed.text)
  const ranked = rank({ segments: view.segments, model: view.model, embedding: asked?.vector }, typed.text, {
    limit,
    mode: request.rank ?? 'hybrid',
    allowed,
    passages: request.passages,
    explain: request.explain,
  })
  const chunks = await store.chunks(ranked.hits)
  const show = shower({ ...request, query: typed.text })
  const hits = ranked.hits.map((hit, at) => ({
    ...show(hit, chunks[at], hit.score),
    ...(hit.why && { why: hit.why }),
  }))
  return {
    query: request.query,
    freshness,
    ...(ranked.corrected && { corrected: ranked.corrected }),
    ...(typed.excluded.length > 0 && { excluded: typed.excluded }),
    ...(ranked.phraseMissed && { phraseMissed: true }),
    ...(asked?.notice && { notice: asked.notice }),
    hits,
  }
}

/** A `#tag` in the text keeps the notes that carry it, where there are any; else it is a word like others. */
async function withTypedTags(
  store: IndexStore,
  { text }: SearchText,
  filter: NoteFilter | undefined,
): Promise<Int32Array | undefined> {
  const written = Array.from(text.matchAll(/(?:^|\s)#([^\s#"]*\p{L}[^\s#"]*)/gu), ([, tag]) => tag)
  if (written.length > 0) {
    const tags = [...(filter?.tags ?? []), ...written]
    const carriers = await store.matching({ dateField: 'modified', ...filter, tags })
    if (carriers.length > 0) return carriers
  }
  return filter === undefined ? undefined : store.matching(filter)
}

function excluding({ segments }: IndexView, { excluded }: SearchText, allowed?: Int32Array): Int32Array | undefined {
  if (excluded.length === 0) return allowed
  return notesWithout(
    segments.map(({ segment }) => segment),
    excluded,
    allowed,
  )
}

/** Nothing asked, only filtered: the notes that pass, the last changed first. */
async function newest(
  store: IndexStore,
  allowed: Int32Array | undefined,
  limit: number,
  request: SearchRequest,
): Promise<SearchHit[]> {
  if (allowed === undefined) return []
  const notes = [...(await store.notes([...allowed])).values()].sort((a, b) => b.mtimeMs - a.mtimeMs).slice(0, limit)
  const chunks = await store.chunks(notes.map(({ id }) => ({ note: id, ordinal: 0 })))
  const show = shower(request)
  return notes.map((note, at) => show(note, chunks[at], 1))
}

interface Named {
  path: string
  title: string
}

function shower({ query, texts }: SearchRequest) {
  const preview = previewOf(query)
  return ({ path, title }: Named, chunk: StoredChunk | undefined, score: number): SearchHit => ({
    path: path as NotePath,
    title,
    heading: chunk?.heading ?? '',
    lines: chunk?.lines ?? [1, 1],
    preview: preview(chunk?.content ?? ''),
    ...(texts && { text: chunk?.content ?? '' }),
    score,
  })
}

/** undefined when nothing is filtered. */
export function noteFilter(request: SearchRequest): NoteFilter | undefined {
  const afterMs = request.after === undefined ? undefined : instant(request.after, 'start')
  const beforeMs = request.before === undefined ? undefined : instant(request.before, 'end')
  if (afterMs !== undefined && beforeMs !== undefined && beforeMs <= afterMs) {
    throw new Failure('invalid-input', 'End time must be after start time')
  }
  const filter: NoteFilter = {}
  if (request.tags?.length) filter.tags = request.tags.map((tag) => tag.replace(/^#/, ''))
  if (request.notTags?.length) filter.notTags = request.notTags.map((tag) => tag.replace(/^#/, ''))
  if (request.paths?.length) filter.paths = request.paths
  if (request.notPaths?.length) filter.notPaths = request.notPaths
  if (request.among) filter.among = request.among
  if (request.folder) filter.folder = request.folder.replace(/^\.?\/+|\/+$/g, '')
  if (request.properties) filter.properties = request.properties
  if (afterMs !== undefined) filter.afterMs = afterMs
  if (beforeMs !== undefined) filter.beforeMs = beforeMs
  if (Object.keys(filter).length === 0) return undefined
  return { ...filter, dateField: request.dateField ?? 'modified' }
}

/** A plain date means local midnight; as an end it includes its whole day. */
function instant(text: string, side: 'start' | 'end'): number {
  const plain = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)
  const [, year, month, day] = plain?.map(Number) ?? []
  const ms = plain ? new Date(year, month - 1, side === 'end' ? day + 1 : day).getTime() : Date.parse(text)
  const isReal = plain ? new Date(year, month - 1, day).getDate() === day : /^\d{4}-/.test(text)
  if (Number.isNaN(ms) || !isReal) {
    throw new Failure('invalid-input', `Not a date: ${text}`, { hint: 'Write it as 2026-01-31 or 2026-01-31T09:30.' })
  }
  return ms
}
