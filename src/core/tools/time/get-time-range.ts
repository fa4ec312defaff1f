import * as z from 'zod'
import { defineTool } from '../tool.js'
import { isoDate } from './calendar.js'
import { readTimeRange } from './expression/read-time-range.js'
import { dayAt, startOfDay, timeZone, weekdayName } from './time-zone.js'

export const getTimeRange = defineTool({
  name: 'get_time_range',
  title: 'Time range',
  description:
    'The days an English time expression means, as first and last day (both included) and epoch milliseconds. Use it before searching by date.',
  activity: 'Working out dates',
  category: 'time',
  effects: [],
  alwaysOn: true,
  guidance: 'For search_notes, give start_ms and end_ms as time_range {startTime, endTime}.',
  input: z.object({
    expression: z.string().max(200).describe('e.g. "last week", "Q3 2023", "from january 1 to now"'),
  }),
  example: { expression: 'last week' },
  output: z.object({
    start: z.string(),
    end: z.string(),
    start_ms: z.number(),
    end_ms: z.number(),
    timezone: z.string(),
    text: z.string(),
  }),

  async run({ expression }, { clock }) {
    const zone = timeZone(clock.timeZone)
    const { start, end } = readTimeRange(expression, dayAt(clock.now().getTime(), zone))
    const [first, last] = [start, end].map((day) => `${weekdayName(day)} ${isoDate(day)}`)
    return {
      start: isoDate(start),
      end: isoDate(end),
      start_ms: startOfDay(start, zone),
      end_ms: startOfDay(end + 1, zone) - 1,
      timezone: zone.name,
      text: start === end ? first : `${first} to ${last}`,
    }
  },

  render: ({ text, start_ms, end_ms, timezone }) => `${text} (epoch ms ${start_ms} to ${end_ms}, ${timezone})`,
})
