import type { AgentEvent } from '../../core/agent/index.js'
import {
  foldWords,
  type KeptSession,
  mayReplaceTitle,
  passageWith,
  type SessionAbout,
  type SessionEntry,
  type SessionStore,
  type SessionSummary,
  searchableText,
  sessionLocked,
  summaryOf,
  type TitledBy,
  type UsageRow,
} from '../../core/session/index.js'
import { eraseWords } from './call-log.js'
import { holderIn, isAlive, isOnOtherHost, type LockHolder, thisHolder } from './lock/lock.js'
import type { SqliteDriver } from './sqlite.js'
import { eventsPerSession, type StateDatabase, vaultState } from './state-database.js'

/** The sessions of a vault, given its state folder. Nothing is opened before it is needed. */
export function vaultSessions(stateDir: string, onTrouble?: (text: string) => void): SessionStore {
  return databaseSessions(vaultState(stateDir, onTrouble))
}

/** The sessions in the state of a vault, shared by every process. Closing them closes the state. */
export function databaseSessions(state: StateDatabase): SessionStore {
  return {
    list: async () => state.look((driver) => sessionRows(driver).map(summaryFromRow)) ?? [],

    find: async (id) => state.look((driver) => findIn(driver, id)),

    read: async (id, { after = 0, types } = {}) =>
      state.look((driver) => {
        const range = rangeOf(driver, id)
        if (range === undefined) return []
        const some = types === undefined ? '' : ` AND type IN (${types.map(() => '?').join(', ')})`
        return driver
          .all(`SELECT id, time, event FROM event_rows WHERE id > ? AND id < ?${some} ORDER BY id`, [
            range + after,
            range + eventsPerSession,
            ...(types ?? []),
          ])
          .map(([key, time, event]) => ({ seq: Number(key) - range, time: `${time}`, event: readEvent(`${event}`) }))
      }) ?? [],

    file: async (id, hash) =>
      state.look((driver) => {
        const [bytes] =
          driver.first(
            'SELECT f.bytes FROM file_rows f JOIN sessions s ON s.number = f.session WHERE s.id = ? AND f.hash = ?',
            [id, hash],
          ) ?? []
        return bytes instanceof Uint8Array ? bytes : undefined
      }),

    search: async (words) => state.look((driver) => searchIn(driver, foldWords(words))) ?? [],

    async write(id) {
      let own = state.change((driver) => takeLease(driver, id))
      return {
        append: async (entry) =>
          state.change((driver) => {
            own = currentLease(driver, id, own)
            return addEntry(driver, id, entry)
          }),
        keepFile: async (hash, bytes) =>
          state.change((driver) => {
            own = currentLease(driver, id, own)
            keepFile(driver, id, hash, bytes)
          }),
        release: async () =>
          state.change((driver) => {
            if (holderOf(driver, id)?.token !== own.token) return
            driver.run('UPDATE sessions SET holder = NULL WHERE id = ?', [id])
            driver.run(`DELETE FROM file_rows WHERE session IN (${unusedSessions})`, [id])
            driver.run(`DELETE FROM sessions WHERE number IN (${unusedSessions})`, [id])
          }),
      }
    },

    holder: async (id) => state.look((driver) => holderElsewhere(driver, id)),

    rename: async (id, title, by) =>
      state.change((driver) => {
        const [titledBy, last] = driver.first('SELECT titled_by, last FROM sessions WHERE id = ?', [id]) ?? []
        if (!last || !mayReplaceTitle(by, (titledBy as TitledBy | null) ?? undefined)) return false
        driver.run('UPDATE sessions SET title = ?, titled_by = ? WHERE id = ?', [title, by, id])
        return true
      }),

    pin: async (id, isPinned) =>
      state.change((driver) => {
        if (rangeOf(driver, id) === undefined) return false
        driver.run('UPDATE sessions SET pinned = ? WHERE id = ?', [isPinned ? 1 : 0, id])
        return true
      }),

    async remove(id) {
      const isRemoved = state.change((driver) => {
        const range = rangeOf(driver, id)
        if (range === undefined) return false
        refuseHeld(driver, id)
        driver.run('DELETE FROM event_rows WHERE id > ? AND id < ?', [range, range + eventsPerSession])
        driver.run('DELETE FROM file_rows WHERE session = ?', [range / eventsPerSession])
        driver.run('DELETE FROM states WHERE session = ?', [range / eventsPerSession])
        driver.run('DELETE FROM sessions WHERE id = ?', [id])
        forgetUsageSession(driver, id)
        eraseWords(driver, id)
        return true
      })
      // The write-ahead log still has the pages as they were.
      if (isRemoved) state.flush()
      return isRemoved
    },

    usage: async (since) => state.look((driver) => usageRows(driver, since)) ?? [],
    addUsage: async (row) => state.change((driver) => addUsageRow(driver, row)),
    close: async () => state.close(),
  }
}

