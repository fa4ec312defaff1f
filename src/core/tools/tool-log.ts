import type { Decision } from './guard.js'

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
  decision: Decision
  rule: string
  /** What left the machine: written before it did. */
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
  /** Absent for what belongs to none: vectors of notes. */
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
  /** A request to a model is about to leave. What cannot be written down does not. */
  sending(request: LoggedRequest): Promise<void>
  /** The calls of one turn, since a time before it began. */
  callsOf(turn: { session: string; turn: string; since: Date }): Promise<LoggedCall[]>
}

/** Still running, or its process died. */
export function isUnfinished({ result, duration_ms, error }: LoggedCall): boolean {
  return result === undefined && duration_ms === undefined && error === undefined
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
