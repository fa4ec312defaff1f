import { Failure } from '../errors.js'
import { isRecord } from '../is-record.js'
import { readFullYaml } from '../markdown/index.js'
import { nearestName } from '../text/index.js'
import type { TimeZone } from '../time/index.js'
import type { NotePath } from '../vault/index.js'
import { checkFunctions, evaluate } from './evaluate.js'
import { type Expression, parseExpression } from './parse-expression.js'
import { columnExpression, type Filter, type NoteQuery, type SortKey } from './run-query.js'
import { compareValues, DateValue, DurationValue, isEmptyValue, isEqual, textOf, type Value } from './values.js'

/** The content of a `.base` file, or of a `base` code block. */
export interface BaseDefinition {
  filters: Filter[]
  formulas: Record<string, string>
  /** Names to show instead of a property's own, by property. */
  displayNames: Record<string, string>
  /** Formulas over all values of a column, by name. */
  summaries: Record<string, string>
  views: BaseView[]
}

export interface BaseView {
  name: string
  type: string
  filters: Filter[]
  /** Properties in the order of their columns. */
  columns: string[]
  sort: SortKey[]
  groupBy: SortKey | undefined
  limit: number | undefined
  /** Name of a summary, by property. */
  summaries: Record<string, string>
}

/**
 * Reads a base. Invalid input fails with `invalid-input` and a sentence that names the place; keys that Bases does not
 * define are left to the plugins that do.
 */
export function parseBase(text: string): BaseDefinition {
  if (text.trim() === '') return { filters: [], formulas: {}, displayNames: {}, summaries: {}, views: [] }
  const yaml = readFullYaml(text, 0)
  if (yaml.reading === undefined) {
    const line = yaml.at === undefined ? '' : `, line ${text.slice(0, yaml.at).split('\n').length}`
    throw invalidBase(`it is not valid YAML (${yaml.errors[0] ?? 'unreadable'}${line})`)
  }
  const { data } = yaml.reading
  const base: BaseDefinition = {
    filters: readFilters(data.filters, 'filters'),
    formulas: texts(data.formulas, 'formulas'),
    displayNames: displayNames(data.properties),
    summaries: texts(data.summaries, 'summaries'),
    views: readViews(data.views),
  }
  checkBase(base, (part) => lineWith(text, part))
  return base
}

/** The view with this name, whatever its capitals, or the first one; a base without views has one with the file names. */
export function viewNamed(base: BaseDefinition, name: string | undefined): BaseView {
  if (name === undefined) return base.views[0] ?? emptyView
  const found = base.views.find((view) => view.name.toLowerCase() === name.toLowerCase())
  if (found !== undefined) return found
  const names = base.views.map((view) => view.name)
  throw new Failure('not-found', `The base has no view named "${name.slice(0, 60)}".`, {
    hint: names.length === 0 ? 'It has no views.' : `Its views are ${names.slice(0, 20).join(', ')}.`,
  })
}

/** The query of a view. `shownIn` is the file that contains the base. */
export function baseQuery(
  base: BaseDefinition,
  view: BaseView,
  { shownIn, limit, cursor }: { shownIn: NotePath | undefined; limit: number; cursor: string | undefined },
): NoteQuery {
  return {
    filters: [...base.filters, ...view.filters],
    formulas: base.formulas,
    columns: view.columns,
    sort: view.sort,
    groupBy: view.groupBy,
    files: 'all',
    limit,
    cursor,
    shownIn,
  }
}

/** The summaries of a view: column, name and value of each. */
export function summarize(
  base: BaseDefinition,
  view: BaseView,
  columnValues: readonly (readonly Value[])[],
  zone: TimeZone,
  now: number,
): { property: string; summary: string; value: string }[] {
  return Object.entries(view.summaries).flatMap(([property, summary]) => {
    const values = columnValues[view.columns.indexOf(property)]
    if (values === undefined) return []
    const builtIn = builtInSummaries[summary]
    const custom = base.summaries[summary]
    const value =
      custom !== undefined ? customSummary(custom, values, zone, now) : builtIn === undefined ? null : builtIn(values)
    return [{ property, summary, value: textOf(value) }]
  })
}

const emptyView: BaseView = {
  name: 'All files',
  type: 'table',
  filters: [],
  columns: ['file.name'],
  sort: [],
  groupBy: undefined,
  limit: undefined,
  summaries: {},
}

const invalidBase = (reason: string, hint?: string): Failure =>
  new Failure('invalid-input', `This is not a valid base: ${reason}.`, hint === undefined ? {} : { hint })

