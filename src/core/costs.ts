import type { StepUsage } from './model/index.js'

/** Cost of one step in US dollars; null if unknown. A cost reported by the provider wins over any price table. */
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

/** A model named with its date costs the same as the model without it. */
function priceOf(model: string, own: Readonly<Record<string, Price>>): Price | undefined {
  const undated = model.replace(/[-@](?:\d{8}|\d{4}-\d{2}-\d{2})$/, '')
  for (const table of [own, priceTable]) {
    for (const name of [model, undated]) if (Object.hasOwn(table, name)) return table[name]
  }
  return undefined
}

/** Price of a model, in US dollars per million tokens. */
interface Price {
  input: number
  output: number
  /** Input the provider had cached from an earlier request. Priced as other input if absent. */
  cached?: number | undefined
  /** Input the provider caches for the next request. */
  cacheWrite?: number | undefined
  /** The price holds for requests of up to this many tokens. Longer ones cost more; the table does not say how much. */
  upTo?: number
}

/** Date of the price table. Providers change prices; `prices.<model>` in the settings takes precedence. */
export const pricesAsOf = '2026-08-08'

// Sources: https://openai.com/api/pricing, https://www.anthropic.com/pricing#api and https://ai.google.dev/pricing,
// gathered by https://github.com/BerriAI/litellm (model_prices_and_context_window.json). Standard rates: no batches, no
// priority, text alone.
const priceTable: Readonly<Record<string, Price>> = {
  'anthropic/claude-fable-5': { input: 10, cached: 1, cacheWrite: 12.5, output: 50 },
  'anthropic/claude-haiku-4-5': { input: 1, cached: 0.1, cacheWrite: 1.25, output: 5 },
  'anthropic/claude-opus-4-1': { input: 15, cached: 1.5, cacheWrite: 18.75, output: 75 },
  'anthropic/claude-opus-4-5': { input: 5, cached: 0.5, cacheWrite: 6.25, output: 25 },
  'anthropic/claude-opus-4-6': { input: 5, cached: 0.5, cacheWrite: 6.25, output: 25 },
  'anthropic/claude-opus-4-7': { input: 5, cached: 0.5, cacheWrite: 6.25, output: 25 },
  'anthropic/claude-opus-4-8': { input: 5, cached: 0.5, cacheWrite: 6.25, output: 25 },
  'anthropic/claude-opus-5': { input: 5, cached: 0.5, cacheWrite: 6.25, output: 25 },
  'anthropic/claude-sonnet-4-5': { input: 3, cached: 0.3, cacheWrite: 3.75, output: 15, upTo: 200_000 },
  'anthropic/claude-sonnet-4-6': { input: 3, cached: 0.3, cacheWrite: 3.75, output: 15 },
  'anthropic/claude-sonnet-5': { input: 2, cached: 0.2, cacheWrite: 2.5, output: 10 },
  'gemini/gemini-2.5-flash': { input: 0.3, cached: 0.03, output: 2.5 },
  'gemini/gemini-2.5-flash-lite': { input: 0.1, cached: 0.01, output: 0.4 },
  'gemini/gemini-2.5-pro': { input: 1.25, cached: 0.125, output: 10, upTo: 200_000 },
  'gemini/gemini-3-flash-preview': { input: 0.5, cached: 0.05, output: 3 },
  'gemini/gemini-3.1-flash-lite': { input: 0.25, cached: 0.025, output: 1.5 },
  'gemini/gemini-3.1-flash-lite-preview': { input: 0.25, cached: 0.025, output: 1.5 },
  'gemini/gemini-3.1-pro-preview': { input: 2, cached: 0.2, output: 12, upTo: 200_000 },
  'gemini/gemini-3.5-flash': { input: 1.5, cached: 0.15, output: 9 },
  'gemini/gemini-3.5-flash-lite': { input: 0.3, cached: 0.03, output: 2.5 },
  'gemini/gemini-3.6-flash': { input: 1.5, cached: 0.15, output: 7.5 },
  'openai/gpt-4.1': { input: 2, cached: 0.5, output: 8 },
  'openai/gpt-4.1-mini': { input: 0.4, cached: 0.1, output: 1.6 },
  'openai/gpt-4.1-nano': { input: 0.1, cached: 0.025, output: 0.4 },
  'openai/gpt-4o': { input: 2.5, cached: 1.25, output: 10 },
  'openai/gpt-4o-mini': { input: 0.15, cached: 0.075, output: 0.6 },
  'openai/gpt-5': { input: 1.25, cached: 0.125, output: 10 },
  'openai/gpt-5-chat': { input: 1.25, cached: 0.125, output: 10 },
  'openai/gpt-5-chat-latest': { input: 1.25, cached: 0.125, output: 10 },
  'openai/gpt-5-mini': { input: 0.25, cached: 0.025, output: 2 },
  'openai/gpt-5-nano': { input: 0.05, cached: 0.005, output: 0.4 },
  'openai/gpt-5-pro': { input: 15, output: 120 },
  'openai/gpt-5.1': { input: 1.25, cached: 0.125, output: 10 },
  'openai/gpt-5.1-chat-latest': { input: 1.25, cached: 0.125, output: 10 },
  'openai/gpt-5.2': { input: 1.75, cached: 0.175, output: 14 },
  'openai/gpt-5.2-chat-latest': { input: 1.75, cached: 0.175, output: 14 },
  'openai/gpt-5.2-pro': { input: 21, output: 168 },
  'openai/gpt-5.3-chat-latest': { input: 1.75, cached: 0.175, output: 14 },
  'openai/gpt-5.4': { input: 2.5, cached: 0.25, output: 15, upTo: 272_000 },
  'openai/gpt-5.4-mini': { input: 0.75, cached: 0.075, output: 4.5 },
  'openai/gpt-5.4-nano': { input: 0.2, cached: 0.02, output: 1.25 },
  'openai/gpt-5.4-pro': { input: 30, cached: 3, output: 180, upTo: 272_000 },
  'openai/gpt-5.5': { input: 5, cached: 0.5, output: 30, upTo: 272_000 },
  'openai/gpt-5.5-pro': { input: 30, cached: 3, output: 180, upTo: 272_000 },
  'openai/gpt-5.6': { input: 5, cached: 0.5, cacheWrite: 6.25, output: 30, upTo: 272_000 },
  'openai/gpt-5.6-luna': { input: 0.2, cached: 0.02, cacheWrite: 0.25, output: 1.2, upTo: 272_000 },
  'openai/gpt-5.6-sol': { input: 5, cached: 0.5, cacheWrite: 6.25, output: 30, upTo: 272_000 },
  'openai/gpt-5.6-terra': { input: 2, cached: 0.2, cacheWrite: 2.5, output: 12, upTo: 272_000 },
  'openai/o3': { input: 2, cached: 0.5, output: 8 },
  'openai/o3-mini': { input: 1.1, cached: 0.55, output: 4.4 },
  'openai/o3-pro': { input: 20, output: 80 },
  'openai/o4-mini': { input: 1.1, cached: 0.275, output: 4.4 },
}
