import type { BoundedExpression } from '../text/index.js'
import type { TimeZone } from '../time/index.js'
import { dayOf, formatMoment, instantsOf, wallTime } from '../time/index.js'
import type { BaseFile } from './base-files.js'

/** The values of expressions: what a property, a formula or a function returns. */
export type Value =
  | null
  | boolean
  | number
  | string
  | Value[]
  | ObjectValue
  | DateValue
  | DurationValue
  | LinkValue
  | FileValue
  | PatternValue
  | DisplayValue

/** Keys are looked up in the map alone, so that no expression reaches what JavaScript objects inherit. */
export class ObjectValue {
  constructor(readonly entries: ReadonlyMap<string, Value>) {}
}

/** A date and time as a clock on the wall shows it, without a zone. */
export class DateValue {
  /** `wall` is milliseconds since 1970 as if the zone were UTC. `source` is the text of a property, as written. */
  constructor(
    readonly wall: number,
    readonly hasTime: boolean,
    readonly source?: string,
  ) {}
}

export class DurationValue {
  constructor(
    readonly months: number,
    readonly ms: number,
  ) {}
}

export class LinkValue {
  /** `target` is the path or address as written; `file` what it resolves to. */
  constructor(
    readonly target: string,
    readonly display: Value | undefined,
    readonly file: BaseFile | undefined,
  ) {}
}

export class FileValue {
  constructor(readonly file: BaseFile) {}
}

export class PatternValue {
  constructor(
    readonly source: string,
    readonly isGlobal: boolean,
    readonly expression: BoundedExpression,
  ) {}
}

/** Something that a view draws: HTML, an icon, an image. Here it is text with a type. */
export class DisplayValue {
  constructor(
    readonly type: 'html' | 'icon' | 'image',
    readonly text: string,
  ) {}
}

export function typeOf(value: Value): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'list'
  if (value instanceof ObjectValue) return 'object'
  if (value instanceof DateValue) return 'date'
  if (value instanceof DurationValue) return 'duration'
  if (value instanceof LinkValue) return 'link'
  if (value instanceof FileValue) return 'file'
  if (value instanceof PatternValue) return 'regexp'
  if (value instanceof DisplayValue) return value.type
  return typeof value
}

export function isTruthy(value: Value): boolean {
  if (Array.isArray(value)) return value.length > 0
  if (value instanceof ObjectValue) return value.entries.size > 0
  return value !== null && value !== false && value !== 0 && value !== '' && !Number.isNaN(value)
}

export function isEmptyValue(value: Value): boolean {
  if (Array.isArray(value)) return value.length === 0
  if (value instanceof ObjectValue) return value.entries.size === 0
  return value === null || value === '' || Number.isNaN(value)
}

export function textOf(value: Value): string {
  if (value === null) return ''
  if (Array.isArray(value)) return value.map(textOf).join(', ')
  if (value instanceof ObjectValue) {
    return `{${[...value.entries].map(([key, each]) => `${key}: ${textOf(each)}`).join(', ')}}`
  }
  if (value instanceof DateValue) return dateText(value)
  if (value instanceof DurationValue) return durationText(value)
  if (value instanceof LinkValue) return value.display === undefined ? value.target : textOf(value.display)
  if (value instanceof FileValue) return value.file.path
  if (value instanceof PatternValue) return `/${value.source}/${value.isGlobal ? 'g' : ''}`
  if (value instanceof DisplayValue) return value.text
  return typeof value === 'number' ? numberText(value) : String(value)
}

/** Without the noise of binary fractions: 0.1 + 0.2 is 0.3. */
function numberText(value: number): string {
  return String(Number.isInteger(value) ? value : Number(value.toPrecision(15)))
}

/** A value as JSON shows it. */
export function jsonValue(value: Value): unknown {
  if (Array.isArray(value)) return value.map(jsonValue)
  if (value instanceof ObjectValue) {
    return Object.fromEntries([...value.entries].map(([key, each]) => [key, jsonValue(each)]))
  }
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  return value === null || typeof value === 'boolean' || typeof value === 'string' ? value : textOf(value)
}

/** Equality as Bases has it: dates equal their text, links what they lead to, numbers their digits. */
export function isEqual(a: Value, b: Value): boolean {
  if (a === b) return true
  if (a === null || b === null) return false
  if (Array.isArray(a) || Array.isArray(b)) {
    return (
      Array.isArray(a) &&
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((each, at) => isEqual(each, b[at] ?? null))
    )
  }
  if (a instanceof DateValue || b instanceof DateValue) {
    const [first, second] = [asDate(a), asDate(b)]
    return first !== undefined && second !== undefined && first.wall === second.wall
  }
  if (a instanceof LinkValue || a instanceof FileValue || b instanceof LinkValue || b instanceof FileValue) {
    return leadToTheSame(a, b)
  }
  if (a instanceof ObjectValue && b instanceof ObjectValue) {
    return (
      a.entries.size === b.entries.size &&
      [...a.entries].every(([key, value]) => b.entries.has(key) && isEqual(value, b.entries.get(key) ?? null))
    )
  }
  if (a instanceof DurationValue && b instanceof DurationValue) return a.months === b.months && a.ms === b.ms
  if (typeof a === 'number' && typeof b === 'string') return b.trim() !== '' && a === Number(b)
  if (typeof a === 'string' && typeof b === 'number') return isEqual(b, a)
  return false
}

