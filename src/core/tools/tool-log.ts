import type { LoggedDecision } from './guard.js'

/** One line of the tool-call log, as `notewright log --json` prints it. */
export interface LoggedCall {
  id: string
  /** ISO 8601. */
  timestamp: string
  session: string
  turn?: string
  /** The id of the call in its conversation. */
  call?: string
  tool_name: string
  /** Redacted; long texts cut to their beginning, length and hash. */
  arguments: unknown
  decision: LoggedDecision
  rule: string
  /** Data that was sent, logged before sending. */
  egress?: { destination: string; sha256: string; bytes: number }[]
  change_set?: string
  /** Absent while the call runs, or when its process died. */
  result?: string
  duration_ms?: number
  error?: { code: string; message: string }
}

/** A request to a model, as it is written before it leaves. */
export interface LoggedRequest {
  /** ISO 8601. */
  time: string
  /** Absent for calls outside any session: vectors of notes. */
  session?: string
  turn?: string
  provider: string
  model: string
  destination: string
  bytes: number
  sha256: string
  /** Notes and other files of the vault whose content is in it. */
  notes: string[]
  /** Names of pictures and PDFs that were handed over and are in it. */
  files?: string[]
}

export type LogIntent = Omit<LoggedCall, 'id' | 'result' | 'duration_ms' | 'error'>
export type LogOutcome = Pick<LoggedCall, 'result' | 'duration_ms' | 'error'>

/** Append-only, written before the effect. */
export interface ToolLog {
  /** Answers the id of the row. With `durable` it is on the disk before this returns. */
  intend(intent: LogIntent, options: { durable: boolean }): Promise<string>
  finish(id: string, outcome: LogOutcome): Promise<void>
  /** Called before a request to a model. If logging fails, the request is not sent. */
  sending(request: LoggedRequest): Promise<void>
  /** The calls of one turn, since a time before it began. */
  callsOf(turn: { session: string; turn: string; since: Date }): Promise<LoggedCall[]>
}

/** Still running, or its process died. */
export function isUnfinished({ result, duration_ms, error }: LoggedCall): boolean {
  return result === undefined && duration_ms === undefined && error === undefined
}

/**
 * A log row after its chat is deleted. Time, decision, ending and destinations stay; text of the user or the model,
 * results, and hashes of them are removed.
 */
export function withoutUserText<Row extends Partial<LoggedCall>>(row: Row): Row {
  return {
    ...row,
    ...(row.arguments !== undefined && { arguments: {} }),
    ...(row.egress && {
      egress: row.egress.map(({ destination, bytes }) => ({ destination: siteOf(destination), sha256: '', bytes })),
    }),
    ...(row.result !== undefined && { result: '' }),
    ...(row.error && { error: { code: row.error.code, message: '' } }),
  }
}

/** A path can have words of the user in it. */
function siteOf(destination: string): string {
  return /^([a-z][a-z0-9+.-]*:\/\/[^/?#]*)/i.exec(destination)?.[1] ?? destination
}

/** A log that lasts as long as the process, for tests and for hosts without files. */
export function memoryLog(): ToolLog & { calls: LoggedCall[]; requests: LoggedRequest[] } {
  const calls: LoggedCall[] = []
  const requests: LoggedRequest[] = []
  return {
    calls,
    requests,
    async sending(request) {
      requests.push(request)
    },
    async intend(intent) {
      const id = `${calls.length + 1}`
      calls.push({ id, ...intent })
      return id
    },
    async finish(id, outcome) {
      Object.assign(calls.find((call) => call.id === id) ?? {}, outcome)
    },
    callsOf: async ({ session, turn }) => calls.filter((call) => call.session === session && call.turn === turn),
  }
}
