import { Failure } from '../errors.js'
import { boundedExpression, nearestName } from '../text/index.js'
import type { NotePath } from '../vault/index.js'
import type { BaseFile, BaseFiles, BaseLink } from './base-files.js'
import type { ExpressionContext } from './evaluate.js'
import {
  asDate,
  DateValue,
  DisplayValue,
  DurationValue,
  dateAt,
  FileValue,
  formatDate,
  instantOf,
  isEmptyValue,
  isEqual,
  isTruthy,
  LinkValue,
  type ObjectValue,
  PatternValue,
  readDuration,
  readLink,
  relativeText,
  sortOrder,
  textOf,
  typeOf,
  type Value,
} from './values.js'

/**
 * The functions and fields of Obsidian Bases. Those that take an expression instead of a value (`if`, `filter`, `map`,
 * `reduce`) are part of the evaluation.
 */
export function callFunction(name: string, inputs: readonly Value[], context: ExpressionContext): Value {
  const run = functions.get(name)
  if (run === undefined)
    throw new Failure('invalid-input', `Unknown function in the expression: ${name.slice(0, 60)}()`)
  return run(inputs, context)
}

/** A missing value has no functions but a few; others return a missing value again. */
export function callMethod(
  value: Value,
  name: string,
  inputs: readonly Value[],
  context: ExpressionContext,
  work: Work,
): Value {
  const type = typeOf(value)
  const run = methods[type]?.get(name) ?? anyMethods.get(name)
  if (run !== undefined) return run(value as never, inputs, context, work)
  if (value === null) return name.startsWith('contains') || name.startsWith('has') ? false : null
  // A property with a date may be used as the text it is written as.
  if (value instanceof DateValue && methods.string?.has(name)) {
    return callMethod(value.source ?? textOf(value), name, inputs, context, work)
  }
  // A single value may be used as a list with one element, as in notes that have `author: Ana` and `author: [Ana, Ben]`.
  if (methods.list?.has(name)) return callMethod([value], name, inputs, context, work)
  const near = nearestName(name, [...(methods[type]?.keys() ?? []), ...anyMethods.keys()])
  throw new Failure('invalid-input', `${name.slice(0, 60)}() cannot be used with a value of type ${type}.`, {
    hint: near === undefined ? undefined : `Did you mean ${near}()?`,
  })
}

/** A field of a value, as in `file.name` or `due.year`; null if it has none of that name. */
export function fieldOf(value: Value, name: string, context: ExpressionContext): Value {
  if (typeof value === 'string') return name === 'length' ? value.length : null
  if (Array.isArray(value)) return name === 'length' ? value.length : null
  if (value instanceof DateValue) return dateFields.get(name)?.(new Date(value.wall)) ?? null
  if (value instanceof FileValue) return fileFields.get(name)?.(value.file, context) ?? null
  if (value instanceof LinkValue && value.file !== undefined) return fieldOf(new FileValue(value.file), name, context)
  return null
}

