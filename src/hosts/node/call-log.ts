import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from '../../core/errors.js'
import {
  isUnfinished,
  type LoggedCall,
  type LoggedRequest,
  type LogIntent,
  type LogOutcome,
  type Redact,
  type ToolLog,
  withoutUserText,
} from '../../core/tools/index.js'
import { diskFailure } from './folder-vault/disk-failure.js'
import { isDamage, openDriver, type SqliteDriver, sqliteCode } from './sqlite.js'
import { type StateDatabase, vaultState, vaultStateName } from './state-database.js'

export interface CallLogOptions {
  /** The state of the vault. */
  state: StateDatabase
  /** Removes secrets and shortens long texts. */
  redact: Redact
  /** The size of all rows together; beyond it the oldest are dropped. Default 50 MB. */
  maxBytes?: number
  /** Receives the reason why a row was not written on which nothing depends: the intent of a read, or an outcome. */
  onTrouble?: (error: unknown) => void
  /** How long to wait for another process that writes. Default 15 s. */
  waitMs?: number
}

/** The tool-call log of a vault, a table of its state database that every process on the vault adds to. */
export function callLog(options: CallLogOptions): ToolLog {
  const { state, redact, maxBytes = 50_000_000, onTrouble = () => {}, waitMs } = options
  const wait = waitMs === undefined ? {} : { waitMs }
  return {
    async intend(intent, { durable }) {
      const row = redact(intent) as LogIntent
      const { timestamp: time, session, turn, tool_name: tool } = row
      try {
        const add = (driver: SqliteDriver) => addRow(driver, { kind: 'call', time, session, turn, tool, row }, maxBytes)
        return `${state.change(add, { durable, ...wait })}`
      } catch (error) {
        if (durable) throw failureOf(error, 'The call was not run, because it could not be logged.')
        onTrouble(failureOf(error, 'A tool call that only reads could not be logged.'))
        return unlogged
      }
    },
    async finish(id, outcome) {
      if (id === unlogged) return
      const clean = redact(outcome) as LogOutcome
      try {
        state.change((driver) => addOutcome(driver, Number(id), clean), wait)
      } catch (error) {
        onTrouble(failureOf(error, 'The result of a tool call could not be logged.'))
      }
    },
    async sending(request) {
      const { notes, ...rest } = request
      const row = { ...(redact(rest) as typeof rest), notes }
      const { time, session, turn } = row
      try {
        state.change((driver) => addRow(driver, { kind: 'request', time, session, turn, row }, maxBytes), wait)
      } catch (error) {
        throw failureOf(error, 'The request was not sent, because it could not be logged.')
      }
    },
    async callsOf({ session, turn, since }) {
      const rows = state.look((driver) =>
        driver.all(`${selectCalls} AND session = ? AND turn = ? AND time >= ? ORDER BY n`, [
          session,
          turn,
          since.toISOString(),
        ]),
      )
      return (rows ?? []).flatMap((row) => callFromRow(row)?.call ?? [])
    },
  }
}

/** The id of a read whose intent could not be written. */
const unlogged = ''

interface NewRow {
  kind: 'call' | 'request'
  time: string
  session?: string | undefined
  turn?: string | undefined
  tool?: string
  row: LogIntent | LoggedRequest
}

function addRow(driver: SqliteDriver, { kind, time, session, turn, tool, row }: NewRow, maxBytes: number): number {
  const text = JSON.stringify(row)
  driver.run('INSERT INTO call_log (kind, time, session, turn, tool, pid, row) VALUES (?, ?, ?, ?, ?, ?, ?)', [
    kind,
    time,
    session ?? null,
    turn ?? null,
    tool ?? null,
    process.pid,
    text,
  ])
  const [n] = driver.first('SELECT last_insert_rowid()') as [number]
  addBytes(driver, text.length)
  dropOldest(driver, maxBytes, n)
  return n
}

function addOutcome(driver: SqliteDriver, n: number, outcome: LogOutcome): void {
  // A deleted conversation leaves no words, even of a call that was still running then.
  const [erased] = driver.first('SELECT erased FROM call_log WHERE n = ?', [n]) ?? []
  const text = JSON.stringify(erased ? withoutUserText(outcome) : outcome)
  driver.run('UPDATE call_log SET outcome = ? WHERE n = ?', [text, n])
  if (erased !== undefined) addBytes(driver, text.length)
}

