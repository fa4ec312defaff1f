import type { Config } from '../../../../core/config/index.js'
import { Failure } from '../../../../core/errors.js'
import type { Rank, SearchRequest } from '../../../../core/vault-index/index.js'

export interface SearchOptions {
  limit?: number
  rank?: Rank
  tag?: string[]
  folder?: string
  property?: string[]
  after?: string
  before?: string
  dateField?: 'modified' | 'created' | 'any'
  passages?: boolean
  explain?: boolean
}

/** A checked request from what was typed. */
export function searchRequest(query: string, options: SearchOptions = {}): SearchRequest {
  const { after, before } = options
  const start = after === undefined ? undefined : dateBounds('--after', after)
  const end = before === undefined ? undefined : dateBounds('--before', before)
  if (start !== undefined && end !== undefined && end.last < start.first) {
    throw new Failure('invalid-input', 'End time must be after start time')
  }
  return {
    query,
    limit: options.limit,
    rank: options.rank,
    tags: options.tag,
    folder: options.folder?.replace(/^(\.?\/)+|\/+$/g, ''),
    ...(options.property?.length && { properties: properties(options.property) }),
    after,
    before,
    dateField: options.dateField,
    passages: options.passages,
    explain: options.explain,
  }
}

function properties(typed: readonly string[]): Record<string, string> {
  const wanted: Record<string, string> = {}
  for (const each of typed) {
    const [, key, value] = /^([^=]*)=(.*)$/s.exec(each)?.map((part) => part.trim()) ?? []
    if (!key) {
      throw new Failure('invalid-input', `--property takes a name and a value, not "${each}"`, {
        hint: 'Write it like --property status=done.',
      })
    }
    if (Object.hasOwn(wanted, key) && wanted[key] !== value) {
      throw new Failure('invalid-input', `--property ${key} is given twice`, {
        hint: 'Give each property once.',
      })
    }
    wanted[key] = value
  }
  return wanted
}

/** The request with the person's settings where nothing was typed. */
export function configured(request: SearchRequest, { search }: Config): SearchRequest {
  return { ...request, limit: request.limit ?? search.limit, rank: request.rank ?? search.rank }
}

const isoDate = /^(\d{4})-(\d{2})-(\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})?)?$/

/** First and last millisecond an ISO date or date-time stands for; a plain date is a local day. */
function dateBounds(option: string, text: string): { first: number; last: number } {
  const parts = isoDate.exec(text)
  const isPlain = !text.includes('T')
  const first = Date.parse(isPlain ? `${text}T00:00` : text)
  // The parser lets 30 February run over into March.
  const isDay = parts !== null && new Date(Date.UTC(+parts[1], +parts[2] - 1, +parts[3])).getUTCDate() === +parts[3]
  if (!isDay || Number.isNaN(first)) {
    throw new Failure('invalid-input', `${option} takes an ISO date, not "${text}"`, {
      hint: 'Write it like 2025-01-31 or 2025-01-31T18:30.',
    })
  }
  return { first, last: isPlain ? first + 86_400_000 - 1 : first }
}
