import { randomBytes } from 'node:crypto'
import { userState } from './state-database.js'

/** A response that was sent to a client, as text, with names that it can be found by. */
interface ReplyRow {
  id: string
  text: string
  names: readonly string[]
}

/** Responses of our server that clients may refer to, stored for some time after they were last used. */
export interface ResponseTable {
  put(row: ReplyRow): void
  get(id: string): string | undefined
  delete(id: string): boolean
  /** Ids of responses that can be found by this name, the newest first. */
  withName(name: string): string[]
  /** Random bytes, the same for as long as the state exists. */
  secret(): Uint8Array
  close(): void
}

interface RepliesOptions {
  keepMs: number
  now?(): number
  /** Receives storage errors, as sentences for the user. */
  onTrouble?(text: string): void
}

/** The responses in the user's state, given the state folder. */
export function responseTable(
  stateFolder: string,
  { keepMs, now = Date.now, onTrouble }: RepliesOptions,
): ResponseTable {
  const state = userState(stateFolder, onTrouble)
  let cleanedAt = 0

  return {
    put: ({ id, text, names }) =>
      state.change((driver) => {
        // At most once a minute.
        if (now() - cleanedAt >= 60_000) {
          cleanedAt = now()
          const before = now() - keepMs
          driver.run('DELETE FROM response_names WHERE response_id IN (SELECT id FROM responses WHERE used_at < ?)', [
            before,
          ])
          driver.run('DELETE FROM responses WHERE used_at < ?', [before])
        }
        driver.run(
          'INSERT INTO responses (id, used_at, made_at, response) VALUES (?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET used_at = excluded.used_at, response = excluded.response',
          [id, now(), now(), text],
        )
        for (const name of names) {
          driver.run('INSERT OR IGNORE INTO response_names (name, response_id) VALUES (?, ?)', [name, id])
        }
      }),
    get(id) {
      const row = state.look((driver) =>
        driver.first('SELECT response, used_at FROM responses WHERE id = ? AND used_at >= ?', [id, now() - keepMs]),
      )
      if (row === undefined) return undefined
      // A conversation that continues is stored as a whole.
      if (now() - Number(row[1]) > 60_000) {
        state.change((driver) => driver.run('UPDATE responses SET used_at = ? WHERE id = ?', [now(), id]))
      }
      return String(row[0])
    },
    delete: (id) =>
      state.change((driver) => {
        const isThere = driver.first('SELECT 1 FROM responses WHERE id = ?', [id]) !== undefined
        driver.run('DELETE FROM response_names WHERE response_id = ?', [id])
        driver.run('DELETE FROM responses WHERE id = ?', [id])
        return isThere
      }),
    withName: (name) =>
      (
        state.look((driver) =>
          driver.all(
            'SELECT r.id FROM response_names n JOIN responses r ON r.id = n.response_id WHERE n.name = ? AND r.used_at >= ? ORDER BY r.made_at DESC, r.rowid DESC LIMIT 100',
            [name, now() - keepMs],
          ),
        ) ?? []
      ).map(([id]) => String(id)),
    secret: () =>
      state.change((driver) => {
        driver.run("INSERT OR IGNORE INTO secrets (name, value) VALUES ('seal', ?)", [randomBytes(32)])
        return driver.first("SELECT value FROM secrets WHERE name = 'seal'")?.[0] as Uint8Array
      }),
    close: () => state.close(),
  }
}
