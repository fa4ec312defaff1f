import type { ToolCall, ToolResult } from '../../tools/index.js'

/** What a turn remembers of its calls: to answer an identical read again, and to notice a model that goes in circles. */
export interface TurnMemory {
  /** How often this very call has been made, this time included. */
  count(call: ToolCall): number
  recall(call: ToolCall): ToolResult | undefined
  keep(call: ToolCall, result: ToolResult): void
  /** A note changed: what was read may no longer be true. */
  forget(): void
}

export function turnMemory(): TurnMemory {
  const counts = new Map<string, number>()
  const results = new Map<string, ToolResult>()
  return {
    count(call) {
      const key = keyOf(call)
      const next = (counts.get(key) ?? 0) + 1
      counts.set(key, next)
      return next
    },
    recall: (call) => results.get(keyOf(call)),
    keep: (call, result) => void results.set(keyOf(call), result),
    forget: () => results.clear(),
  }
}

function keyOf({ name, input }: ToolCall): string {
  return `${name} ${typeof input === 'string' ? input : JSON.stringify(sorted(input))}`
}

/** The order in which a model writes its arguments means nothing. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, child]) => [key, sorted(child)]),
  )
}
