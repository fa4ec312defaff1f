import { Failure } from '../errors.js'
import type { NotePath } from '../vault/index.js'
import type { QueryVectors } from './embeddings/query-vectors.js'
import { rank } from './engine/rank.js'
import { notesWithout } from './engine/sequences.js'
import type { IndexStore, NoteFilter, StoredChunk } from './index-store.js'
import type { IndexView, OpenIndex } from './index-view.js'
import { previewOf } from './preview.js'
import type { Embedder } from './semantic/embedder.js'

/** How hits are ranked: by words, by meaning, or both. */
export type Rank = 'hybrid' | 'lexical' | 'semantic'

/** A query with its filters. */
export interface SearchRequest {
  /** Words, "phrases", and `tag:`, `path:` and `-word` as in Obsidian's search. */
  query: string
  /** Default 10. */
  limit?: number | undefined
  /** Default `hybrid`. */
  rank?: Rank | undefined
  /** With or without `#`; all must match. */
  tags?: string[] | undefined
  /** None may match. */
  notTags?: string[] | undefined
  /** Only notes in this folder and below. */
  folder?: string | undefined
  /** Parts of paths; all must match. */
  paths?: string[] | undefined
  /** Parts of paths; none may match. */
  notPaths?: string[] | undefined
  /** Restricts the search to these notes. */
  among?: ReadonlySet<NotePath> | undefined
  /** Property name to wanted value. */
  properties?: Record<string, string> | undefined
  /** ISO 8601 date or date-time, inclusive. */
  after?: string | undefined
  /** ISO 8601; a plain date includes that whole day. */
  before?: string | undefined
  /** The date that `after` and `before` are about. Default `modified`. */
  dateField?: 'modified' | 'created' | 'any' | undefined
  /** Return several passages of a note instead of the best one. */
  passages?: boolean | undefined
  /** Include the whole passage with each hit, not only its preview. */
  texts?: boolean | undefined
  /** Include the contributions to each score. */
  explain?: boolean | undefined
}

/** `fresh`, or the number of files still to be read, or that vectors were lost by damage. */
export type Freshness = 'fresh' | `catching up (${number} left)` | 'without vectors'

/** A note that was found, with its best passage. */
export interface SearchHit {
  /** Path of the note. */
  path: NotePath
  /** Title of the note. */
  title: string
  /** Nearest heading above the passage; '' when there is none. */
  heading: string
  /** First and last line of the passage, 1-based, inclusive. */
  lines: [number, number]
  /** The part of the passage that matches best. */
  preview: string
  /** The passage as written, with `texts`. */
  text?: string
  /** 0 to 1, best first. */
  score: number
  /** Contributions of each part, with `explain`. */
  why?: Record<string, unknown>
}

/** The hits of a search, and what was corrected or is missing. */
export interface SearchAnswer {
  /** The query as it was given. */
  query: string
  /** Whether every note was searched as it is now. */
  freshness: Freshness
  /** Words the vault does not contain, with the nearest word searched instead. */
  corrected?: Record<string, string>
  /** With `explain`: the words that were searched, without function words such as articles. */
  words?: string[]
  /** With `explain`: those of them that no note contains. */
  missing?: string[]
  /** Words excluded by a minus: no hit contains them. */
  excluded?: string[]
  /** No note contains the quoted phrase; hits are for its words. */
  phraseMissed?: boolean
  /** A notice about a missing part of the ranking, like an unavailable provider, and what to do. */
  notice?: string
  /** Best first, at most one per note unless `passages` is set. */
  hits: SearchHit[]
}

const defaultLimit = 10
const mostHits = 1000

/** The index as a search reads it, with a provider's model if one is configured. */
interface SearchedIndex extends Pick<OpenIndex, 'store' | 'view'> {
  embedder?: Embedder | undefined
  queries?: QueryVectors
}

