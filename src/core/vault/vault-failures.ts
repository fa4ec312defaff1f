import { Failure, type FailureCode, type FailureDetails } from '../errors.js'
import type { ChangeSet } from './change-set.js'
import type { NotePath } from './note-path.js'
import type { NoteFile } from './vault.js'

// Failures that every vault reports in the same words.

export function tooLarge(path: NotePath, size: number, limit: number): Failure {
  return new Failure('too-large', `${path} is too large: ${size} bytes, and the limit is ${limit}.`, {
    hint: 'Read it in parts.',
    data: { path, size, limit },
  })
}

/** One file that cannot be read, and `why`, shown beside its path in lists. */
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
  return new Failure('conflict', `The change ${set.id} was already applied.`, { hint: 'Plan it again.' })
}

/**
 * A name that cannot be used. The message is the same for a hidden note's name and for every name in a hidden place, so
 * that it does not reveal whether anything exists.
 */
export function notWritable(path: NotePath): Failure {
  return new Failure('path', `No note can be written at ${path}. Nothing was written.`, {
    hint: 'Choose another name, or another folder.',
  })
}

/** Rules that cannot be read must not turn into no rules: until they can be, no note is. */
export function rulesUnreadable(file: string, reason: string): Failure {
  return new Failure(
    'invalid-input',
    `Notes cannot be read, because the exclusions in ${file} cannot be read: ${reason}.`,
    {
      hint: `Save ${file} as a text file in UTF-8, or move it away.`,
      data: { rules: file },
    },
  )
}

/** True if the exclusion rules are unreadable: then no note can be read, and this one is not at fault. */
export function areRulesUnreadable(error: unknown): boolean {
  return error instanceof Failure && error.details.data?.rules !== undefined
}

/** A concurrent change: a step found another file than expected, and left it alone. */
export class StepConflict extends Failure {
  constructor(
    /** The sentence without the outcome of the change. */
    readonly reason: string,
    details: FailureDetails,
  ) {
    super('conflict', `${reason} Nothing was written.`, details)
  }
}

export function changedConflict(path: string, how = 'was just changed by another program'): StepConflict {
  return new StepConflict(`${path} ${how}.`, {
    hint: 'Read the note again and plan the change from its new text.',
    data: { path },
  })
}

export function pathTakenConflict(path: string): StepConflict {
  return new StepConflict(`A file already exists at ${path}.`, {
    hint: 'Choose another name, or edit the existing note.',
    data: { path },
  })
}
