import type { NotePath } from './note-path.js'

/** sha256 of a file's bytes, lower-case hex. */
export type ContentHash = string

/**
 * One step of a change set. `before` is the hash of the bytes it was planned from; if the file has others by then,
 * the whole set is refused as a `conflict`. Steps run in order, so an `edit` after a `move` names the new path.
 */
export type Change =
  | { kind: 'create'; path: NotePath; after: Uint8Array }
  /**
   * `hiddenBefore` are the bytes before, of a note that the vault's rules keep from sight: a person has let its links be
   * written anew, and nobody else can read it to show them the difference.
   */
  | { kind: 'edit'; path: NotePath; before: ContentHash; after: Uint8Array; hiddenBefore?: Uint8Array }
  /** Bound to the bytes it adds, not to what is there: parallel appends all land. Creates the note when it is missing. */
  | { kind: 'append'; path: NotePath; added: Uint8Array }
  /** `before` may be left out for files too large to read: a move keeps the bytes, whatever they are, and so does the trash. */
  | { kind: 'move'; path: NotePath; to: NotePath; before?: ContentHash }
  /** To the vault's trash as Obsidian is configured; never an unlink. Undo of a create keeps the bytes in the journal only. */
  | { kind: 'trash'; path: NotePath; before?: ContentHash; journalOnly?: true }

/** The only way to write. Planned first, shown as a diff, applied by `vault.apply`, taken back by undo. */
export interface ChangeSet {
  id: string
  /** One sentence for people: "Move Plan.md to Projects/Plan.md and update 12 links". */
  title: string
  /** Who asked: a CLI session, an agent's session. `undo --session` takes back all of one. */
  session?: string
  changes: Change[]
  /** Folders to take away if the set leaves them empty: what a folder's move leaves behind. */
  emptied?: string[]
  /** Set by `planUndo` alone: which steps of the journal this takes back. */
  undoes?: UndoneSteps[]
  /** Set by `planUndo` alone: notes that were edited since, and keep these edits. */
  merged?: NotePath[]
  /** Set by `planSettle` alone: which undecided steps of the journal this decides on. */
  settles?: SettledSteps[]
}

/** Some steps of one journal entry. */
export interface UndoneSteps {
  sequence: number
  steps: number[]
}

export type SettledSteps = UndoneSteps

/** Whether a set brings back what was there before: any bytes, any old name, also in the trash. */
export function isRestoring({ undoes, settles }: ChangeSet): boolean {
  return undoes !== undefined || settles !== undefined
}

export interface AppliedChange {
  kind: Change['kind']
  path: NotePath
  to?: NotePath
  /** Hash of the bytes now at `to ?? path`; absent after `trash` and where a move did not read the file. */
  hash?: ContentHash
}

export interface AppliedChangeSet {
  id: string
  title: string
  /** Milliseconds. */
  appliedAt: number
  changes: AppliedChange[]
}

/** A change set with a fresh id. */
export function changeSet(
  title: string,
  changes: Change[],
  more: { session?: string; emptied?: string[] } = {},
): ChangeSet {
  return { id: crypto.randomUUID(), title, changes, ...more }
}