/** Filters, ranks, and turns the engine's hits into readable passages. */
export async function answerSearch(
  { store, view, embedder, queries }: SearchedIndex,
  request: SearchRequest,
  freshness: Freshness,
): Promise<SearchAnswer> {
  const typed = readSearchText(request.query)
  const filter = noteFilter(withFilters(request, typed))
  const allowed = withoutExcluded(view, typed, await withTypedTags(store, typed, filter))
  const limit = Math.min(Math.max(1, request.limit ?? defaultLimit), mostHits)
  if (typed.text === '') {
    return { query: request.query, freshness, hits: await newestNotes(store, allowed, limit, request) }
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
  const show = hitFormatter({ ...request, query: typed.text })
  const hits = ranked.hits.map((hit, at) => ({
    ...show(hit, chunks[at], hit.score),
    ...(hit.why && { why: hit.why }),
  }))
  return {
    query: request.query,
    freshness,
    ...(ranked.corrected && { corrected: ranked.corrected }),
    ...(ranked.words && { words: ranked.words }),
    ...(ranked.missing?.length && { missing: ranked.missing }),
    ...(typed.excluded.length > 0 && { excluded: typed.excluded }),
    ...(ranked.phraseMissed && { phraseMissed: true }),
    ...(asked?.notice && { notice: asked.notice }),
    hits,
  }
}

/** A `#tag` in the text filters by tag if a note has it; otherwise it is an ordinary word. */
async function withTypedTags(
  store: IndexStore,
  { text }: SearchText,
  filter: NoteFilter | undefined,
): Promise<Int32Array | undefined> {
  const written = Array.from(text.matchAll(/(?:^|\s)#([^\s#"]*\p{L}[^\s#"]*)/gu), ([, tag]) => tag!)
  if (written.length > 0) {
    const tags = [...(filter?.tags ?? []), ...written]
    const carriers = await store.matching({ dateField: 'modified', ...filter, tags })
    if (carriers.length > 0) return carriers
  }
  return filter === undefined ? undefined : store.matching(filter)
}

function withoutExcluded(
  { segments }: IndexView,
  { excluded }: SearchText,
  allowed?: Int32Array,
): Int32Array | undefined {
  if (excluded.length === 0) return allowed
  return notesWithout(
    segments.map(({ segment }) => segment),
    excluded,
    allowed,
  )
}

/** Results of a query with filters only: the last changed notes first. */
async function newestNotes(
  store: IndexStore,
  allowed: Int32Array | undefined,
  limit: number,
  request: SearchRequest,
): Promise<SearchHit[]> {
  if (allowed === undefined) return []
  const notes = [...(await store.notes([...allowed])).values()].sort((a, b) => b.mtimeMs - a.mtimeMs).slice(0, limit)
  const chunks = await store.chunks(notes.map(({ id }) => ({ note: id, ordinal: 0 })))
  const show = hitFormatter(request)
  return notes.map((note, at) => show(note, chunks[at], 1))
}

interface NoteLabel {
  path: string
  title: string
}

function hitFormatter({ query, texts }: SearchRequest) {
  const preview = previewOf(query)
  return ({ path, title }: NoteLabel, chunk: StoredChunk | undefined, score: number): SearchHit => ({
    path: path as NotePath,
    title,
    heading: chunk?.heading ?? '',
    lines: chunk?.lines ?? [1, 1],
    preview: preview(chunk?.content ?? ''),
    ...(texts && { text: chunk?.content ?? '' }),
    score,
  })
}

/** undefined if nothing is filtered. */
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

/** A plain date means local midnight; as an end it includes that day. */
function instant(text: string, side: 'start' | 'end'): number {
  const plain = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)
  const [, year = 0, month = 0, day = 0] = plain?.map(Number) ?? []
  const ms = plain ? new Date(year, month - 1, side === 'end' ? day + 1 : day).getTime() : Date.parse(text)
  const isReal = plain ? new Date(year, month - 1, day).getDate() === day : /^\d{4}-/.test(text)
  if (Number.isNaN(ms) || !isReal) {
    throw new Failure('invalid-input', `Not a valid date: ${text}`, {
      hint: 'Write it as 2026-01-31 or 2026-01-31T09:30.',
    })
  }
  return ms
}

/** A parsed query: words to search for, and filters as in Obsidian's search. */
interface SearchText {
  /** The words to search for, including quoted phrases. */
  text: string
  /** Words and phrases after a minus: notes that contain them are excluded. */
  excluded: string[]
  tags: string[]
  notTags: string[]
  paths: string[]
  notPaths: string[]
}

/** Parses `tag:`, `path:` and a minus before any of them or before a word or phrase. Everything else is text. */
export function readSearchText(query: string): SearchText {
  const read: SearchText = { text: '', excluded: [], tags: [], notTags: [], paths: [], notPaths: [] }
  const rest: string[] = []
  for (const [part] of query.matchAll(parts)) {
    const { minus, operator, value } = partOf(part)
    if (operator === 'tag' && value !== '') (minus ? read.notTags : read.tags).push(value)
    else if (operator === 'path' && value !== '') (minus ? read.notPaths : read.paths).push(value)
    else if (minus && operator === undefined) read.excluded.push(value)
    else rest.push(part)
  }
  read.text = rest.join(' ')
  return read
}

/** The request with the filters of its query added. */
function withFilters(request: SearchRequest, { tags, notTags, paths, notPaths }: SearchText): SearchRequest {
  return {
    ...request,
    ...(tags.length > 0 && { tags: [...(request.tags ?? []), ...tags] }),
    ...(notTags.length > 0 && { notTags }),
    ...(paths.length > 0 && { paths }),
    ...(notPaths.length > 0 && { notPaths }),
  }
}

const excludable = /^(?:"[^"]*[\p{L}\p{N}]|[\p{L}\p{N}]{2}|\p{Script=Han})/u

// A run without spaces, except inside quotes.
const parts = /(?:[^\s"]*"[^"]*"|[^\s"]|")[^\s"]*/g

function partOf(part: string): { minus: boolean; operator?: 'tag' | 'path' | undefined; value: string } {
  const {
    minus,
    operator,
    value = '',
  } = /^(?<minus>-)?(?:(?<operator>tag|path):)?(?<value>.*)$/su.exec(part)?.groups ?? {}
  const bare = value.replaceAll('"', '').trim()
  // A minus before punctuation or a single letter is a command option or dash, as in `--verbose` or `-s`.
  const excludes = minus !== undefined && (operator !== undefined || excludable.test(value))
  return { minus: excludes, operator: operator as 'tag' | 'path' | undefined, value: bare }
}
