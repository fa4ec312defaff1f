import type { StoredNote } from '../../vault-index/index.js'
import type { Rule } from '../rules/index.js'
import { readRules, storedMeaning } from './read-rules.js'

/** Tells the notes that a rule denies a model to read, or lets it read only when the person says so. */
export function withheldNotes(rules: readonly Rule[]): (note: StoredNote) => boolean {
  const screening = readRules(rules)
  return (note) =>
    screening !== undefined && screening.visibilityOf(storedMeaning(note.path, note), note.path) !== 'seen'
}
