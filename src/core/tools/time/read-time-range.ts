import { Failure } from '../../errors.js'
import {
  addUnits,
  type Day,
  type DayRange,
  dayOf,
  isoWeek,
  partsOf,
  type Unit,
  unitAround,
  weekdayOf,
} from '../../time/index.js'

// `!` is used on groups that a match always has, on words of the tables the expressions are made of, and on first days
// of months, which exist.

/**
 * The days an English expression means, relative to today. Recurring dates mean the latest that has begun. Ambiguous
 * expressions are refused, not guessed.
 */
export function readTimeRange(expression: string, today: Day): DayRange {
  const text = normalizeExpression(expression)
  const span = parseSingle(text, today) ?? parseSince(text, today) ?? parseFromTo(text, today)
  if (span === undefined || !isSensible(span)) throw notUnderstood(expression, text)
  if (span.end < span.start) {
    throw new Failure('invalid-input', 'End time must be after start time', {
      hint: 'Name the years, as in "from 2023-11-01 to 2024-03-01".',
    })
  }
  return span
}

function normalizeExpression(expression: string): string {
  return expression
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[‐-―−]/g, '-')
    .replace(/\s+/g, ' ')
    .replace(/[\s.,!?]+$/, '')
    .trim()
}

function parseSingle(text: string, today: Day): DayRange | undefined {
  const reading = parseTime(text, today)
  return reading && isRecurring(reading) ? reading.latest(today) : reading
}

function parseSince(text: string, today: Day): DayRange | undefined {
  const then = /^(?:ever )?since (.+)$/.exec(text)?.[1]
  const reading = then === undefined ? undefined : parseEnd(then, today)
  const span = reading && isRecurring(reading) ? reading.latest(today) : reading
  return span && { start: span.start, end: today }
}

function parseFromTo(text: string, today: Day): DayRange | undefined {
  const ends =
    /^between (.+?) and (.+)$/.exec(text) ??
    /^(?:from )?(.+?)(?: to | until | till | through | - | ?\.\.\.? ?)(.+)$/.exec(text)
  if (ends === null) return undefined
  const start = parseEnd(ends[1]!, today)
  const end = parseEnd(ends[2]!, today)
  if (start === undefined || end === undefined) return undefined
  return joinEnds(start, end, today)
}

/** An end without a year gets it from the other end. */
function joinEnds(start: ParsedTime, end: ParsedTime, today: Day): DayRange | undefined {
  if (!isRecurring(start)) {
    const last = isRecurring(end) ? end.first(start.start) : end
    return last && { start: start.start, end: last.end }
  }
  if (!isRecurring(end)) {
    const first = start.latest(end.end)
    return first && { start: first.start, end: end.end }
  }
  const first = start.latest(today)
  return first && joinEnds(first, end, today)
}

function parseEnd(text: string, today: Day): ParsedTime | undefined {
  return parseDayAway(text, today) ?? parseTime(text, today)
}

function parseTime(text: string, today: Day): ParsedTime | undefined {
  // "in 3 days" needs its first word; "in march" and "the last week" do not.
  for (const words of [text, text.replace(/^(?:(?:in|on|during|over|within|for|the) )+/, '')]) {
    for (const reader of [...relativeParsers, ...calendarParsers]) {
      const reading = reader(words, today)
      if (reading !== undefined) return reading
    }
  }
  return undefined
}

function isSensible({ start, end }: DayRange): boolean {
  return [start, end].every((day) => {
    const { year } = partsOf(day)
    return year >= 1 && year <= 9999
  })
}

const understoodExamples =
  'Examples: today, last week, past 3 days, 2 weeks ago, January, March 2023, January 10, 2024-01-10, ' +
  'Q3 2023, 2024-W03, week of January 10, last Monday, since Monday, from 2024-01-01 to now.'

function notUnderstood(expression: string, text: string): Failure {
  const shown = expression.length > 80 ? `${expression.slice(0, 80)}…` : expression
  if (/\d{1,2}[/.]\d{1,2}[/.]\d{2,4}/.test(text)) {
    return new Failure('invalid-input', `It is unclear which number is the day and which the month: ${shown}`, {
      hint: 'Write the date as 2024-01-31.',
    })
  }
  if (/\b(?:spring|summer|autumn|fall|winter)\b/.test(text)) {
    return new Failure('invalid-input', `Seasons have no fixed dates: ${shown}`, {
      hint: 'Name months, as in "from March 2023 to May 2023".',
    })
  }
  return new Failure('invalid-input', `Time expression not understood: ${shown || '(empty)'}`, {
    hint: understoodExamples,
  })
}

