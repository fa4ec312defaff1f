import { Failure, type FailureData, failureData } from '../../core/errors.js'

/** Any error as the panels draw it. */
export function failureOf(error: unknown): FailureData {
  return error instanceof Failure ? failureData(error) : { code: 'internal', text: (error as Error).message }
}
