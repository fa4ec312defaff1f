import type { SessionSummary } from '../store/session-store.js'

export interface Retention {
  days: number
  bytes: number
}

const dayMs = 86_400_000

/**
 * The sessions that are too old, or too much, oldest last as they are listed. From one session to the next at most a
 * day is counted, so that neither a long pause nor a clock that jumped makes everything old at once.
 */
export function outdatedSessions(newestFirst: readonly SessionSummary[], { days, bytes }: Retention): string[] {
  let age = 0
  let size = 0
  let before: number | undefined
  return newestFirst.flatMap(({ id, updatedAt, bytes: own }) => {
    const time = Date.parse(updatedAt)
    if (before !== undefined) age += Math.min(dayMs, Math.max(0, before - time))
    before = time
    size += own
    return age > days * dayMs || size > bytes ? [id] : []
  })
}
