import type { ReadableVault } from '../../tools/index.js'
import type { UpdatableIndex } from '../../vault-index/index.js'
import type { Rule } from '../rules/index.js'
import { type OpenedNotes, openedNotes, readRules } from './read-rules.js'
import { screenIndex } from './screen-index.js'
import { screenVault } from './screen-vault.js'

/** A vault and its index without the notes that rules keep from being read; the very same where no rule does. */
export function screenNotes<Seen extends { vault: ReadableVault; index: UpdatableIndex }>(
  seen: Seen,
  rules: readonly Rule[],
  opened: OpenedNotes = openedNotes(),
): Seen {
  const screening = readRules(rules)
  if (screening === undefined) return seen
  const vault = { ...seen.vault, ...screenVault(seen.vault, seen.index, screening, opened) }
  return { ...seen, vault, index: screenIndex(seen.index, screening, opened) }
}
