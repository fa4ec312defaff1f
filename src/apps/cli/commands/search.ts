import type { FileHandle } from 'node:fs/promises'
import { open } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { Option } from 'commander'
import type { Config } from '../../../core/config/index.js'
import { Failure } from '../../../core/errors.js'
import type { Notebook, Rank, SearchAnswer, SearchHit, SearchRequest } from '../../../core/index/index.js'
import { folderNamed } from '../../../core/index/index.js'
import { count } from '../../../core/text/index.js'
import type { FolderNotebook } from '../../../hosts/node/open-notebook.js'
import { examples, rare } from '../program/help.js'
import type { DeclareCommand, Invocation } from '../program/invocation.js'
import { collected, wholeNumber } from '../program/options.js'
import { withReadableNotebook } from '../session/open-notebook.js'
import type { Paint, Style } from '../terminal/terminal.js'
import { jsonLine, visibleLine } from '../terminal/terminal.js'
import { cutPath, cutToWidth, padToWidth, textWidth, wrapToWidth } from '../terminal/text-width.js'

export const declareSearch: DeclareCommand = (command, run) => {
  command
    .argument('[query...]', 'words to find; also "a phrase", -without, tag:name and path:part')
    .option('-n, --limit <count>', 'show at most this many notes (default: 10)', wholeNumber(1, 1000))
    .addOption(
      new Option('--rank <how>', 'ranking method (default: hybrid)').choices(['hybrid', 'lexical', 'semantic']),
    )
    .option('--tag <tag>', 'only notes with this tag or a nested tag; repeatable', collected)
    .option('--folder <folder>', 'only notes in this folder and its subfolders')
    .option('--property <key=value>', 'only notes with this property, e.g. status=done; repeatable', collected)
    .option('--after <date>', 'only notes from this day or later, e.g. 2025-01-31')
    .option('--before <date>', 'only notes from this day or earlier')
    .addOption(
      rare(
        new Option('--date-field <which>', 'date used by --after and --before')
          .choices(['modified', 'created', 'any'])
          .default('modified'),
      ),
    )
    .option('--passages', 'show all matching passages of a note, not only the best')
    .option('--explain', 'show how each score was computed')
    .addOption(
      rare(
        new Option(
          '--batch <file>',
          'queries as JSON lines {id, query}, - for standard input; prints {id, hits} lines',
        ),
      ),
    )
    .addOption(rare(new Option('--timings', 'with --batch: add the milliseconds of each query')))
    .addHelpText(
      'after',
      examples(
        ['notewright search tomato blight'],
        ['notewright search \'"exact phrase" and more\' -n 3'],
        ["notewright search 'tag:recipe soup -leek path:2025'", 'as in Obsidian'],
        ['notewright search --property status=open'],
        ['notewright search budget --tag project/alpha --after 2025-01-01', 'filters combine'],
        ['notewright search --batch queries.jsonl > hits.jsonl'],
      ),
    )
    .action((words: string[], options) => run((to) => search(to, words.join(' '), options)))
}

export interface SearchCommandOptions extends SearchFlags {
  batch?: string
  timings?: boolean
}

export async function search(invocation: Invocation, query: string, options: SearchCommandOptions): Promise<void> {
  if (options.batch !== undefined) return searchBatch(invocation, options.batch, options)
  if (query.trim() === '' && !hasFilter(options)) {
    throw new Failure('invalid-input', 'No search words.', {
      hint: 'For example: notewright search "winter vegetables"',
    })
  }
  const { terminal } = invocation
  const request = searchRequest(query, options)
  const answerOne = async (notebook: FolderNotebook, config: Config) => {
    const { folder } = request
    const found =
      folder && !/^\.?\//.test(options.folder ?? '') ? folderNamed(await notebook.index.files(), folder) : folder
    const meant = { ...request, ...(found && { folder: found }) }
    const answer = await updateAndSearch(notebook, configured(meant, config), invocation)
    if (terminal.json) return terminal.printJson(answer)
    const corrections = showCorrections(answer)
    if (corrections !== '') terminal.say(corrections)
    if (answer.hits.length === 0) terminal.say('No notes match. Try fewer or different words.')
    else terminal.print(showHits(answer, terminal.style, terminal.width))
    const remark = showFreshness(answer.freshness)
    if (remark !== '') terminal.say(remark)
    if (answer.notice !== undefined) terminal.say(visibleLine(answer.notice))
    else if ((await notebook.embeddings?.consent()) === 'unasked') {
      terminal.say('Embeddings are set up but not allowed yet, so they were not used. To allow them: notewright index')
    }
  }
  await withReadableNotebook(invocation, answerOne, { listsAhead: true })
}

