import { findSession } from '../../../../core/session/index.js'
import type { Invocation } from '../../program/invocation.js'
import { withSessions } from '../../session/with-sessions.js'
import { count } from '../../show/quantities.js'
import { confirm, visibleLine } from '../../terminal/index.js'

export async function sessionsDelete(invocation: Invocation, name: string, { yes }: { yes?: boolean }): Promise<void> {
  const { terminal, signal } = invocation
  await withSessions(invocation, async (store) => {
    const { id, title, turns } = await findSession(store, name)
    if (!yes) {
      terminal.say(`${id}: ${visibleLine(title)}, ${count(turns, 'turn')}. This cannot be undone.`)
      await confirm(terminal, { text: 'Delete it?', needs: 'Deleting a session needs your approval.', signal })
    }
    await store.remove(id)
    if (terminal.json) return terminal.printJson({ id, deleted: true })
    terminal.say('Deleted.')
  })
}