/** Parsed words: certain days, or something that recurs (January, a Friday). */
type ParsedTime = DayRange | Recurring

interface Recurring {
  /** The latest that has begun by this day. */
  latest(day: Day): DayRange | undefined
  /** The first that is not over on this day. */
  first(day: Day): DayRange | undefined
}

/** Parses an expression relative to today; undefined if it is of another kind. */
type TimeParser = (text: string, today: Day) => ParsedTime | undefined

function isRecurring(reading: ParsedTime): reading is Recurring {
  return 'latest' in reading
}

/** Something every year has, or some years: February 29 comes round within eight. */
function yearly(inYear: (year: number) => DayRange | undefined): Recurring {
  const search = (years: number[], fits: (span: DayRange) => boolean) =>
    years.map(inYear).find((span): span is DayRange => span !== undefined && fits(span))
  return {
    latest(day) {
      const { year } = partsOf(day)
      const years = Array.from({ length: 10 }, (_, back) => year + 1 - back)
      return search(years, ({ start }) => start <= day)
    },
    first(day) {
      const { year } = partsOf(day)
      const years = Array.from({ length: 10 }, (_, ahead) => year - 1 + ahead)
      return search(years, ({ end }) => end >= day)
    },
  }
}

const shifts: Record<string, number> = {
  last: -1,
  previous: -1,
  this: 0,
  current: 0,
  next: 1,
  coming: 1,
}
const shiftPattern = `(${Object.keys(shifts).join('|')})`

/** Expressions relative to today: "yesterday", "last week", "past 3 days", "two weeks ago", "next friday". */
const relativeParsers: TimeParser[] = [
  parseNamedDay,
  parseWholeUnit,
  parseWeekend,
  parseCountedUnits,
  parseUnitsAway,
  parseWeekday,
  parseToDate,
]

/** One exact day at a distance: the end of a range ("since 2 months ago") is not the whole month. */
const parseDayAway: TimeParser = (text, today) => {
  const steps = stepsAway(text)
  if (steps === undefined) return undefined
  const day = addUnits(today, steps.count, steps.unit)
  return { start: day, end: day }
}

function parseNamedDay(text: string, today: Day): DayRange | undefined {
  const away = {
    'the day before yesterday': -2,
    'day before yesterday': -2,
    yesterday: -1,
    today: 0,
    now: 0,
    tomorrow: 1,
    'day after tomorrow': 2,
    'the day after tomorrow': 2,
  }[text]
  return away === undefined ? undefined : { start: today + away, end: today + away }
}

function parseWholeUnit(text: string, today: Day): DayRange | undefined {
  const match = new RegExp(`^${shiftPattern} ${unitPattern}$`).exec(text)
  if (match === null) return undefined
  return unitAround(today, unitNamed(match[2]!), shifts[match[1]!])
}

function parseWeekend(text: string, today: Day): DayRange | undefined {
  const match = new RegExp(`^${shiftPattern} weekend$`).exec(text)
  if (match === null) return undefined
  const week = unitAround(today, 'week', shifts[match[1]!])
  return { start: week.start + 5, end: week.end }
}

/** Up to or from today: "last 3 days" is today and the three days before it. */
function parseCountedUnits(text: string, today: Day): DayRange | undefined {
  const match = new RegExp(`^(last|past|previous|next|coming)(?: ${countPattern})? ${unitsPattern}$`).exec(text)
  if (match === null || (match[2] === undefined && match[1] !== 'past')) return undefined
  const number = countOf(match[2] ?? 'a')
  if (number < 1) return undefined
  const ahead = match[1] === 'next' || match[1] === 'coming'
  const other = addUnits(today, ahead ? number : -number, unitNamed(match[3]!))
  return ahead ? { start: today, end: other } : { start: other, end: today }
}

/** The day, week, month or year at a distance. */
function parseUnitsAway(text: string, today: Day): DayRange | undefined {
  const steps = stepsAway(text)
  return steps && unitAround(today, steps.unit, steps.count)
}

function stepsAway(text: string) {
  const ago = new RegExp(`^${countPattern} ${unitsPattern} ago$`).exec(text)
  if (ago !== null) return { count: -countOf(ago[1]!), unit: unitNamed(ago[2]!) }
  const ahead = new RegExp(`^in ${countPattern} ${unitsPattern}$`).exec(text)
  return ahead === null ? undefined : { count: countOf(ahead[1]!), unit: unitNamed(ahead[2]!) }
}