/** A session that was opened, and to which nothing was added. */
const unusedSessions = 'SELECT number FROM sessions WHERE id = ? AND last = 0'

function keepFile(driver: SqliteDriver, id: string, hash: string, bytes: Uint8Array): void {
  const [number] = driver.first('SELECT number FROM sessions WHERE id = ?', [id]) as [number]
  const isKept = driver.first('SELECT 1 FROM file_rows WHERE session = ? AND hash = ?', [number, hash]) !== undefined
  if (isKept) return
  driver.run('INSERT INTO file_rows (session, hash, bytes) VALUES (?, ?, ?)', [number, hash, bytes])
  driver.run('UPDATE sessions SET bytes = bytes + ? WHERE number = ?', [bytes.length, number])
}

/** Returns the lease, or takes a new one if the store was set aside meanwhile, so that later events are stored. */
function currentLease(driver: SqliteDriver, id: string, own: LockHolder): LockHolder {
  const held = holderOf(driver, id)
  if (held?.token === own.token) return own
  if (held === undefined && rangeOf(driver, id) === undefined) return takeLease(driver, id)
  throw sessionLocked(id, held === undefined ? 'another window or program' : `process ${held.pid}`)
}

function addEntry(driver: SqliteDriver, id: string, { events, about, state, usage = [] }: SessionEntry): number {
  const [number, last, bytes, created] = driver.first(
    'SELECT number, last, bytes, created_at FROM sessions WHERE id = ?',
    [id],
  ) as [number, number, number, string | null]
  let seq = last
  let size = bytes
  for (const { time, event } of events) {
    const text = JSON.stringify(event)
    const words = searchableText(event)
    driver.run('INSERT INTO event_rows (id, time, type, event, words) VALUES (?, ?, ?, ?, ?)', [
      number * eventsPerSession + ++seq,
      time,
      event.type,
      text,
      words === undefined || words === '' ? null : foldWords(words),
    ])
    size += text.length
  }
  const updated = events.at(-1)?.time
  driver.run(
    `UPDATE sessions SET last = ?, bytes = ?, about = ?, created_at = ?, updated_at = coalesce(?, updated_at), touched = (SELECT max(touched) + 1 FROM sessions) WHERE number = ?`,
    [seq, size, JSON.stringify(about), created ?? events[0]?.time ?? null, updated ?? null, number],
  )
  if (state !== undefined) {
    driver.run('INSERT OR REPLACE INTO states (session, state) VALUES (?, ?)', [number, JSON.stringify(state)])
  }
  for (const row of usage) addUsageRow(driver, row)
  return seq
}

const columns = 'id, title, created_at, updated_at, about, bytes, last, number, pinned'

function sessionRows(driver: SqliteDriver): unknown[][] {
  return driver.all(`SELECT ${columns} FROM sessions WHERE last > 0 ORDER BY touched DESC`)
}

function summaryFromRow([id, title, createdAt, updatedAt, about, bytes, , , pinned]: unknown[]): SessionSummary {
  return summaryOf(JSON.parse(`${about}`) as SessionAbout, {
    id: `${id}`,
    title: `${title}`,
    createdAt: `${createdAt}`,
    updatedAt: `${updatedAt}`,
    bytes: Number(bytes),
    pinned: pinned === 1,
  })
}

function findIn(driver: SqliteDriver, id: string): KeptSession | undefined {
  const row = driver.first(`SELECT ${columns} FROM sessions WHERE id = ? AND last > 0`, [id])
  if (row === undefined) return undefined
  const [state] = driver.first('SELECT state FROM states WHERE session = ?', [Number(row[7])]) ?? []
  return {
    ...summaryFromRow(row),
    about: JSON.parse(`${row[4]}`) as SessionAbout,
    last: Number(row[6]),
    ...(typeof state === 'string' && { state: JSON.parse(state) }),
  }
}

