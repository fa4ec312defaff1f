import { addUnits, type Day, type Span, unitAround, weekdayOf } from '../calendar.js'
import type { Reader, Recurring } from './reading.js'
import { count, countOf, unit, unitNamed, units, weekday, weekdayNumber } from './words.js'

const shifts: Record<string, number> = {
  last: -1,
  previous: -1,
  this: 0,
  current: 0,
  next: 1,
  coming: 1,
}
const shift = `(${Object.keys(shifts).join('|')})`

/** Days told from today: "yesterday", "last week", "past 3 days", "two weeks ago", "next friday". */
export const relativeReaders: Reader[] = [
  namedDay,
  wholeUnit,
  wholeWeekend,
  countedUnits,
  unitsAway,
  namedWeekday,
  toDate,
]

/** One day so far away, to the day: an end of a range ("since 2 months ago") is not the month it lies in. */
export const dayAway: Reader = (text, today) => {
  const steps = stepsAway(text)
  if (steps === undefined) return undefined
  const day = addUnits(today, steps.count, steps.unit)
  return { start: day, end: day }
}

function namedDay(text: string, today: Day): Span | undefined {
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

function wholeUnit(text: string, today: Day): Span | undefined {
  const match = new RegExp(`^${shift} ${unit}$`).exec(text)
  if (match === null) return undefined
  return unitAround(today, unitNamed(match[2]), shifts[match[1]])
}

function wholeWeekend(text: string, today: Day): Span | undefined {
  const match = new RegExp(`^${shift} weekend$`).exec(text)
  if (match === null) return undefined
  const week = unitAround(today, 'week', shifts[match[1]])
  return { start: week.start + 5, end: week.end }
}

/** Up to or from today: "last 3 days" is today and the three days before it. */
function countedUnits(text: string, today: Day): Span | undefined {
  const match = new RegExp(`^(last|past|previous|next|coming)(?: ${count})? ${units}$`).exec(text)
  if (match === null || (match[2] === undefined && match[1] !== 'past')) return undefined
  const number = countOf(match[2] ?? 'a')
  if (number < 1) return undefined
  const ahead = match[1] === 'next' || match[1] === 'coming'
  const other = addUnits(today, ahead ? number : -number, unitNamed(match[3]))
  return ahead ? { start: today, end: other } : { start: other, end: today }
}

/** The day, week, month or year that lies so far away. */
function unitsAway(text: string, today: Day): Span | undefined {
  const steps = stepsAway(text)
  return steps && unitAround(today, steps.unit, steps.count)
}

function stepsAway(text: string) {
  const ago = new RegExp(`^${count} ${units} ago$`).exec(text)
  if (ago !== null) return { count: -countOf(ago[1]), unit: unitNamed(ago[2]) }
  const ahead = new RegExp(`^in ${count} ${units}$`).exec(text)
  return ahead === null ? undefined : { count: countOf(ahead[1]), unit: unitNamed(ahead[2]) }
}

/** "next friday" is the one of next week; "last friday" the latest before today; "friday" may be today. */
function namedWeekday(text: string, today: Day): Span | Recurring | undefined {
  const match = new RegExp(`^(?:(last|past|previous|this|next) )?${weekday}$`).exec(text)
  if (match === null) return undefined
  const wanted = weekdayNumber(match[2])
  const latest = (day: Day) => one(day - ((weekdayOf(day) - wanted + 7) % 7))
  const first = (day: Day) => one(day + ((wanted - weekdayOf(day) + 7) % 7))
  if (match[1] === undefined) return { latest, first }
  if (match[1] === 'this' || match[1] === 'next') {
    return one(unitAround(today, 'week', shifts[match[1]]).start + wanted - 1)
  }
  return latest(today - 1)
}

function toDate(text: string, today: Day): Span | undefined {
  const short = { ytd: 'year', qtd: 'quarter', mtd: 'month' }[text]
  const name = short ?? /^(week|month|quarter|year) to date$/.exec(text)?.[1]
  return name === undefined ? undefined : { start: unitAround(today, unitNamed(name)).start, end: today }
}

function one(day: Day): Span {
  return { start: day, end: day }
}
