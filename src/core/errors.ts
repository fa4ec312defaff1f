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
  /** The notes are still being read: the same can be asked again in a few seconds. */
  | 'not-ready'
  | 'too-large'
  | 'not-utf8'
  | 'network'
  | 'internal'

/** The details of a failure, beyond its message. */
export interface FailureDetails {
  /** Suggested fix for the user or the model, as one sentence that is true in every front end. */
  hint?: string | undefined
  /** Advice for a model alone. No front end shows it. */
  modelHint?: string | undefined
  /** The failure in the words of a user, if its message is written for a model. */
  forUser?: string | undefined
  /** Command that fixes it, as typed in a terminal. */
  command?: string
  /** Structured facts for a front end: candidates, the diff that would be lost, the current hash. */
  data?: Record<string, unknown> | undefined
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
    /** The kind of failure. */
    readonly code: FailureCode,
    message: string,
    /** The hint, a command that fixes it, and facts for a front end. */
    readonly details: FailureDetails = {},
  ) {
    super(message)
  }

  /** Suggested fix, as one sentence. */
  get hint(): string | undefined {
    return this.details.hint
  }
}

export function failureData({ code, message, details: { hint, command, data } }: Failure): FailureData {
  const plain = data && (JSON.parse(JSON.stringify(data)) as Record<string, unknown>)
  return { code, text: message, ...(hint && { hint }), ...(command && { command }), ...(plain && { data: plain }) }
}

export function failureFromData({ code, text, hint, command, data }: FailureData): Failure {
  return new Failure(code, text, { ...(hint && { hint }), ...(command && { command }), ...(data && { data }) })
}

/** The result of a call that the user denied, as the model reads it. A reason may follow. */
export const cancelledTexts = { call: 'User cancelled tool execution', overwrite: 'User cancelled overwrite' }
