import type {
  AddressedAnswer,
  AnswerReceipt,
  ConversationSources,
  SharedQueue,
  UserRequest,
} from '../../core/approval/index.js'
import { answerError, conversationSources, rejectAnswer } from '../../core/approval/index.js'
import type { Provenance } from '../../core/tools/index.js'
import type { NotePath } from '../../core/vault/index.js'
import { holderIn, isAlive, thisHolder } from './lock/lock.js'
import type { SqliteDriver } from './sqlite.js'
import type { StateDatabase } from './state-database.js'

/** The one approval queue of a vault: every process on it adds its requests, and any of them can answer. */
export interface SharedApprovals extends SharedQueue {
  /** The requests that wait, the oldest first. */
  list(): PendingPanel[]
  /** Answers a request. The process that waits for it checks the answer once more, and acts on it. */
  answer(id: string, reply: AddressedAnswer): AnswerReceipt
  close(): void
}

interface PendingPanel {
  panel: UserRequest
  /** This process is the one that waits. */
  isOwn: boolean
}

interface SharedApprovalsOptions {
  state: StateDatabase
  /** Receives storage errors, as sentences for the user. */
  onTrouble?: ((text: string) => void) | undefined
  now?(): number
  /** How often a process that waits looks for an answer. */
  lookMs?: number
}

interface PendingRequest {
  panel: UserRequest
  onAnswer(reply: AddressedAnswer): void
}

export function sharedApprovals({
  state,
  onTrouble = () => {},
  now = Date.now,
  lookMs = 200,
}: SharedApprovalsOptions): SharedApprovals {
  const waiting = new Map<string, PendingRequest>()
  const holder = JSON.stringify(thisHolder())
  let looking: ReturnType<typeof setInterval> | undefined
  let trouble = ''

  /** If the database cannot be used, the request can still be answered in its own process. */
  function attempt<T>(work: () => T): T | undefined {
    try {
      return work()
    } catch (error) {
      const text = `Requests from this process can't be answered elsewhere: ${(error as Error).message}`
      if (text !== trouble) onTrouble(text)
      trouble = text
      return undefined
    }
  }

  function takeAnswers(): void {
    const answers = attempt(() => state.look((driver) => answersTo([...waiting.keys()], driver))) ?? []
    for (const [id, text] of answers) {
      const reply = JSON.parse(text) as AddressedAnswer
      waiting.get(id)?.onAnswer(reply)
      // An answer that does not count is removed, so that another one can be given.
      if (waiting.has(id)) attempt(() => state.change((driver) => clearAnswer(driver, id)))
    }
  }

  function remove(id: string): void {
    if (!waiting.delete(id)) return
    attempt(() => state.change((driver) => driver.run('DELETE FROM approval_requests WHERE id = ?', [id])))
    if (waiting.size > 0) return
    clearInterval(looking)
    looking = undefined
  }

  return {
    add(panel, onAnswer) {
      const { id, session, hash, expiresAt } = panel
      waiting.set(id, { panel, onAnswer })
      attempt(() =>
        state.change((driver) => {
          deleteExpired(driver, now())
          driver.run(
            'INSERT INTO approval_requests (id, session, hash, panel, created_at, expires_at, holder) VALUES (?, ?, ?, ?, ?, ?, ?)',
            [id, session, hash, JSON.stringify(panel), now(), expiresAt, holder],
          )
        }),
      )
      looking ??= setInterval(takeAnswers, lookMs)
      looking.unref()
      return () => remove(id)
    },

    list() {
      const rows = state.look((driver) => driver.all(`${selectOpen} ORDER BY created_at, id`, [now()])) ?? []
      return rows.flatMap(([, panel, by]) =>
        isHolderAlive(by) ? [{ panel: JSON.parse(String(panel)) as UserRequest, isOwn: by === holder }] : [],
      )
    },

    answer(id, reply) {
      const own = waiting.get(id)
      if (own !== undefined) {
        const receipt = checkReply(own.panel, reply)
        if (receipt.ok) own.onAnswer(reply)
        return receipt
      }
      // An answer to an unknown request creates no database.
      if (state.look((driver) => driver.first(`${selectOpen} AND id = ?`, [now(), id])) === undefined)
        return rejectAnswer('unknown')
      return state.change((driver) => {
        deleteExpired(driver, now())
        const row = driver.first(`${selectOpen} AND id = ?`, [now(), id])
        if (row === undefined) return rejectAnswer('void')
        const receipt = checkReply(JSON.parse(String(row[1])) as UserRequest, reply)
        if (receipt.ok) driver.run('UPDATE approval_requests SET answer = ? WHERE id = ?', [JSON.stringify(reply), id])
        return receipt
      })
    },

    close() {
      for (const id of [...waiting.keys()]) remove(id)
      clearInterval(looking)
    },
  }
}

