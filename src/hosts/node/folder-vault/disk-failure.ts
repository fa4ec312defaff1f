import { Failure } from '../../../core/errors.js'

/**
 * Converts a system error into a failure the user can act on. A full disk is `too-large`, a refused write `denied`; the
 * rest is a failing disk, which is `internal` with a message.
 */
export function diskFailure(error: unknown, outcome: string): unknown {
  if (error instanceof Failure) return isOfDisk(error) ? withOutcome(error, outcome) : error
  const { code } = error as NodeJS.ErrnoException
  // Codes such as ERR_INVALID_ARG_TYPE are bugs, not disks.
  if (code === undefined || !/^E(?!RR_)/.test(code)) return error
  const failure = failureFor(code, outcome)
  failure.cause = error
  return failure
}

/** A system error that already has a message, which does not describe the state of the notes. */
function isOfDisk({ cause, details }: Failure): boolean {
  const isTold = details.data?.systemCode !== undefined
  return !isTold && /^E(?!RR_)/.test(String((cause as NodeJS.ErrnoException | undefined)?.code))
}

function withOutcome(failure: Failure, outcome: string): Failure {
  const { code, message, details, cause } = failure
  const data = { ...details.data, systemCode: (cause as NodeJS.ErrnoException).code }
  const told = new Failure(code, `${message} ${outcome}`, { ...details, data })
  told.cause = cause
  return told
}

function failureFor(code: string, outcome: string): Failure {
  const data = { systemCode: code }
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return new Failure('too-large', `Disk full. ${outcome}`, { hint: 'Free some space and try again.', data })
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return new Failure('denied', `No permission to write (${code}). ${outcome}`, {
        hint: 'Check the permissions of the vault and the state folder.',
        data,
      })
    default:
      return new Failure('internal', `The disk reported an error (${code}). ${outcome}`, {
        hint: 'Try again. If it happens again, check the disk.',
        data,
      })
  }
}