/** "next friday" is the one of next week; "last friday" the latest before today; "friday" may be today. */
function parseWeekday(text: string, today: Day): DayRange | Recurring | undefined {
  const match = new RegExp(`^(?:(last|past|previous|this|next) )?${weekdayPattern}$`).exec(text)
  if (match === null) return undefined
  const wanted = weekdayNumber(match[2]!)
  const latest = (day: Day) => singleDay(day - ((weekdayOf(day) - wanted + 7) % 7))
  const first = (day: Day) => singleDay(day + ((wanted - weekdayOf(day) + 7) % 7))
  if (match[1] === undefined) return { latest, first }
  if (match[1] === 'this' || match[1] === 'next') {
    return singleDay(unitAround(today, 'week', shifts[match[1]]).start + wanted - 1)
  }
  return latest(today - 1)
}

function parseToDate(text: string, today: Day): DayRange | undefined {
  const short = { ytd: 'year', qtd: 'quarter', mtd: 'month' }[text]
  const name = short ?? /^(week|month|quarter|year) to date$/.exec(text)?.[1]
  return name === undefined ? undefined : { start: unitAround(today, unitNamed(name)).start, end: today }
}

function singleDay(day: Day): DayRange {
  return { start: day, end: day }
}

/** Calendar expressions: "January", "10 march 2023", "2024-01", "Q3", "2024-W03", "week of january 10". */
const calendarParsers: TimeParser[] = [
  parseIsoDay,
  parseIsoMonth,
  parseYear,
  parseNamedMonth,
  parseNamedDate,
  parseQuarter,
  parseHalfYear,
  parseWeek,
  parseWeekOf,
]

function parseIsoDay(text: string): DayRange | undefined {
  const match = new RegExp(`^${yearPattern}([-/.])(\\d{1,2})\\2(\\d{1,2})$`).exec(text)
  return match === null ? undefined : dayOfYear(Number(match[1]), Number(match[3]), Number(match[4]))
}

function parseIsoMonth(text: string): DayRange | undefined {
  const match = new RegExp(`^${yearPattern}[-/](\\d{1,2})$`).exec(text)
  return match === null ? undefined : wholeMonth(Number(match[1]), Number(match[2]))
}

function parseYear(text: string): DayRange | undefined {
  const match = new RegExp(`^(?:year )?${yearPattern}$`).exec(text)
  return match === null ? undefined : unitAround(dayOf(Number(match[1]), 1, 1)!, 'year')
}

function parseNamedMonth(text: string, today: Day): ParsedTime | undefined {
  const match = new RegExp(`^(?:(last|previous|this) )?${monthPattern}(?:,? (?:of )?${yearPattern})?$`).exec(text)
  if (match === null || (match[1] !== undefined && match[3] !== undefined)) return undefined
  const number = monthNumber(match[2]!)
  const inYear = (year: number) => wholeMonth(year, number)
  if (match[3] !== undefined) return inYear(Number(match[3]))
  if (match[1] === 'this') return inYear(partsOf(today).year)
  // The latest that is over: in January 2024, "last january" was in 2023.
  if (match[1] !== undefined) return yearly(inYear).latest(unitAround(today, 'month').start - 1)
  return yearly(inYear)
}

function parseNamedDate(text: string): ParsedTime | undefined {
  const monthFirst = new RegExp(`^${monthPattern} (?:the )?(\\d{1,2})(?:st|nd|rd|th)?(?:,? ${yearPattern})?$`).exec(
    text,
  )
  const dayFirst = new RegExp(
    `^(?:the )?(\\d{1,2})(?:st|nd|rd|th)?\\.? (?:of )?${monthPattern}(?:,? ${yearPattern})?$`,
  ).exec(text)
  const found = monthFirst ?? dayFirst
  if (found === null) return undefined
  const number = monthNumber(found[monthFirst ? 1 : 2]!)
  const date = Number(found[monthFirst ? 2 : 1])
  const inYear = (year: number) => dayOfYear(year, number, date)
  return found[3] === undefined ? yearly(inYear) : inYear(Number(found[3]))
}