/** Unanswered requests that have not expired. */
const selectOpen = 'SELECT id, panel, holder FROM approval_requests WHERE answer IS NULL AND expires_at > ?'

/** Checks that the answer is bound to the shown request and valid for it. */
function checkReply(panel: UserRequest, reply: AddressedAnswer): AnswerReceipt {
  if (reply?.session !== panel.session) return rejectAnswer('other-session')
  if (reply.hash !== panel.hash) return rejectAnswer('wrong-hash')
  const reason = answerError(panel, reply)
  return reason === undefined ? { ok: true } : rejectAnswer('invalid', reason)
}

function answersTo(ids: readonly string[], driver: SqliteDriver): [string, string][] {
  return ids.flatMap((id): [string, string][] => {
    const [answer] = driver.first('SELECT answer FROM approval_requests WHERE id = ?', [id]) ?? []
    return typeof answer === 'string' ? [[id, answer]] : []
  })
}

const clearAnswer = (driver: SqliteDriver, id: string): void =>
  driver.run('UPDATE approval_requests SET answer = NULL WHERE id = ?', [id])

/** Deletes requests of ended processes and expired ones. */
function deleteExpired(driver: SqliteDriver, now: number): void {
  driver.run('DELETE FROM approval_requests WHERE expires_at <= ?', [now])
  for (const [by] of driver.all('SELECT DISTINCT holder FROM approval_requests')) {
    if (!isHolderAlive(by)) driver.run('DELETE FROM approval_requests WHERE holder = ?', [String(by)])
  }
}

function isHolderAlive(by: unknown): boolean {
  const found = holderIn(String(by))
  return found !== undefined && isAlive(found)
}

/** Reads are forgotten after this time. */
const taintLifetimeMs = 7 * 24 * 60 * 60_000
/** The number of note names stored per client, to show where text came from. */
const maxNotes = 500

/**
 * Remembers for a week which sources a client has read, so that a new connection, or a second process, does not start
 * clean. Every query reads the file: another process of the same client may have read something a moment ago.
 */
export function clientTaint(state: StateDatabase, client: string, now: () => number = Date.now): ConversationSources {
  function known(): ConversationSources {
    const since = now() - taintLifetimeMs
    const found = state.look((driver) => ({
      seen: driver.all('SELECT provenance FROM client_provenance WHERE client = ? AND seen_at >= ?', [client, since]),
      notes: driver.all('SELECT path FROM client_notes WHERE client = ? AND read_at >= ? ORDER BY read_at, path', [
        client,
        since,
      ]),
    }))
    const texts = (rows: unknown[][] = []) => rows.map(([text]) => String(text))
    return conversationSources(texts(found?.seen) as Provenance[], texts(found?.notes) as NotePath[])
  }

  return {
    observe(provenance, notes) {
      const [origins, paths] = [[...provenance], [...notes]]
      if (origins.length === 0 && paths.length === 0) return
      state.change((driver) => {
        for (const origin of origins) {
          driver.run('INSERT OR REPLACE INTO client_provenance (client, provenance, seen_at) VALUES (?, ?, ?)', [
            client,
            origin,
            now(),
          ])
        }
        for (const path of paths) {
          driver.run('INSERT OR REPLACE INTO client_notes (client, path, read_at) VALUES (?, ?, ?)', [
            client,
            path,
            now(),
          ])
        }
        driver.run(
          'DELETE FROM client_notes WHERE client = ?1 AND path NOT IN (SELECT path FROM client_notes WHERE client = ?1 ORDER BY read_at DESC LIMIT ?2)',
          [client, maxNotes],
        )
        driver.run('DELETE FROM client_provenance WHERE seen_at < ?', [now() - taintLifetimeMs])
        driver.run('DELETE FROM client_notes WHERE read_at < ?', [now() - taintLifetimeMs])
      })
    },
    isTainted: () => known().isTainted(),
    hasNotes: () => known().hasNotes(),
    isEmpty: () => known().isEmpty(),
    seen: () => known().seen(),
    notes: () => known().notes(),
  }
}
