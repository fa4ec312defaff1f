/** A moment as a clock on the wall shows it, and as the world counts it. */
export interface WallTime extends CalendarDate {
  hour: number
  minute: number
  second: number
  millisecond: number
  /** Minutes that this place is ahead of UTC then. */
  offset: number
  /** Milliseconds since the epoch. */
  epoch: number
}

export interface CalendarDate {
  year: number
  /** From 1. */
  month: number
  day: number
}

export function wallTime(instant: Date, timeZone: string): WallTime {
  const epoch = instant.getTime()
  const offset = offsetAt(epoch, timeZone)
  // Shifted by the offset, UTC reads like the wall.
  const wall = new Date(epoch + offset * 60_000)
  return {
    year: wall.getUTCFullYear(),
    month: wall.getUTCMonth() + 1,
    day: wall.getUTCDate(),
    hour: wall.getUTCHours(),
    minute: wall.getUTCMinutes(),
    second: wall.getUTCSeconds(),
    millisecond: wall.getUTCMilliseconds(),
    offset,
    epoch,
  }
}

/** The same time of day on another date. */
export function onDate(time: WallTime, { year, month, day }: CalendarDate, timeZone: string): WallTime {
  const wall = Date.UTC(year, month - 1, day, time.hour, time.minute, time.second, time.millisecond)
  const near = offsetAt(wall - time.offset * 60_000, timeZone)
  const offset = offsetAt(wall - near * 60_000, timeZone)
  return { ...time, year, month, day, offset, epoch: wall - offset * 60_000 }
}

export function addDays({ year, month, day }: CalendarDate, days: number): CalendarDate {
  const date = new Date(Date.UTC(year, month - 1, day + days))
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
}

/** A date as `YYYY-MM-DD`; undefined for other text and for days that no month has. */
export function calendarDate(text: string): CalendarDate | undefined {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)
  if (match === null) return undefined
  const [year, month, day] = match.slice(1).map(Number)
  const date = new Date(Date.UTC(year, month - 1, day))
  return year >= 100 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? { year, month, day } : undefined
}

function offsetAt(epoch: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(epoch)
  const part = (type: string) => Number(parts.find((each) => each.type === type)?.value)
  const wall = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'))
  return Math.round((wall - epoch) / 60_000)
}