/** Every expression can be read, and every name that a view uses is defined. */
function checkBase(base: BaseDefinition, placeOf: (part: string) => string): void {
  const check = (where: string, written: string, read: (written: string) => Expression): void => {
    try {
      checkFunctions(read(written))
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      throw invalidBase(`${where}: ${error.message.replace(/\.$/, '')}${placeOf(written)}`, error.details.hint)
    }
  }
  const checkFilters = (where: string, filters: readonly Filter[]): void => {
    for (const filter of filters) {
      if (typeof filter === 'string') check(where, filter, parseExpression)
      else checkFilters(where, 'and' in filter ? filter.and : 'or' in filter ? filter.or : filter.not)
    }
  }
  checkFilters('filters', base.filters)
  for (const [name, formula] of Object.entries(base.formulas)) check(`formula ${name}`, formula, parseExpression)
  for (const [name, formula] of Object.entries(base.summaries)) check(`summary ${name}`, formula, parseExpression)
  for (const view of base.views) {
    checkFilters(`view ${view.name}`, view.filters)
    const columns = [
      ...view.columns,
      ...[...view.sort, ...(view.groupBy ? [view.groupBy] : [])].map(({ property }) => property),
    ]
    for (const column of columns) {
      check(`view ${view.name}`, column, columnExpression)
      const formula = /^formula\.(.+)$/s.exec(column)?.[1]
      if (formula !== undefined && !Object.hasOwn(base.formulas, formula)) {
        throw invalidBase(`view ${view.name} shows formula.${formula}, which is not defined${placeOf(column)}`)
      }
    }
    for (const summary of Object.values(view.summaries)) {
      if (Object.hasOwn(base.summaries, summary) || Object.hasOwn(builtInSummaries, summary)) continue
      const near = nearestName(summary, [...Object.keys(base.summaries), ...Object.keys(builtInSummaries)])
      throw invalidBase(
        `view ${view.name} uses the summary ${summary}, which is not defined${placeOf(summary)}`,
        near === undefined ? undefined : `Did you mean ${near}?`,
      )
    }
  }
}

/** " (line 7)" for the first line that contains a part of the base; '' if YAML writes it in another way. */
function lineWith(text: string, part: string): string {
  const lines = text.split('\n')
  const at = part === '' ? -1 : lines.findIndex((line) => line.includes(part))
  return at < 0 ? '' : ` (line ${at + 1})`
}

function readFilters(value: unknown, where: string, depth = 0): Filter[] {
  if (value === undefined || value === null) return []
  if (depth > 50) throw invalidBase(`${where} is nested too deeply`)
  return [readFilter(value, where, depth)]
}

function readFilter(value: unknown, where: string, depth: number): Filter {
  if (typeof value === 'string') return value
  // `- true` and `- 1` are expressions, too.
  if (typeof value === 'boolean' || typeof value === 'number') return String(value)
  const keys = isRecord(value) ? Object.keys(value) : []
  const [key] = keys
  if (!isRecord(value) || keys.length !== 1 || (key !== 'and' && key !== 'or' && key !== 'not')) {
    throw invalidBase(`${where} must be an expression, or one of and, or, not with a list of filters`)
  }
  const items = Array.isArray(value[key]) ? (value[key] as unknown[]) : [value[key]]
  const filters = items.flatMap((item) => readFilters(item, `${where}.${key}`, depth + 1))
  return key === 'and' ? { and: filters } : key === 'or' ? { or: filters } : { not: filters }
}

function texts(value: unknown, where: string): Record<string, string> {
  if (value === undefined || value === null) return {}
  if (!isRecord(value)) throw invalidBase(`${where} must be a list of names with an expression each`)
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => {
      if (typeof each !== 'string' && typeof each !== 'number' && typeof each !== 'boolean') {
        throw invalidBase(`${where}.${name} must be an expression`)
      }
      return [name, String(each)]
    }),
  )
}

function displayNames(value: unknown): Record<string, string> {
  if (!isRecord(value)) return {}
  return Object.fromEntries(
    Object.entries(value).flatMap(([property, settings]) =>
      isRecord(settings) && typeof settings.displayName === 'string' ? [[property, settings.displayName]] : [],
    ),
  )
}

