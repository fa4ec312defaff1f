import type { Understanding } from '../model/sloppy-model.js'
import type { vaults } from '../vaults/index.js'

export type Kind = 'find' | 'cite' | 'edit' | 'append' | 'rename' | 'tag' | 'daily' | 'steps' | 'refuse'

/** Something a user wants of a vault, how a model would go about it, and how to tell that it was done. */
export interface Task extends Understanding {
  name: string
  kind: Kind
  vault: keyof typeof vaults
  /** Earlier requests of the same conversation. */
  before?: readonly Understanding[]
  /** The user's answer to approval requests; without it nothing is asked and changes are allowed. */
  person?: 'agrees' | 'refuses'
  /** Rules against it. */
  deny?: readonly string[]
  expects: Expectation
}

export interface Expectation {
  /** All in the answer. */
  says?: readonly RegExp[]
  /** None in the answer. */
  silentOn?: readonly RegExp[]
  /** The note named as the source. */
  cites?: string
  /** The notes that changed, each with what must stand in it; null where there is none any more. No other may change. */
  notes?: Readonly<Record<string, readonly (RegExp | { not: RegExp } | { once: string })[] | null>>
  /** Tools, one of which must have been called with success; changes by other ways count too. */
  calls?: readonly string[]
}
