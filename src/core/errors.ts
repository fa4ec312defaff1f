/** Every expected way to fail. Front ends turn a code into an exit code, an HTTP status or a sentence. */
export type FailureCode =
  | 'not-found'
  | 'ambiguous'
  | 'invalid-input'
  | 'unknown-tool'
  | 'path'
  | 'conflict'
  | 'denied'
  | 'needs-approval'
  | 'timeout'
  | 'too-large'
  | 'not-utf8'
  | 'network'
  | 'internal'

export interface FailureDetails {
  /** What the person or the model can do about it, as one sentence that is true wherever it is read. */
  hint?: string
  /** What does it where there is a terminal, as it is typed there. */
  command?: string
  /** Structured facts for a front end: candidates, the diff that would be lost, the current hash. */
  data?: Record<string, unknown>
}

/** A failure as plain data, for events, logs and other processes. */
export interface FailureData extends FailureDetails {
  code: FailureCode
  text: string
}

/** Something expected went wrong: no such note, a bad path, a note that changed meanwhile. A bug is a plain Error. */
export class Failure extends Error {
  override readonly name = 'Failure'

  constructor(
    readonly code: FailureCode,
    message: string,
    readonly details: FailureDetails = {},
  ) {
    super(message)
  }
}

export function failureData({ code, message, details: { hint, command, data } }: Failure): FailureData {
  const plain = data && (JSON.parse(JSON.stringify(data)) as Record<string, unknown>)
  return { code, text: message, ...(hint && { hint }), ...(command && { command }), ...(plain && { data: plain }) }
}

export function failureFromData({ code, text, hint, command, data }: FailureData): Failure {
  return new Failure(code, text, { ...(hint && { hint }), ...(command && { command }), ...(data && { data }) })
}