function leadToTheSame(a: Value, b: Value): boolean {
  const [first, second] = [fileOf(a), fileOf(b)]
  if (first !== undefined && second !== undefined) return first.path === second.path
  return targetText(a) === targetText(b)
}

const fileOf = (value: Value): BaseFile | undefined =>
  value instanceof FileValue || value instanceof LinkValue ? value.file : undefined

function targetText(value: Value): string {
  const text = value instanceof LinkValue ? value.target : value instanceof FileValue ? value.file.path : textOf(value)
  return (readLink(text)?.target ?? text).replace(/\.md$/i, '').toLowerCase()
}

/** Negative, zero or positive; undefined for values that have no order. */
export function compareValues(a: Value, b: Value): number | undefined {
  if (a instanceof DateValue || b instanceof DateValue) {
    const [first, second] = [asDate(a), asDate(b)]
    return first === undefined || second === undefined ? undefined : first.wall - second.wall
  }
  if (a instanceof DurationValue && b instanceof DurationValue) return lengthOf(a) - lengthOf(b)
  const [first, second] = [numberOf(a), numberOf(b)]
  if (first !== undefined && second !== undefined) return first - second
  if (isText(a) && isText(b)) return compareTexts(textOf(a), textOf(b))
  return undefined
}

/** An order for all values: numbers, dates, texts, then the rest; empty values last. */
export function sortOrder(a: Value, b: Value): number {
  const [first, second] = [rankOf(a), rankOf(b)]
  return first - second || (compareValues(a, b) ?? compareTexts(textOf(a), textOf(b)))
}

function rankOf(value: Value): number {
  if (isEmptyValue(value)) return 4
  if (typeof value === 'number' || typeof value === 'boolean') return 0
  if (value instanceof DateValue || value instanceof DurationValue) return 1
  return isText(value) ? 2 : 3
}

const isText = (value: Value): boolean =>
  typeof value === 'string' || value instanceof LinkValue || value instanceof FileValue || value instanceof DisplayValue

/** Names in the order a reader expects: capitals do not matter, and 9 comes before 10. */
const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })
const compareTexts = (a: string, b: string): number => collator.compare(a, b) || (a < b ? -1 : a > b ? 1 : 0)

function numberOf(value: Value): number | undefined {
  if (typeof value === 'number') return value
  if (typeof value === 'boolean') return Number(value)
  if (typeof value !== 'string' || !/^\s*[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?\s*$/i.test(value)) return undefined
  return Number(value)
}

// Dates and durations

const dayMs = 86_400_000
const farthest = 8.64e15

/** `2025-05-27`, `2025-05-27 10:00`, `2025-05-27T10:00:00.5`, with or without a zone, which a clock on the wall does not show. */
const datePattern =
  /^\s*(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,3})\d*)?)?(?:Z|[+-]\d{2}:?\d{2})?)?\s*$/

