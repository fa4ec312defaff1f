import * as z from 'zod'
import { dayAt, isoDate, startOfDay, timeZone, weekdayName } from '../../time/index.js'
import { defineTool } from '../tool.js'

export const getTimeRange = defineTool({
  name: 'get_time_range',
  title: 'Time range',
  description:
    'Convert an English time expression to its first and last day (both included), also as epoch milliseconds. Use it before searching by date.',
  activity: 'Working out dates',
  category: 'time',
  effects: [],
  onRequest: 'period',
  alwaysOn: true,
  guidance: 'For search_notes, pass start_ms and end_ms as time_range {startTime, endTime}.',
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
    // Loaded with the first expression: most commands never read one.
    const { readTimeRange } = await import('./read-time-range.js')
    const zone = timeZone(clock.timeZone)
    const { start, end } = readTimeRange(expression, dayAt(clock.now().getTime(), zone))
    const [first, last] = [shownDay(start), shownDay(end)]
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

const shownDay = (day: Parameters<typeof isoDate>[0]): string => `${weekdayName(day)} ${isoDate(day)}`
