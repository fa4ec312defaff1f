import type { Settled } from './merge-lines.js'
import type { Settle } from './undo-conflict.js'

/** What a person chose for a place that was shown as a conflict. */
export interface SettledPlace {
  path: string
  line: number
  settled: Settled
}

/** Settles as was chosen. A place that nobody was shown stays open. */
export function settlePlaces(places: readonly SettledPlace[]): Settle {
  return ({ path, line }) => places.find((place) => place.path === path && place.line === line)?.settled
}