function parseQuarter(text: string): ParsedTime | undefined {
  const ordinal = { first: 1, '1st': 1, second: 2, '2nd': 2, third: 3, '3rd': 3, fourth: 4, '4th': 4 }
  const found =
    new RegExp(`^q([1-4])(?:[ /-]?(?:of )?${yearPattern})?$`).exec(text) ??
    new RegExp(`^(${Object.keys(ordinal).join('|')}) quarter(?: (?:of )?${yearPattern})?$`).exec(text)
  const turned = new RegExp(`^${yearPattern}[ /-]?q([1-4])$`).exec(text)
  const [name, inYear] = turned ? [turned[2], turned[1]] : [found?.[1], found?.[2]]
  if (name === undefined) return undefined
  const number = ordinal[name as keyof typeof ordinal] ?? Number(name)
  return partOfYear(3, number, inYear)
}

function parseHalfYear(text: string): ParsedTime | undefined {
  const found = new RegExp(`^h([12])(?:[ /-]?(?:of )?${yearPattern})?$`).exec(text)
  const turned = new RegExp(`^${yearPattern}[ /-]?h([12])$`).exec(text)
  const worded = new RegExp(`^(first|second) half(?: of)? ${yearPattern}$`).exec(text)
  if (worded !== null) return partOfYear(6, worded[1] === 'first' ? 1 : 2, worded[2])
  const [number, inYear] = turned ? [turned[2], turned[1]] : [found?.[1], found?.[2]]
  return number === undefined ? undefined : partOfYear(6, Number(number), inYear)
}

function parseWeek(text: string): ParsedTime | undefined {
  const iso = new RegExp(`^${yearPattern}[ -]?w(\\d{1,2})$`).exec(text)
  if (iso !== null) return isoWeek(Number(iso[1]), Number(iso[2]))
  const named = new RegExp(`^(?:calendar )?w(?:eek )?(\\d{1,2})(?:,? (?:of )?${yearPattern})?$`).exec(text)
  if (named === null) return undefined
  const inYear = (year: number) => isoWeek(year, Number(named[1]))
  return named[2] === undefined ? yearly(inYear) : inYear(Number(named[2]))
}

/** The week, from Monday, that contains a day. */
function parseWeekOf(text: string, today: Day): DayRange | undefined {
  const day = /^week of (?:the )?(.+)$/.exec(text)?.[1]
  if (day === undefined) return undefined
  for (const read of [parseIsoDay, parseNamedDate]) {
    const reading = read(day)
    const span = reading && isRecurring(reading) ? reading.latest(today) : reading
    if (span !== undefined) return unitAround(span.start, 'week')
  }
  return undefined
}

function partOfYear(months: number, number: number, year: string | undefined): ParsedTime | undefined {
  const inYear = (year: number): DayRange => {
    const start = dayOf(year, (number - 1) * months + 1, 1)!
    const last = dayOf(year, number * months, 1)!
    return { start, end: unitAround(last, 'month').end }
  }
  return year === undefined ? yearly(inYear) : inYear(Number(year))
}

function wholeMonth(year: number, month: number): DayRange | undefined {
  const first = dayOf(year, month, 1)
  return first === undefined ? undefined : unitAround(first, 'month')
}

function dayOfYear(year: number, month: number, date: number): DayRange | undefined {
  const day = dayOf(year, month, date)
  return day === undefined ? undefined : { start: day, end: day }
}

const monthNames = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
]
const weekdayNames = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']
const numberNames = 'one two three four five six seven eight nine ten eleven twelve'.split(' ')

/** Patterns for the inside of a regular expression; each is one group. */
const monthPattern = `(${monthNames.map((name) => `${name}|${name.slice(0, 3)}\\.?`).join('|')}|sept\\.?)`
const weekdayPattern = `(${weekdayNames.map((name) => `${name}|${name.slice(0, 3)}\\.?`).join('|')}|tues|weds|thurs?)`
const unitPattern = '(day|week|month|quarter|year)'
const unitsPattern = '(days?|weeks?|months?|quarters?|years?)'
const countPattern = `(\\d{1,4}|an?|${numberNames.join('|')})`
const yearPattern = '((?:19|20|21)\\d{2})'

/** 1 for January. */
const monthNumber = (name: string): number => numberOf(monthNames, name)
/** 1 for Monday. */
const weekdayNumber = (name: string): number => numberOf(weekdayNames, name)
const unitNamed = (name: string): Unit => name.replace(/s$/, '') as Unit

function countOf(text: string): number {
  if (/^an?$/.test(text)) return 1
  const named = numberNames.indexOf(text)
  return named === -1 ? Number(text) : named + 1
}

function numberOf(names: string[], name: string): number {
  return names.findIndex((whole) => whole.startsWith(name.slice(0, 3))) + 1
}
