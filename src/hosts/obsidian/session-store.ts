import {
  foldWords,
  type KeptState,
  mayReplaceTitle,
  passageWith,
  type SessionAbout,
  type SessionEntry,
  type SessionStore,
  type SessionWriter,
  type StoredEvent,
  searchableText,
  sessionLocked,
  summaryOf,
  type TitledBy,
  type UsageRow,
} from '../../core/session/index.js'
import { eraseWords } from './call-log.js'
import { type Database, requestResult, type Stores } from './database.js'

/** Metadata of a session, without events. */
interface SessionRow {
  id: string
  title: string
  titledBy?: TitledBy
  pinned?: boolean
  createdAt: string
  updatedAt: string
  about: SessionAbout
  state?: KeptState
  /** Number of its last event. */
  last: number
  bytes: number
  /** Counted up, so that the last one that was written to is the newest even within a millisecond. */
  touched: number
}

/** `events` are by session and number, `attachments` by session and hash, `usage` as it came. */
export const sessionStores = ['sessions', 'events', 'attachments', 'usage'] as const

/** The sessions of a vault in the browser's database. One window writes, as Obsidian opens a vault once. */
export function indexedDbSessions(database: Database): SessionStore {
  const writers = new Map<string, SessionWriter>()

  const rows = () =>
    database.look(['sessions'], async (store) => {
      const found = await requestResult<SessionRow[]>(store('sessions').getAll())
      return found.filter(({ last }) => last > 0).sort((a, b) => b.touched - a.touched)
    })

  async function find(id: string): Promise<SessionRow | undefined> {
    const row = await database.look(['sessions'], (store) => rowIn(store, id))
    return row !== undefined && row.last > 0 ? row : undefined
  }

  async function search(words: string) {
    const folded = foldWords(words)
    const found = []
    for (const { id, title } of await rows()) {
      if (foldWords(title).includes(folded)) {
        found.push({ id, seq: 0, passage: passageWith(title, folded) })
        continue
      }
      const events = await database.look(['events'], (store) => eventsIn(store, id, 0))
      const hit = events.find(({ event }) => foldWords(searchableText(event) ?? '').includes(folded))
      // `!`: its text was found by the search.
      if (hit !== undefined) found.push({ id, seq: hit.seq, passage: passageWith(searchableText(hit.event)!, folded) })
    }
    return found
  }

  return {
    list: async () => (await rows()).map((row) => summaryOf(row.about, row)),
    async find(id) {
      const row = await find(id)
      if (row === undefined) return undefined
      const { about, state, last } = row
      return { ...summaryOf(about, row), about, last, ...(state && { state }) }
    },
    async read(id, { after = 0, types } = {}) {
      const events = await database.look(['events'], (store) => eventsIn(store, id, after))
      return types === undefined ? events : events.filter(({ event }) => types.includes(event.type))
    },
    file: (id, hash) =>
      database.look(['attachments'], (store) =>
        requestResult<Uint8Array | undefined>(store('attachments').get([id, hash])),
      ),
    search,
    async write(id) {
      if (writers.has(id)) throw sessionLocked(id, 'this window')
      const writer: SessionWriter = {
        async append(entry) {
          if (writers.get(id) !== writer) throw sessionLocked(id, 'another window or program')
          return database.change(sessionStores, (store) => append(store, id, entry))
        },
        async keepFile(hash, bytes) {
          if (writers.get(id) !== writer) throw sessionLocked(id, 'another window or program')
          await database.change(sessionStores, (store) => keepFile(store, id, hash, bytes))
        },
        async release() {
          if (writers.get(id) !== writer) return
          writers.delete(id)
          await database.change(sessionStores, async (store) => {
            if ((await rowIn(store, id))?.last === 0) forget(store, id)
          })
        },
      }
      writers.set(id, writer)
      return writer
    },
    // Only one window has the vault open.
    holder: async () => undefined,

    rename: (id, title, by) =>
      database.change(['sessions'], async (store) => {
        const row = await rowIn(store, id)
        if (row === undefined || !mayReplaceTitle(by, row.titledBy)) return false
        store('sessions').put({ ...row, title, titledBy: by }, id)
        return true
      }),
    pin: (id, pinned) =>
      database.change(['sessions'], async (store) => {
        const row = await rowIn(store, id)
        if (row === undefined || row.last === 0) return false
        store('sessions').put({ ...row, pinned }, id)
        return true
      }),
    async remove(id) {
      if ((await find(id)) === undefined) return false
      if (writers.has(id)) throw sessionLocked(id, 'this window')
      await database.change([...sessionStores, 'calls'], async (store) => {
        forget(store, id)
        await eraseWords(store('calls'), id)
        const keys = await requestResult<number[]>(store('usage').getAllKeys())
        const used = await requestResult<UsageRow[]>(store('usage').getAll())
        for (const [at, { session, project, ...rest }] of used.entries()) {
          if (session === id) store('usage').put(rest, keys[at])
        }
      })
      return true
    },
    async usage(since) {
      const used = await database.look(['usage'], (store) => requestResult<UsageRow[]>(store('usage').getAll()))
      return used.filter(({ time }) => since === undefined || Date.parse(time) >= since.getTime())
    },
    async addUsage(row) {
      await database.change(['usage'], async (store) => void store('usage').add(row))
    },
    // The database is shared; its opener closes it.
    async close() {},
  }
}

async function append(store: Stores, id: string, entry: SessionEntry): Promise<number> {
  const { events, about, state, usage = [] } = entry
  const all = await requestResult<SessionRow[]>(store('sessions').getAll())
  const touched = Math.max(0, ...all.map((row) => row.touched)) + 1
  const known = all.find((row) => row.id === id)
  const row: SessionRow = {
    ...(known ?? emptyRow(id)),
    about,
    touched,
    ...(state && { state }),
  }
  for (const { time, event } of events) {
    row.createdAt ||= time
    row.updatedAt = time
    row.last += 1
    row.bytes += JSON.stringify(event).length
    // Events are data: values that JSON omits must not be stored either.
    store('events').put({ seq: row.last, time, event: JSON.parse(JSON.stringify(event)) as unknown }, [id, row.last])
  }
  store('sessions').put(JSON.parse(JSON.stringify(row)), id)
  for (const one of usage) store('usage').add(one)
  return row.last
}

async function keepFile(store: Stores, id: string, hash: string, bytes: Uint8Array): Promise<void> {
  if ((await requestResult<unknown>(store('attachments').getKey([id, hash]))) !== undefined) return
  const row = (await rowIn(store, id)) ?? emptyRow(id)
  store('attachments').put(bytes.slice(), [id, hash])
  store('sessions').put({ ...row, bytes: row.bytes + bytes.length }, id)
}

function forget(store: Stores, id: string): void {
  store('sessions').delete(id)
  store('events').delete(allOf(id, 0))
  store('attachments').delete(IDBKeyRange.bound([id], [id, []]))
}

function emptyRow(id: string): SessionRow {
  const about: SessionAbout = { turns: 0, model: '', waiting: [] }
  return { id, title: '', createdAt: '', updatedAt: '', about, last: 0, bytes: 0, touched: 0 }
}

const rowIn = (store: Stores, id: string) => requestResult<SessionRow | undefined>(store('sessions').get(id))

const allOf = (id: string, after: number) => IDBKeyRange.bound([id, after], [id, Number.MAX_SAFE_INTEGER], true)

const eventsIn = (store: Stores, id: string, after: number) =>
  requestResult<StoredEvent[]>(store('events').getAll(allOf(id, after)))
