import { Failure, failureFromData } from '../../../../core/errors.js'
import { findSession, type SessionStore, sessionAsMarkdown, transcriptOf } from '../../../../core/session/index.js'
import type { ChangeOptions } from '../../program/change-options.js'
import type { Invocation } from '../../program/invocation.js'
import { withSession } from '../../session/with-session.js'
import { withSessions } from '../../session/with-sessions.js'
import { sessionData } from '../../show/session-rows.js'
import { visibleLine, visibleText } from '../../terminal/index.js'

interface ExportOptions extends ChangeOptions {
  format: 'md' | 'json'
  to?: string
}

export async function sessionsExport(invocation: Invocation, name: string, options: ExportOptions): Promise<void> {
  const { terminal } = invocation
  const { to, format } = options
  if (to === undefined) {
    return withSessions(invocation, async (store) => {
      const text = (await exported(store, name, format)).trimEnd()
      terminal.print(terminal.isScreen ? visibleText(text) : text)
    })
  }
  if (format === 'json') {
    throw new Failure('invalid-input', 'A note is written as Markdown.', { hint: 'Leave --format json out, or --to.' })
  }
  await withSession(invocation, { yes: options.yes, dryRun: options.dryRun }, async ({ vault, session }) => {
    const content = await exported(vault.sessions, name, format)
    const path = /\.md$/i.test(to) ? to : `${to}.md`
    const result = await session.call({ name: 'write_note', input: { path, content } }, invocation.signal)
    if (!result.ok) throw failureFromData(result)
    if (terminal.json) return terminal.printJson({ path, changeSet: result.changeSet?.id ?? null })
    terminal.say(visibleText(result.text))
    if (result.changeSet) terminal.say(`To take it back: notewright undo ${visibleLine(result.changeSet.id)}`)
  })
}

async function exported(store: SessionStore, name: string, format: 'md' | 'json'): Promise<string> {
  const session = await findSession(store, name)
  const events = await store.read(session.id)
  if (format === 'json') return JSON.stringify({ ...sessionData(session), events }, null, 2)
  return sessionAsMarkdown(session, transcriptOf(events))
}
