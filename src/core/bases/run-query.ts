import { Failure } from '../errors.js'
import {
  fileNames,
  type NoteIndex,
  resolveLink,
  type StoredLink,
  type StoredNote,
  yieldToHost,
} from '../index/index.js'
import type { TimeZone } from '../time/index.js'
import type { NotePath } from '../vault/index.js'
import type { BaseFile, BaseFiles, BaseLink } from './base-files.js'
import { checkFunctions, type ExpressionContext, evaluate } from './evaluate.js'
import { type Expression, parseExpression, partsOfExpression } from './parse-expression.js'
import { isEqual, isTruthy, jsonValue, sortOrder, textOf, type Value } from './values.js'

/** A filter as a `.base` file has it: an expression, or filters joined by `and`, `or` or `not`. */
export type Filter = string | { and: Filter[] } | { or: Filter[] } | { not: Filter[] }

export interface SortKey {
  property: string
  direction?: 'ASC' | 'DESC' | undefined
}

export interface NoteQuery {
  /** All must hold. */
  filters?: readonly Filter[]
  formulas?: Readonly<Record<string, string>>
  /** Properties, formulas or expressions to return for each file. */
  columns?: readonly string[]
  sort?: readonly SortKey[]
  groupBy?: SortKey | undefined
  /** Only files in this folder and below. */
  folder?: string | undefined
  /** Only files with all of these tags. */
  tags?: readonly string[] | undefined
  /** `all`: attachments, too. Default: notes alone. */
  files?: 'notes' | 'all'
  limit: number
  /** From the answer before, to continue after its last row. */
  cursor?: string | undefined
  /** The file that `this` stands for. */
  shownIn?: string | undefined
}

export interface QueryRow {
  path: NotePath
  values: unknown[]
  /** Text of the value that the rows are grouped by. */
  group?: string
}

export interface QueryAnswer {
  rows: QueryRow[]
  /** Number of files that match, on all pages. */
  total: number
  /** Set if there are more. */
  cursor?: string
  /** Files for which an expression failed, with the first reason. */
  failed?: { files: number; reason: string }
  /** All values of each column, for summaries. */
  columnValues: Value[][]
}

/** A query reads an index, with the notes that its caller may see. */
export interface QuerySource {
  index: Pick<NoteIndex, 'notes' | 'files' | 'linksFrom' | 'linksTo'>
  /** Number of words of a note. */
  countWords: (path: NotePath) => Promise<number>
  stat: (path: NotePath) => Promise<{ size: number; mtimeMs: number; ctimeMs: number } | undefined>
  now: number
  zone: TimeZone
  signal?: AbortSignal
}

/** Finds, sorts and pages the files that match. Fails with `invalid-input` for an expression that cannot be read. */
export async function runQuery(query: NoteQuery, source: QuerySource): Promise<QueryAnswer> {
  const compiled = compile(query)
  const files = await loadFiles(query, compiled.expressions, source)
  const shownIn = query.shownIn === undefined ? undefined : files.at(query.shownIn)
  const failures: { path: string; reason: string }[] = []
  const matching: Row[] = []
  const pause = yieldToHost()
  for (const file of files.all) {
    source.signal?.throwIfAborted()
    await pause()
    const context: ExpressionContext = { file, files, formulas: compiled.formulas, shownIn, ...timeOf(source) }
    const value = (expression: Expression): Value => {
      try {
        return evaluate(expression, context)
      } catch (error) {
        if (!(error instanceof Failure)) throw error
        if (failures.at(-1)?.path !== file.path) failures.push({ path: file.path, reason: error.message })
        return null
      }
    }
    if (compiled.filters.every((filter) => passes(filter, value))) matching.push(rowOf(file, compiled, value))
  }
  matching.sort(inOrder(compiled.sort))
  const start = startAfter(query.cursor, matching)
  const page = matching.slice(start, start + query.limit)
  const last = page.at(-1)
  const hasMore = start + page.length < matching.length && last !== undefined
  return {
    rows: page.map(({ path, values, group }) => ({
      path,
      values: values.map(jsonValue),
      ...(group !== undefined && { group: textOf(group) }),
    })),
    total: matching.length,
    ...(hasMore && { cursor: `${start + page.length}:${last.path}` }),
    ...(failures[0] && { failed: { files: failures.length, reason: failures[0].reason } }),
    columnValues: compiled.columns.map((_, column) => matching.map(({ values }) => values[column] ?? null)),
  }
}

interface Row {
  path: NotePath
  values: Value[]
  keys: Value[]
  group: Value | undefined
}

