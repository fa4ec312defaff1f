import { findSession, transcriptOf } from '../../../../core/session/index.js'
import type { Invocation } from '../../program/invocation.js'
import { withSessions } from '../../session/with-sessions.js'
import { sessionData, sessionLines } from '../../show/session-rows.js'
import { showTurn } from '../../show/show-turn.js'

export async function sessionsShow(invocation: Invocation, name: string): Promise<void> {
  const { terminal } = invocation
  await withSessions(invocation, async (store) => {
    const session = await findSession(store, name)
    const events = await store.read(session.id)
    if (terminal.json) return terminal.printJson({ ...sessionData(session), events })
    for (const line of sessionLines(session, terminal)) terminal.print(line)
    for (const turn of transcriptOf(events)) terminal.print(`\n${showTurn(turn, terminal)}`)
  })
}
