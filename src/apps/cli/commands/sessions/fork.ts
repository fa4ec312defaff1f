import { forkSession } from '../../../../core/session/index.js'
import type { Invocation } from '../../program/invocation.js'
import { withSessions } from '../../session/with-sessions.js'

export async function sessionsFork(invocation: Invocation, name: string, { at }: { at?: number }): Promise<void> {
  const { terminal } = invocation
  await withSessions(invocation, async (store) => {
    const fork = await forkSession(store, name, { at, now: new Date() })
    if (terminal.json) return terminal.printJson(fork)
    terminal.print(fork.id)
    terminal.say(`Go on with it: notewright chat -r ${fork.id}`)
  })
}
