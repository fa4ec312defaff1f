import { Failure, type FailureCode, type FailureDetails } from '../errors.js'
import type { ChangeSet } from './change-set.js'
import type { NotePath } from './note-path.js'
import type { NoteFile } from './vault.js'

// What every vault, wherever its notes are, refuses in the same words.

export function tooLarge(path: NotePath, size: number, limit: number): Failure {
  return new Failure('too-large', `${path} has ${size} bytes, more than the limit of ${limit}.`, {
    hint: 'Read it in parts.',
    data: { path, size, limit },
  })
}

/** One file that cannot be read, and `why`: what a list of such files shows beside its path. */
export function unreadable(path: string, code: FailureCode, why: string, advice: FailureDetails): Failure {
  return new Failure(code, `${path} cannot be read: ${why}.`, { ...advice, data: { path, why } })
}

export function notText(path: NotePath): Failure {
  const why = 'it is not text (neither UTF-8 nor UTF-16 with a byte order mark)'
  return unreadable(path, 'not-utf8', why, { hint: 'If it should be text, save it as UTF-8 in an editor.' })
}

/** Text that was decoded with replacement characters would destroy what they replaced; UTF-16 would become UTF-8. */
export function mustBeUtf8({ path, encoding }: Pick<NoteFile, 'path' | 'encoding'>): void {
  if (encoding === 'utf-8') return
  const what = encoding === 'invalid' ? 'is not valid UTF-8' : 'is UTF-16'
  throw new Failure('not-utf8', `${path} ${what}, so it is not rewritten.`, {
    hint: 'Convert the file to UTF-8 in an editor first; moving and deleting it still work.',
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
    data: { rules: file },
  })
}

/** Whether a note could not be read for the sake of the rules: then none can be, and nothing is wrong with this one. */
export function isRulesUnread(error: unknown): boolean {
  return error instanceof Failure && error.details.data?.rules !== undefined
}
