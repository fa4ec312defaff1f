import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { testContext } from '../../../../test/tools/call-tool.js'
import { type Day, dayAt, dayOf, isoDate, startOfDay, timeZone, weekdayOf } from '../../time/index.js'
import { getTimeRange } from './get-time-range.js'
import { readTimeRange } from './read-time-range.js'

const monday = dayOf(2024, 1, 15)!

/** Seen from Monday 2024-01-15. */
const ranges: [expression: string, start: string, end: string][] = [
  ['today', '2024-01-15', '2024-01-15'],
  ['yesterday', '2024-01-14', '2024-01-14'],
  ['tomorrow', '2024-01-16', '2024-01-16'],
  ['the day before yesterday', '2024-01-13', '2024-01-13'],

  ['last week', '2024-01-08', '2024-01-14'],
  ['previous week', '2024-01-08', '2024-01-14'],
  ['this week', '2024-01-15', '2024-01-21'],
  ['next week', '2024-01-22', '2024-01-28'],
  ['last month', '2023-12-01', '2023-12-31'],
  ['this month', '2024-01-01', '2024-01-31'],
  ['next month', '2024-02-01', '2024-02-29'],
  ['this quarter', '2024-01-01', '2024-03-31'],
  ['last quarter', '2023-10-01', '2023-12-31'],
  ['this year', '2024-01-01', '2024-12-31'],
  ['last year', '2023-01-01', '2023-12-31'],
  ['last weekend', '2024-01-13', '2024-01-14'],
  ['this weekend', '2024-01-20', '2024-01-21'],
  ['year to date', '2024-01-01', '2024-01-15'],

  ['last 3 days', '2024-01-12', '2024-01-15'],
  ['the past three days', '2024-01-12', '2024-01-15'],
  ['last 2 weeks', '2024-01-01', '2024-01-15'],
  ['last 6 months', '2023-07-15', '2024-01-15'],
  ['previous 2 years', '2022-01-15', '2024-01-15'],
  ['past week', '2024-01-08', '2024-01-15'],
  ['next 10 days', '2024-01-15', '2024-01-25'],
  ['3 days ago', '2024-01-12', '2024-01-12'],
  ['in 3 days', '2024-01-18', '2024-01-18'],
  ['2 weeks ago', '2024-01-01', '2024-01-07'],
  ['a month ago', '2023-12-01', '2023-12-31'],

  ['last monday', '2024-01-08', '2024-01-08'],
  ['last Sunday', '2024-01-14', '2024-01-14'],
  ['next friday', '2024-01-26', '2024-01-26'],
  ['this friday', '2024-01-19', '2024-01-19'],
  ['friday', '2024-01-12', '2024-01-12'],
  ['on monday', '2024-01-15', '2024-01-15'],

  ['January', '2024-01-01', '2024-01-31'],
  ['February', '2023-02-01', '2023-02-28'],
  ['in march 2023', '2023-03-01', '2023-03-31'],
  ['Sept. 2022', '2022-09-01', '2022-09-30'],
  ['last january', '2023-01-01', '2023-01-31'],
  ['last december', '2023-12-01', '2023-12-31'],
  ['2023', '2023-01-01', '2023-12-31'],
  ['2024-02', '2024-02-01', '2024-02-29'],
  ['2024-01-10', '2024-01-10', '2024-01-10'],
  ['january 10', '2024-01-10', '2024-01-10'],
  ['January 16', '2023-01-16', '2023-01-16'],
  ['the 3rd of october 2022', '2022-10-03', '2022-10-03'],
  ['10 March, 2023', '2023-03-10', '2023-03-10'],
  ['february 29', '2020-02-29', '2020-02-29'],

  ['Q1', '2024-01-01', '2024-03-31'],
  ['Q3', '2023-07-01', '2023-09-30'],
  ['Q4 2023', '2023-10-01', '2023-12-31'],
  ['2022-Q2', '2022-04-01', '2022-06-30'],
  ['second quarter of 2022', '2022-04-01', '2022-06-30'],
  ['H1 2023', '2023-01-01', '2023-06-30'],
  ['2024-W03', '2024-01-15', '2024-01-21'],
  ['week 1', '2024-01-01', '2024-01-07'],
  ['week 52 of 2023', '2023-12-25', '2023-12-31'],
  ['week of january 10', '2024-01-08', '2024-01-14'],
  ['week of 2023-12-31', '2023-12-25', '2023-12-31'],

  ['since monday', '2024-01-15', '2024-01-15'],
  ['since last month', '2023-12-01', '2024-01-15'],
  ['since 2 months ago', '2023-11-15', '2024-01-15'],
  ['from january 1 to january 15', '2024-01-01', '2024-01-15'],
  ['from 2024-01-01 to now', '2024-01-01', '2024-01-15'],
  ['from january 10 to january 20', '2024-01-10', '2024-01-20'],
  ['from december 20 to january 5', '2023-12-20', '2024-01-05'],
  ['between march 1 and june 1', '2023-03-01', '2023-06-01'],
  ['between january and march 2023', '2023-01-01', '2023-03-31'],
  ['from 10 days ago until yesterday', '2024-01-05', '2024-01-14'],
  ['2023-11-01..2023-11-15', '2023-11-01', '2023-11-15'],
  ['2022 – 2023', '2022-01-01', '2023-12-31'],
  ['monday to friday', '2024-01-15', '2024-01-19'],
]

