import { heldElsewhere } from '../../../core/session/index.js'
import { holderIn, isAlive, isElsewhere, type LockHolder, thisHolder } from '../lock/index.js'
import type { SqliteDriver } from '../sqlite-store/index.js'

/** Makes this process the writer of a session, unless a living one is. Inside a transaction that writes. */
export function takeLease(driver: SqliteDriver, id: string): LockHolder {
  const held = holderOf(driver, id)
  if (held !== undefined && isAlive(held)) throw heldElsewhere(id, nameOf(held))
  const own = thisHolder()
  driver.run('INSERT OR IGNORE INTO sessions (id) VALUES (?)', [id])
  driver.run('UPDATE sessions SET holder = ? WHERE id = ?', [JSON.stringify(own), id])
  return own
}

/** Whoever died loses it at once: nothing has to run out. */
export function refuseHeld(driver: SqliteDriver, id: string, own?: LockHolder): void {
  const held = holderOf(driver, id)
  if (held !== undefined && held.token !== own?.token && isAlive(held)) throw heldElsewhere(id, nameOf(held))
}

export function holderOf(driver: SqliteDriver, id: string): LockHolder | undefined {
  const [text] = driver.first('SELECT holder FROM sessions WHERE id = ?', [id]) ?? []
  return typeof text === 'string' ? holderIn(text) : undefined
}

function nameOf(holder: LockHolder): string {
  if (isElsewhere(holder)) return `process ${holder.pid} on another machine, ${holder.host}`
  return holder.pid === process.pid ? 'this process' : `process ${holder.pid}`
}