function rowOf(
  file: BaseFile,
  { columns, sort, groupBy }: CompiledQuery,
  value: (expression: Expression) => Value,
): Row {
  return {
    path: file.path,
    values: columns.map(value),
    keys: sort.map(({ expression }) => value(expression)),
    group: groupBy && value(groupBy),
  }
}

const timeOf = ({ now, zone }: QuerySource): Pick<ExpressionContext, 'now' | 'zone'> => ({ now, zone })

type CompiledFilter = Expression | { every: CompiledFilter[] } | { some: CompiledFilter[] } | { none: CompiledFilter[] }

interface CompiledQuery {
  filters: CompiledFilter[]
  formulas: ReadonlyMap<string, Expression>
  columns: Expression[]
  sort: { expression: Expression; isDescending: boolean }[]
  groupBy: Expression | undefined
  /** Every expression of the query. */
  expressions: Expression[]
}

function compile({ filters = [], formulas = {}, columns = [], sort = [], groupBy }: NoteQuery): CompiledQuery {
  const expressions: Expression[] = []
  const read = (text: string): Expression => {
    const expression = parseExpression(text)
    checkFunctions(expression)
    expressions.push(expression)
    return expression
  }
  const readColumn = (text: string): Expression => {
    const expression = columnExpression(text)
    checkFunctions(expression)
    expressions.push(expression)
    return expression
  }
  // Rows of one group stand together.
  const keys = [...(groupBy ? [groupBy] : []), ...sort]
  return {
    filters: filters.map((filter) => compileFilter(filter, read)),
    formulas: new Map(Object.entries(formulas).map(([name, text]) => [name, read(text)])),
    columns: columns.map(readColumn),
    sort: keys.map(({ property, direction }) => ({
      expression: readColumn(property),
      isDescending: direction === 'DESC',
    })),
    groupBy: groupBy && readColumn(groupBy.property),
    expressions,
  }
}

