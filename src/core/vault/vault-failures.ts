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

/**
 * A name that cannot be had. Said in the same words of a name that a hidden note has, and of every name in a place
 * that the rules hide: whoever hears it cannot tell whether anything is there.
 */
export function notWritable(path: NotePath): Failure {
  return new Failure('path', `No note can be written at ${path}. Nothing was written.`, {
    hint: 'Choose another name, or another folder.',
  })
}

/** Rules that cannot be read must not turn into no rules: until they can be, no note is. */
export function rulesUnread(file: string, reason: string): Failure {
  return new Failure('invalid-input', `No note is read, because the rules in ${file} cannot be: ${reason}.`, {
    hint: `Save ${file} as a text file in UTF-8, or move it away.`,
  })
}
