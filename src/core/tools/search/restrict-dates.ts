import { Failure } from '../../errors.js'
import { noteFilter, type SearchRequest } from '../../vault-index/index.js'
import type { SearchNotesInput } from './search-notes.js'

export interface Dates {
  /** For the search request. */
  range: Pick<SearchRequest, 'after' | 'before' | 'dateField'>
  isRestricted: boolean
  /** No note can be in both ranges. */
  isEmpty: boolean
  remark?: string
}

/**
 * The times a note must be of. Dates of the filter mean when it was changed, unless told; a time range means anything
 * that happened then, so a daily note of that day counts too. Ends that are real and the wrong way round are an error
 * in both; a range with an end that is missing, zero or no time at all is a model's way to say nothing, and is ignored.
 */
export function restrictDates({ filter, time_range }: Pick<SearchNotesInput, 'filter' | 'time_range'>): Dates {
  const dates = noteFilter({ query: '', after: filter?.date_after, before: filter?.date_before }) ?? {}
  const time = time_range && rangeOf(time_range)
  const afterMs = latest(dates.afterMs, time?.start)
  const beforeMs = earliest(dates.beforeMs, time?.end)
  const hasDates = dates.afterMs !== undefined || dates.beforeMs !== undefined
  const isRestricted = hasDates || time !== undefined
  return {
    range: {
      ...(afterMs !== undefined && { after: new Date(afterMs).toISOString() }),
      ...(beforeMs !== undefined && { before: new Date(beforeMs).toISOString() }),
      ...(isRestricted && { dateField: filter?.date_field ?? (hasDates ? 'modified' : 'any') }),
    },
    isRestricted,
    isEmpty: afterMs !== undefined && beforeMs !== undefined && beforeMs <= afterMs,
    ...(time_range && time === undefined && { remark: ignored }),
  }
}

const ignored =
  'time_range was ignored: it needs a startTime and a later endTime, each as epoch milliseconds or ISO 8601.'

function rangeOf({ startTime, endTime }: { startTime?: unknown; endTime?: unknown }) {
  const start = instantOf(startTime, 'after')
  const end = instantOf(endTime, 'before')
  if (start === undefined || end === undefined) return undefined
  if (end <= start) throw new Failure('invalid-input', 'End time must be after start time')
  // A plain date as an end already means the day after. A time names the last moment that counts.
  return { start, end: typeof endTime === 'string' && plainDate.test(endTime) ? end : end + 1 }
}

/** Milliseconds from a number, a text, or an object with one of them in it, as clocks answer. */
function instantOf(value: unknown, side: 'after' | 'before'): number | undefined {
  if (typeof value === 'object' && value !== null) {
    const { epoch, iso, isoString } = value as Record<string, unknown>
    const inner = epoch ?? iso ?? isoString
    return typeof inner === 'object' ? undefined : instantOf(inner, side)
  }
  if (typeof value === 'string' && /^\d{4}-/.test(value)) return dateOf(value, side)
  const ms = typeof value === 'number' ? value : typeof value === 'string' && value !== '' ? Number(value) : 0
  return ms > 0 && ms <= lastInstant ? ms : undefined
}

const lastInstant = 8.64e15 - 1
const plainDate = /^\d{4}-\d{2}-\d{2}$/

function dateOf(text: string, side: 'after' | 'before'): number | undefined {
  try {
    const filter = noteFilter({ query: '', [side]: text })
    return side === 'after' ? filter?.afterMs : filter?.beforeMs
  } catch {
    return undefined
  }
}

const latest = (one?: number, other?: number) => (one === undefined || (other ?? one) > one ? other : one)
const earliest = (one?: number, other?: number) => (one === undefined || (other ?? one) < one ? other : one)