function addBytes(driver: SqliteDriver, bytes: number): void {
  driver.run('UPDATE call_log_size SET bytes = bytes + ?', [bytes])
}

/** Makes room for a while, so that this is rarely needed. The newest row always stays. */
function dropOldest(driver: SqliteDriver, maxBytes: number, newest: number): void {
  const [bytes] = driver.first('SELECT bytes FROM call_log_size') as [number]
  if (bytes <= maxBytes) return
  let surplus = bytes - maxBytes * 0.9
  let freed = 0
  let last = 0
  const sizes = driver.all(
    'SELECT n, length(row) + coalesce(length(outcome), 0) AS size FROM call_log WHERE n < ? ORDER BY n',
    [newest],
  ) as [number, number][]
  for (const [n, size] of sizes) {
    if (surplus <= 0) break
    surplus -= size
    freed += size
    last = n
  }
  driver.run('DELETE FROM call_log WHERE n <= ?', [last])
  addBytes(driver, -freed)
}

/** Erases the words of a conversation that is being deleted. Its rows stay. Inside a transaction that writes. */
export function eraseWords(driver: SqliteDriver, session: string): void {
  const rows = driver.all("SELECT n, row, outcome FROM call_log WHERE session = ? AND kind = 'call' AND erased = 0", [
    session,
  ])
  for (const [n, row, outcome] of rows) {
    const erased = erasedText(row) ?? '{}'
    const erasedOutcome = erasedText(outcome)
    driver.run('UPDATE call_log SET row = ?, outcome = ?, erased = 1 WHERE n = ?', [
      erased,
      erasedOutcome ?? null,
      n as number,
    ])
    addBytes(driver, erased.length + (erasedOutcome?.length ?? 0) - lengthOf(row) - lengthOf(outcome))
  }
}

function erasedText(text: unknown): string | undefined {
  const row = parsedRow<Partial<LoggedCall>>(text)
  return row && JSON.stringify(withoutUserText(row))
}

const lengthOf = (text: unknown): number => (typeof text === 'string' ? text.length : 0)

export interface LogQuery {
  /** The vault's state folder. */
  folder: string
  tool?: string | undefined
  since?: Date | undefined
  /** Only calls that ended in an error, were refused, or never ended. */
  failed?: boolean | undefined
  /** At most this many, the newest. */
  last?: number
  /** Continues with calls as they end, until the signal aborts. */
  follow?: boolean | undefined
  signal?: AbortSignal
  /** Receives the number of unreadable rows, which are left out. */
  onDamaged?: (rows: number) => void
  /** Receives storage errors, as sentences for the user. */
  onTrouble?: (text: string) => void
}

/** The calls of a log, oldest first, each with its outcome. A call whose process died has none. */
export async function* readLog(question: LogQuery): AsyncGenerator<LoggedCall> {
  const { folder, signal, follow = false, onTrouble } = question
  const state = vaultState(folder, onTrouble)
  try {
    const running = new Map<number, StoredCall>()
    let newest = newestRow(state)
    for (const stored of pastCalls(state, question, newest)) {
      if (follow && isRunning(stored)) running.set(stored.n, stored)
      else yield stored.call
    }
    while (follow && !signal?.aborted) {
      // An aborted wait ends the loop below.
      await sleep(followMs, undefined, { signal }).catch(() => undefined)
      if (signal?.aborted) return
      const until = newestRow(state)
      for (const stored of callsAfter(state, newest)) running.set(stored.n, stored)
      newest = until
      for (const call of takeEnded(state, running)) if (passes(call, question)) yield call
    }
  } finally {
    state.close()
  }
}

const followMs = 200

interface StoredCall {
  n: number
  pid: number
  call: LoggedCall
}

const selectCalls = "SELECT n, pid, row, outcome FROM call_log WHERE kind = 'call'"

const newestRow = (state: StateDatabase): number =>
  Number(state.look((driver) => driver.first('SELECT max(n) FROM call_log'))?.[0] ?? 0)

