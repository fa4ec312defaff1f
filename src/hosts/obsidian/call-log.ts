import type { LoggedCall, LoggedRequest, LogOutcome, Redact, ToolLog } from '../../core/tools/index.js'
import { answerOf, type Database } from './database/index.js'

/** `calls` have their number as key; `requests` as they came. */
export const logStores = ['calls', 'requests'] as const

/** The log of tool calls and of requests to models, with a look back for whoever shows it. */
export interface CallLog extends ToolLog {
  /** The last calls, oldest first. */
  last(count: number): Promise<LoggedCall[]>
  /** The last requests to models, oldest first. */
  lastRequests(count: number): Promise<LoggedRequest[]>
}

export interface CallLogOptions {
  /** Keeps secrets out and long texts short. */
  redact: Redact
  /** What calls and requests may take each; the oldest beyond it are forgotten. */
  maxBytes: () => number
}

/** So often it is seen how much there is: it means reading it. */
const lookEvery = 64

export function indexedDbLog(database: Database, { redact, maxBytes }: CallLogOptions): CallLog {
  const clean = <T>(value: T): T => JSON.parse(JSON.stringify(redact(value))) as T

  return {
    intend: (intent) =>
      database.change(['calls'], async (store) => {
        const key = await answerOf<number>(store('calls').add(clean(intent)))
        if (key % lookEvery === 0) await forgetBeyond(maxBytes(), store('calls'))
        return `${key}`
      }),
    finish: (id, outcome) =>
      database.change(['calls'], async (store) => {
        const row = await answerOf<LoggedCall | undefined>(store('calls').get(Number(id)))
        if (row !== undefined) store('calls').put({ ...row, ...clean<LogOutcome>(outcome) }, Number(id))
      }),
    sending: ({ notes, ...request }) =>
      database.change(['requests'], async (store) => {
        const row: LoggedRequest = { ...clean(request), notes }
        const key = await answerOf<number>(store('requests').add(row))
        if (key % lookEvery === 0) await forgetBeyond(maxBytes(), store('requests'))
      }),
    async callsOf({ session, turn }) {
      return (await rows(database)).filter((call) => call.session === session && call.turn === turn)
    },
    last: async (count) => (await rows(database)).slice(-count),
    async lastRequests(count) {
      const all = database.look(['requests'], (store) => answerOf<LoggedRequest[]>(store('requests').getAll()))
      return (await all).slice(-count)
    },
  }
}

async function forgetBeyond(maxBytes: number, store: IDBObjectStore): Promise<void> {
  const newestFirst = store.openCursor(null, 'prev')
  let bytes = 0
  const next = () => answerOf<IDBCursorWithValue | null>(newestFirst)
  for (let cursor = await next(); cursor !== null; cursor = await next()) {
    bytes += JSON.stringify(cursor.value).length
    if (bytes > maxBytes) return void store.delete(IDBKeyRange.upperBound(cursor.key))
    cursor.continue()
  }
}

function rows(database: Database): Promise<LoggedCall[]> {
  return database.look(['calls'], async (store) => {
    const [keys, calls] = await Promise.all([
      answerOf<number[]>(store('calls').getAllKeys()),
      answerOf<Omit<LoggedCall, 'id'>[]>(store('calls').getAll()),
    ])
    return calls.map((call, at) => ({ ...call, id: `${keys[at]}` }))
  })
}
