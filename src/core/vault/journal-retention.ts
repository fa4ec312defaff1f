/** How much of the journal is kept. */
export interface Retention {
  /** The newest so many are kept whatever any clock says. Default 200. */
  changes?: number
  /** Days of the journal's own time. Default 30. */
  days?: number
  /** Default 1 GB. */
  bytes?: number
}

export interface KeptEntry {
  sequence: number
  time: number
  /** Has no end yet, or one that a person must settle: never dropped. */
  isOpen: boolean
  bytes: number
}

/**
 * What no longer needs to be kept, of entries in their order. Where they take too much room, the oldest go. What is
 * left goes when it is too old, but never one of the newest so many. The newest one always stays.
 *
 * Age is not asked of the clock, which may have jumped by years: it is the time that went by from each change to the
 * next, never less than none and never more than a day.
 */
export function outlived(entries: readonly KeptEntry[], retention: Retention): Set<number> {
  const { changes = 200, days = 30, bytes: maxBytes = 1_000_000_000 } = retention
  const dropped = new Set<number>()
  let bytes = 0
  let age = 0
  for (let at = entries.length - 1; at >= 0; at--) {
    const entry = entries[at]
    const next = entries[at + 1]
    if (next !== undefined) age += Math.min(Math.max(0, next.time - entry.time), day)
    bytes += entry.bytes
    const newer = entries.length - 1 - at
    const isTooOld = newer >= changes && age > days * day
    if (newer > 0 && !entry.isOpen && (bytes > maxBytes || isTooOld)) dropped.add(entry.sequence)
  }
  return dropped
}

const day = 86_400_000
