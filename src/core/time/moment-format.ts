import { type Day, dayOf, partsOf } from './calendar.js'
import type { TimeZone } from './time-zone.js'

// `!` is used on names of months and weekdays of a valid day, on the year of its week, which is one of three, and on
// the formats of the two placeholders.

/** Writes a time in the format language of Moment, which Obsidian's settings and templates use. English names. */
export function formatMoment(time: WallTime, format: string): string {
  return format
    .replace(longForms, (whole, escaped) => (escaped === undefined ? (expanded[whole] ?? whole) : whole))
    .replace(tokens, (token) => writeToken(token, time) ?? literal(token))
}

const longForms = /(\[[^[]*\])|\\?(?:LTS|LT|L{1,4}|l{1,4})/g
const expanded: Record<string, string> = {
  LT: 'h:mm A',
  LTS: 'h:mm:ss A',
  L: 'MM/DD/YYYY',
  LL: 'MMMM D, YYYY',
  LLL: 'MMMM D, YYYY h:mm A',
  LLLL: 'dddd, MMMM D, YYYY h:mm A',
  l: 'M/D/YYYY',
  ll: 'MMM D, YYYY',
  lll: 'MMM D, YYYY h:mm A',
  llll: 'ddd, MMM D, YYYY h:mm A',
}

const tokens =
  /\[[^[]*\]|\\.|[Hh]mm(?:ss)?|Mo|M{1,4}|DDDo|Do|D{1,4}|do|d{1,4}|wo|ww?|Wo|WW?|Qo?|Y{4,6}|YY?|yo|y{1,4}|g{4,5}|gg|G{4,5}|GG|N{1,5}|e|E|a|A|hh?|HH?|kk?|mm?|ss?|S{1,9}|x|X|ZZ?|zz?/g

const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]
const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

type Writer = (time: WallTime) => string

function writeToken(token: string, time: WallTime): string | undefined {
  const letter = token.charAt(0)
  const number = Object.hasOwn(numbers, letter) ? numbers[letter]?.(time) : undefined
  if (number !== undefined && token === letter) return `${number}`
  if (number !== undefined && token === letter + letter) return filled(number, 2)
  if (number !== undefined && token === `${letter}o`) return ordinal(number)
  if (letter === 'S') return filled(time.millisecond, 3).padEnd(9, '0').slice(0, token.length)
  return Object.hasOwn(writers, token) ? writers[token]?.(time) : undefined
}

/** Numbers that are written as they are, filled up to two places, or with their ending. */
const numbers: Record<string, (time: WallTime) => number> = {
  M: ({ month }) => month,
  Q: quarter,
  D: ({ day }) => day,
  w: (time) => week(time, american).week,
  W: (time) => week(time, iso).week,
  H: ({ hour }) => hour,
  h: ({ hour }) => hour % 12 || 12,
  k: ({ hour }) => hour || 24,
  m: ({ minute }) => minute,
  s: ({ second }) => second,
}

const writers: Record<string, Writer> = {
  MMM: ({ month }) => months[month - 1]!.slice(0, 3),
  MMMM: ({ month }) => months[month - 1]!,
  DDD: (time) => `${dayOfYear(time)}`,
  DDDo: (time) => ordinal(dayOfYear(time)),
  DDDD: (time) => filled(dayOfYear(time), 3),
  d: (time) => `${weekday(time)}`,
  do: (time) => ordinal(weekday(time)),
  dd: (time) => weekdays[weekday(time)]!.slice(0, 2),
  ddd: (time) => weekdays[weekday(time)]!.slice(0, 3),
  dddd: (time) => weekdays[weekday(time)]!,
  e: (time) => `${weekday(time)}`,
  E: (time) => `${weekday(time) || 7}`,
  Y: ({ year }) => `${year}`,
  YY: ({ year }) => filled(year % 100, 2),
  YYYY: ({ year }) => filled(year, 4),
  YYYYY: ({ year }) => filled(year, 5),
  YYYYYY: ({ year }) => `+${filled(year, 6)}`,
  y: ({ year }) => `${year}`,
  yy: ({ year }) => filled(year, 2),
  yyy: ({ year }) => filled(year, 3),
  yyyy: ({ year }) => filled(year, 4),
  yo: ({ year }) => ordinal(year),
  gg: (time) => filled(week(time, american).year % 100, 2),
  gggg: (time) => filled(week(time, american).year, 4),
  ggggg: (time) => filled(week(time, american).year, 5),
  GG: (time) => filled(week(time, iso).year % 100, 2),
  GGGG: (time) => filled(week(time, iso).year, 4),
  GGGGG: (time) => filled(week(time, iso).year, 5),
  N: () => 'AD',
  NN: () => 'AD',
  NNN: () => 'AD',
  NNNN: () => 'Anno Domini',
  NNNNN: () => 'AD',
  A: ({ hour }) => (hour < 12 ? 'AM' : 'PM'),
  a: ({ hour }) => (hour < 12 ? 'am' : 'pm'),
  Hmm: ({ hour, minute }) => `${hour}${filled(minute, 2)}`,
  Hmmss: ({ hour, minute, second }) => `${hour}${filled(minute, 2)}${filled(second, 2)}`,
  hmm: ({ hour, minute }) => `${hour % 12 || 12}${filled(minute, 2)}`,
  hmmss: ({ hour, minute, second }) => `${hour % 12 || 12}${filled(minute, 2)}${filled(second, 2)}`,
  x: ({ epoch }) => `${epoch}`,
  X: ({ epoch }) => `${Math.floor(epoch / 1000)}`,
  Z: ({ offset }) => zone(offset, ':'),
  ZZ: ({ offset }) => zone(offset, ''),
  // A local time has no zone abbreviation in Moment.
  z: () => '',
  zz: () => '',
}

function literal(token: string): string {
  if (token.startsWith('[')) return token.slice(1, -1)
  return token.startsWith('\\') ? token.slice(1) : token
}

function filled(number: number, length: number): string {
  return `${number}`.padStart(length, '0')
}

function ordinal(number: number): string {
  const isTeen = Math.floor((number % 100) / 10) === 1
  return number + (isTeen ? 'th' : (['th', 'st', 'nd', 'rd'][number % 10] ?? 'th'))
}

function quarter({ month }: WallTime): number {
  return Math.ceil(month / 3)
}

function zone(offset: number, between: string): string {
  const minutes = Math.abs(offset)
  return `${offset < 0 ? '-' : '+'}${filled(Math.floor(minutes / 60), 2)}${between}${filled(minutes % 60, 2)}`
}

/** Days since the epoch. */
function dayNumber(year: number, month: number, day: number): number {
  return Math.floor(Date.UTC(year, month - 1, day) / 86_400_000)
}

function weekday({ year, month, day }: WallTime): number {
  return new Date(Date.UTC(year, month - 1, day)).getUTCDay()
}

function dayOfYear({ year, month, day }: WallTime): number {
  return dayNumber(year, month, day) - dayNumber(year, 1, 1) + 1
}

interface WeekRule {
  /** First day of the week, 0 is Sunday. */
  first: number
  /** The day of January that is always in week 1. */
  anchor: number
}
const american: WeekRule = { first: 0, anchor: 1 }
const iso: WeekRule = { first: 1, anchor: 4 }

function week({ year, month, day }: WallTime, rule: WeekRule): { week: number; year: number } {
  const today = dayNumber(year, month, day)
  const weekYear = [year + 1, year, year - 1].find((each) => firstWeek(each, rule) <= today)!
  return { week: Math.floor((today - firstWeek(weekYear, rule)) / 7) + 1, year: weekYear }
}

function firstWeek(year: number, { first, anchor }: WeekRule): number {
  const anchored = dayNumber(year, 1, anchor)
  // The epoch was a Thursday.
  return anchored - ((((anchored + 4 - first) % 7) + 7) % 7)
}

/**
 * Fills in the variables of Obsidian's templates: `{{date}}`, `{{time}}`, `{{title}}`, the first two with `:format`.
 */
export function fillTemplate(template: string, title: string, time: WallTime): string {
  return template.replace(placeholder, (_, name: string, format: string | undefined) => {
    const kind = name.toLowerCase()
    return kind === 'title' ? title : formatMoment(time, format || defaultFormats[kind]!)
  })
}

const placeholder = /\{\{[ \t]{0,9}(date|time|title)[ \t]{0,9}(?::[ \t]{0,9}([^{}\n]{0,200}?))?[ \t]{0,9}\}\}/gi
const defaultFormats: Record<string, string> = { date: 'YYYY-MM-DD', time: 'HH:mm' }

/** A moment as local wall-clock time and as UTC. */
export interface WallTime {
  year: number
  /** From 1. */
  month: number
  day: number
  hour: number
  minute: number
  second: number
  millisecond: number
  /** Minutes that this place is ahead of UTC then. */
  offset: number
  /** Milliseconds since the epoch. */
  epoch: number
}

const dayMs = 86_400_000

export function wallTime(epoch: number, zone: TimeZone): WallTime {
  const shift = zone.offsetAt(epoch)
  // Shifted by the offset, UTC reads like the wall.
  const wall = new Date(epoch + shift)
  return {
    year: wall.getUTCFullYear(),
    month: wall.getUTCMonth() + 1,
    day: wall.getUTCDate(),
    hour: wall.getUTCHours(),
    minute: wall.getUTCMinutes(),
    second: wall.getUTCSeconds(),
    millisecond: wall.getUTCMilliseconds(),
    offset: Math.round(shift / 60_000),
    epoch,
  }
}

/** The same time of day on another day. */
export function moveToDay({ hour, minute, second, millisecond, offset }: WallTime, day: Day, zone: TimeZone): WallTime {
  const wall = day * dayMs + ((hour * 60 + minute) * 60 + second) * 1000 + millisecond
  const near = zone.offsetAt(wall - offset * 60_000)
  const shift = zone.offsetAt(wall - near)
  const { year, month, date } = partsOf(day)
  return {
    year,
    month,
    day: date,
    hour,
    minute,
    second,
    millisecond,
    offset: Math.round(shift / 60_000),
    epoch: wall - shift,
  }
}

/** A day as `YYYY-MM-DD`; undefined for other text and for days that no month has. */
export function parseDay(text: string): Day | undefined {
  const [, year = 0, month = 0, date = 0] = (/^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? []).map(Number)
  return year >= 100 ? dayOf(year, month, date) : undefined
}
