import type { Hono } from 'hono'
import * as z from 'zod'
import { Failure } from '../../../core/errors.js'
import { type ChangeSet, notePath, settlePlaces, showChanges, showTaken } from '../../../core/vault/index.js'
import type { ServerEnv } from '../../server/index.js'
import type { WebSetup } from '../web-setup.js'
import { bodyOf } from './body.js'

/** Plans that wait for a yes. What was shown is what is done: a note that has changed since is a conflict. */
const mostPlans = 20

/** Whose lines stay at one of the places that a conflict has named. */
const settled = z.object({ path: z.string(), line: z.number(), settled: z.enum(['keep-mine', 'take-back']) })

/** What may be decided about a note that a change was cut off at. */
const settlements = ['keep', 'take-back', 'finish'] as const

/** How far back a page looks. */
const mostCalls = 500
const mostRequests = 500
const mostChanges = 200

export function mountChanges(routes: Hono<ServerEnv>, { vault, calls, requests }: WebSetup): void {
  const plans = new Map<string, ChangeSet>()

  routes.get('/activity', async (c) => {
    const [made, sent, changes, undecided] = await Promise.all([
      calls(mostCalls),
      requests(mostRequests),
      vault.notebook.history({ limit: mostChanges }),
      vault.notebook.unsettled(),
    ])
    return c.json({ calls: made, requests: sent, changes, undecided })
  })

  routes.get('/changes/:id', async (c) => {
    const { notebook } = vault
    const undo = await notebook.planUndo({ id: c.req.param('id') }, () => 'take-back')
    const entry = (await notebook.history()).find(({ id }) => id === c.req.param('id'))
    const changes = await showTaken(undo, (path) => notebook.vault.read(path))
    return c.json({ id: c.req.param('id'), title: entry?.title ?? '', changes })
  })

  routes.post('/undo', async (c) => {
    const { id, settle } = bodyOf(c, z.object({ id: z.string(), settle: z.array(settled).optional() }))
    return c.json(await kept(await vault.notebook.planUndo({ id }, settle && settlePlaces(settle))))
  })

  routes.post('/settle', async (c) => {
    const { id, note, how } = bodyOf(c, z.object({ id: z.string(), note: z.string(), how: z.enum(settlements) }))
    return c.json(await kept(await vault.notebook.vault.planSettle({ id, decisions: [{ note: notePath(note), how }] })))
  })

  async function kept(plan: ChangeSet) {
    plans.set(plan.id, plan)
    for (const oldest of plans.keys()) if (plans.size > mostPlans) plans.delete(oldest)
    const changes = await showChanges(plan, (path) => vault.notebook.vault.read(path))
    return { id: plan.id, title: plan.title, merged: plan.merged ?? [], applied: false, changes }
  }

  routes.post('/plans/:plan', async (c) => {
    const plan = plans.get(c.req.param('plan'))
    plans.delete(c.req.param('plan'))
    if (plan === undefined)
      throw new Failure('not-found', 'This preview is no longer there.', { hint: 'Look at it again.' })
    const { id, title, appliedAt } = await vault.notebook.apply(plan)
    return c.json({ id, title, merged: plan.merged ?? [], applied: true, appliedAt })
  })
}
