import type { WallTime } from './wall-time.js'

/** Writes a time in the format language of Moment, which Obsidian's settings and templates use. English names. */
export function formatMoment(time: WallTime, format: string): string {
  return format
    .replace(longForms, (whole, escaped) => (escaped === undefined ? (expanded[whole] ?? whole) : whole))
    .replace(tokens, (token) => writers[token]?.(time) ?? literal(token))
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

/** A number as it is, filled up to two places, and with its ending. */
function numbered(letter: string, number: (time: WallTime) => number): Record<string, Writer> {
  return {
    [letter]: (time) => `${number(time)}`,
    [letter + letter]: (time) => filled(number(time), 2),
    [`${letter}o`]: (time) => ordinal(number(time)),
  }
}

const writers = Object.assign<Record<string, Writer>, Record<string, Writer>>(Object.create(null) as never, {
  ...numbered('M', ({ month }) => month),
  MMM: ({ month }) => months[month - 1].slice(0, 3),
  MMMM: ({ month }) => months[month - 1],
  ...numbered('Q', quarter),
  ...numbered('D', ({ day }) => day),
  DDD: (time) => `${dayOfYear(time)}`,
  DDDo: (time) => ordinal(dayOfYear(time)),
  DDDD: (time) => filled(dayOfYear(time), 3),
  d: (time) => `${weekday(time)}`,
  do: (time) => ordinal(weekday(time)),
  dd: (time) => weekdays[weekday(time)].slice(0, 2),
  ddd: (time) => weekdays[weekday(time)].slice(0, 3),
  dddd: (time) => weekdays[weekday(time)],
  e: (time) => `${weekday(time)}`,
  E: (time) => `${weekday(time) || 7}`,
  ...numbered('w', (time) => week(time, american).week),
  ...numbered('W', (time) => week(time, iso).week),
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
  ...numbered('H', ({ hour }) => hour),
  ...numbered('h', ({ hour }) => hour % 12 || 12),
  ...numbered('k', ({ hour }) => hour || 24),
  ...numbered('m', ({ minute }) => minute),
  ...numbered('s', ({ second }) => second),
  Hmm: ({ hour, minute }) => `${hour}${filled(minute, 2)}`,
  Hmmss: ({ hour, minute, second }) => `${hour}${filled(minute, 2)}${filled(second, 2)}`,
  hmm: ({ hour, minute }) => `${hour % 12 || 12}${filled(minute, 2)}`,
  hmmss: ({ hour, minute, second }) => `${hour % 12 || 12}${filled(minute, 2)}${filled(second, 2)}`,
  ...Object.fromEntries(Array.from({ length: 9 }, (_, index) => ['S'.repeat(index + 1), fraction(index + 1)])),
  x: ({ epoch }) => `${epoch}`,
  X: ({ epoch }) => `${Math.floor(epoch / 1000)}`,
  Z: ({ offset }) => zone(offset, ':'),
  ZZ: ({ offset }) => zone(offset, ''),
  // A local time has no zone abbreviation in Moment.
  z: () => '',
  zz: () => '',
} satisfies Record<string, Writer>)

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

function fraction(digits: number): Writer {
  return ({ millisecond }) => filled(millisecond, 3).padEnd(9, '0').slice(0, digits)
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
