import { Failure } from '../../../../core/errors.js'
import { findSession, titleFrom } from '../../../../core/session/index.js'
import type { Invocation } from '../../program/invocation.js'
import { withSessions } from '../../session/with-sessions.js'

export async function sessionsRename(invocation: Invocation, name: string, wanted: string): Promise<void> {
  const { terminal } = invocation
  if (wanted.trim() === '') {
    throw new Failure('invalid-input', 'A title cannot be empty.', {
      hint: 'For example: notewright sessions rename 2026-03-01-k3f9a2 "Soil for the new beds"',
    })
  }
  await withSessions(invocation, async (store) => {
    const { id } = await findSession(store, name)
    const title = titleFrom(wanted)
    await store.rename(id, title, 'person')
    if (terminal.json) return terminal.printJson({ id, title })
    terminal.say(`${id} is called ${title} now.`)
  })
}
