import type { Hono } from 'hono'
import * as z from 'zod'
import { modes } from '../../../core/agent/index.js'
import { consentLevels } from '../../../core/approval/index.js'
import type { ServerEnv } from '../../server/index.js'
import type { SessionsAtWork } from '../sessions-at-work.js'
import type { WebSetup } from '../web-setup.js'
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
})

export function mountSessions(routes: Hono<ServerEnv>, { vault }: WebSetup, atWork: SessionsAtWork): void {
  routes.get('/sessions', async (c) => {
    const words = c.req.query('words')?.trim()
    const found = words ? new Map((await vault.sessions.search(words)).map((one) => [one.id, one.passage])) : undefined
    const sessions = (await vault.sessions.list())
      .filter(({ id }) => found === undefined || found.has(id))
      .map((one) => ({ ...one, running: atWork.isRunning(one.id), ...(found && { passage: found.get(one.id) }) }))
    return c.json({ sessions })
  })

  routes.post('/sessions', async (c) => {
    const session = await atWork.begin(bodyOf(c, z.object(wish)))
    const { model, mode, consent } = session.state()
    return c.json({ ok: true, id: session.id, model, mode, consent })
  })

  routes.get('/sessions/:id', async (c) => {
    const session = await atWork.find(c.req.param('id'))
    const { model, mode, consent } = session.state()
    return c.json({ ok: true, id: session.id, model, mode, consent, running: atWork.isRunning(session.id) })
  })

  routes.post('/sessions/:id/turns', async (c) => {
    const { model, mode, consent, ...request } = bodyOf(c, turn)
    await atWork.ask(c.req.param('id'), request, { model, mode, consent })
    return c.json({ ok: true }, 202)
  })

  routes.post('/sessions/:id/stop', (c) => {
    atWork.stop(c.req.param('id'))
    return c.json({ ok: true })
  })
}
