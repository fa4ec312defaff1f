import { Failure, type FailureData, failureData } from '../../core/errors.js'

/** Any error as the panels draw it. */
export function failureOf(error: unknown): FailureData {
  return error instanceof Failure ? failureData(error) : { code: 'internal', text: (error as Error).message }
}

/** An error message and its hint as one notice. */
export function noticeOf({ text, hint }: FailureData): string {
  return [text, hint].filter(Boolean).join(' ')
}
