import type { LoggedCall, LoggedRequest } from '../../core/tools/index.js'
import type { HistoryEntry } from '../../core/vault/index.js'

/** What was called and sent in one turn of a conversation; a call outside of any is one of its own. */
export interface TimelineTurn {
  key: string
  time: number
  calls: LoggedCall[]
  requests: LoggedRequest[]
}

export interface TimelineChange {
  key: string
  time: number
  change: HistoryEntry
}

/** All of it by time, the newest first. A change stands where it was made, also when a call made it. */
export function timelineOf({
  calls,
  requests,
  changes,
}: {
  calls: readonly LoggedCall[]
  requests: readonly LoggedRequest[]
  changes: readonly HistoryEntry[]
}): (TimelineTurn | TimelineChange)[] {
  const turns = new Map<string, TimelineTurn>()
  function turnOf(key: string, timestamp: string): TimelineTurn {
    const time = Date.parse(timestamp)
    const turn = turns.get(key) ?? { key, time, calls: [], requests: [] }
    turn.time = Math.min(turn.time, time)
    turns.set(key, turn)
    return turn
  }
  for (const call of calls) turnOf(call.turn ?? call.id, call.timestamp).calls.push(call)
  for (const request of requests) turnOf(request.turn ?? request.sha256, request.time).requests.push(request)
  const made = changes.map((change) => ({ key: change.id, time: change.time, change }))
  return [...turns.values(), ...made].sort((a, b) => b.time - a.time)
}
