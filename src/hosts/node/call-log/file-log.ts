import { join } from 'node:path'
import type { LoggedCall, Redact, ToolLog } from '../../../core/tools/index.js'
import { type FileAccess, nodeFiles } from '../files/index.js'
import { diskFailure } from '../folder-vault/disk-failure.js'
import { chainedLog } from './chained-log.js'
import { readLog } from './read-log.js'
import type { LogRow } from './stored-row.js'

export interface FileLogOptions {
  /** Outside the vault: see `callsFolder`. Made when it is missing, for its owner alone. */
  folder: string
  /** Keeps secrets out and long texts short. */
  redact: Redact
  /** What all files together may take; beyond it the oldest is dropped. Default 50 MB. */
  maxBytes?: number
  /** Into how many files that is divided. Default 10. */
  maxFiles?: number
  now?: () => Date
  /** Told when a row could not be written that nothing depends on: the intent of a read, or an outcome. */
  onTrouble?: (error: unknown) => void
  /** How long to wait for another process that is adding a row. Default 2 s. */
  waitMs?: number
  files?: FileAccess
}

/** The tool-call log of a vault: rows of JSON, chained by hashes, shared by every process. */
export function fileLog(options: FileLogOptions): ToolLog {
  const { folder, redact, now = () => new Date(), onTrouble = () => {} } = options
  const { maxBytes = 50_000_000, maxFiles = 10, waitMs = 2000, files = nodeFiles } = options
  const log = chainedLog({ files, folder, maxBytes: Math.ceil(maxBytes / maxFiles), maxFiles, waitMs })
  return {
    async intend(intent, { durable }) {
      const clean = redact(intent) as typeof intent
      const row = (n: number): LogRow => ({ row: 'intent', id: `${n}`, pid: process.pid, ...clean })
      try {
        return `${await log.add(row, durable)}`
      } catch (error) {
        if (durable) throw diskFailure(error, 'The call could not be logged, so it was not run.')
        onTrouble(diskFailure(error, 'A tool call that only reads could not be logged.'))
        return unlogged
      }
    },
    async finish(id, outcome) {
      if (id === unlogged) return
      const clean = redact(outcome) as typeof outcome
      try {
        await log.add(() => ({ row: 'outcome', id, timestamp: now().toISOString(), ...clean }) satisfies LogRow, false)
      } catch (error) {
        onTrouble(diskFailure(error, 'The outcome of a tool call could not be logged.'))
      }
    },
    async sending(request) {
      const { notes, ...rest } = request
      const clean = redact(rest) as typeof rest
      try {
        await log.add(() => ({ row: 'request', ...clean, notes }) satisfies LogRow, false)
      } catch (error) {
        throw diskFailure(error, 'The request could not be logged, so it was not sent.')
      }
    },
    async callsOf({ session, turn, since }) {
      const found: LoggedCall[] = []
      for await (const call of readLog({ folder, since, files })) {
        if (call.session === session && call.turn === turn) found.push(call)
      }
      return found
    },
  }
}

/** Where the log of a vault lives, given the vault's state folder. */
export function callsFolder(stateDir: string): string {
  return join(stateDir, 'calls')
}

/** Answered for the intent of a read that could not be written. */
const unlogged = ''