/** The start of its range of event ids; undefined for an unknown session. */
function rangeOf(driver: SqliteDriver, id: string): number | undefined {
  const [number] = driver.first('SELECT number FROM sessions WHERE id = ? AND last > 0', [id]) ?? []
  return number === undefined ? undefined : Number(number) * eventsPerSession
}

function searchIn(driver: SqliteDriver, folded: string) {
  const found = new Map<number, [seq: number, event: string]>()
  for (const [key, event] of driver.all(
    'SELECT id, event FROM event_rows WHERE words IS NOT NULL AND instr(words, ?) > 0 ORDER BY id',
    [folded],
  )) {
    const number = Math.floor(Number(key) / eventsPerSession)
    if (!found.has(number)) found.set(number, [Number(key) % eventsPerSession, `${event}`])
  }
  return sessionRows(driver).flatMap(([id, title, , , , , , number]) => {
    if (foldWords(`${title}`).includes(folded)) {
      return [{ id: `${id}`, seq: 0, passage: passageWith(`${title}`, folded) }]
    }
    const [seq, event] = found.get(Number(number)) ?? []
    if (seq === undefined) return []
    // `!`: each number comes with its event.
    return [{ id: `${id}`, seq, passage: passageWith(searchableText(readEvent(event!)) ?? '', folded) }]
  })
}

/** An unreadable row is replaced by a notice; the others are unaffected. */
function readEvent(text: string): AgentEvent {
  try {
    return JSON.parse(text) as AgentEvent
  } catch {
    return { type: 'notice', text: 'Part of this chat was damaged on disk and could not be read.' }
  }
}

/** Makes this process the writer of a session, unless a living one is. Inside a transaction that writes. */
function takeLease(driver: SqliteDriver, id: string): LockHolder {
  const held = holderOf(driver, id)
  if (held !== undefined && isAlive(held)) throw sessionLocked(id, holderName(held))
  const own = thisHolder()
  driver.run('INSERT OR IGNORE INTO sessions (id) VALUES (?)', [id])
  driver.run('UPDATE sessions SET holder = ? WHERE id = ?', [JSON.stringify(own), id])
  return own
}

/** A dead process loses its lease at once; there is no expiry. */
function refuseHeld(driver: SqliteDriver, id: string, own?: LockHolder): void {
  const held = holderOf(driver, id)
  if (held !== undefined && held.token !== own?.token && isAlive(held)) throw sessionLocked(id, holderName(held))
}

/** The living process, other than this one, that writes a session. */
function holderElsewhere(driver: SqliteDriver, id: string): string | undefined {
  const held = holderOf(driver, id)
  const isOther = held !== undefined && (held.pid !== process.pid || isOnOtherHost(held)) && isAlive(held)
  return isOther ? holderName(held) : undefined
}

function holderOf(driver: SqliteDriver, id: string): LockHolder | undefined {
  const [text] = driver.first('SELECT holder FROM sessions WHERE id = ?', [id]) ?? []
  return typeof text === 'string' ? holderIn(text) : undefined
}

function holderName(holder: LockHolder): string {
  if (isOnOtherHost(holder)) return `process ${holder.pid} on another computer, ${holder.host}`
  return holder.pid === process.pid ? 'this process' : `process ${holder.pid}`
}

function addUsageRow(driver: SqliteDriver, row: UsageRow): void {
  const { time, session = null, turn = null, model, project = null, input, output, cached, cost } = row
  driver.run(
    'INSERT INTO usage (time, session, turn, model, project, input, output, cached, cost) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
    [time, session, turn, model, project, input, output, cached, cost],
  )
}

function usageRows(driver: SqliteDriver, since?: Date): UsageRow[] {
  return driver
    .all(
      'SELECT time, session, turn, model, project, input, output, cached, cost FROM usage WHERE time >= ? ORDER BY time, rowid',
      [since?.toISOString() ?? ''],
    )
    .map(([time, session, turn, model, project, input, output, cached, cost]) => ({
      time: `${time}`,
      ...(session !== null && { session: `${session}` }),
      ...(turn !== null && { turn: `${turn}` }),
      model: `${model}`,
      ...(project !== null && { project: `${project}` }),
      input: Number(input),
      output: Number(output),
      cached: Number(cached),
      cost: cost === null ? null : Number(cost),
    }))
}

/** Deleting a session keeps its cost, without the session id. */
function forgetUsageSession(driver: SqliteDriver, session: string): void {
  driver.run('UPDATE usage SET session = NULL, project = NULL WHERE session = ?', [session])
}
