import { Failure } from '../../../../core/errors.js'
import type { Invocation } from '../../program/invocation.js'
import { withSessions } from '../../session/with-sessions.js'
import { sessionData, sessionLines } from '../../show/session-rows.js'
import { cutToWidth, visibleLine } from '../../terminal/index.js'

const usualLimit = 20

export async function sessionsSearch(
  invocation: Invocation,
  words: string,
  { limit }: { limit?: number },
): Promise<void> {
  const { terminal } = invocation
  if (words.trim() === '') throw new Failure('invalid-input', 'There is nothing to search for.')
  await withSessions(invocation, async (store) => {
    const found = await store.search(words.trim())
    const shown = found.slice(0, limit ?? (terminal.json ? found.length : usualLimit))
    const known = new Map((await store.list()).map((session) => [session.id, session]))
    if (terminal.json) {
      const sessions = shown.map(({ id, seq, passage }) => ({ ...sessionData(known.get(id)!), seq, passage }))
      return terminal.printJson({ sessions })
    }
    if (found.length === 0) return terminal.say(`No session has ${visibleLine(words)} in it.`)
    for (const { id, seq, passage } of shown) {
      for (const line of sessionLines(known.get(id)!, terminal)) terminal.print(line)
      if (seq > 0)
        terminal.print(`                  ${cutToWidth(visibleLine(passage), Math.max(20, terminal.width - 18))}`)
    }
    if (shown.length < found.length)
      terminal.say(`${found.length - shown.length} more; show them with -n ${found.length}.`)
  })
}