const notUnderstood = [
  ...['', ' ', 'random text', 'week of invalid', 'last', 'last few days', 'last 0 days', 'last -3 days', 'someday'],
  ...[
    'february 30',
    '2023-02-29',
    '2024-13-01',
    '2021-W53',
    'Q5',
    'spring 2023',
    '01/10/2024',
    '5',
    'january 2023 2022',
  ],
  ...[
    'from monday',
    'until friday',
    'from tuesday to whenever',
    'last 9999 years',
    'next 9999 years',
    'monday or tuesday',
  ],
]

describe('get_time_range', () => {
  for (const [expression, start, end] of ranges) {
    it(`reads "${expression}" as ${start} to ${end}`, () => {
      expect(dates(expression)).toEqual([start, end])
    })
  }

  for (const expression of notUnderstood) {
    it(`does not guess at "${expression}"`, () => {
      expect(() => readTimeRange(expression, monday)).toThrowError(
        expect.objectContaining({ code: 'invalid-input', details: { hint: expect.any(String) } }),
      )
    })
  }

  it('lists the expressions it understands', () => {
    expect(() => readTimeRange('random text', monday)).toThrow('Time expression not understood: random text')
    expect(() => readTimeRange('03/04/2023', monday)).toThrow('It is unclear which number is the day')
    expect(() => readTimeRange('from 2024-02-01 to 2024-01-01', monday)).toThrow('End time must be after start time')
  })

  it('answers local days with the instants they begin and end at', async () => {
    const context = await testContext({}, { clock: clockIn('Europe/Berlin', '2024-04-10T12:00:00Z') })
    const march = await getTimeRange.run!({ expression: 'last month' }, context)
    expect(march).toMatchObject({ start: '2024-03-01', end: '2024-03-31', timezone: 'Europe/Berlin' })
    expect(new Date(march.start_ms).toISOString()).toBe('2024-02-29T23:00:00.000Z')
    // Summer time began on the last day.
    expect(new Date(march.end_ms).toISOString()).toBe('2024-03-31T21:59:59.999Z')
  })

  it('takes today from the zone, not from the machine', async () => {
    const context = await testContext({}, { clock: clockIn('Pacific/Auckland', '2024-01-14T20:00:00Z') })
    expect(await getTimeRange.run!({ expression: 'today' }, context)).toMatchObject({ start: '2024-01-15' })
  })

  it('begins a day that has no midnight when the clocks have gone forward', async () => {
    const context = await testContext({}, { clock: clockIn('America/Sao_Paulo', '2018-11-04T15:00:00Z') })
    const today = await getTimeRange.run!({ expression: 'today' }, context)
    expect(new Date(today.start_ms).toISOString()).toBe('2018-11-04T03:00:00.000Z')
    expect(today.end_ms - today.start_ms + 1).toBe(23 * 3_600_000)
  })

  it('begins a day at its first instant and ends it before the next, in every zone', () => {
    const zones = fc.constantFrom(...Intl.supportedValuesOf('timeZone'))
    const days = fc.integer({ min: dayOf(1990, 1, 1)!, max: dayOf(2037, 1, 1)! })
    fc.assert(
      fc.property(zones, days, (name, day) => {
        const zone = timeZone(name)
        const start = startOfDay(day, zone)
        expect(dayAt(start - 1, zone)).toBeLessThan(day)
        // Some islands have skipped a day.
        expect(dayAt(start, zone) - day).toBeOneOf([0, 1])
      }),
      { numRuns: 500 },
    )
  })

  it('never returns a future date for a bare month, quarter or weekday', () => {
    const words = fc.constantFrom('january', 'feb', 'june', 'december', 'q1', 'q2', 'q4', 'sunday', 'tue', 'march 5')
    fc.assert(
      fc.property(words, fc.integer({ min: dayOf(1995, 1, 1)!, max: dayOf(2060, 1, 1)! }), (word, today) => {
        const { start, end } = readTimeRange(word, today)
        expect(start).toBeLessThanOrEqual(today)
        expect(end).toBeGreaterThan(today - 366)
      }),
    )
  })

  it('keeps whole weeks from Monday to Sunday, whatever today is', () => {
    fc.assert(
      fc.property(fc.integer({ min: -10_000, max: 40_000 }), (today) => {
        const last = readTimeRange('last week', today)
        expect([weekdayOf(last.start), last.end - last.start]).toEqual([1, 6])
        expect(readTimeRange('this week', today).start).toBe(last.end + 1)
        expect(readTimeRange('next friday', today).start).toBe(last.start + 18)
      }),
    )
  })

  it('either reads or refuses any text, without a stumble', () => {
    const pieces = fc.constantFrom(
      'last',
      'from',
      'to',
      'week',
      'of',
      '3',
      '31',
      'feb',
      '2023',
      'q2',
      'ago',
      'days',
      '-',
      '..',
    )
    const text = fc.oneof(
      fc.string(),
      fc.array(pieces).map((words) => words.join(' ')),
    )
    fc.assert(
      fc.property(text, (expression) => {
        try {
          const { start, end } = readTimeRange(expression, monday)
          expect(end).toBeGreaterThanOrEqual(start)
        } catch (error) {
          expect(error).toMatchObject({ name: 'Failure', code: 'invalid-input' })
        }
      }),
      { numRuns: 2000 },
    )
  })
})

function dates(expression: string, today: Day = monday): string[] {
  const { start, end } = readTimeRange(expression, today)
  return [isoDate(start), isoDate(end)]
}

function clockIn(timeZone: string, now: string) {
  return { timeZone, now: () => new Date(now) }
}
