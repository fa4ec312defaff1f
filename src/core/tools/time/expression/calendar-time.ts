import { type Day, dayOf, isoWeek, partsOf, type Span, unitAround } from '../calendar.js'
import { isRecurring, type Reader, type Reading, yearly } from './reading.js'
import { month, monthNumber, year } from './words.js'

/** Days told by the calendar: "January", "10 march 2023", "2024-01", "Q3", "2024-W03", "week of january 10". */
export const calendarReaders: Reader[] = [
  isoDay,
  isoMonth,
  wholeYear,
  namedMonth,
  namedDate,
  quarter,
  half,
  week,
  weekOf,
]

function isoDay(text: string): Span | undefined {
  const match = new RegExp(`^${year}([-/.])(\\d{1,2})\\2(\\d{1,2})$`).exec(text)
  return match === null ? undefined : oneDay(Number(match[1]), Number(match[3]), Number(match[4]))
}

function isoMonth(text: string): Span | undefined {
  const match = new RegExp(`^${year}[-/](\\d{1,2})$`).exec(text)
  return match === null ? undefined : wholeMonth(Number(match[1]), Number(match[2]))
}

function wholeYear(text: string): Span | undefined {
  const match = new RegExp(`^(?:year )?${year}$`).exec(text)
  return match === null ? undefined : unitAround(dayOf(Number(match[1]), 1, 1)!, 'year')
}

function namedMonth(text: string, today: Day): Reading | undefined {
  const match = new RegExp(`^(?:(last|previous|this) )?${month}(?:,? (?:of )?${year})?$`).exec(text)
  if (match === null || (match[1] !== undefined && match[3] !== undefined)) return undefined
  const number = monthNumber(match[2])
  const inYear = (year: number) => wholeMonth(year, number)
  if (match[3] !== undefined) return inYear(Number(match[3]))
  if (match[1] === 'this') return inYear(partsOf(today).year)
  // The latest that is over: in January 2024, "last january" was in 2023.
  if (match[1] !== undefined) return yearly(inYear).latest(unitAround(today, 'month').start - 1)
  return yearly(inYear)
}

function namedDate(text: string): Reading | undefined {
  const monthFirst = new RegExp(`^${month} (?:the )?(\\d{1,2})(?:st|nd|rd|th)?(?:,? ${year})?$`).exec(text)
  const dayFirst = new RegExp(`^(?:the )?(\\d{1,2})(?:st|nd|rd|th)?\\.? (?:of )?${month}(?:,? ${year})?$`).exec(text)
  const found = monthFirst ?? dayFirst
  if (found === null) return undefined
  const number = monthNumber(found[monthFirst ? 1 : 2])
  const date = Number(found[monthFirst ? 2 : 1])
  const inYear = (year: number) => oneDay(year, number, date)
  return found[3] === undefined ? yearly(inYear) : inYear(Number(found[3]))
}

function quarter(text: string): Reading | undefined {
  const ordinal = { first: 1, '1st': 1, second: 2, '2nd': 2, third: 3, '3rd': 3, fourth: 4, '4th': 4 }
  const found =
    new RegExp(`^q([1-4])(?:[ /-]?(?:of )?${year})?$`).exec(text) ??
    new RegExp(`^(${Object.keys(ordinal).join('|')}) quarter(?: (?:of )?${year})?$`).exec(text)
  const turned = new RegExp(`^${year}[ /-]?q([1-4])$`).exec(text)
  const [name, inYear] = turned ? [turned[2], turned[1]] : [found?.[1], found?.[2]]
  if (name === undefined) return undefined
  const number = ordinal[name as keyof typeof ordinal] ?? Number(name)
  return partOfYear(3, number, inYear)
}

function half(text: string): Reading | undefined {
  const found = new RegExp(`^h([12])(?:[ /-]?(?:of )?${year})?$`).exec(text)
  const turned = new RegExp(`^${year}[ /-]?h([12])$`).exec(text)
  const worded = new RegExp(`^(first|second) half(?: of)? ${year}$`).exec(text)
  if (worded !== null) return partOfYear(6, worded[1] === 'first' ? 1 : 2, worded[2])
  const [number, inYear] = turned ? [turned[2], turned[1]] : [found?.[1], found?.[2]]
  return number === undefined ? undefined : partOfYear(6, Number(number), inYear)
}

function week(text: string): Reading | undefined {
  const iso = new RegExp(`^${year}[ -]?w(\\d{1,2})$`).exec(text)
  if (iso !== null) return isoWeek(Number(iso[1]), Number(iso[2]))
  const named = new RegExp(`^(?:calendar )?w(?:eek )?(\\d{1,2})(?:,? (?:of )?${year})?$`).exec(text)
  if (named === null) return undefined
  const inYear = (year: number) => isoWeek(year, Number(named[1]))
  return named[2] === undefined ? yearly(inYear) : inYear(Number(named[2]))
}

/** The week, from Monday, that a day lies in. */
function weekOf(text: string, today: Day): Span | undefined {
  const day = /^week of (?:the )?(.+)$/.exec(text)?.[1]
  if (day === undefined) return undefined
  for (const read of [isoDay, namedDate]) {
    const reading = read(day)
    const span = reading && isRecurring(reading) ? reading.latest(today) : reading
    if (span !== undefined) return unitAround(span.start, 'week')
  }
  return undefined
}

function partOfYear(months: number, number: number, year: string | undefined): Reading | undefined {
  const inYear = (year: number): Span => {
    const start = dayOf(year, (number - 1) * months + 1, 1)!
    const last = dayOf(year, number * months, 1)!
    return { start, end: unitAround(last, 'month').end }
  }
  return year === undefined ? yearly(inYear) : inYear(Number(year))
}

function wholeMonth(year: number, month: number): Span | undefined {
  const first = dayOf(year, month, 1)
  return first === undefined ? undefined : unitAround(first, 'month')
}

function oneDay(year: number, month: number, date: number): Span | undefined {
  const day = dayOf(year, month, date)
  return day === undefined ? undefined : { start: day, end: day }
}
