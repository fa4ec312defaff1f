import { Failure } from '../../errors.js'
import type { NotePath } from '../note-path.js'
import { showDiff } from '../show-changes.js'
import type { LineConflict, Settled } from './merge-lines.js'

/** A place where an undo would take later work along, for the person to settle. */
export interface UndoConflict extends LineConflict {
  path: NotePath
  /** What happened to the note since, to follow its name: "was edited later". */
  why: string
  /** `note`: it is settled as a whole, because it has no lines of its own to compare. */
  scope: 'lines' | 'note'
}

/** Settles a conflict; `undefined` leaves it open, and then nothing can be undone. */
export type Settle = (conflict: UndoConflict) => Settled | undefined | Promise<Settled | undefined>

/** The conflicts of one undo, each put to whoever settles them. */
export class UndoConflicts {
  readonly #open: UndoConflict[] = []
  readonly #diffs: string[] = []

  constructor(private readonly settle: Settle = () => undefined) {}

  /** The choice. What is left open counts as kept, until `mustBeSettled` is asked. */
  async choose(conflict: UndoConflict): Promise<Settled> {
    const choice = await this.settle(conflict)
    if (choice === undefined) this.#open.push(conflict)
    return choice ?? 'keep-mine'
  }

  /** What taking all back would do to a note of which something is open. */
  show(path: NotePath, now: Uint8Array, restored: Uint8Array): void {
    if (this.#open.some((conflict) => conflict.path === path)) this.#diffs.push(showDiff(path, now, restored))
  }

  mustBeSettled(): void {
    const [first, ...more] = this.#open
    if (first === undefined) return
    const others =
      more.length === 0 ? '' : ` So it is in ${more.length} more ${more.length === 1 ? 'place' : 'places'}.`
    throw lost(first.path, first.why, { diff: this.#diffs.join(''), conflicts: this.#open }, others)
  }
}

/** Taking back would lose what came later, and it cannot be settled line by line. */
export function lost(path: NotePath, why: string, data: Record<string, unknown> = {}, others = ''): Failure {
  return new Failure('conflict', `${path} ${why}, so undoing would lose later work.${others} Nothing was changed.`, {
    hint: 'Look at the difference and decide for each place what stays, or undo the later change first.',
    data: { path, ...data },
  })
}