/** A column is an expression, or the name of a property that is none, such as `due date`. */
export function columnExpression(text: string): Expression {
  const [, prefix, name] = /^(note|formula)\.(.+)$/s.exec(text) ?? []
  if (prefix !== undefined && name !== undefined && !/[()[\]"']/.test(name)) {
    return { kind: 'member', of: { kind: 'name', name: prefix }, key: { kind: 'literal', value: name } }
  }
  try {
    return parseExpression(text)
  } catch (error) {
    if (!(error instanceof Failure) || !/^[\p{L}\p{N}][^()[\]"'<>=!&|]*$/u.test(text)) throw error
    return { kind: 'member', of: { kind: 'name', name: 'note' }, key: { kind: 'literal', value: text } }
  }
}

function compileFilter(filter: Filter, read: (text: string) => Expression, depth = 0): CompiledFilter {
  if (depth > 50) throw new Failure('invalid-input', 'The filter is nested too deeply.')
  if (typeof filter === 'string') return read(filter)
  const all = (filters: readonly Filter[]): CompiledFilter[] =>
    filters.map((each) => compileFilter(each, read, depth + 1))
  if ('and' in filter) return { every: all(filter.and) }
  return 'or' in filter ? { some: all(filter.or) } : { none: all(filter.not) }
}

function passes(filter: CompiledFilter, value: (expression: Expression) => Value): boolean {
  if ('every' in filter) return filter.every.every((each) => passes(each, value))
  if ('some' in filter) return filter.some.some((each) => passes(each, value))
  if ('none' in filter) return !filter.none.some((each) => passes(each, value))
  return isTruthy(value(filter))
}

/** Files with equal keys are in the order of their paths. Empty values come last in both directions. */
function inOrder(sort: CompiledQuery['sort']): (a: Row, b: Row) => number {
  return (a, b) => {
    for (const [at, { isDescending }] of sort.entries()) {
      const [first = null, second = null] = [a.keys[at], b.keys[at]]
      if (isEqual(first, second)) continue
      const order = sortOrder(first, second)
      const isLast = sortOrder(first, null) === 0 || sortOrder(second, null) === 0
      if (order !== 0) return isDescending && !isLast ? -order : order
    }
    return a.path < b.path ? -1 : a.path > b.path ? 1 : 0
  }
}

/** After the last row of the page before, or, if that file is gone, as many rows further. */
function startAfter(cursor: string | undefined, rows: readonly Row[]): number {
  if (cursor === undefined) return 0
  const [, offset, path] = /^(\d{1,9}):(.+)$/s.exec(cursor) ?? []
  if (offset === undefined) {
    throw new Failure('invalid-input', 'This cursor is not from an earlier answer.', {
      hint: 'Use the cursor of the answer before as it is, or leave it out.',
    })
  }
  const last = rows.findIndex((row) => row.path === path)
  return last === -1 ? Number(offset) : last + 1
}

interface LoadedFiles extends BaseFiles {
  all: readonly BaseFile[]
}

/** Loads the files a query is about, and links and word counts if its expressions use them. */
async function loadFiles(
  query: NoteQuery,
  expressions: readonly Expression[],
  source: QuerySource,
): Promise<LoadedFiles> {
  const { index } = source
  const everyNote = await index.notes()
  const paths = await index.files()
  const byPath = new Map<string, BaseFile>(everyNote.map((note) => [note.path, note]))
  if (query.files === 'all') for (const file of await attachments(paths, byPath, source)) byPath.set(file.path, file)
  const all = isNarrowed(query) ? await narrowed(query, byPath, index) : [...byPath.values()]
  const needed = lookups(expressions)
  const subjects = all.map(({ path }) => path)
  const [links, backlinks, words] = [
    new Map<string, BaseLink[]>(),
    new Map<string, NotePath[]>(),
    new Map<string, number>(),
  ]
  // A function on links may follow them to any note.
  for (const path of needed.has('links') ? everyNote.map((note) => note.path) : []) {
    source.signal?.throwIfAborted()
    links.set(path, (await index.linksFrom(path)).filter(({ kind }) => kind !== 'external').map(baseLink))
  }
  for (const path of needed.has('backlinks') ? subjects : []) {
    source.signal?.throwIfAborted()
    const sources = (await index.linksTo(path)).map((link) => link.source)
    backlinks.set(
      path,
      [...new Set(sources)].filter((each) => each !== path),
    )
  }
  for (const path of needed.has('words') ? subjects : []) {
    source.signal?.throwIfAborted()
    words.set(path, await source.countWords(path))
  }
  const names = fileNames(paths)
  return {
    all,
    at: (path) => byPath.get(path),
    find(text, from) {
      const path = text === '' ? null : resolveLink(names, from, text)
      return path === null ? undefined : byPath.get(path)
    },
    linksOf: (path) => links.get(path) ?? [],
    backlinksOf: (path) => backlinks.get(path) ?? [],
    wordsOf: (path) => words.get(path) ?? 0,
  }
}

const isNarrowed = ({ folder, tags }: NoteQuery): boolean => Boolean(folder) || (tags?.length ?? 0) > 0

async function narrowed(
  { folder, tags, files }: NoteQuery,
  byPath: ReadonlyMap<string, BaseFile>,
  index: QuerySource['index'],
): Promise<BaseFile[]> {
  if (files === 'all' && !tags?.length) {
    return [...byPath.values()].filter(({ path }) => path.startsWith(`${folder}/`))
  }
  const notes: StoredNote[] = await index.notes({ ...(folder && { folder }), ...(tags && { tags: [...tags] }) })
  return notes
}

async function attachments(
  paths: readonly NotePath[],
  known: ReadonlyMap<string, BaseFile>,
  { stat, signal }: QuerySource,
): Promise<BaseFile[]> {
  const files: BaseFile[] = []
  for (const path of paths) {
    signal?.throwIfAborted()
    if (known.has(path)) continue
    const found = await stat(path)
    if (found !== undefined) files.push({ path, tags: [], properties: null, ...found })
  }
  return files
}

function baseLink({ written, text, target, raw }: StoredLink): BaseLink {
  return {
    text: written,
    display: text === written ? undefined : text,
    target: target ?? undefined,
    isEmbed: raw.startsWith('!'),
  }
}

type Lookup = 'links' | 'backlinks' | 'words'

/** The look-ups that these expressions can ask for, by the names in them. */
function lookups(expressions: readonly Expression[]): ReadonlySet<Lookup> {
  const needed = new Set<Lookup>()
  for (const part of expressions.flatMap((expression) => [...partsOfExpression(expression)])) {
    if (part.kind === 'method' && (part.name === 'hasLink' || part.name === 'linksTo')) needed.add('links')
    // A computed key, as in `file["li" + "nks"]`, can ask for anything.
    if (part.kind === 'member' && part.key.kind !== 'literal')
      for (const each of lookupsByField.values()) needed.add(each)
    if (part.kind !== 'member' || part.key.kind !== 'literal') continue
    const lookup = lookupsByField.get(String(part.key.value))
    if (lookup !== undefined) needed.add(lookup)
  }
  return needed
}

const lookupsByField: ReadonlyMap<string, Lookup> = new Map([
  ['links', 'links'],
  ['embeds', 'links'],
  ['backlinks', 'backlinks'],
  ['words', 'words'],
])
