import { Failure } from '../../errors.js'
import { type Day, dayOf } from './calendar.js'

/** A time as someone wrote it. */
export interface WrittenTime {
  /** Undefined when only a time of day was given. */
  day?: Day
  /** Milliseconds since midnight. */
  time: number
  /** An offset written with the time: `Z`, `+02:00`. */
  offset?: string
}

const date = String.raw`(?:(\d{4})-(\d{1,2})-(\d{1,2})|(today|tomorrow|yesterday))(?:t| at |[ ,]+)`
const time = String.raw`(?:(noon|midnight)|(\d{1,2})(?::(\d{2})(?::(\d{2})(?:\.\d+)?)?)?(?: ?([ap])\.?m\.?)?)`
const pattern = new RegExp(String.raw`^(?:${date})?${time} ?(z|[+-]\d{2}:?\d{2})?$`)

/** A date and time as people write it: `2024-01-15 14:30`, `2:30 pm`, `tomorrow at noon`, `2024-01-15T14:30:00Z`. */
export function readWrittenTime(text: string, today: Day): WrittenTime {
  const match = pattern.exec(text.toLowerCase().replace(/\s+/g, ' ').replaceAll('−', '-').trim())
  const day = match && dayIn(match, today)
  const clock = match && clockIn(match)
  if (match === null || day === null || clock === null || clock === undefined) {
    throw new Failure('invalid-input', `Time not understood: ${text.slice(0, 60)}`, {
      hint: 'Write it as 2024-01-31 14:30, 14:30 or 2:30 pm.',
    })
  }
  return { time: clock, ...(day !== undefined && { day }), ...(match[10] !== undefined && { offset: match[10] }) }
}

/** Null for a day that does not exist. */
function dayIn(match: RegExpExecArray, today: Day): Day | null | undefined {
  const [, year, month, date, word] = match
  if (word !== undefined) return today + { yesterday: -1, today: 0, tomorrow: 1 }[word as 'today']
  return year === undefined ? undefined : (dayOf(Number(year), Number(month), Number(date)) ?? null)
}

function clockIn(match: RegExpExecArray): number | undefined {
  const [, , , , , word, hours, minutes, seconds, half] = match
  if (word !== undefined) return word === 'noon' ? 12 * 3_600_000 : 0
  // A bare number is an hour only with am or pm.
  if (minutes === undefined && half === undefined) return undefined
  let hour = Number(hours)
  if (half !== undefined && (hour < 1 || hour > 12)) return undefined
  if (half !== undefined) hour = (hour % 12) + (half === 'p' ? 12 : 0)
  const minute = Number(minutes ?? 0)
  const second = Number(seconds ?? 0)
  return hour > 23 || minute > 59 || second > 59 ? undefined : ((hour * 60 + minute) * 60 + second) * 1000
}
