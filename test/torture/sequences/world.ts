import type { ChangeSet } from '../../../src/core/vault/index.js'
import type { Claims } from './claims.js'
import type { PlannedFault } from './plan.js'
import type { Texts } from './planned-set.js'
import type { Task } from './tasks.js'

/** A disk with a vault on it, what people do to it, and the processes that open it. */
export interface World {
  /** Whether a file has one name in all spellings of it. */
  readonly foldsNames?: boolean
  /** Whether undo finds every text that was ever journaled, also of another entry: a deleted note comes back with old links. */
  readonly keepsAllTexts?: boolean
  /** Everything below the vault. */
  vault(): Texts
  /** As an editor does that writes into the file that is there. */
  save(path: string, text: string): void
  /** As an editor does that puts another file in its place. */
  replace(path: string, text: string): void
  erase(path: string): void
  rename(path: string, to: string): void
  /** Everything below the state folder. */
  state(): Map<string, Uint8Array>
  damage(path: string, bytes: Uint8Array): void
  setClock(aheadMs: number): void
  /** Data that was not synced may be lost. */
  cutPower(seed: number): void
  /** Opens the vault in another process. */
  start(trouble: Trouble): Promise<Start>
  close(): void
}

/** Faults for a stretch of work, and what happens at those that are none of the disk's. */
export interface Trouble {
  faults: PlannedFault[]
  seed: number
  onPerson: () => void
  onClock: () => void
}

export interface Start {
  /** undefined when it did not get that far. */
  process?: Process
  faultsMet: number
}

export interface Process {
  isAlive(): boolean
  /** Tells the plan before anything is written. */
  perform(task: Task, trouble: Trouble, onPlanned: (set: ChangeSet) => void): Promise<Outcome>
  claims(): Promise<Claims>
  /** Notes that the index names as left out. */
  skipped(): Promise<string[]>
  /** Differences between the index and a new one of the same notes. */
  compareIndex(pick: number): Promise<string[]>
}

export interface Outcome {
  /** `nothing`: there was nothing to do it to. `refused`: it could not be planned. */
  result: 'applied' | 'unchanged' | 'unfinished' | 'killed' | 'nothing' | 'refused'
  said?: string
  faultsMet?: number
}

/** A clock for all code of this process that can be moved, until it is restored. */
export function movableClock(): { set(aheadMs: number): void; restore(): void } {
  const now = Date.now
  let ahead = 0
  Date.now = () => now() + ahead
  return {
    set(aheadMs) {
      ahead = aheadMs
    },
    restore() {
      Date.now = now
    },
  }
}
