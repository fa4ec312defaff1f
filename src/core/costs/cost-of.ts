import type { StepUsage } from '../model/index.js'
import { type Price, priceTable } from './price-table.js'

/** What it cost, in US dollars; null where nobody knows. What the provider says itself counts before any table. */
export function costOf(model: string, usage: StepUsage, own: Readonly<Record<string, Price>> = {}): number | null {
  if (usage.cost !== undefined) return usage.cost
  const { input, output, cachedInput = 0, cacheWrite = 0 } = usage
  const price = priceOf(model, own)
  if (price === undefined || input === undefined || output === undefined) return null
  if (price.upTo !== undefined && input > price.upTo) return null
  const fresh = Math.max(0, input - cachedInput - cacheWrite)
  const { cached = price.input, cacheWrite: kept = price.input } = price
  return (fresh * price.input + cachedInput * cached + cacheWrite * kept + output * price.output) / 1_000_000
}

/** A model that is named with its date costs what the one without does. */
function priceOf(model: string, own: Readonly<Record<string, Price>>): Price | undefined {
  const undated = model.replace(/[-@](?:\d{8}|\d{4}-\d{2}-\d{2})$/, '')
  for (const table of [own, priceTable]) {
    for (const name of [model, undated]) if (Object.hasOwn(table, name)) return table[name]
  }
  return undefined
}
