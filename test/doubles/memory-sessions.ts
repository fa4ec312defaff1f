import {
  foldWords,
  type KeptSession,
  type KeptState,
  mayReplaceTitle,
  newSession,
  passageWith,
  type SessionAbout,
  type SessionStore,
  type SessionWriter,
  type StoredEvent,
  searchableText,
  sessionLocked,
  summaryOf,
  type TitledBy,
  type UsageRow,
} from '../../src/core/session/session-store.js'

interface Kept {
  id: string
  title: string
  titledBy?: TitledBy
  pinned?: boolean
  createdAt: string
  updatedAt: string
  about: SessionAbout
  state?: KeptState
  events: StoredEvent[]
  bytes: number
  files: Map<string, Uint8Array>
  /** Counted up, so that the last one who wrote is the newest even within a millisecond. */
  touched: number
  writer?: object | undefined
}

/** Sessions that last as long as the process. */
export function memorySessions(): SessionStore {
  const sessions = new Map<string, Kept>()
  const used: UsageRow[] = []
  let touches = 0

  const begun = () => [...sessions.values()].filter(({ events }) => events.length > 0)
  const newestFirst = (a: Kept, b: Kept) => b.touched - a.touched
  const copy = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T

  function add(session: Kept, { events, about, state, usage = [] }: Parameters<SessionWriter['append']>[0]): number {
    for (const { time, event } of events) {
      session.createdAt ||= time
      session.updatedAt = time
      session.events.push({ seq: session.events.length + 1, time, event: copy(event) })
      session.bytes += JSON.stringify(event).length
    }
    session.about = copy(about)
    if (state !== undefined) session.state = copy(state)
    session.touched = ++touches
    used.push(...copy(usage))
    return session.events.length
  }

  return {
    list: async () =>
      begun()
        .sort(newestFirst)
        .map((session) => summaryOf(session.about, session)),
    async find(id) {
      const session = sessions.get(id)
      if (session === undefined || session.events.length === 0) return undefined
      const { about, state, events } = session
      const kept: KeptSession = { ...summaryOf(about, session), about, last: events.length, ...(state && { state }) }
      return copy(kept)
    },
    async read(id, { after = 0, types } = {}) {
      const events = sessions.get(id)?.events.slice(after) ?? []
      return copy(types === undefined ? events : events.filter(({ event }) => types.includes(event.type)))
    },
    file: async (id, hash) => sessions.get(id)?.files.get(hash),
    async search(words) {
      const folded = foldWords(words)
      return begun()
        .sort(newestFirst)
        .flatMap(({ id, title, events }) => {
          if (foldWords(title).includes(folded)) return [{ id, seq: 0, passage: passageWith(title, folded) }]
          const found = events.find(({ event }) => foldWords(searchableText(event) ?? '').includes(folded))
          return found ? [{ id, seq: found.seq, passage: passageWith(searchableText(found.event)!, folded) }] : []
        })
    },
    async write(id) {
      const session: Kept = sessions.get(id) ?? {
        id,
        title: '',
        createdAt: '',
        updatedAt: '',
        about: newSession,
        events: [],
        bytes: 0,
        files: new Map(),
        touched: 0,
      }
      if (session.writer !== undefined) throw sessionLocked(id, 'this process')
      sessions.set(id, session)
      const writer: SessionWriter = {
        async append(entry) {
          if (session.writer !== writer || sessions.get(id) !== session)
            throw sessionLocked(id, 'another window or program')
          return add(session, entry)
        },
        async keepFile(hash, bytes) {
          if (session.writer !== writer || sessions.get(id) !== session)
            throw sessionLocked(id, 'another window or program')
          if (session.files.has(hash)) return
          session.files.set(hash, bytes.slice())
          session.bytes += bytes.length
        },
        async release() {
          if (session.writer !== writer) return
          session.writer = undefined
          if (session.events.length === 0) sessions.delete(id)
        },
      }
      session.writer = writer
      return writer
    },
    // No other process can see it.
    holder: async () => undefined,

    async rename(id, title, by) {
      const session = sessions.get(id)
      if (session === undefined || !mayReplaceTitle(by, session.titledBy)) return false
      session.title = title
      session.titledBy = by
      return true
    },
    async pin(id, isPinned) {
      const session = sessions.get(id)
      if (session === undefined || session.events.length === 0) return false
      session.pinned = isPinned
      return true
    },
    async remove(id) {
      const session = sessions.get(id)
      if (session === undefined || session.events.length === 0) return false
      if (session.writer !== undefined) throw sessionLocked(id, 'this process')
      sessions.delete(id)
      for (const row of used) {
        if (row.session !== id) continue
        row.session = undefined
        row.project = undefined
      }
      return true
    },
    usage: async (since) => copy(used.filter(({ time }) => since === undefined || Date.parse(time) >= since.getTime())),
    async addUsage(row) {
      used.push(copy(row))
    },
    async close() {},
  }
}
