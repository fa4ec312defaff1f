import * as z from 'zod'
import { Failure } from '../../errors.js'
import {
  type Day,
  dayAt,
  dayOf,
  instantsOf,
  isoDate,
  isoTime,
  readableTime,
  type TimeZone,
  timeZone,
} from '../../time/index.js'
import { defineTool } from '../tool.js'

const zoneField = z.string().max(60).optional()
const zonedTime = z.object({ time: z.string(), timezone: z.string(), text: z.string() })

export const convertTimezone = defineTool({
  name: 'convert_timezone',
  title: 'Convert time zone',
  description:
    'Convert a time from one time zone to another. Zones are IANA names, cities or offsets. Default: the local zone.',
  activity: 'Converting a time',
  category: 'time',
  effects: [],
  onRequest: 'zone',
  alwaysOn: true,
  input: z.object({
    time: z.string().max(60).describe('"2024-01-31 14:30", or "2:30 pm" for today'),
    from: zoneField,
    to: zoneField,
  }),
  example: { time: '2026-03-01 14:30', from: 'Europe/Berlin', to: 'America/New_York' },
  output: z.object({ from: zonedTime, to: zonedTime, epoch_ms: z.number(), note: z.string().optional() }),

  async run({ time, from, to }, { clock }) {
    const now = clock.now().getTime()
    const target = timeZone(to ?? clock.timeZone)
    const home = timeZone(from ?? clock.timeZone)
    const wall = readWrittenTime(time, dayAt(now, home))
    const source = wall.offset === undefined ? home : timeZone(wall.offset)
    const shown = (wall.day ?? dayAt(now, source)) * 86_400_000 + wall.time
    const [instant, again] = instantsOf(shown, source)
    if (instant === undefined) throw skippedHour(shown, source)
    if (wall.offset !== undefined && from !== undefined && home.offsetAt(instant) !== source.offsetAt(instant)) {
      throw new Failure('invalid-input', `The time says ${source.name}, but from says ${home.name}.`)
    }
    return {
      from: timeInZone(instant, source),
      to: timeInZone(instant, target),
      epoch_ms: instant,
      ...(again !== undefined && {
        note: `Clocks go back at this time, so it occurs twice. The second is ${readableTime(again, target)}.`,
      }),
    }
  },

  render: ({ from, to, note }) => [`${from.text} = ${to.text}`, note].filter(Boolean).join('\n'),
})

function timeInZone(instant: number, zone: TimeZone) {
  return { time: isoTime(instant, zone), timezone: zone.name, text: readableTime(instant, zone) }
}

function skippedHour(shown: number, zone: TimeZone): Failure {
  const clock = new Date(shown).toISOString().slice(11, 16)
  const day = isoDate(Math.floor(shown / 86_400_000))
  return new Failure('invalid-input', `${clock} does not exist on ${day} in ${zone.name}, because clocks go forward.`)
}

/** A time as written in the arguments. */
interface WrittenTime {
  /** Undefined when only a time of day was given. */
  day?: Day
  /** Milliseconds since midnight. */
  time: number
  /** An offset written with the time: `Z`, `+02:00`. */
  offset?: string
}

const datePattern = String.raw`(?:(\d{4})-(\d{1,2})-(\d{1,2})|(today|tomorrow|yesterday))(?:t| at |[ ,]+)`
const timePattern = String.raw`(?:(noon|midnight)|(\d{1,2})(?::(\d{2})(?::(\d{2})(?:\.\d+)?)?)?(?: ?([ap])\.?m\.?)?)`
const writtenTimePattern = new RegExp(String.raw`^(?:${datePattern})?${timePattern} ?(z|[+-]\d{2}:?\d{2})?$`)

/** A date and time as people write it: `2024-01-15 14:30`, `2:30 pm`, `tomorrow at noon`, `2024-01-15T14:30:00Z`. */
function readWrittenTime(text: string, today: Day): WrittenTime {
  const match = writtenTimePattern.exec(text.toLowerCase().replace(/\s+/g, ' ').replaceAll('−', '-').trim())
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
