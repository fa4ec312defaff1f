import type { Hono } from 'hono'
import type { Reply } from '../../../core/approval/index.js'
import type { ServerEnv } from '../../server/index.js'
import type { WebSetup } from '../web-setup.js'

/** The desk decides whether an answer counts; the page only hears what became of it. */
export function mountApprovals(routes: Hono<ServerEnv>, { vault }: WebSetup): void {
  routes.post('/approvals/:id', (c) => {
    const receipt = vault.desk.answer(c.req.param('id'), c.get('body') as Reply)
    if (receipt.ok) return c.json({ ok: true })
    const { reason, message } = receipt
    return c.json({ ok: false, code: `approval_${reason.replace('-', '_')}`, text: message }, 409)
  })
}
