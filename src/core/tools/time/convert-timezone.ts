import * as z from 'zod'
import { Failure } from '../../errors.js'
import { defineTool } from '../tool.js'
import { isoDate } from './calendar.js'
import { readWallTime } from './read-wall-time.js'
import { dayAt, instantsOf, isoTime, readableTime, type TimeZone, timeZone } from './time-zone.js'

const zone = z.string().max(60).optional()
const place = z.object({ time: z.string(), timezone: z.string(), text: z.string() })

export const convertTimezone = defineTool({
  name: 'convert_timezone',
  title: 'Convert time zone',
  description:
    'What a time in one zone is in another. Zones are IANA names, cities or offsets; the local zone by default.',
  activity: 'Converting a time',
  category: 'time',
  effects: [],
  alwaysOn: true,
  input: z.object({
    time: z.string().max(60).describe('"2024-01-31 14:30", or "2:30 pm" for today'),
    from: zone,
    to: zone,
  }),
  example: { time: '2026-03-01 14:30', from: 'Europe/Berlin', to: 'America/New_York' },
  output: z.object({ from: place, to: place, epoch_ms: z.number(), note: z.string().optional() }),

  async run({ time, from, to }, { clock }) {
    const now = clock.now().getTime()
    const target = timeZone(to ?? clock.timeZone)
    const home = timeZone(from ?? clock.timeZone)
    const wall = readWallTime(time, dayAt(now, home))
    const source = wall.offset === undefined ? home : timeZone(wall.offset)
    const shown = (wall.day ?? dayAt(now, source)) * 86_400_000 + wall.time
    const [instant, again] = instantsOf(shown, source)
    if (instant === undefined) throw skipped(shown, source)
    if (wall.offset !== undefined && from !== undefined && home.offsetAt(instant) !== source.offsetAt(instant)) {
      throw new Failure('invalid-input', `The time says ${source.name}, but from says ${home.name}.`)
    }
    return {
      from: placed(instant, source),
      to: placed(instant, target),
      epoch_ms: instant,
      ...(again !== undefined && {
        note: `Clocks go back then, so this time comes twice; the second is ${readableTime(again, target)}.`,
      }),
    }
  },

  render: ({ from, to, note }) => [`${from.text} = ${to.text}`, note].filter(Boolean).join('\n'),
})

function placed(instant: number, zone: TimeZone) {
  return { time: isoTime(instant, zone), timezone: zone.name, text: readableTime(instant, zone) }
}

function skipped(shown: number, zone: TimeZone): Failure {
  const clock = new Date(shown).toISOString().slice(11, 16)
  const day = isoDate(Math.floor(shown / 86_400_000))
  return new Failure('invalid-input', `${clock} does not exist on ${day} in ${zone.name}: clocks go forward over it.`)
}
