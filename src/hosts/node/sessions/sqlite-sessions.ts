import type { AgentEvent } from '../../../core/agent/index.js'
import {
  foldWords,
  heldElsewhere,
  isStronger,
  type KeptSession,
  passageWith,
  type SessionAbout,
  type SessionEntry,
  type SessionStore,
  type SessionSummary,
  searchedText,
  summaryOf,
  type TitledBy,
} from '../../../core/session/index.js'
import type { LockHolder } from '../lock/index.js'
import type { SqliteDriver } from '../sqlite-store/index.js'
import { holderOf, refuseHeld, takeLease } from './lease.js'
import { eventsPerSession } from './schema.js'
import { sessionsFile } from './sessions-file.js'
import { addUsageRow, forgetWhose, usageRows } from './usage-rows.js'

export interface SqliteSessionsOptions {
  file: string
  /** Told what could not be kept or read, in a sentence for the person. */
  onTrouble?(text: string): void
}

/** The sessions of a vault in one SQLite file, shared by every process. Nothing is opened before it is needed. */
export function sqliteSessions({ file, onTrouble = () => {} }: SqliteSessionsOptions): SessionStore {
  const sessions = sessionsFile(file, (aside) =>
    onTrouble(`The stored sessions were damaged. They were set aside as ${aside}, and a new store was begun.`),
  )

  return {
    list: async () => sessions.look((driver) => rows(driver).map(summary)) ?? [],

    find: async (id) => sessions.look((driver) => findIn(driver, id)),

    read: async (id, { after = 0, types } = {}) =>
      sessions.look((driver) => {
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
      sessions.look((driver) => {
        const [bytes] =
          driver.first(
            'SELECT f.bytes FROM file_rows f JOIN sessions s ON s.number = f.session WHERE s.id = ? AND f.hash = ?',
            [id, hash],
          ) ?? []
        return bytes instanceof Uint8Array ? bytes : undefined
      }),

    search: async (words) => sessions.look((driver) => searchIn(driver, foldWords(words))) ?? [],

    async write(id) {
      let own = sessions.change((driver) => takeLease(driver, id))
      return {
        append: async (entry) =>
          sessions.change((driver) => {
            own = keptLease(driver, id, own)
            return add(driver, id, entry)
          }),
        keepFile: async (hash, bytes) =>
          sessions.change((driver) => {
            own = keptLease(driver, id, own)
            keepFile(driver, id, hash, bytes)
          }),
        release: async () =>
          sessions.change((driver) => {
            if (holderOf(driver, id)?.token !== own.token) return
            driver.run('UPDATE sessions SET holder = NULL WHERE id = ?', [id])
            driver.run(`DELETE FROM file_rows WHERE session IN (${unused})`, [id])
            driver.run(`DELETE FROM sessions WHERE number IN (${unused})`, [id])
          }),
      }
    },

    rename: async (id, title, by) =>
      sessions.change((driver) => {
        const [titledBy, last] = driver.first('SELECT titled_by, last FROM sessions WHERE id = ?', [id]) ?? []
        if (!last || !isStronger(by, (titledBy as TitledBy | null) ?? undefined)) return false
        driver.run('UPDATE sessions SET title = ?, titled_by = ? WHERE id = ?', [title, by, id])
        return true
      }),

    async remove(id) {
      const isRemoved = sessions.change((driver) => {
        const range = rangeOf(driver, id)
        if (range === undefined) return false
        refuseHeld(driver, id)
        driver.run('DELETE FROM event_rows WHERE id > ? AND id < ?', [range, range + eventsPerSession])
        driver.run('DELETE FROM file_rows WHERE session = ?', [range / eventsPerSession])
        driver.run('DELETE FROM states WHERE session = ?', [range / eventsPerSession])
        driver.run('DELETE FROM sessions WHERE id = ?', [id])
        forgetWhose(driver, id)
        return true
      })
      // The write-ahead log still has the pages as they were.
      if (isRemoved) sessions.flush()
      return isRemoved
    },

    usage: async (since) => sessions.look((driver) => usageRows(driver, since)) ?? [],
    addUsage: async (row) => sessions.change((driver) => addUsageRow(driver, row)),
    close: async () => sessions.close(),
  }
}

/** A session that was opened, and to which nothing was added. */
const unused = 'SELECT number FROM sessions WHERE id = ? AND last = 0'

function keepFile(driver: SqliteDriver, id: string, hash: string, bytes: Uint8Array): void {
  const [number] = driver.first('SELECT number FROM sessions WHERE id = ?', [id]) as [number]
  const isKept = driver.first('SELECT 1 FROM file_rows WHERE session = ? AND hash = ?', [number, hash]) !== undefined
  if (isKept) return
  driver.run('INSERT INTO file_rows (session, hash, bytes) VALUES (?, ?, ?)', [number, hash, bytes])
  driver.run('UPDATE sessions SET bytes = bytes + ? WHERE number = ?', [bytes.length, number])
}

/** The lease, or a new one where the store was set aside meanwhile: what comes from here on is kept. */
function keptLease(driver: SqliteDriver, id: string, own: LockHolder): LockHolder {
  const held = holderOf(driver, id)
  if (held?.token === own.token) return own
  if (held === undefined && rangeOf(driver, id) === undefined) return takeLease(driver, id)
  throw heldElsewhere(id, held === undefined ? 'another place' : `process ${held.pid}`)
}

function add(driver: SqliteDriver, id: string, { events, about, state, usage = [] }: SessionEntry): number {
  const [number, last, bytes, created] = driver.first(
    'SELECT number, last, bytes, created_at FROM sessions WHERE id = ?',
    [id],
  ) as [number, number, number, string | null]
  let seq = last
  let size = bytes
  for (const { time, event } of events) {
    const text = JSON.stringify(event)
    const words = searchedText(event)
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

const columns = 'id, title, created_at, updated_at, about, bytes, last, number'

function rows(driver: SqliteDriver): unknown[][] {
  return driver.all(`SELECT ${columns} FROM sessions WHERE last > 0 ORDER BY touched DESC`)
}

function summary([id, title, createdAt, updatedAt, about, bytes]: unknown[]): SessionSummary {
  return summaryOf(JSON.parse(`${about}`) as SessionAbout, {
    id: `${id}`,
    title: `${title}`,
    createdAt: `${createdAt}`,
    updatedAt: `${updatedAt}`,
    bytes: Number(bytes),
  })
}

function findIn(driver: SqliteDriver, id: string): KeptSession | undefined {
  const row = driver.first(`SELECT ${columns} FROM sessions WHERE id = ? AND last > 0`, [id])
  if (row === undefined) return undefined
  const [state] = driver.first('SELECT state FROM states WHERE session = ?', [Number(row[7])]) ?? []
  return {
    ...summary(row),
    about: JSON.parse(`${row[4]}`) as SessionAbout,
    last: Number(row[6]),
    ...(typeof state === 'string' && { state: JSON.parse(state) }),
  }
}

/** Where its events begin; undefined when there is no such session. */
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
  return rows(driver).flatMap(([id, title, , , , , , number]) => {
    if (foldWords(`${title}`).includes(folded)) {
      return [{ id: `${id}`, seq: 0, passage: passageWith(`${title}`, folded) }]
    }
    const [seq, event] = found.get(Number(number)) ?? []
    if (seq === undefined) return []
    return [{ id: `${id}`, seq, passage: passageWith(searchedText(readEvent(event!)) ?? '', folded) }]
  })
}

/** A row that nobody can read any more leaves a word in its place, and the others as they are. */
function readEvent(text: string): AgentEvent {
  try {
    return JSON.parse(text) as AgentEvent
  } catch {
    return { type: 'notice', text: 'Something here was damaged on the disk and could not be read.' }
  }
}