/** JSON lines in, JSON lines out, in the same order. */
async function searchBatch(invocation: Invocation, file: string, options: SearchCommandOptions): Promise<void> {
  const { terminal, signal } = invocation
  const base = searchRequest('', options)
  const input = file === '-' ? terminal.input : (await openFile(file)).createReadStream({ encoding: 'utf8' })
  const answerAll = async (notebook: Notebook, config: Config) => {
    let number = 0
    // Created only now: lines that arrive before iteration would be lost.
    const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY, signal })
    for await (const line of lines) {
      signal.throwIfAborted()
      number++
      if (line.trim() === '') continue
      const { id, query } = batchQuery(line, number)
      const startedAt = performance.now()
      const isFirst = number === 1
      const request = { ...configured(base, config), query }
      const { hits } = isFirst
        ? await updateAndSearch(notebook, request, invocation)
        : await notebook.index.search(request)
      const ms = Math.round((performance.now() - startedAt) * 1000) / 1000
      terminal.print(jsonLine(options.timings ? { id, hits, ms } : { id, hits }))
    }
  }
  await withReadableNotebook(invocation, answerAll, { readsAhead: true })
}

async function openFile(file: string): Promise<FileHandle> {
  return open(file).catch((error: NodeJS.ErrnoException) => {
    const isMissing = error.code === 'ENOENT'
    const text = isMissing ? `File not found: ${file}` : `Error reading file: ${file} (${error.code})`
    throw new Failure(isMissing ? 'not-found' : 'invalid-input', text)
  })
}

function batchQuery(line: string, number: number): { id: unknown; query: string } {
  let value: { id?: unknown; query?: unknown } | null
  try {
    value = JSON.parse(line.replace(/^\uFEFF/, ''))
  } catch {
    value = null
  }
  if (typeof value?.query !== 'string') {
    throw new Failure('invalid-input', `Line ${number} is not valid. Expected JSON: {"id": …, "query": "…"}`)
  }
  return { id: value.id ?? null, query: value.query }
}

function hasFilter({ tag, folder, property, after, before }: SearchFlags): boolean {
  return [tag, folder, property, after, before].some((filter) => filter !== undefined)
}

export interface SearchFlags {
  limit?: number
  rank?: Rank
  tag?: string[]
  folder?: string
  property?: string[]
  after?: string
  before?: string
  dateField?: 'modified' | 'created' | 'any'
  passages?: boolean
  explain?: boolean
}

/** A validated request from the command line. */
export function searchRequest(query: string, options: SearchFlags = {}): SearchRequest {
  const { after, before } = options
  const start = after === undefined ? undefined : dateBounds('--after', after)
  const end = before === undefined ? undefined : dateBounds('--before', before)
  if (start !== undefined && end !== undefined && end.last < start.first) {
    throw new Failure('invalid-input', 'End time must be after start time')
  }
  return {
    query,
    limit: options.limit,
    rank: options.rank,
    tags: options.tag,
    folder: options.folder?.replace(/^(\.?\/)+|\/+$/g, ''),
    ...(options.property?.length && { properties: properties(options.property) }),
    after,
    before,
    dateField: options.dateField,
    passages: options.passages,
    explain: options.explain,
  }
}

