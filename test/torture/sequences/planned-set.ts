import type { Claims } from './claims.js'

/** The content of a folder: texts by path. */
export type Texts = Map<string, string>

/** A text, or null where there is no file. */
export type Held = string | null

/** The intended effect of a change set, from its steps and from the disk at the time it was planned. */
export interface PlannedSet {
  id: string
  /** The set that this one undoes. */
  undoes?: string
  /** The note of which set this one decides about. */
  settles?: { id: string; note: string }
  touched: Map<string, { old: Held; new: Held }>
  /** Notes that only move, as pairs of paths: a text saved in the meantime is wherever the note is. */
  moves: [string, string][]
  /** Texts that were added at the end, whatever was there. */
  appended: Texts
  /** Texts that went to the trash, by the path they had. */
  trashed: Texts
  /** Notes that a user saved while they were being moved to the trash. */
  savedMeanwhile: Set<string>
  /** `killed`: the process could not report anything. */
  outcome: 'applied' | 'unchanged' | 'unfinished' | 'killed'
  /** The outcome observed at the last start without faults, and the notes it named then. */
  verified?: 'applied' | 'not applied'
  named: Set<string>
  /** It was found applied once, before the power was lost. */
  wasSeenApplied?: true
  /** Rows of the journal were damaged before anybody could look, so that nothing is known of it. */
  isLost?: boolean
  /** The row that named its undecided notes can no longer be read. */
  hasLostNames?: true
  hasDamagedImages?: boolean
  /** The vault is set to keep no trash. */
  keepsNoTrash: boolean
}

export interface PersonEvent {
  path: string
  saw: Held
  wrote: Held
  /** Gone for good, and not under another name. */
  isDeleted: boolean
  /** Change sets that were neither finished nor rolled back when it happened. */
  during: PlannedSet[]
}

/** Texts that are not in their place, but not lost either: in the trash, or in a file that is named as left over. */
export interface Aside {
  trash: ReadonlySet<string>
  kept: ReadonlySet<string>
}

export type Event = { set: PlannedSet } | { person: PersonEvent }

export function isEitherOf(held: { old: Held; new: Held } | undefined, text: Held): boolean {
  return held !== undefined && (text === held.old || text === held.new)
}

export function hasEnded(outcome: PlannedSet['outcome']): boolean {
  return outcome === 'applied' || outcome === 'unchanged'
}

/** A note is found whatever the case of its letters: an earlier set that respelled it may have been taken back. */
export function asSpelledThen(path: string, held: Held, now: ReadonlyMap<string, Held>): string {
  if (held === null || (now.get(path) ?? null) !== null) return path
  return [...now].find(([other, text]) => text === held && isSpelling(other, path))?.[0] ?? path
}

export function isSpelling(one: string, other: string): boolean {
  return one !== other && one.toLowerCase() === other.toLowerCase()
}

export function moveOf({ moves }: PlannedSet, path: string): [string, string] | undefined {
  return moves.find((ends) => ends.includes(path))
}

/** A note that moves is named by either of its names. */
export function isNamed(path: string, set: PlannedSet, claims: Claims): boolean {
  const named = claims.sets.get(set.id)?.named
  if (named === undefined) return false
  return named.has(path) || (moveOf(set, path)?.some((end) => named.has(end)) ?? false)
}
