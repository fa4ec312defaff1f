import { Failure } from '../../../errors.js'
import { type Day, partsOf, type Span } from '../calendar.js'
import { calendarReaders } from './calendar-time.js'
import { isRecurring, type Reading } from './reading.js'
import { dayAway, relativeReaders } from './relative-time.js'

/**
 * The days an English expression means, seen from today. What comes round every year is the latest that has begun.
 * Whatever can be read two ways is refused, not guessed.
 */
export function readTimeRange(expression: string, today: Day): Span {
  const text = tidy(expression)
  const span = single(text, today) ?? sinceThen(text, today) ?? fromTo(text, today)
  if (span === undefined || !isSensible(span)) throw notUnderstood(expression, text)
  if (span.end < span.start) {
    throw new Failure('invalid-input', 'End time must be after start time', {
      hint: 'Name the years, as in "from 2023-11-01 to 2024-03-01".',
    })
  }
  return span
}

function tidy(expression: string): string {
  return expression
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[‐-―−]/g, '-')
    .replace(/\s+/g, ' ')
    .replace(/[\s.,!?]+$/, '')
    .trim()
}

function single(text: string, today: Day): Span | undefined {
  const reading = read(text, today)
  return reading && isRecurring(reading) ? reading.latest(today) : reading
}

function sinceThen(text: string, today: Day): Span | undefined {
  const then = /^(?:ever )?since (.+)$/.exec(text)?.[1]
  const reading = then === undefined ? undefined : readEnd(then, today)
  const span = reading && isRecurring(reading) ? reading.latest(today) : reading
  return span && { start: span.start, end: today }
}

function fromTo(text: string, today: Day): Span | undefined {
  const ends =
    /^between (.+?) and (.+)$/.exec(text) ??
    /^(?:from )?(.+?)(?: to | until | till | through | - | ?\.\.\.? ?)(.+)$/.exec(text)
  if (ends === null) return undefined
  const start = readEnd(ends[1], today)
  const end = readEnd(ends[2], today)
  if (start === undefined || end === undefined) return undefined
  return joined(start, end, today)
}

/** Where an end does not say its year, the other decides it. */
function joined(start: Reading, end: Reading, today: Day): Span | undefined {
  if (!isRecurring(start)) {
    const last = isRecurring(end) ? end.first(start.start) : end
    return last && { start: start.start, end: last.end }
  }
  if (!isRecurring(end)) {
    const first = start.latest(end.end)
    return first && { start: first.start, end: end.end }
  }
  const first = start.latest(today)
  return first && joined(first, end, today)
}

function readEnd(text: string, today: Day): Reading | undefined {
  return dayAway(text, today) ?? read(text, today)
}

function read(text: string, today: Day): Reading | undefined {
  // "in 3 days" needs its first word; "in march" and "the last week" do not.
  for (const words of [text, text.replace(/^(?:(?:in|on|during|over|within|for|the) )+/, '')]) {
    for (const reader of [...relativeReaders, ...calendarReaders]) {
      const reading = reader(words, today)
      if (reading !== undefined) return reading
    }
  }
  return undefined
}

function isSensible({ start, end }: Span): boolean {
  return [start, end].every((day) => {
    const { year } = partsOf(day)
    return year >= 1 && year <= 9999
  })
}

const understood =
  'Understood are, for example: today, last week, past 3 days, 2 weeks ago, January, March 2023, January 10, 2024-01-10, ' +
  'Q3 2023, 2024-W03, week of January 10, last Monday, since Monday, from 2024-01-01 to now.'

function notUnderstood(expression: string, text: string): Failure {
  const shown = expression.length > 80 ? `${expression.slice(0, 80)}…` : expression
  if (/\d{1,2}[/.]\d{1,2}[/.]\d{2,4}/.test(text)) {
    return new Failure('invalid-input', `Day and month cannot be told apart: ${shown}`, {
      hint: 'Write the date as 2024-01-31.',
    })
  }
  if (/\b(?:spring|summer|autumn|fall|winter)\b/.test(text)) {
    return new Failure('invalid-input', `A season has no fixed days: ${shown}`, {
      hint: 'Name months, as in "from March 2023 to May 2023".',
    })
  }
  return new Failure('invalid-input', `Time expression not understood: ${shown || '(empty)'}`, { hint: understood })
}
