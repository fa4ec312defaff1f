import type { Hono } from 'hono'
import * as z from 'zod'
import { Failure } from '../../../core/errors.js'
import type { RunningSessions } from '../../../core/session/index.js'
import { findSession, sessionAsMarkdown, titleFrom, transcriptOf } from '../../../core/session/index.js'
import type { ServerEnv } from '../../server/index.js'
import type { WebSetup } from '../web-setup.js'
import { bodyOf } from './body.js'

/** The list of chats: find, rename, pin, delete and export. */
export function mountChats(routes: Hono<ServerEnv>, setup: WebSetup, running: RunningSessions): void {
  const { sessions } = setup.vault

  routes.get('/sessions', async (c) => {
    const words = c.req.query('words')?.trim()
    const found = words ? new Map((await sessions.search(words)).map((one) => [one.id, one.passage])) : undefined
    const rows = (await sessions.list())
      .filter(({ id }) => found === undefined || found.has(id))
      .map((one) => ({ ...one, running: running.isRunning(one.id), ...(found && { passage: found.get(one.id) }) }))
    return c.json({ sessions: rows })
  })

  routes.post('/sessions/:id/rename', async (c) => {
    const { title } = bodyOf(c, z.strictObject({ title: z.string().min(1).max(300) }))
    const { id } = await findSession(sessions, c.req.param('id'))
    await sessions.rename(id, titleFrom(title), 'person')
    return c.json({ id, title: titleFrom(title) })
  })

  routes.post('/sessions/:id/pin', async (c) => {
    const { pinned } = bodyOf(c, z.strictObject({ pinned: z.boolean() }))
    const { id } = await findSession(sessions, c.req.param('id'))
    await sessions.pin(id, pinned)
    return c.json({ id, pinned })
  })

  routes.post('/sessions/:id/remove', async (c) => {
    const id = c.req.param('id')
    if (!(await running.remove(id))) throw new Failure('not-found', `Chat not found: ${id}`)
    return c.json({ id, removed: true })
  })

  // Markdown, for the browser to save as a file.
  routes.get('/sessions/:id/export', async (c) => {
    const session = await findSession(sessions, c.req.param('id'))
    return c.json({
      name: `${titleFrom(session.title)}.md`,
      text: sessionAsMarkdown(session, transcriptOf(await sessions.read(session.id))),
    })
  })
}
