import { IndexCorrupt } from '../../../core/vault-index/index-store.js'

/**
 * Our statements are fixed and our tables known, so SQLite complains for one of two reasons: the machine will not let
 * us just now (locked, full, read-only), which the caller hears as it is, or the file is damaged.
 */
export function asIndexError(error: unknown): unknown {
  if (error instanceof SyntaxError) return new IndexCorrupt('The index holds unreadable rows', { cause: error })
  if (!(error instanceof Error) || !isSqliteError(error) || isCircumstance(error)) return error
  return new IndexCorrupt(`SQLite: ${error.message}`, { cause: error })
}

const isSqliteError = (error: Error): boolean =>
  error.name === 'SqliteError' || /^(SQLITE_|ERR_SQLITE)/.test(`${(error as { code?: unknown }).code ?? ''}`)

/** PERM, BUSY, LOCKED, READONLY, INTERRUPT, FULL, CANTOPEN, PROTOCOL. */
const circumstances = new Set([3, 5, 6, 8, 9, 13, 14, 15])

function isCircumstance(error: Error): boolean {
  const { rawCode, errcode } = error as { rawCode?: unknown; errcode?: unknown }
  const code = Number(rawCode ?? errcode)
  if (Number.isInteger(code)) return circumstances.has(code & 0xff)
  return /locked|busy|full|read-?only|unable to open/i.test(error.message)
}