function properties(typed: readonly string[]): Record<string, string> {
  const wanted: Record<string, string> = {}
  for (const each of typed) {
    const [, key, value = ''] = /^([^=]*)=(.*)$/s.exec(each)?.map((part) => part.trim()) ?? []
    if (!key) {
      throw new Failure('invalid-input', `--property takes a name and a value, not "${each}".`, {
        hint: 'For example: --property status=done',
      })
    }
    if (Object.hasOwn(wanted, key) && wanted[key] !== value) {
      throw new Failure('invalid-input', `--property ${key} is given twice.`, {
        hint: 'Give each property once.',
      })
    }
    wanted[key] = value
  }
  return wanted
}

/** The request with the user's settings where nothing was typed. */
export function configured(request: SearchRequest, { search }: Config): SearchRequest {
  return { ...request, limit: request.limit ?? search.limit, rank: request.rank ?? search.rank }
}

const isoDate = /^(\d{4})-(\d{2})-(\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})?)?$/

/** First and last millisecond of an ISO date or date-time; a plain date is a local day. */
function dateBounds(option: string, text: string): { first: number; last: number } {
  const [, year, month, day] = isoDate.exec(text) ?? []
  const isPlain = !text.includes('T')
  const first = Date.parse(isPlain ? `${text}T00:00` : text)
  // The parser lets 30 February run over into March.
  const isDay = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDate() === Number(day)
  if (!isDay || Number.isNaN(first)) {
    throw new Failure('invalid-input', `${option} takes an ISO date, not "${text}".`, {
      hint: 'Examples: 2025-01-31 or 2025-01-31T18:30.',
    })
  }
  return { first, last: isPlain ? first + 86_400_000 - 1 : first }
}

/** Up to this many changed files are indexed before searching. */
const soonRead = 10_000
/** Fewer are read before anyone has read a sentence about it. */
const fewFiles = 200

/**
 * Searches an index that may be outdated. A vault that was never indexed is indexed first, and a moderate number of
 * changes is read first; with more changes the answer comes within about a second and names the missing parts.
 */
export async function updateAndSearch(
  notebook: Notebook,
  request: SearchRequest,
  { terminal, signal }: Pick<Invocation, 'terminal' | 'signal'>,
): Promise<SearchAnswer> {
  const left = filesLeft(await notebook.freshness())
  if (left === 0) return notebook.index.search(request)
  const { notes } = await notebook.status()
  if (notes > 0 && left > soonRead) return notebook.index.search(request)
  if (notes === 0 && left > fewFiles) terminal.say('Indexing the vault for the first search.')
  terminal.trace(`index is missing ${left} files, updating`)
  const bar = terminal.progress()
  try {
    await notebook.update({ signal, wait: 'text', reusesLook: true, onProgress: bar.show })
  } finally {
    bar.clear()
  }
  return notebook.index.search(request)
}

function filesLeft(freshness: SearchAnswer['freshness']): number {
  return Number(/\d+/.exec(freshness)?.[0] ?? 0)
}

/** An answer for a user: numbered hits, each with its location and why it was found. */
export function showHits(answer: SearchAnswer, style: Style, width: number): string {
  const digits = String(answer.hits.length).length
  return answer.hits.map((hit, at) => showHit(hit, at + 1, answer.query, { digits, style, width })).join('\n\n')
}

/** Corrections made to the query; '' when there are none. */
export function showCorrections({ corrected, excluded, phraseMissed }: SearchAnswer): string {
  const quoted = (word: string) => `"${visibleLine(word)}"`
  const lines = Object.entries(corrected ?? {}).map(
    ([typed, used]) => `Searched for ${quoted(used)}: no note contains ${quoted(typed)}.`,
  )
  if (excluded?.length) lines.push(`Excluded: notes that contain ${excluded.map(quoted).join(' or ')}.`)
  if (phraseMissed) lines.push('No note contains the exact phrase. These notes contain its words.')
  return lines.join('\n')
}

