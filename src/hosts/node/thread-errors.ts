import { Failure, type FailureCode } from '../../core/errors.js'
import { IndexCorrupt } from '../../core/vault-index/index.js'

/** An error as it travels between threads, where it would lose its class. */
export interface PackedError {
  name: string
  message: string
  code?: FailureCode
  hint?: string
  stack?: string
}

export function packError(error: unknown): PackedError {
  const { name, message, stack } = error as Error
  return error instanceof Failure
    ? { name, message, code: error.code, hint: error.details.hint }
    : { name, message, stack }
}

export function unpackError({ name, message, code, hint, stack }: PackedError): Error {
  if (code !== undefined) return new Failure(code, message, { hint })
  if (name === 'IndexCorrupt') return new IndexCorrupt(message)
  return Object.assign(new Error(message), { stack })
}
