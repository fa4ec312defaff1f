import { type Day, dayOf, partsOf } from '../../time/calendar.js'
import type { TimeZone } from '../../time/time-zone.js'

/** A moment as a clock on the wall shows it, and as the world counts it. */
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
export function onDay({ hour, minute, second, millisecond, offset }: WallTime, day: Day, zone: TimeZone): WallTime {
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
export function writtenDay(text: string): Day | undefined {
  const [, year, month, date] = (/^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? []).map(Number)
  return year >= 100 ? dayOf(year, month, date) : undefined
}
