import type { NotePath } from './note-path.js'
import { hashBytes } from './note-text.js'

/** sha256 of a file's bytes, lower-case hex. */
export type ContentHash = string

/**
 * One step of a change set. `before` is the hash of the bytes it was planned from; if the file has others by then,
 * the whole set is refused as a `conflict`. Steps run in order, so an `edit` after a `move` names the new path.
 */
export type Change =
  | { kind: 'create'; path: NotePath; after: Uint8Array }
  /**
   * `hiddenBefore` are the bytes before, of a note that the vault's rules keep from sight: a user has let its links be
   * written again, and nobody else can read it to show them the difference.
   */
  | { kind: 'edit'; path: NotePath; before: ContentHash; after: Uint8Array; hiddenBefore?: Uint8Array }
  /**
   * Bound to the bytes it adds, not to the current content: parallel appends all succeed. Creates the note if it is
   * missing.
   */
  | { kind: 'append'; path: NotePath; added: Uint8Array }
  /** `before` may be left out for files too large to read: a move keeps any bytes, and so does the trash. */
  | { kind: 'move'; path: NotePath; to: NotePath; before?: ContentHash | undefined }
  /** To the vault's trash as Obsidian is configured; never an unlink. Undo of a create keeps the bytes in the journal only. */
  | { kind: 'trash'; path: NotePath; before?: ContentHash | undefined; journalOnly?: true }

/** The only way to write. Planned first, shown as a diff, applied by `vault.apply`, reverted by undo. */
export interface ChangeSet {
  id: string
  /** One sentence for users: "Move Plan.md to Projects/Plan.md and update 12 links". */
  title: string
  /** The CLI or agent session that asked. `undo --session` undoes all changes of one. */
  session?: string
  changes: Change[]
  /** Folders to remove if the set leaves them empty, such as after a folder's move. */
  emptied?: string[]
  /** The rules that made the changes of many notes; absent for other changes. */
  rules?: ChangeRule[]
  /** Set only by `planUndo`: the steps of the journal that this reverts. */
  undoes?: UndoneSteps[]
  /** Set by `planUndo` alone: notes that were edited since, and keep these edits. */
  merged?: NotePath[]
  /** Set by `planResolution` alone: which undecided steps of the journal this decides on. */
  resolves?: ResolvedSteps[]
}

/** One rule of a change of many notes, as an approval shows it. Plain data. */
export interface ChangeRule {
  /** In the imperative: "Set status to done". */
  title: string
  /** Notes that this rule changes. */
  notes: number
  /** Places in them: properties, tags, tasks, replaced texts. */
  places: number
  /** Positions in `changes` of the steps with an effect of this rule. */
  changes: number[]
  /** The first changes of this rule, in the notes as they are after the rules before it. */
  samples: RuleSample[]
  /**
   * Where the call's arguments have this rule, as a JSON pointer: `/operations/0`. The user rejects the rule by
   * approving the arguments without it.
   */
  pointer: string
}

/** The lines that a rule changes at one place. */
export interface RuleSample {
  path: NotePath
  /** '' if the rule adds lines. */
  before: string
  /** '' if the rule removes lines. */
  after: string
}

/** Some steps of one journal entry. */
export interface UndoneSteps {
  sequence: number
  steps: number[]
}

export type ResolvedSteps = UndoneSteps

/** True if a set restores earlier content: any bytes, any old name, also in the trash. */
export function isRestoring({ undoes, resolves }: ChangeSet): boolean {
  return undoes !== undefined || resolves !== undefined
}

export interface AppliedChange {
  kind: Change['kind']
  path: NotePath
  to?: NotePath
  /** Hash of the bytes now at `to ?? path`; absent after `trash` and where a move did not read the file. */
  hash?: ContentHash | undefined
}

/** Called while a change set is applied: how many of its files are done. */
export type ApplyProgress = (done: number, total: number) => void

/** A change set after it was written. */
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

/** The steps of a change set as plain data that can be hashed and compared: every path, and all bytes by their hash. */
export function describeSteps({ emptied = [], changes }: Pick<ChangeSet, 'emptied' | 'changes'>) {
  const steps = changes.map((change) => ({
    kind: change.kind,
    path: change.path,
    ...('to' in change && { to: change.to }),
    ...('before' in change && { before: change.before }),
    ...('after' in change && { after: hashBytes(change.after) }),
    ...('added' in change && { added: hashBytes(change.added) }),
    ...('hiddenBefore' in change && { isHidden: true }),
  }))
  return { emptied, steps }
}

/** True if two sets, planned one after the other, have the same effect. */
export function doTheSame(one: ChangeSet, other: ChangeSet): boolean {
  return JSON.stringify(describeSteps(one)) === JSON.stringify(describeSteps(other))
}