function readViews(value: unknown): BaseView[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) throw invalidBase('views must be a list')
  return value.map((view, at) => {
    const where = `views[${at}]`
    if (!isRecord(view)) throw invalidBase(`${where} must have a type and a name`)
    const order: unknown = view.order ?? ['file.name']
    if (!Array.isArray(order) || !order.every((each) => typeof each === 'string')) {
      throw invalidBase(`${where}.order must be a list of properties`)
    }
    if (view.limit !== undefined && !(typeof view.limit === 'number' && view.limit >= 1)) {
      throw invalidBase(`${where}.limit must be a number of at least 1`)
    }
    return {
      name: typeof view.name === 'string' ? view.name : `View ${at + 1}`,
      type: typeof view.type === 'string' ? view.type : 'table',
      filters: readFilters(view.filters, `${where}.filters`),
      columns: order,
      sort: Array.isArray(view.sort) ? view.sort.map((key, each) => sortKey(key, `${where}.sort[${each}]`)) : [],
      groupBy:
        view.groupBy === undefined || view.groupBy === null ? undefined : sortKey(view.groupBy, `${where}.groupBy`),
      limit: view.limit === undefined ? undefined : Math.floor(Number(view.limit)),
      summaries: texts(view.summaries, `${where}.summaries`),
    }
  })
}

function sortKey(value: unknown, where: string): SortKey {
  if (typeof value === 'string') return { property: value }
  if (!isRecord(value) || typeof value.property !== 'string') throw invalidBase(`${where} must name a property`)
  const { direction: written = 'ASC' } = value
  const direction = typeof written === 'string' ? written.toUpperCase() : ''
  if (direction !== 'ASC' && direction !== 'DESC') throw invalidBase(`${where}.direction must be ASC or DESC`)
  return { property: value.property, direction }
}

// Summaries

type Summary = (values: readonly Value[]) => Value

const numbers = (values: readonly Value[]): number[] => values.filter((value) => typeof value === 'number')
const dates = (values: readonly Value[]): DateValue[] => values.filter((value) => value instanceof DateValue)
const filled = (values: readonly Value[]): Value[] => values.filter((value) => !isEmptyValue(value))
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

/** Something of the numbers; null if there are none. */
const ofNumbers =
  (compute: (numbers: number[]) => number): Summary =>
  (values) => {
    const found = numbers(values)
    return found.length === 0 ? null : compute(found)
  }

/** The first or last in order; null if there is none. */
function extreme(values: readonly Value[], sign: 1 | -1): Value {
  return values.reduce<Value>(
    (best, value) => (best === null || sign * (compareValues(value, best) ?? 0) > 0 ? value : best),
    null,
  )
}

function range(values: readonly Value[]): Value {
  const [first, last] = [extreme(dates(values), -1), extreme(dates(values), 1)]
  if (first instanceof DateValue && last instanceof DateValue) return new DurationValue(0, last.wall - first.wall)
  return ofNumbers((found) => largest(found) - smallest(found))(values)
}

const largest = (found: readonly number[]): number => found.reduce((a, b) => Math.max(a, b))
const smallest = (found: readonly number[]): number => found.reduce((a, b) => Math.min(a, b))

function median(found: readonly number[]): number {
  const sorted = [...found].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? 0
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? 0)) / 2
}

function deviation(found: readonly number[]): number {
  const mean = sum(found) / found.length
  return Math.sqrt(sum(found.map((value) => (value - mean) ** 2)) / found.length)
}

function countUnique(values: readonly Value[]): number {
  const seen = new Map<string, Value[]>()
  for (const value of values) {
    const same = seen.get(textOf(value)) ?? []
    if (!same.some((each) => isEqual(each, value))) seen.set(textOf(value), [...same, value])
  }
  return [...seen.values()].reduce((total, { length }) => total + length, 0)
}

const builtInSummaries: Readonly<Record<string, Summary>> = {
  Average: ofNumbers((found) => sum(found) / found.length),
  Min: ofNumbers(smallest),
  Max: ofNumbers(largest),
  Sum: ofNumbers(sum),
  Range: range,
  Median: ofNumbers(median),
  Stddev: ofNumbers(deviation),
  Earliest: (values) => extreme(dates(values), -1),
  Latest: (values) => extreme(dates(values), 1),
  Checked: (values) => values.filter((value) => value === true).length,
  Unchecked: (values) => values.filter((value) => value === false).length,
  Empty: (values) => values.length - filled(values).length,
  Filled: (values) => filled(values).length,
  Unique: (values) => countUnique(filled(values)),
}

/** A summary formula sees the values alone, no file. */
function customSummary(formula: string, values: readonly Value[], zone: TimeZone, now: number): Value {
  const nowhere = '' as NotePath
  const file = { path: nowhere, size: 0, ctimeMs: 0, mtimeMs: 0, tags: [], properties: null }
  const files = {
    at: () => undefined,
    find: () => undefined,
    linksOf: () => [],
    backlinksOf: () => [],
    wordsOf: () => 0,
  }
  return evaluate(parseExpression(formula), { file, files, now, zone }, new Map([['values', [...values]]]))
}
