import { setTimeout as sleep } from 'node:timers/promises'
import { isUnfinished, type LoggedCall } from '../../../core/tools/index.js'
import { type FileAccess, nodeFiles } from '../files/index.js'
import { withLogFiles } from './log-files.js'
import { type LogPosition, newRows } from './new-rows.js'
import { rowsOf } from './rows-of.js'
import { joined, type StoredRow } from './stored-row.js'

export interface LogQuestion {
  folder: string
  tool?: string
  since?: Date
  /** Only calls that ended in an error, were refused, or never ended. */
  failed?: boolean
  /** Only so many, the newest. */
  last?: number
  /** Goes on with calls as they end, until the signal aborts. */
  follow?: boolean
  signal?: AbortSignal
  /** Told how many rows are no longer as they were written; these are left out. */
  onDamaged?: (rows: number) => void
  files?: FileAccess
}

/** The calls of a log, oldest first, each with its outcome. A call whose process died has none. */
export async function* readLog(question: LogQuestion): AsyncGenerator<LoggedCall> {
  const { signal, follow = false } = question
  const past = await pastCalls(question)
  const running = new Map<string, Intent>()
  for (const { call, intent } of past.calls) {
    if (follow && isRunning(call, intent.pid)) running.set(intent.id, intent)
    else yield call
  }
  let place = past.place
  while (follow && !signal?.aborted) {
    await sleep(followMs, undefined, { signal }).catch(() => undefined)
    if (signal?.aborted) return
    const { rows, place: next } = await newRows(question.files ?? nodeFiles, question.folder, place)
    place = next
    for (const call of ended(rows, running)) if (passes(call, question)) yield call
  }
}

type Intent = StoredRow & { row: 'intent' }
type Outcome = StoredRow & { row: 'outcome' }

const followMs = 200

/** Read from the end, so that an outcome is met before its intent and reading can stop early. */
async function pastCalls(question: LogQuestion) {
  const { folder, last = Number.POSITIVE_INFINITY, since, files = nodeFiles, onDamaged } = question
  return withLogFiles(files, folder, async (opened) => {
    const calls: { call: LoggedCall; intent: Intent }[] = []
    const outcomes = new Map<string, Outcome>()
    let place: LogPosition = { n: 0, offset: 0 }
    let damaged = 0
    for (const file of [...opened].reverse()) {
      const { rows, length, damaged: here } = await rowsOf(file)
      damaged += here
      if (place.identity === undefined) place = { n: rows.at(-1)?.n ?? 0, identity: file.identity, offset: length }
      for (const row of rows.reverse()) {
        if (row.row === 'outcome') outcomes.set(row.id, row)
        if (row.row !== 'intent') continue
        const call = joined(row, outcomes.get(row.id))
        outcomes.delete(row.id)
        if (calls.length < last && passes(call, question)) calls.push({ call, intent: row })
      }
      // Clocks of two processes may differ by a little, files by far more.
      const isOlder = since !== undefined && rows.some((row) => row.row === 'intent' && isBefore(row, since))
      if (calls.length >= last || isOlder) break
    }
    if (damaged > 0) onDamaged?.(damaged)
    return { calls: calls.reverse(), place }
  })
}

/** Calls that came to an end with these rows, or with the death of their process. */
function* ended(rows: StoredRow[], running: Map<string, Intent>): Generator<LoggedCall> {
  for (const row of rows) {
    if (row.row === 'intent') running.set(row.id, row)
    const intent = row.row === 'outcome' ? running.get(row.id) : undefined
    if (row.row !== 'outcome' || intent === undefined) continue
    running.delete(row.id)
    yield joined(intent, row)
  }
  for (const [id, intent] of running) {
    if (isAlive(intent.pid)) continue
    running.delete(id)
    yield joined(intent)
  }
}

function passes(call: LoggedCall, { tool, since, failed }: LogQuestion): boolean {
  if (tool !== undefined && call.tool_name !== tool) return false
  if (since !== undefined && isBefore(call, since)) return false
  return !failed || hasFailed(call)
}

function isBefore({ timestamp }: { timestamp: string }, since: Date): boolean {
  return Date.parse(timestamp) < since.getTime()
}

function hasFailed(call: LoggedCall): boolean {
  return call.error !== undefined || isUnfinished(call) || ['denied', 'refused'].includes(call.decision)
}

function isRunning(call: LoggedCall, pid: number): boolean {
  return isUnfinished(call) && isAlive(pid)
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
