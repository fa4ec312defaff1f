import type { Config } from '../../config/index.js'
import type { SessionStore } from '../store/session-store.js'
import { outdatedSessions } from './outdated-sessions.js'

/** Deletes what the settings no longer keep. What somebody writes to just now is left for the next time. */
export async function forgetOldSessions(store: SessionStore, { days, megabytes }: Config['sessions']): Promise<void> {
  for (const id of outdatedSessions(await store.list(), { days, bytes: megabytes * 1_000_000 })) {
    await store.remove(id).catch(() => false)
  }
}