/** Read from the end, so that reading can stop early. */
function pastCalls(state: StateDatabase, question: LogQuery, newest: number): StoredCall[] {
  const { tool, since, last = Number.POSITIVE_INFINITY, onDamaged } = question
  const found: StoredCall[] = []
  let damaged = 0
  for (let before = newest + 1; found.length < last; ) {
    const rows = state.look((driver) =>
      driver.all(
        `${selectCalls} AND n < ? AND (?2 IS NULL OR tool = ?2) AND (?3 IS NULL OR time >= ?3) ORDER BY n DESC LIMIT ${rowsAtOnce}`,
        [before, tool ?? null, since?.toISOString() ?? null],
      ),
    )
    for (const row of rows ?? []) {
      const stored = callFromRow(row)
      if (stored === undefined) damaged++
      else if (found.length < last && passes(stored.call, question)) found.push(stored)
    }
    if (rows === undefined || rows.length < rowsAtOnce) break
    before = Number(rows.at(-1)?.[0])
  }
  if (damaged > 0) onDamaged?.(damaged)
  return found.reverse()
}

const rowsAtOnce = 500

const callsAfter = (state: StateDatabase, n: number): StoredCall[] =>
  (state.look((driver) => driver.all(`${selectCalls} AND n > ? ORDER BY n`, [n])) ?? []).flatMap(
    (row) => callFromRow(row) ?? [],
  )

/** Removes and returns the calls that have an outcome now, or whose process has died. */
function takeEnded(state: StateDatabase, running: Map<number, StoredCall>): LoggedCall[] {
  return [...running.keys()].flatMap((n) => {
    const row = state.look((driver) => driver.first(`${selectCalls} AND n = ?`, [n]))
    const stored = row && callFromRow(row)
    if (stored !== undefined && isRunning(stored)) return []
    running.delete(n)
    return stored?.call ?? []
  })
}

/** The call as people and scripts see it; undefined for a row that cannot be read. */
function callFromRow([n, pid, row, outcomeText]: unknown[]): StoredCall | undefined {
  const intent = parsedRow<LogIntent>(row)
  const outcome = outcomeText === null ? {} : parsedRow<LogOutcome>(outcomeText)
  if (intent === undefined || outcome === undefined) return undefined
  const { timestamp, session, turn, call, tool_name, decision, rule, egress, change_set } = intent
  const { result, duration_ms, error } = outcome
  return {
    n: Number(n),
    pid: Number(pid),
    call: {
      id: `${n}`,
      timestamp,
      session,
      ...(turn !== undefined && { turn }),
      ...(call !== undefined && { call }),
      tool_name,
      arguments: intent.arguments,
      decision,
      rule,
      ...(egress !== undefined && { egress }),
      ...(change_set !== undefined && { change_set }),
      ...(result !== undefined && { result }),
      ...(duration_ms !== undefined && { duration_ms }),
      ...(error !== undefined && { error }),
    },
  }
}

function parsedRow<Row>(text: unknown): Row | undefined {
  try {
    const row: unknown = JSON.parse(`${text}`)
    return typeof row === 'object' && row !== null ? (row as Row) : undefined
  } catch {
    return undefined
  }
}

function passes(call: LoggedCall, { tool, since, failed }: LogQuery): boolean {
  if (tool !== undefined && call.tool_name !== tool) return false
  if (since !== undefined && Date.parse(call.timestamp) < since.getTime()) return false
  return !failed || hasFailed(call)
}

function hasFailed(call: LoggedCall): boolean {
  return call.error !== undefined || isUnfinished(call) || ['denied', 'refused'].includes(call.decision)
}

const isRunning = ({ call, pid }: StoredCall): boolean => isUnfinished(call) && isAlive(pid)

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Data that was sent from this machine: a request to a model, or one that a tool made. */
export type Egress = LoggedRequest | ToolEgress

interface ToolEgress {
  time: string
  session: string
  turn?: string
  tool: string
  destination: string
  bytes: number
  sha256: string
}

