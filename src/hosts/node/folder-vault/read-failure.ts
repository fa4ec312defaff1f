import { Failure } from '../../../core/errors.js'
import { unreadable } from '../../../core/vault/index.js'

/** What is wrong with the whole process and not with one file: nothing may be left out because of it. */
const ofTheProcess = new Set(['EMFILE', 'ENFILE', 'ENOMEM'])

/**
 * Turns the system's refusal to let one file be read into a sentence. `denied` lasts until someone changes the file's
 * permissions, which shows in its stamp; `internal` may be over by the next look. Everything else stays as it is.
 */
export function readFailure(error: unknown, path: string): unknown {
  const why = whyBarred(error)
  if (why === undefined || error instanceof Failure) return error
  const code = codeOf(error)
  if (code === 'ELOOP')
    return caused(unreadable(path, 'path', why, { hint: 'Name the file itself, or remove the link.' }), error)
  const isDenied = code === 'EACCES' || code === 'EPERM'
  const failure = isDenied
    ? unreadable(path, 'denied', why, {
        hint: 'Give yourself permission to read it: chmod u+r for a file, u+rx for a folder.',
      })
    : unreadable(path, 'internal', why, { hint: 'Try again; if it stays, check the disk.' })
  return caused(failure, error)
}

/** Of a file that was there a moment ago. */
export function vanished(path: string): Failure {
  return unreadable(path, 'internal', 'it vanished while it was being read', {
    hint: 'Try again, if it should be there.',
  })
}

/** Why one place could not be looked at; undefined for errors that are about something else. */
export function whyBarred(error: unknown): string | undefined {
  if (error instanceof Failure) return error.code === 'path' ? 'a link on the way is not followed' : undefined
  const code = codeOf(error)
  if (typeof code !== 'string' || !/^E(?!RR_)[A-Z0-9]+$/.test(code) || ofTheProcess.has(code)) return undefined
  switch (code) {
    case 'EACCES':
    case 'EPERM':
      return `the system does not allow reading it (${code})`
    case 'ELOOP':
      return 'it is a link that leads in a circle'
    default:
      return `the disk reports an error (${code})`
  }
}

function codeOf(error: unknown): unknown {
  return (error as { code?: unknown } | null)?.code
}

function caused(failure: Failure, cause: unknown): Failure {
  failure.cause = cause
  return failure
}
