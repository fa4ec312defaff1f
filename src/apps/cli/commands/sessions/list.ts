import type { Invocation } from '../../program/invocation.js'
import { withSessions } from '../../session/with-sessions.js'
import { sessionData, sessionLines } from '../../show/session-rows.js'

const usualLimit = 20

export async function sessionsList(invocation: Invocation, { limit }: { limit?: number }): Promise<void> {
  const { terminal } = invocation
  await withSessions(invocation, async (store) => {
    const all = await store.list()
    const shown = all.slice(0, limit ?? (terminal.json ? all.length : usualLimit))
    if (terminal.json) return terminal.printJson({ sessions: shown.map(sessionData) })
    if (all.length === 0) return terminal.say('No session has been kept in this vault yet. Begin one: notewright chat')
    for (const session of shown) for (const line of sessionLines(session, terminal)) terminal.print(line)
    if (shown.length < all.length)
      terminal.say(`${all.length - shown.length} older ones; show more with -n ${all.length}.`)
  })
}
