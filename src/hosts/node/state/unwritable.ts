import { Failure } from '../../../core/errors.js'

const refusals = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST', 'EISDIR', 'ENOENT'])
/** SQLite's own words for the same: PERM, READONLY, CANTOPEN. */
const sqliteRefusals = new Set([3, 8, 14])

/** The system's word for why something cannot be kept where it should be; undefined for any other trouble. */
export function whyUnwritable(error: unknown): string | undefined {
  const { code, errcode } = (error instanceof Failure ? (error.cause ?? {}) : (error ?? {})) as {
    code?: unknown
    errcode?: unknown
  }
  if (typeof code === 'string' && refusals.has(code)) return code
  return typeof errcode === 'number' && sqliteRefusals.has(errcode & 0xff) ? 'SQLite cannot write it' : undefined
}

/** The refusal of a change while its journal cannot be written. Other errors stay as they are. */
export function journalFailure(error: unknown, folder: string): unknown {
  const why = error instanceof Failure ? undefined : whyUnwritable(error)
  if (why === undefined) return error
  const failure = new Failure('denied', `The journal in ${folder} cannot be used (${why}). Nothing was changed.`, {
    hint: 'Without it no change could be taken back. Make the folder yours to write, or name another: NOTEWRIGHT_HOME=/path/to/a/folder',
    data: { folder },
  })
  failure.cause = error
  return failure
}