export function parseDateValue(text: string): DateValue | undefined {
  const found = datePattern.exec(text)
  if (found === null) return undefined
  const [, year, month, date, hour, minute = '0', second = '0', fraction = '0'] = found
  const day = dayOf(Number(year), Number(month), Number(date))
  if (day === undefined || Number(hour ?? 0) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined
  const clock =
    ((Number(hour ?? 0) * 60 + Number(minute)) * 60 + Number(second)) * 1000 + Number(fraction.padEnd(3, '0'))
  return new DateValue(day * dayMs + clock, hour !== undefined, text)
}

export const asDate = (value: Value): DateValue | undefined =>
  value instanceof DateValue ? value : typeof value === 'string' ? parseDateValue(value) : undefined

export function dateAt(instant: number, zone: TimeZone): DateValue {
  return new DateValue(instant + zone.offsetAt(instant), true)
}

/** Milliseconds since 1970 for the time on the wall. */
export function instantOf({ wall }: DateValue, zone: TimeZone): number {
  return instantsOf(wall, zone)[0] ?? wall - zone.offsetAt(wall)
}

export function formatDate(date: DateValue, format: string, zone: TimeZone): string {
  const time = wallTime(date.wall, { name: zone.name, offsetAt: () => 0 })
  const instant = instantOf(date, zone)
  return formatMoment({ ...time, epoch: instant, offset: Math.round((date.wall - instant) / 60_000) }, format)
}

function dateText({ wall, hasTime }: DateValue): string {
  const iso = new Date(wall).toISOString()
  return hasTime ? iso.slice(0, -5).replace('T', ' ') : iso.slice(0, -14)
}

/** undefined outside the years that dates can have. */
export function addDuration(date: DateValue, { months, ms }: DurationValue, sign: 1 | -1): DateValue | undefined {
  const from = new Date(date.wall)
  const target = new Date(date.wall)
  target.setUTCDate(1)
  target.setUTCMonth(target.getUTCMonth() + sign * Math.trunc(months))
  const lastDay = new Date(Date.UTC(target.getUTCFullYear(), target.getUTCMonth() + 1, 0)).getUTCDate()
  target.setUTCDate(Math.min(from.getUTCDate(), lastDay))
  const wall = target.getTime() + sign * ms
  if (!(Math.abs(wall) < farthest - dayMs)) return undefined
  return new DateValue(wall, date.hasTime || ms % dayMs !== 0)
}

interface Unit {
  names: readonly string[]
  months?: number
  ms?: number
}

const units: readonly Unit[] = [
  { names: ['y', 'year', 'years'], months: 12 },
  { names: ['M', 'month', 'months'], months: 1 },
  { names: ['w', 'week', 'weeks'], ms: 7 * dayMs },
  { names: ['d', 'day', 'days'], ms: dayMs },
  { names: ['h', 'hour', 'hours'], ms: 3_600_000 },
  { names: ['m', 'minute', 'minutes'], ms: 60_000 },
  { names: ['s', 'second', 'seconds'], ms: 1000 },
]

/** `M` is a month, `m` a minute; elsewhere capitals do not matter. */
const unitNamed = (name: string): Unit | undefined =>
  units.find(({ names }) => names.includes(name)) ?? units.find(({ names }) => names.includes(name.toLowerCase()))

/** `1d`, `2 weeks`, `-3h`, `1y 6M`; undefined for other text. */
export function readDuration(text: string): DurationValue | undefined {
  if (text.length > 100 || !/^\s*(?:[+-]?\d+(?:\.\d+)?\s*[a-z]+[\s,]*)+$/i.test(text)) return undefined
  let [months, ms] = [0, 0]
  for (const [, count, word] of text.matchAll(/([+-]?\d+(?:\.\d+)?)\s*([a-z]+)/gi)) {
    const unit = unitNamed(word ?? '')
    if (unit === undefined) return undefined
    months += Number(count) * (unit.months ?? 0)
    ms += Number(count) * (unit.ms ?? 0)
  }
  return new DurationValue(months, ms)
}

const lengthOf = ({ months, ms }: DurationValue): number => months * 30.436875 * dayMs + ms

function durationText({ months, ms }: DurationValue): string {
  const parts: string[] = []
  if (months !== 0) parts.push(many(months, 'month'))
  let left = ms
  for (const [unit, size] of [
    ['day', dayMs],
    ['hour', 3_600_000],
    ['minute', 60_000],
  ] as const) {
    const count = Math.trunc(left / size)
    if (count !== 0) parts.push(many(count, unit))
    left -= count * size
  }
  if (left !== 0 || parts.length === 0) parts.push(many(left / 1000, 'second'))
  return parts.join(' ')
}

const many = (count: number, unit: string): string => `${numberText(count)} ${unit}${Math.abs(count) === 1 ? '' : 's'}`

/** "3 days ago", "in 2 hours", in the steps Moment uses. */
export function relativeText(difference: number): string {
  const seconds = Math.abs(difference) / 1000
  const [minutes, hours, days] = [seconds / 60, seconds / 3600, seconds / 86_400]
  const words =
    seconds < 44.5
      ? 'a few seconds'
      : seconds < 89.5
        ? 'a minute'
        : minutes < 44.5
          ? `${Math.round(minutes)} minutes`
          : minutes < 89.5
            ? 'an hour'
            : hours < 21.5
              ? `${Math.round(hours)} hours`
              : hours < 35.5
                ? 'a day'
                : days < 25.5
                  ? `${Math.round(days)} days`
                  : days < 45.5
                    ? 'a month'
                    : days < 319.5
                      ? `${Math.max(2, Math.round(days / 30.436875))} months`
                      : days < 547.5
                        ? 'a year'
                        : `${Math.round(days / 365.25)} years`
  return difference < 0 ? `in ${words}` : `${words} ago`
}

// Properties

const wikilink = /^\s*!?\[\[([^[\]|\n]+)(?:\|([^[\]\n]*))?\]\]\s*$/

/** Target and display text of a wikilink that is the whole text. */
export function readLink(text: string): { target: string; display: string | undefined } | undefined {
  const found = wikilink.exec(text)
  return found === null ? undefined : { target: (found[1] ?? '').trim(), display: found[2] }
}

/** A property of a note: texts that are links or dates become so. */
export function propertyValue(value: unknown, link: (text: string) => LinkValue | undefined, depth = 0): Value {
  if (value === null || value === undefined || depth > 20) return null
  if (typeof value === 'string') return parseDateValue(value) ?? link(value) ?? value
  if (typeof value === 'number' || typeof value === 'boolean') return value
  if (typeof value === 'bigint') return Number(value)
  if (Array.isArray(value)) return value.map((each) => propertyValue(each, link, depth + 1))
  if (value instanceof Date) return new DateValue(value.getTime(), true)
  if (typeof value !== 'object') return null
  return new ObjectValue(
    new Map(Object.entries(value).map(([key, each]) => [key, propertyValue(each, link, depth + 1)])),
  )
}
