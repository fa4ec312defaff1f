import { Failure } from '../errors.js'
import type { ChangeSet } from './change-set.js'
import type { NotePath } from './note-path.js'

// What every vault, wherever its notes are, refuses in the same words.

export function tooLarge(path: NotePath, size: number, limit: number): Failure {
  return new Failure('too-large', `${path} has ${size} bytes, more than the limit of ${limit}.`, {
    hint: 'Read it in parts.',
    data: { path, size, limit },
  })
}

export function alreadyApplied(set: ChangeSet): Failure {
  return new Failure('conflict', `Change set ${set.id} has been applied before.`, { hint: 'Plan it again.' })
}
