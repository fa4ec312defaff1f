import { visibleText } from '../../text/index.js'
import { shortText } from '../answer/index.js'

const mostItems = 100
const mostCharacters = 8000

/** The first hundred of a list; how many more there are is written into `leftOut`. */
export function boundedList<T>(name: string, items: readonly T[], leftOut: Record<string, number>): T[] {
  if (items.length > mostItems) leftOut[name] = items.length - mostItems
  return items.slice(0, mostItems)
}

/** A note's properties as long as they are of a sensible size; how many are left out is written into `leftOut`. */
export function boundedProperties(
  properties: Record<string, unknown> | null,
  leftOut: Record<string, number>,
): Record<string, unknown> | null {
  if (properties === null) return null
  let room = mostCharacters
  let dropped = 0
  const kept: [string, unknown][] = []
  for (const [name, value] of Object.entries(properties)) {
    const text = visibleText(JSON.stringify(value) ?? 'null').text
    room -= name.length + text.length
    if (room >= 0) kept.push([shortText(name), visible(value)])
    else {
      dropped++
      room += name.length + text.length
    }
  }
  if (dropped > 0) leftOut.properties = dropped
  return Object.fromEntries(kept)
}

function visible(value: unknown): unknown {
  if (typeof value === 'string') return visibleText(value).text
  if (Array.isArray(value)) return value.map(visible)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [visibleText(name).text, visible(inner)]))
}
