import { Failure, type FailureCode, type FailureDetails } from '../../errors.js'
import { IndexCorrupt } from '../index-store.js'

/** An error as it travels between threads, where it would lose its class. */
export interface PackedError {
  name: string
  message: string
  code?: FailureCode
  details?: FailureDetails
  stack?: string
}

export function packError(error: unknown): PackedError {
  const { name, message, stack } = error as Error
  return error instanceof Failure
    ? { name, message, code: error.code, details: error.details }
    : { name, message, stack }
}

export function unpackError({ name, message, code, details, stack }: PackedError): Error {
  if (code !== undefined) return new Failure(code, message, details)
  if (name === 'IndexCorrupt') return new IndexCorrupt(message)
  return Object.assign(new Error(message), { stack })
}
