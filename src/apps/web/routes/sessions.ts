import type { Hono } from 'hono'
import * as z from 'zod'
import { modes } from '../../../core/agent/index.js'
import { consentLevels } from '../../../core/approval/index.js'
import { findSession, forkSession, type SessionsAtWork, titleFrom } from '../../../core/session/index.js'
import type { ServerEnv } from '../../server/index.js'
import { inPassing, type WebSetup } from '../web-setup.js'
import { bodyOf } from './body.js'

const wish = {
  model: z.string().max(300).optional(),
  mode: z.enum(modes).optional(),
  consent: z.enum(consentLevels).optional(),
}
/** What is not named here is refused: a client brings no history and no approvals along. */
const turn = z.strictObject({
  ...wish,
  text: z.string().min(1).max(2_000_000),
  note: z.string().max(4000).optional(),
  selection: z.string().max(2_000_000).optional(),
  attached: z
    .array(z.object({ name: z.string().max(1000), text: z.string().max(2_000_000) }))
    .max(50)
    .optional(),
  files: z
    .array(z.strictObject({ name: z.string().max(1000), base64: z.string().max(40_000_000) }))
    .max(20)
    .optional(),
})

export function mountSessions(routes: Hono<ServerEnv>, setup: WebSetup, atWork: SessionsAtWork): void {
  const { vault } = setup
  routes.get('/sessions', async (c) => {
    const words = c.req.query('words')?.trim()
    const found = words ? new Map((await vault.sessions.search(words)).map((one) => [one.id, one.passage])) : undefined
    const sessions = (await vault.sessions.list())
      .filter(({ id }) => found === undefined || found.has(id))
      .map((one) => ({ ...one, running: atWork.isRunning(one.id), ...(found && { passage: found.get(one.id) }) }))
    return c.json({ sessions })
  })

  routes.post('/sessions', async (c) => {
    const session = await atWork.begin(bodyOf(c, z.object({ ...wish, project: z.string().max(300).optional() })))
    const { model, mode, consent, project } = session.state()
    return c.json({ ok: true, id: session.id, model, mode, consent, project })
  })

  // As it is kept: whoever only looks at a conversation does not keep another program from going on with it.
  routes.get('/sessions/:id', async (c) => {
    const id = c.req.param('id')
    const kept = await vault.sessions.find(id)
    const { model, mode, consent, project } = kept?.state ?? {}
    return c.json({ ok: true, id, title: kept?.title, model, mode, consent, project, running: atWork.isRunning(id) })
  })

  routes.get('/sessions/:id/waiting', async (c) => {
    const session = await atWork.find(c.req.param('id'))
    return c.json({ ok: true, waits: session.waits() })
  })

  routes.post('/sessions/:id/turns', async (c) => {
    const { model, mode, consent, files = [], ...request } = bodyOf(c, turn)
    const given = files.map(({ name, base64 }) => ({ name, bytes: new Uint8Array(Buffer.from(base64, 'base64')) }))
    await atWork.ask(c.req.param('id'), { ...request, files: given }, { model, mode, consent })
    return c.json({ ok: true }, 202)
  })

  routes.post('/sessions/:id/go-on', async (c) => {
    await atWork.goOn(c.req.param('id'))
    return c.json({ ok: true }, 202)
  })

  routes.post('/sessions/:id/compact', async (c) => {
    await atWork.compact(c.req.param('id'))
    return c.json({ ok: true }, 202)
  })

  routes.post('/sessions/:id/fork', async (c) => {
    const { at } = bodyOf(c, z.strictObject({ at: z.number().int().min(1).optional() }))
    return c.json(await forkSession(vault.sessions, c.req.param('id'), { at, now: new Date() }))
  })

  routes.post('/sessions/:id/rename', async (c) => {
    const { title } = bodyOf(c, z.strictObject({ title: z.string().min(1).max(300) }))
    const { id } = await findSession(vault.sessions, c.req.param('id'))
    await vault.sessions.rename(id, titleFrom(title), 'person')
    return c.json({ id, title: titleFrom(title) })
  })

  routes.get('/prompts', async (c) => {
    const prompts = await inPassing(setup, (session) => session.prompts())
    return c.json({ prompts: prompts.map(({ name, description, from }) => ({ name, description, from })) })
  })

  routes.post('/sessions/:id/stop', (c) => {
    atWork.stop(c.req.param('id'))
    return c.json({ ok: true })
  })
}
