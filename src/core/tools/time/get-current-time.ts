import * as z from 'zod'
import { dayAt, isoTime, readableTime, timeZone, weekdayName } from '../../time/index.js'
import { defineTool } from '../tool.js'

export const getCurrentTime = defineTool({
  name: 'get_current_time',
  title: 'Current time',
  description: 'Get the current date and time with weekday, here or in another time zone.',
  activity: 'Checking the time',
  category: 'time',
  effects: [],
  onRequest: 'clock',
  alwaysOn: true,
  input: z.object({
    timezone: z
      .string()
      .max(60)
      .optional()
      .describe('IANA name or offset, e.g. "Asia/Tokyo", "+05:30"; default: local'),
  }),
  example: { timezone: 'Asia/Tokyo' },
  output: z.object({
    iso: z.string(),
    epoch_ms: z.number(),
    weekday: z.string(),
    timezone: z.string(),
    text: z.string(),
  }),

  async run({ timezone }, { clock }) {
    const zone = timeZone(timezone ?? clock.timeZone)
    const now = clock.now().getTime()
    return {
      iso: isoTime(now, zone),
      epoch_ms: now,
      weekday: weekdayName(dayAt(now, zone)),
      timezone: zone.name,
      text: readableTime(now, zone),
    }
  },

  render: ({ text, iso, epoch_ms }) => `${text}\n${iso} (epoch ms ${epoch_ms})`,
})
