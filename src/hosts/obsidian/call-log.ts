import {
  type LoggedCall,
  type LoggedRequest,
  type LogOutcome,
  type Redact,
  type ToolLog,
  withoutUserText,
} from '../../core/tools/index.js'
import { type Database, requestResult } from './database.js'

/** `calls` have their number as key; `requests` as they came. */
export const logStores = ['calls', 'requests'] as const

/** The log of tool calls and of requests to models, with queries for views. */
export interface CallLog extends ToolLog {
  /** The last calls, oldest first. */
  last(count: number): Promise<LoggedCall[]>
  /** The last requests to models, oldest first. */
  lastRequests(count: number): Promise<LoggedRequest[]>
}

interface CallLogOptions {
  /** Keeps secrets out and long texts short. */
  redact: Redact
  /** Size limit for calls and for requests; the oldest beyond it are deleted. */
  maxBytes: () => number
}

/** The size is checked this rarely, since that means reading the log. */
const lookEvery = 64

export function indexedDbLog(database: Database, { redact, maxBytes }: CallLogOptions): CallLog {
  const clean = <T>(value: T): T => JSON.parse(JSON.stringify(redact(value))) as T

  return {
    intend: (intent) =>
      database.change(['calls'], async (store) => {
        const key = await requestResult<number>(store('calls').add(clean(intent)))
        if (key % lookEvery === 0) await forgetBeyond(maxBytes(), store('calls'))
        return `${key}`
      }),
    finish: (id, outcome) =>
      database.change(['calls'], async (store) => {
        const row = await requestResult<LoggedCall | undefined>(store('calls').get(Number(id)))
        if (row !== undefined) store('calls').put({ ...row, ...clean<LogOutcome>(outcome) }, Number(id))
      }),
    sending: ({ notes, ...request }) =>
      database.change(['requests'], async (store) => {
        const row: LoggedRequest = { ...clean(request), notes }
        const key = await requestResult<number>(store('requests').add(row))
        if (key % lookEvery === 0) await forgetBeyond(maxBytes(), store('requests'))
      }),
    async callsOf({ session, turn }) {
      return (await rows(database)).filter((call) => call.session === session && call.turn === turn)
    },
    last: async (count) => (await rows(database)).slice(-count),
    async lastRequests(count) {
      const all = database.look(['requests'], (store) => requestResult<LoggedRequest[]>(store('requests').getAll()))
      return (await all).slice(-count)
    },
  }
}

/** Erases texts from the calls of a chat that is being deleted. Their rows stay. */
export async function eraseWords(store: IDBObjectStore, session: string): Promise<void> {
  const reading = store.openCursor()
  const next = () => requestResult<IDBCursorWithValue | null>(reading)
  for (let cursor = await next(); cursor !== null; cursor = await next()) {
    const call = cursor.value as LoggedCall
    if (call.session === session) cursor.update(withoutUserText(call))
    cursor.continue()
  }
}

async function forgetBeyond(maxBytes: number, store: IDBObjectStore): Promise<void> {
  const newestFirst = store.openCursor(null, 'prev')
  let bytes = 0
  const next = () => requestResult<IDBCursorWithValue | null>(newestFirst)
  for (let cursor = await next(); cursor !== null; cursor = await next()) {
    bytes += JSON.stringify(cursor.value).length
    if (bytes > maxBytes) return void store.delete(IDBKeyRange.upperBound(cursor.key))
    cursor.continue()
  }
}

function rows(database: Database): Promise<LoggedCall[]> {
  return database.look(['calls'], async (store) => {
    const [keys, calls] = await Promise.all([
      requestResult<number[]>(store('calls').getAllKeys()),
      requestResult<Omit<LoggedCall, 'id'>[]>(store('calls').getAll()),
    ])
    return calls.map((call, at) => ({ ...call, id: `${keys[at]}` }))
  })
}
