/** A calendar day without a clock or a zone: days since 1970-01-01. */
export type Day = number

/** From the first to the last day, both included. */
export interface DayRange {
  start: Day
  end: Day
}

export type Unit = 'day' | 'week' | 'month' | 'quarter' | 'year'

const dayMs = 86_400_000
const monthsIn = { month: 1, quarter: 3, year: 12 }

/** Undefined when the calendar has no such day: February 30. */
export function dayOf(year: number, month: number, date: number): Day | undefined {
  const day = utcDay(year, month, date)
  const found = partsOf(day)
  return found.year === year && found.month === month && found.date === date ? day : undefined
}

export function partsOf(day: Day): { year: number; month: number; date: number } {
  const date = new Date(day * dayMs)
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, date: date.getUTCDate() }
}

/** Monday is 1, Sunday 7. */
export function weekdayOf(day: Day): number {
  return ((((day + 3) % 7) + 7) % 7) + 1
}

export function isoDate(day: Day): string {
  return new Date(day * dayMs).toISOString().slice(0, 10)
}

/** The same date a number of months later, or the last day of a shorter month. */
function addMonths(day: Day, months: number): Day {
  const { year, month, date } = partsOf(day)
  const lastOfMonth = utcDay(year, month + months + 1, 0)
  return Math.min(utcDay(year, month + months, 1) + date - 1, lastOfMonth)
}

export function addUnits(day: Day, count: number, unit: Unit): Day {
  if (unit === 'day') return day + count
  if (unit === 'week') return day + 7 * count
  return addMonths(day, count * monthsIn[unit])
}

/** The week (from Monday), month, quarter or year that contains a day, or one shifted by `shift`. */
export function unitAround(day: Day, unit: Unit, shift = 0): DayRange {
  if (unit === 'day') return { start: day + shift, end: day + shift }
  if (unit === 'week') {
    const start = day - weekdayOf(day) + 1 + 7 * shift
    return { start, end: start + 6 }
  }
  const { year, month } = partsOf(day)
  const length = monthsIn[unit]
  const first = Math.floor((month - 1) / length) * length + 1 + shift * length
  return { start: utcDay(year, first, 1), end: utcDay(year, first + length, 0) }
}

/** ISO 8601: week 1 has the year's first Thursday. Undefined for a week the year does not have. */
export function isoWeek(year: number, week: number): DayRange | undefined {
  const { start } = unitAround(utcDay(year, 1, 4), 'week', week - 1)
  if (week < 1 || partsOf(start + 3).year !== year) return undefined
  return { start, end: start + 6 }
}

function utcDay(year: number, month: number, date: number): Day {
  const when = new Date(0)
  // Unlike Date.UTC, this takes the years 0 to 99 as they are.
  when.setUTCFullYear(year, month - 1, date)
  return Math.round(when.getTime() / dayMs)
}
