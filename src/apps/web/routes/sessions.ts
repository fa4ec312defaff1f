import type { Hono } from 'hono'
import * as z from 'zod'
import { modes } from '../../../core/agent/index.js'
import type { AddressedAnswer } from '../../../core/approval/index.js'
import { consentLevels } from '../../../core/approval/index.js'
import type { RunningSessions } from '../../../core/session/index.js'
import { forkSession } from '../../../core/session/index.js'
import type { ServerEnv } from '../../server/index.js'
import type { WebSetup } from '../web-setup.js'
import { withTemporarySession } from '../web-setup.js'
import { bodyOf } from './body.js'

const changes = {
  model: z.string().max(300).optional(),
  mode: z.enum(modes).optional(),
  consent: z.enum(consentLevels).optional(),
}
/** Strict: a client cannot send history or approvals. */
const turn = z.strictObject({
  ...changes,
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
  /** Id of the turn that it replaces in a new branch. */
  insteadOf: z.string().min(1).max(300).optional(),
})

export function mountSessions(routes: Hono<ServerEnv>, setup: WebSetup, running: RunningSessions): void {
  const { vault } = setup
  routes.post('/sessions', async (c) => {
    const session = await running.begin(bodyOf(c, z.object({ ...changes, project: z.string().max(300).optional() })))
    const { model, mode, consent, project } = session.state()
    return c.json({ ok: true, id: session.id, model, mode, consent, project })
  })

  // Read from the store: viewing a conversation does not lock it for other programs.
  routes.get('/sessions/:id', async (c) => {
    const id = c.req.param('id')
    const kept = await vault.sessions.find(id)
    const { model, mode, consent, project } = kept?.state ?? {}
    return c.json({ ok: true, id, title: kept?.title, model, mode, consent, project, running: running.isRunning(id) })
  })

  routes.get('/sessions/:id/waiting', async (c) => {
    const session = await running.find(c.req.param('id'))
    return c.json({ ok: true, waits: session.pendingApproval() })
  })

  routes.post('/sessions/:id/turns', async (c) => {
    const { model, mode, consent, files = [], ...request } = bodyOf(c, turn)
    const given = files.map(({ name, base64 }) => ({ name, bytes: new Uint8Array(Buffer.from(base64, 'base64')) }))
    await running.ask(c.req.param('id'), { ...request, files: given }, { model, mode, consent })
    return c.json({ ok: true }, 202)
  })

  routes.post('/sessions/:id/go-on', async (c) => {
    await running.resumeTurn(c.req.param('id'))
    return c.json({ ok: true }, 202)
  })

  routes.post('/sessions/:id/compact', async (c) => {
    await running.compact(c.req.param('id'))
    return c.json({ ok: true }, 202)
  })

  routes.post('/sessions/:id/branch', async (c) => {
    const { turn: shown } = bodyOf(c, z.strictObject({ turn: z.string().min(1).max(300) }))
    await running.showBranch(c.req.param('id'), shown)
    return c.json({ ok: true })
  })

  routes.post('/sessions/:id/fork', async (c) => {
    const { at } = bodyOf(c, z.strictObject({ at: z.number().int().min(1).optional() }))
    return c.json(await forkSession(vault.sessions, c.req.param('id'), { at, now: new Date() }))
  })

  routes.get('/prompts', async (c) => {
    const prompts = await withTemporarySession(setup, (session) => session.prompts())
    return c.json({ prompts: prompts.map(({ name, description, from }) => ({ name, description, from })) })
  })

  routes.post('/sessions/:id/stop', (c) => {
    running.stop(c.req.param('id'))
    return c.json({ ok: true })
  })
}

/** The approval queue validates the answer; the page receives the outcome as an event. */
export function mountApprovals(routes: Hono<ServerEnv>, { vault }: WebSetup): void {
  routes.post('/approvals/:id', (c) => {
    const receipt = vault.approvalQueue.answer(c.req.param('id'), c.get('body') as AddressedAnswer)
    if (receipt.ok) return c.json({ ok: true })
    const { reason, message } = receipt
    return c.json({ ok: false, code: `approval_${reason.replace('-', '_')}`, text: message }, 409)
  })
}