/** Everything that was sent, oldest first, as it was logged before it was sent. */
export async function readEgress({ folder, since }: { folder: string; since?: Date | undefined }): Promise<Egress[]> {
  const state = vaultState(folder)
  try {
    const rows = state.look((driver) =>
      driver.all(
        "SELECT kind, row FROM call_log WHERE (?1 IS NULL OR time >= ?1) AND (kind = 'request' OR row LIKE '%\"egress\"%') ORDER BY time, n",
        [since?.toISOString() ?? null],
      ),
    )
    return (rows ?? []).flatMap(([kind, text]): Egress[] => {
      if (kind === 'request') {
        const request = parsedRow<LoggedRequest>(text)
        return request === undefined ? [] : [request]
      }
      const {
        timestamp: time = '',
        session = '',
        turn,
        tool_name: tool = '',
        egress = [],
      } = parsedRow<Partial<LogIntent>>(text) ?? {}
      return egress.map((sent) => ({ time, session, ...(turn && { turn }), tool, ...sent }))
    })
  } finally {
    state.close()
  }
}

export interface Verification {
  isWhole: boolean
  rows: number
  /** Rows of deleted conversations, whose words were erased. */
  erased: number
  /** Numbers of the first and the last row. Rows before the first were dropped for space. */
  first?: number
  last?: number
  problems: LogProblem[]
}

export interface LogProblem {
  /** The number of the row; absent for a problem of the whole database. */
  row?: number
  text: string
}

/**
 * Checks the database and that every row can be read. Rows are not chained by hashes: anyone who can write the file
 * could also compute new ones, so a chain would prove nothing.
 */
export async function verifyLog({ folder }: { folder: string }): Promise<Verification> {
  const found: Verification = { isWhole: true, rows: 0, erased: 0, problems: [] }
  const file = join(folder, vaultStateName)
  if (!existsSync(file)) importEarlierLog(folder)
  if (existsSync(file)) checkDatabase(file, found)
  found.isWhole = found.problems.length === 0
  return found
}

function importEarlierLog(folder: string): void {
  const state = vaultState(folder)
  state.look(() => undefined)
  state.close()
}

/** On its own connection: a damaged file is reported here, and not set aside. */
function checkDatabase(file: string, found: Verification): void {
  const driver = openDriver(file)
  try {
    driver.exec('PRAGMA busy_timeout = 15000')
    for (const [text] of driver.all('PRAGMA integrity_check')) {
      if (text !== 'ok') found.problems.push({ text: `The database is damaged: ${text}` })
    }
    for (const row of driver.all('SELECT n, kind, row, outcome, erased FROM call_log ORDER BY n')) checkRow(row, found)
  } catch (error) {
    if (!isDamage(error)) throw error
    found.problems.push({ text: `The database is damaged: ${(error as Error).message}` })
  } finally {
    driver.close()
  }
}

function checkRow([number, kind, row, outcome, erased]: unknown[], found: Verification): void {
  const n = Number(number)
  found.rows++
  found.first ??= n
  found.last = n
  const isReadable = [row, ...(outcome === null ? [] : [outcome])].every((text) => parsedRow(text) !== undefined)
  if (!isReadable) found.problems.push({ row: n, text: 'The row cannot be read.' })
  if (!erased) return
  found.erased++
  const hasWords = [row, outcome].some((text) => typeof text === 'string' && erasedText(text) !== text)
  if (kind === 'call' && isReadable && hasWords) {
    found.problems.push({ row: n, text: 'The row is marked as deleted but still has text.' })
  }
}

/** SQLite's results for a full, broken or read-only disk, as the system names them. */
const systemCodes: Readonly<Record<number, string>> = { 3: 'EACCES', 8: 'EROFS', 10: 'EIO', 13: 'ENOSPC', 14: 'EACCES' }
/** BUSY and LOCKED. */
const busyCodes = [5, 6]

function failureOf(error: unknown, outcome: string): unknown {
  const result = sqliteCode(error)
  if (result === undefined) return diskFailure(error, outcome)
  if (busyCodes.includes(result)) {
    const failure = new Failure('timeout', `The tool call log is in use by another process. ${outcome}`, {
      hint: 'Try again in a moment.',
    })
    failure.cause = error
    return failure
  }
  const code = systemCodes[result]
  if (code === undefined) return error
  return diskFailure(Object.assign(new Error((error as Error).message, { cause: error }), { code }), outcome)
}