/** Describes what the index lacks, with advice; '' if it is complete. */
export function showFreshness(freshness: SearchAnswer['freshness']): string {
  if (freshness === 'fresh') return ''
  if (freshness === 'without vectors') {
    return 'Found by words only: the semantic vectors were damaged. To rebuild them: notewright index'
  }
  const left = Number(/\d+/.exec(freshness)?.[0])
  return `${count(left, 'new or changed file')} not searched yet. To index them: notewright index`
}

interface Drawing {
  digits: number
  style: Style
  width: number
}

function showHit(hit: SearchHit, number: number, query: string, { digits, style, width }: Drawing): string {
  const indent = ' '.repeat(digits + 2)
  const room = (Number.isFinite(width) ? Math.min(width, 100) : width) - indent.length
  const score = hit.score.toFixed(2)
  const title = cutToWidth(visibleLine(hit.title), room - score.length - 2)
  // On the right of a screen; where lines have no end, right after.
  const gap = Number.isFinite(room) ? padToWidth('', room - textWidth(title) - score.length) : '  '
  const head = `${String(number).padStart(digits)}  ${style.strong(title)}${gap}${style.faint(score)}`
  const lines = [head, indent + place(hit, room, style)]
  for (const line of wrapToWidth(visibleLine(hit.preview), room, 3))
    lines.push(indent + highlight(line, query, style.match))
  if (hit.why !== undefined) lines.push(...why(hit.why).map((line) => indent + style.faint(cutToWidth(line, room))))
  return lines.join('\n')
}

function place({ path, lines, heading, title }: SearchHit, room: number, style: Style): string {
  const where = `${visibleLine(path)}:${lines[0]}${lines[1] === lines[0] ? '' : `-${lines[1]}`}`
  const under = heading === '' || heading === title ? '' : ` › ${visibleLine(heading)}`
  const shown = cutPath(where, room)
  return style.path(shown) + style.faint(cutToWidth(under, room - textWidth(shown)))
}

function why(parts: Record<string, unknown>): string[] {
  return Object.entries(parts).map(([name, value]) => `${visibleLine(name)}: ${visibleLine(plain(value))}`)
}

function plain(value: unknown): string {
  if (typeof value === 'number') return Number.isInteger(value) ? String(value) : value.toFixed(3)
  if (Array.isArray(value)) return value.map(plain).join(', ')
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value)
      .map(([name, part]) => `${name} ${plain(part)}`)
      .join(', ')
  }
  return String(value)
}

/** Paints the words of a query, and words that begin with them, in a text. */
export function highlight(text: string, query: string, paint: Paint): string {
  const words = query.match(/[\p{L}\p{M}\p{N}]+/gu)?.slice(0, 32) ?? []
  const patterns = telling(words).map(patternOf)
  if (patterns.length === 0) return text
  return text.replace(new RegExp(patterns.join('|'), 'giu'), (found) => paint(found))
}

/** Short words ("the", "at") are too common: they are painted only if the query has no longer ones. */
function telling(words: string[]): string[] {
  const longer = words.filter((word) => word.length > 3 || isUnspaced(word) || /\p{N}|^\p{Lu}+$/u.test(word))
  return longer.length > 0 ? longer : words.filter((word) => word.length > 1)
}

/** Scripts written without spaces match inside a run of characters; others only at the start of a word. */
function patternOf(word: string): string {
  if (isUnspaced(word)) return word
  // The last letters of a long word are its ending: "gardens" also finds "gardening".
  const stem = word.length > 5 ? word.slice(0, -Math.min(3, word.length - 4)) : word
  return `(?<![\\p{L}\\p{M}\\p{N}])(?:${word}|${stem}[\\p{L}\\p{M}]{0,5}(?![\\p{L}\\p{M}\\p{N}]))[\\p{L}\\p{M}\\p{N}]*`
}

function isUnspaced(word: string): boolean {
  return /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(word)
}
