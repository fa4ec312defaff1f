import { Failure } from '../../../core/errors.js'
import { IndexCorrupt } from '../../../core/vault-index/index.js'

/**
 * Our statements are fixed and our tables known, so SQLite complains for one of two reasons: the machine will not let
 * us just now (locked, full, read-only), which the caller hears as it is, or the file is damaged.
 */
export function asIndexError(error: unknown): unknown {
  if (error instanceof SyntaxError) return new IndexCorrupt('The index holds unreadable rows', { cause: error })
  if (!(error instanceof Error) || !isSqliteError(error)) return error
  if (isFull(error)) return diskFull(error)
  if (isCircumstance(error)) return error
  return new IndexCorrupt(`SQLite: ${error.message}`, { cause: error })
}

/** A number that JavaScript cannot hold is none of ours either. */
const isSqliteError = (error: Error): boolean =>
  ['ERR_SQLITE_ERROR', 'ERR_OUT_OF_RANGE'].includes(`${(error as { code?: unknown }).code}`)

/** PERM, BUSY, LOCKED, READONLY, INTERRUPT, FULL, CANTOPEN, PROTOCOL. */
const circumstances = new Set([3, 5, 6, 8, 9, 13, 14, 15])

/** The machine will not let us just now; the file is as it was. */
export function isCircumstance(error: Error): boolean {
  const code = codeOf(error)
  if (code !== undefined) return circumstances.has(code)
  return /locked|busy|full|read-?only|unable to open/i.test(error.message)
}

const full = 13

function isFull(error: Error): boolean {
  const code = codeOf(error)
  return code === undefined ? /disk is full/i.test(error.message) : code === full
}

function codeOf(error: Error): number | undefined {
  const { errcode } = error as { errcode?: unknown }
  return typeof errcode === 'number' ? errcode & 0xff : undefined
}

/** The file itself is not as SQLite left it. */
export const isDamage = (error: unknown): boolean =>
  error instanceof Error && isSqliteError(error) && !isCircumstance(error)

export function diskFull(cause: Error): Failure {
  const failure = new Failure('too-large', 'Disk full. The index could not be brought up to date.', {
    hint: 'Free some space where the index is kept and try again.',
  })
  failure.cause = cause
  return failure
}
