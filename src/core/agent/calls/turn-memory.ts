import type { DoneCall, ToolCall } from '../../tools/index.js'
import type { NotePath } from '../../vault/index.js'

/** What a turn remembers of its calls: to answer an identical one again, and to notice a model that goes in circles. */
export interface TurnMemory {
  /** How often this very call has been made, this time included. */
  count(call: ToolCall): number
  recall(call: ToolCall): DoneCall | undefined
  keep(call: ToolCall, result: DoneCall): void
  /** Notes changed: what was read may no longer be true. Only this very call is not to be made again right away. */
  change(call: ToolCall, result: DoneCall): void
  /** Notes that were read, not only found. */
  readonly notesRead: Set<NotePath>
}

export function turnMemory(): TurnMemory {
  const counts = new Map<string, number>()
  const results = new Map<string, DoneCall>()
  return {
    count(call) {
      const key = keyOf(call)
      const next = (counts.get(key) ?? 0) + 1
      counts.set(key, next)
      return next
    },
    recall: (call) => results.get(keyOf(call)),
    keep: (call, result) => void results.set(keyOf(call), result),
    change(call, result) {
      results.clear()
      // A person who changed what was proposed is asked again when the model insists.
      if (!result.userEdited) results.set(keyOf(call), doneAlready(result))
    },
    notesRead: new Set(),
  }
}

/** Small models repeat themselves; a line that was added once was meant once. */
function doneAlready({ changeSet: _, ...result }: DoneCall): DoneCall {
  return { ...result, text: `${result.text}\nThis was the same call again, and nothing more was done.` }
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
