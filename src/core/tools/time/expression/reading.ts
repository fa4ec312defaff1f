import { type Day, partsOf, type Span } from '../calendar.js'

/** What words mean: certain days, or something that comes round (January, a Friday) and waits to be told which. */
export type Reading = Span | Recurring

export interface Recurring {
  /** The last that has begun by this day. */
  latest(day: Day): Span | undefined
  /** The first that is not over on this day. */
  first(day: Day): Span | undefined
}

/** Reads words that stand for days as seen from today; undefined when they are not of its kind. */
export type Reader = (text: string, today: Day) => Reading | undefined

export function isRecurring(reading: Reading): reading is Recurring {
  return 'latest' in reading
}

/** Something every year has, or some years: February 29 comes round within eight. */
export function yearly(inYear: (year: number) => Span | undefined): Recurring {
  const search = (years: number[], fits: (span: Span) => boolean) =>
    years.map(inYear).find((span): span is Span => span !== undefined && fits(span))
  return {
    latest(day) {
      const { year } = partsOf(day)
      const years = Array.from({ length: 10 }, (_, back) => year + 1 - back)
      return search(years, ({ start }) => start <= day)
    },
    first(day) {
      const { year } = partsOf(day)
      const years = Array.from({ length: 10 }, (_, ahead) => year - 1 + ahead)
      return search(years, ({ end }) => end >= day)
    },
  }
}
