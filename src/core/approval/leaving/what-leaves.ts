import { isRecord } from '../../is-record.js'
import type { ProposedCall } from '../../tools/index.js'
import type { TypedWords } from './typed-words.js'

/** What of a call would leave the machine and could have been chosen: an address as a whole, or words. */
export interface Leaving {
  address?: string
  words?: string
}

export function whatLeaves({ tool, foreign, effects, input, sends }: ProposedCall): Leaving[] {
  if (sends.length === 0 && !effects.includes('reaches-network')) return []
  // Where a server is was said by the person who set it up; what it is told are the arguments.
  if (foreign !== undefined || sends.length === 0) return [{ words: valuesIn(input, namesKnown(tool.input)).join(' ') }]
  return sends.map(({ url, payload, chosen }) =>
    chosen === undefined ? { address: url, words: payload } : { words: chosen },
  )
}

/** Whether all of it stands in what the person typed. */
export function isTyped(leaving: readonly Leaving[], typed: TypedWords): boolean {
  return leaving.every(
    ({ address, words }) =>
      (address === undefined || typed.hasAddress(address)) &&
      (words === undefined || typed.missing(words).length === 0),
  )
}

/** Names of arguments that the tool itself gives out; any other name was chosen. */
function namesKnown(schema: ProposedCall['tool']['input']): ReadonlySet<string> | 'all' {
  if (!('jsonSchema' in schema)) return 'all'
  const { properties } = schema.jsonSchema
  return new Set(isRecord(properties) ? Object.keys(properties) : [])
}

function valuesIn(value: unknown, known: ReadonlySet<string> | 'all' = new Set()): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value === 'number' || typeof value === 'bigint') return [`${value}`]
  if (Array.isArray(value)) return value.flatMap((each) => valuesIn(each))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, own]) => [
    ...(known === 'all' || known.has(name) ? [] : [name]),
    ...valuesIn(own),
  ])
}