/** A link to what a text names: a wikilink, a path, an address. */
export function linkTo(
  text: string,
  display: Value | undefined,
  from: NotePath,
  files: BaseFiles,
  only?: 'wikilinks only',
): LinkValue | undefined {
  const written = readLink(text)
  if (written === undefined && only !== undefined) return undefined
  const target = written?.target ?? text
  const shown = display ?? written?.display
  return new LinkValue(target, shown, files.find(target.replace(/#.*$/s, ''), from))
}

export function patternOf(source: string, flags: string): PatternValue {
  const expression = /^[gims]*$/.test(flags)
    ? boundedExpression(source, {
        ignoreCase: flags.includes('i'),
        multiline: flags.includes('m'),
        dotAll: flags.includes('s'),
        mostSteps: 20_000,
      })
    : undefined
  if (expression === undefined) {
    throw new Failure('invalid-input', `The regular expression /${source.slice(0, 80)}/${flags} is not supported.`, {
      hint: 'Use the flags g, i, m and s, and no references to groups.',
    })
  }
  return new PatternValue(source, flags.includes('g'), expression)
}

/** Counts work; throws when it is too much. */
interface Work {
  spend: (steps: number) => void
}

type Method<Of extends Value = never> = (
  value: Of,
  inputs: readonly Value[],
  context: ExpressionContext,
  work: Work,
) => Value

const functions: ReadonlyMap<string, (inputs: readonly Value[], context: ExpressionContext) => Value> = new Map<
  string,
  (inputs: readonly Value[], context: ExpressionContext) => Value
>([
  ['escapeHTML', ([html = null]) => textOf(html).replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)],
  [
    'date',
    ([input = null], { zone }) =>
      readInput(input, (date) => (typeof date === 'number' ? dateOfNumber(date, zone) : asDate(date)), 'date'),
  ],
  ['duration', ([input = null]) => readInput(input, asDuration, 'duration')],
  ['file', ([input = null], context) => fileValue(input, context)],
  ['link', ([input = null, display], { file, files }) => makeLink(input, display, file, files)],
  ['html', ([input = null]) => new DisplayValue('html', textOf(input))],
  ['icon', ([input = null]) => new DisplayValue('icon', textOf(input))],
  ['image', ([input = null]) => new DisplayValue('image', textOf(input))],
  ['list', ([input = null]) => (Array.isArray(input) ? input : [input])],
  ['max', (inputs) => extreme(inputs, 1)],
  ['min', (inputs) => extreme(inputs, -1)],
  ['now', (_, { now, zone }) => dateAt(now, zone)],
  ['today', (_, { now, zone }) => withoutTime(dateAt(now, zone))],
  ['number', ([input = null], { zone }) => toNumber(input, zone)],
  ['random', () => Math.random()],
])

export const functionNames: ReadonlySet<string> = new Set(functions.keys())

function readInput<Found extends Value>(input: Value, read: (input: Value) => Found | undefined, type: string): Value {
  if (isEmptyValue(input)) return null
  const found = read(input)
  if (found !== undefined) return found
  throw new Failure('invalid-input', `"${textOf(input).slice(0, 60)}" is not a ${type}.`, {
    hint:
      type === 'date' ? 'Write dates as YYYY-MM-DD or YYYY-MM-DD HH:mm:ss.' : 'Write durations as 1d, 2 weeks or 3M.',
  })
}

/** Years that a number of milliseconds can mean in every time zone. */
const dateOfNumber = (ms: number, zone: ExpressionContext['zone']): DateValue | undefined =>
  Math.abs(ms) < 8.6e15 ? dateAt(ms, zone) : undefined

const asDuration = (value: Value): DurationValue | undefined =>
  value instanceof DurationValue ? value : typeof value === 'string' ? readDuration(value) : undefined

function toNumber(input: Value, zone: ExpressionContext['zone']): Value {
  if (input instanceof DateValue) return instantOf(input, zone)
  if (input === null || typeof input === 'number') return input
  if (typeof input === 'boolean') return Number(input)
  const number = Number(textOf(input).trim() || Number.NaN)
  if (Number.isFinite(number)) return number
  throw new Failure('invalid-input', `"${textOf(input).slice(0, 60)}" is not a number.`)
}

function extreme(inputs: readonly Value[], sign: 1 | -1): Value {
  const values = inputs.flat().filter((value): value is Value => !isEmptyValue(value ?? null))
  return values.reduce<Value>(
    (best, value) => (best === null || sign * sortOrder(value, best) > 0 ? value : best),
    null,
  )
}

function withoutTime({ wall }: DateValue): DateValue {
  return new DateValue(Math.floor(wall / 86_400_000) * 86_400_000, false)
}

function makeLink(input: Value, display: Value | undefined, file: BaseFile, files: BaseFiles): Value {
  if (input instanceof FileValue) return new LinkValue(input.file.path, display, input.file)
  if (input instanceof LinkValue) return new LinkValue(input.target, display ?? input.display, input.file)
  return isEmptyValue(input) ? null : (linkTo(textOf(input), display, file.path, files) ?? null)
}

function fileValue(input: Value, context: ExpressionContext): Value {
  const file = fileOf(input, context)
  return file === undefined ? null : new FileValue(file)
}

function fileOf(input: Value | undefined, { file, files }: ExpressionContext): BaseFile | undefined {
  if (input instanceof FileValue || input instanceof LinkValue) return input.file
  if (typeof input !== 'string' || input === '') return undefined
  return linkTo(input, undefined, file.path, files)?.file
}

const anyMethods: ReadonlyMap<string, Method<Value>> = new Map<string, Method<Value>>([
  ['isTruthy', (value) => isTruthy(value)],
  ['isType', (value, [type = null]) => typeOf(value) === textOf(type).toLowerCase()],
  ['toString', (value) => textOf(value)],
  ['isEmpty', (value) => isEmptyValue(value)],
])

const dateFields: ReadonlyMap<string, (date: Date) => number> = new Map<string, (date: Date) => number>([
  ['year', (date) => date.getUTCFullYear()],
  ['month', (date) => date.getUTCMonth() + 1],
  ['day', (date) => date.getUTCDate()],
  ['hour', (date) => date.getUTCHours()],
  ['minute', (date) => date.getUTCMinutes()],
  ['second', (date) => date.getUTCSeconds()],
  ['millisecond', (date) => date.getUTCMilliseconds()],
])

const dateMethods = new Map<string, Method<DateValue>>([
  ['date', (date) => withoutTime(date)],
  ['format', (date, [format = null], { zone }) => formatDate(date, textOf(format).slice(0, 200), zone)],
  ['time', (date) => new Date(date.wall).toISOString().slice(11, 19)],
  ['relative', (date, _, { now, zone }) => relativeText(dateAt(now, zone).wall - date.wall)],
])

const stringMethods = new Map<string, Method<string>>([
  ['contains', (text, [part = null]) => includesText(text, part)],
  ['containsAll', (text, parts) => parts.every((part) => includesText(text, part))],
  ['containsAny', (text, parts) => parts.some((part) => includesText(text, part))],
  ['startsWith', (text, [part = null]) => text.startsWith(textOf(part))],
  ['endsWith', (text, [part = null]) => text.endsWith(textOf(part))],
  ['lower', (text) => text.toLowerCase()],
  ['upper', (text) => text.toUpperCase()],
  [
    'title',
    (text) => text.replace(/[\p{L}\p{N}'’]+/gu, (word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase()),
  ],
  ['trim', (text) => text.trim()],
  ['reverse', (text) => [...text].reverse().join('')],
  ['repeat', (text, [count = null]) => text.repeat(repetitions(text, count))],
  ['replace', (text, [pattern = null, by = null]) => replaceIn(text, pattern, textOf(by))],
  ['slice', (text, [start, end]) => text.slice(place(start), place(end))],
  ['split', (text, [separator = null, most]) => splitText(text, separator).slice(0, place(most))],
])

const includesText = (text: string, part: Value): boolean => text.includes(textOf(part))
const place = (value: Value | undefined): number | undefined => (typeof value === 'number' ? value : undefined)

function repetitions(text: string, count: Value): number {
  const times = typeof count === 'number' && count > 0 ? Math.floor(count) : 0
  if (times * text.length > 100_000) throw new Failure('too-large', 'The expression makes a text that is too long.')
  return times
}

function replaceIn(text: string, pattern: Value, by: string): string {
  if (!(pattern instanceof PatternValue)) {
    const part = textOf(pattern)
    return part === '' ? text : text.split(part).join(by)
  }
  let [result, from] = ['', 0]
  for (const { start, end, groups } of matchesOf(pattern, text)) {
    const words = by.replace(/\$(\$|&|\d{1,2})/g, (whole, sign: string) => {
      if (sign === '$') return '$'
      if (sign === '&') return text.slice(start, end)
      return Number(sign) >= 1 && Number(sign) <= groups.length ? (groups[Number(sign) - 1] ?? '') : whole
    })
    result += text.slice(from, start) + words
    from = end
    if (!pattern.isGlobal) break
  }
  return result + text.slice(from)
}

function splitText(text: string, separator: Value): string[] {
  if (!(separator instanceof PatternValue)) return text.split(textOf(separator))
  const parts: string[] = []
  let from = 0
  for (const { start, end } of matchesOf(separator, text)) {
    if (end === 0 || start === text.length) continue
    parts.push(text.slice(from, start))
    from = end
  }
  return [...parts, text.slice(from)]
}

function* matchesOf(
  { expression }: PatternValue,
  text: string,
): Generator<{ start: number; end: number; groups: (string | undefined)[] }> {
  for (let from = 0; from <= text.length; ) {
    const found = expression.exec(text, from)
    if (found === undefined) return
    yield found
    from = found.end > found.start ? found.end : found.end + 1
  }
}

const numberMethods = new Map<string, Method<number>>([
  ['abs', (number) => Math.abs(number)],
  ['ceil', (number) => Math.ceil(number)],
  ['floor', (number) => Math.floor(number)],
  ['round', (number, [digits]) => rounded(number, places(digits))],
  ['toFixed', (number, [digits]) => number.toFixed(places(digits))],
])

const places = (digits: Value | undefined): number =>
  typeof digits === 'number' ? Math.min(15, Math.max(0, Math.floor(digits) || 0)) : 0

function rounded(number: number, digits: number): number {
  const result = Number(`${Math.round(Number(`${number}e${digits}`))}e-${digits}`)
  return Number.isNaN(result) ? number : result
}

const listMethods = new Map<string, Method<Value[]>>([
  ['contains', (list, [wanted = null]) => includesValue(list, wanted)],
  ['containsAll', (list, wanted, _, work) => each(list, wanted, work).every((one) => includesValue(list, one))],
  ['containsAny', (list, wanted, _, work) => each(list, wanted, work).some((one) => includesValue(list, one))],
  ['flat', (list) => list.flatMap((value) => value)],
  ['join', (list, [between = ', ']) => list.map(textOf).join(textOf(between))],
  ['reverse', (list) => [...list].reverse()],
  ['slice', (list, [start, end]) => list.slice(place(start), place(end))],
  ['sort', (list) => [...list].sort(sortOrder)],
  ['unique', (list, _, __, work) => unique(list, work)],
  ['mean', (list) => mean(numbersOf(list))],
  ['sum', (list) => sum(numbersOf(list))],
])

const includesValue = (list: readonly Value[], wanted: Value): boolean => list.some((one) => isEqual(one, wanted))

function each(list: readonly Value[], wanted: readonly Value[], work: Work): readonly Value[] {
  work.spend(list.length * wanted.length)
  return wanted
}

function unique(list: readonly Value[], work: Work): Value[] {
  const found: Value[] = []
  for (const value of list) {
    work.spend(found.length)
    if (!includesValue(found, value)) found.push(value)
  }
  return found
}

const numbersOf = (list: readonly Value[]): number[] => list.filter((value) => typeof value === 'number')
const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)
const mean = (numbers: readonly number[]): Value => (numbers.length === 0 ? null : sum(numbers) / numbers.length)

const objectMethods = new Map<string, Method<ObjectValue>>([
  ['keys', ({ entries }) => [...entries.keys()]],
  ['values', ({ entries }) => [...entries.values()]],
])

const linkMethods = new Map<string, Method<LinkValue>>([
  ['asFile', ({ file }) => (file === undefined ? null : new FileValue(file))],
  ['linksTo', ({ file }, [other], context) => file !== undefined && hasLink(file, other, context)],
])

const fileMethods = new Map<string, Method<FileValue>>([
  ['asLink', ({ file }, [display]) => new LinkValue(file.path, display, file)],
  ['hasLink', ({ file }, [other], context) => hasLink(file, other, context)],
  ['hasProperty', ({ file }, [name = null]) => Object.hasOwn(file.properties ?? {}, textOf(name))],
  ['hasTag', ({ file }, tags) => tags.flat().some((tag) => hasTag(file, textOf(tag ?? null)))],
  ['inFolder', ({ file }, [folder = null]) => isInFolder(file, textOf(folder))],
])

function hasLink(file: BaseFile, other: Value | undefined, context: ExpressionContext): boolean {
  const target = fileOf(other, context)?.path
  const links = context.files.linksOf(file.path)
  if (target !== undefined) return links.some((link) => link.target === target)
  const text = textOf(other ?? null).toLowerCase()
  return text !== '' && links.some((link) => link.target === undefined && link.text.toLowerCase() === text)
}

/** `project` also finds `project/beta`. */
function hasTag({ tags }: BaseFile, tag: string): boolean {
  const wanted = tag.trim().replace(/^#/, '').toLowerCase()
  if (wanted === '') return false
  return tags.some((each) => each.toLowerCase() === wanted || each.toLowerCase().startsWith(`${wanted}/`))
}

function isInFolder({ path }: BaseFile, folder: string): boolean {
  const wanted = folder.replace(/^\/+|\/+$/g, '')
  return wanted === '' || path.toLowerCase().startsWith(`${wanted.toLowerCase()}/`)
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** Name and extension. A dot at the start begins no extension. */
function splitName(path: string): [name: string, extension: string] {
  const name = nameOf(path)
  const dot = name.lastIndexOf('.')
  return dot > 0 ? [name.slice(0, dot), name.slice(dot + 1)] : [name, '']
}

const fileFields: ReadonlyMap<string, (file: BaseFile, context: ExpressionContext) => Value> = new Map<
  string,
  (file: BaseFile, context: ExpressionContext) => Value
>([
  ['name', ({ path }) => nameOf(path)],
  ['basename', ({ path }) => splitName(path)[0]],
  ['path', ({ path }) => path],
  ['folder', ({ path }) => path.slice(0, Math.max(0, path.lastIndexOf('/')))],
  ['ext', ({ path }) => splitName(path)[1]],
  ['size', ({ size }) => size],
  ['tags', ({ tags }) => [...tags]],
  ['ctime', ({ ctimeMs }, { zone }) => dateAt(ctimeMs, zone)],
  ['mtime', ({ mtimeMs }, { zone }) => dateAt(mtimeMs, zone)],
  ['links', ({ path }, context) => linkValues(path, context, () => true)],
  ['embeds', ({ path }, context) => linkValues(path, context, ({ isEmbed }) => isEmbed)],
  ['backlinks', ({ path }, { files }) => files.backlinksOf(path).flatMap((source) => fileList(files.at(source)))],
  ['file', (file) => new FileValue(file)],
  // Ours: Bases has no word count.
  ['words', ({ path }, { files }) => files.wordsOf(path)],
])

const fileList = (file: BaseFile | undefined): Value[] => (file === undefined ? [] : [new FileValue(file)])

function linkValues(path: string, { files }: ExpressionContext, isWanted: (link: BaseLink) => boolean): Value[] {
  return files
    .linksOf(path)
    .filter(isWanted)
    .map(
      ({ text, display, target }) => new LinkValue(text, display, target === undefined ? undefined : files.at(target)),
    )
}

const patternMethods = new Map<string, Method<PatternValue>>([
  ['matches', ({ expression }, [text = null]) => expression.test(textOf(text))],
])

const methods: Readonly<Record<string, ReadonlyMap<string, Method>>> = {
  date: dateMethods,
  string: stringMethods,
  number: numberMethods,
  list: listMethods,
  object: objectMethods,
  link: linkMethods,
  file: fileMethods,
  regexp: patternMethods,
}

export const methodNames: ReadonlySet<string> = new Set(
  [anyMethods, ...Object.values(methods)].flatMap((each) => [...each.keys()]),
)
