// Recurrence rules as the Tasks plugin documents them: "every week on Tuesday, Friday", "every month on the last",
// "every 10 days when done". Days are counted from 1970-01-01, without time zones.

/** A rule that was read. */
export interface Recurrence {
  unit: 'day' | 'week' | 'month' | 'year'
  interval: number
  /** 0 is Monday. */
  weekdays: number[]
  /** "the 2nd Wednesday": 2; "the last Friday": -1. */
  nthWeekdays: { nth: number; weekday: number }[]
  /** 1 to 31; -1 is the last. */
  monthDays: number[]
  /** 0 is January. */
  months: number[]
  /** The next task is counted from the day on which this one is done. */
  whenDone: boolean
}

const dayMs = 86_400_000

/** The day of `YYYY-MM-DD`; undefined for a date that does not exist. */
export function dayOfIsoDate(date: string): number | undefined {
  const [, year = '', month = '', day = ''] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(date) ?? []
  const number = dayAt(Number(year), Number(month) - 1, Number(day))
  return year !== '' && dateOf(number) === date ? number : undefined
}

export const dateOf = (day: number): string => new Date(day * dayMs).toISOString().slice(0, 10)

const dayAt = (year: number, month: number, day: number): number => Date.UTC(year, month, day) / dayMs

function parts(day: number): { year: number; month: number; day: number } {
  const date = new Date(day * dayMs)
  return { year: date.getUTCFullYear(), month: date.getUTCMonth(), day: date.getUTCDate() }
}

const daysIn = (year: number, month: number): number => parts(dayAt(year, month + 1, 0)).day

/** 0 is Monday; 1970-01-01 was a Thursday. */
const weekdayOf = (day: number): number => (((day + 3) % 7) + 7) % 7

const weekdayNames = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']
const monthNames = ['january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september'].concat([
  'october',
  'november',
  'december',
])

const byName = (names: readonly string[], word: string): number =>
  word.length < 3 ? -1 : names.findIndex((name) => name.startsWith(word.replace(/s$/, '')))

/** Reads a rule; undefined if it is none, or one with an end (`for 3 times`, `until`), which tasks cannot keep. */
export function parseRecurrence(text: string): Recurrence | undefined {
  const trimmed = text.trim().toLowerCase().replace(/\s+/g, ' ')
  const whenDone = / when done$/.test(trimmed)
  const [first, ...words] = trimmed
    .replace(/ when done$/, '')
    .replace(/,/g, ' ')
    .split(' ')
    .filter((word) => word !== '' && word !== 'and')
  if (first !== 'every') return undefined
  const rule: Recurrence = {
    unit: 'day',
    interval: 1,
    weekdays: [],
    nthWeekdays: [],
    monthDays: [],
    months: [],
    whenDone,
  }
  const rest = readUnit(words, rule)
  return rest !== undefined && readDays(rest, rule) ? rule : undefined
}

/** Reads "2 weeks", "weekday", "Sunday" or "January"; returns the words after it. */
function readUnit(words: readonly string[], rule: Recurrence): string[] | undefined {
  let [word = '', ...rest] = words
  if (/^\d+$/.test(word) || word === 'other') {
    rule.interval = word === 'other' ? 2 : Number(word)
    ;[word = '', ...rest] = rest
    if (rule.interval < 1 || rule.interval > 1000) return undefined
  }
  const unit = (['day', 'week', 'month', 'year'] as const).find((name) => word === name || word === `${name}s`)
  if (unit !== undefined) {
    rule.unit = unit
    return rest
  }
  if (/^weekdays?$/.test(word)) {
    rule.unit = 'week'
    rule.weekdays = [0, 1, 2, 3, 4]
    return rest
  }
  for (const [names, found, named] of [
    [weekdayNames, rule.weekdays, 'week'],
    [monthNames, rule.months, 'year'],
  ] as const) {
    let at = byName(names, word)
    if (at < 0) continue
    rule.unit = named
    while (at >= 0) {
      found.push(at)
      ;[word = '', ...rest] = rest
      at = byName(names, word)
    }
    return word === '' ? [] : [word, ...rest]
  }
  return undefined
}

/** Reads "on Tuesday Friday" or "on the 1st 24th", "on the 2nd last Friday". False for words it does not know. */
function readDays(words: readonly string[], rule: Recurrence): boolean {
  const [on, ...rest] = words
  if (on === undefined) return true
  if (on !== 'on' || rest.length === 0) return false
  let nth: number | undefined
  const endNth = () => {
    if (nth !== undefined) rule.monthDays.push(nth)
    nth = undefined
  }
  for (const word of rest.filter((each) => each !== 'the')) {
    const [, number] = /^(\d{1,2})(?:st|nd|rd|th)$/.exec(word) ?? []
    if (number !== undefined) {
      endNth()
      nth = Number(number)
      if (nth < 1 || nth > 31) return false
    } else if (word === 'last') {
      nth = nth === undefined ? -1 : -nth
    } else {
      const weekday = byName(weekdayNames, word)
      if (weekday < 0) return false
      if (nth === undefined) rule.weekdays.push(weekday)
      else rule.nthWeekdays.push({ nth, weekday })
      nth = undefined
    }
  }
  endNth()
  const isMonthly = rule.unit === 'month' || rule.unit === 'year'
  return isMonthly || (rule.monthDays.length === 0 && rule.nthWeekdays.length === 0 && rule.unit === 'week')
}

/** Enough for every sixth February 29. */
const mostDays = 366 * 50

/** The first day after `from` on which the rule falls, if `from` was one. */
export function nextDay(rule: Recurrence, from: number): number | undefined {
  const { unit, interval, weekdays, nthWeekdays, monthDays, months } = rule
  const isFree = weekdays.length + nthWeekdays.length + monthDays.length + months.length === 0
  if (unit === 'day') return from + interval
  if (isFree && unit === 'week') return from + 7 * interval
  if (isFree) return monthsLater(from, unit === 'month' ? interval : 12 * interval)
  for (let day = from + 1; day <= from + mostDays; day++) if (fallsOn(rule, from, day)) return day
  return undefined
}

/** The same day of a later month, or its last day. */
function monthsLater(from: number, count: number): number {
  const { year, month, day } = parts(from)
  const first = parts(dayAt(year, month + count, 1))
  return dayAt(first.year, first.month, Math.min(day, daysIn(first.year, first.month)))
}

function fallsOn(rule: Recurrence, from: number, day: number): boolean {
  const { unit, interval, weekdays, nthWeekdays, monthDays, months } = rule
  const weekday = weekdayOf(day)
  if (unit === 'week') {
    const weeks = (day - weekday - (from - weekdayOf(from))) / 7
    return weeks % interval === 0 && weekdays.includes(weekday)
  }
  const [at, start] = [parts(day), parts(from)]
  const passed = unit === 'month' ? (at.year - start.year) * 12 + at.month - start.month : at.year - start.year
  if (passed % interval !== 0 || (months.length > 0 && !months.includes(at.month))) return false
  if (unit === 'year' && months.length === 0 && at.month !== start.month) return false
  const length = daysIn(at.year, at.month)
  if (weekdays.length + nthWeekdays.length + monthDays.length === 0) return at.day === start.day
  return (
    weekdays.includes(weekday) ||
    monthDays.some((each) => at.day === (each > 0 ? each : length + 1 + each)) ||
    nthWeekdays.some((each) => {
      const nth = each.nth > 0 ? Math.ceil(at.day / 7) : -Math.ceil((length - at.day + 1) / 7)
      return each.weekday === weekday && each.nth === nth
    })
  )
}
