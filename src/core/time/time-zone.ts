import { Failure } from '../errors.js'
import { type Day, isoDate, weekdayOf } from './calendar.js'

export interface TimeZone {
  /** IANA name, or an offset such as `UTC+05:30`. */
  name: string
  /** Milliseconds to add to UTC at that instant. */
  offsetAt(instant: number): number
}

const minuteMs = 60_000
const dayMs = 86_400_000

/** The zone for an IANA name, a city that only one zone is named after, or an offset. */
export function timeZone(text: string): TimeZone {
  const wanted = text.trim()
  const fixed = fixedZone(wanted)
  if (fixed !== undefined) return fixed
  const name = ianaName(wanted)
  if (name !== undefined) return namedZone(name)
  const near = zonesLike(wanted).slice(0, 5)
  throw new Failure('invalid-input', `Unknown time zone: ${wanted.slice(0, 60)}`, {
    hint:
      near.length > 0 ? `Did you mean ${near.join(', ')}?` : 'Use a name like Europe/Berlin or an offset like +05:30.',
  })
}

/** The clock on the wall, as milliseconds since 1970 as if the zone were UTC. */
function wallTime(instant: number, zone: TimeZone): number {
  return instant + zone.offsetAt(instant)
}

export function dayAt(instant: number, zone: TimeZone): Day {
  return Math.floor(wallTime(instant, zone) / dayMs)
}

/** Instants at which the wall shows this time: none where clocks go forward over it, two where they go back. */
export function instantsOf(wall: number, zone: TimeZone): number[] {
  const offsets = new Set([zone.offsetAt(wall - dayMs), zone.offsetAt(wall), zone.offsetAt(wall + dayMs)])
  return [...offsets]
    .map((offset) => wall - offset)
    .filter((instant) => wallTime(instant, zone) === wall)
    .sort((a, b) => a - b)
}

/** The first instant of a day, which is not midnight where clocks go forward over it. */
export function startOfDay(day: Day, zone: TimeZone): number {
  const [midnight] = instantsOf(day * dayMs, zone)
  if (midnight !== undefined) return midnight
  let before = (day - 2) * dayMs
  let after = (day + 2) * dayMs
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (dayAt(middle, zone) < day) before = middle
    else after = middle
  }
  return after
}

/** `2024-01-15T13:00:00+01:00` */
export function isoTime(instant: number, zone: TimeZone): string {
  const wall = new Date(wallTime(instant, zone)).toISOString()
  const offset = zone.offsetAt(instant)
  return `${wall.slice(0, 19)}${offset === 0 ? 'Z' : offsetText(offset)}`
}

/** `Monday 2024-01-15 13:00 (Europe/Berlin, UTC+01:00)` */
export function readableTime(instant: number, zone: TimeZone): string {
  const clock = new Date(wallTime(instant, zone)).toISOString().slice(11, 16)
  const offset = `UTC${offsetText(zone.offsetAt(instant))}`
  const named = zone.name === offset || zone.name === 'UTC' ? zone.name : `${zone.name}, ${offset}`
  return `${weekdayName(dayAt(instant, zone))} ${isoDate(dayAt(instant, zone))} ${clock} (${named})`
}

export function weekdayName(day: Day): string {
  // `!`: `weekdayOf` is 1 to 7.
  return ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'][weekdayOf(day) - 1]!
}

function offsetText(offset: number): string {
  const minutes = Math.round(Math.abs(offset) / minuteMs)
  const two = (number: number) => `${number}`.padStart(2, '0')
  return `${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}

function fixedZone(text: string): TimeZone | undefined {
  if (/^(?:z|utc|gmt)$/i.test(text)) return { name: 'UTC', offsetAt: () => 0 }
  const match = /^(?:utc|gmt)?\s*([+\-−])(\d{1,2})(?::?([0-5]\d))?$/i.exec(text)
  if (match === null) return undefined
  const minutes = Number(match[2]) * 60 + Number(match[3] ?? 0)
  if (minutes > 14 * 60) return undefined
  const offset = (match[1] === '+' ? minutes : -minutes) * minuteMs
  return offset === 0 ? fixedZone('UTC') : { name: `UTC${offsetText(offset)}`, offsetAt: () => offset }
}

function namedZone(name: string): TimeZone {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: name,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  return {
    name,
    offsetAt(instant) {
      const second = Math.floor(instant / 1000) * 1000
      const part = { year: 0, month: 0, day: 0, hour: 0, minute: 0, second: 0 } as Record<string, number> &
        Record<'year' | 'month' | 'day' | 'hour' | 'minute' | 'second', number>
      for (const { type, value } of format.formatToParts(second)) part[type] = Number(value)
      return Date.UTC(part.year, part.month - 1, part.day, part.hour, part.minute, part.second) - second
    },
  }
}

function ianaName(text: string): string | undefined {
  const known = Intl.supportedValuesOf('timeZone')
  const folded = text.toLowerCase().replace(/\s+/g, '_')
  const same = known.find((name) => name.toLowerCase() === folded)
  if (same !== undefined) return same
  const named = known.filter((name) => name.toLowerCase().endsWith(`/${folded}`))
  if (named.length === 1) return named[0]
  try {
    // Older names (Asia/Kolkata, US/Pacific, CET) are understood without being listed.
    new Intl.DateTimeFormat('en-US', { timeZone: text })
    return text
  } catch {
    return undefined
  }
}

function zonesLike(text: string): string[] {
  const folded = text.toLowerCase().replace(/[\s_]+/g, '_')
  if (folded.length < 3) return []
  return Intl.supportedValuesOf('timeZone').filter((name) => name.toLowerCase().includes(folded))
}
