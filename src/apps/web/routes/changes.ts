import type { Hono } from 'hono'
import * as z from 'zod'
import { type CheckSource, checkKinds, fixKinds, loadCheck } from '../../../core/check/index.js'
import { Failure } from '../../../core/errors.js'
import { activityOf } from '../../../core/session/index.js'
import { type ChangeSet, chooseAs, notePath, showChanges, showPastChanges } from '../../../core/vault/index.js'
import type { ServerEnv } from '../../server/index.js'
import { readableNotes, type WebSetup } from '../web-setup.js'
import { bodyOf } from './body.js'

/** Undo plans awaiting confirmation. The plan is applied as shown: a note changed since is a conflict. */
const mostPlans = 20

/** Which side wins at one place of a conflict. */
const settled = z.object({ path: z.string(), line: z.number(), settled: z.enum(['keep-mine', 'take-back']) })

/** Decisions available for a note of an interrupted change. */
const settlements = ['keep', 'take-back', 'finish'] as const

/** Limits of the listed history. */
const mostCalls = 500
const mostRequests = 500
const mostChanges = 200

const checked = z.strictObject({
  only: z.array(z.enum(checkKinds)).optional(),
  limit: z.number().int().min(1).max(500),
})

const wantedFix = z.strictObject({
  fixes: z.array(z.enum(fixKinds)).min(1),
  only: z.array(z.enum(checkKinds)).optional(),
  ids: z.array(z.string().max(4000)).max(2000).optional(),
})

export function mountChanges(routes: Hono<ServerEnv>, setup: WebSetup): void {
  const { vault, calls, requests } = setup
  const plans = new Map<string, ChangeSet>()

  routes.get('/activity', async (c) => {
    const [made, sent, changes, undecided] = await Promise.all([
      calls(mostCalls),
      requests(mostRequests),
      vault.notebook.history({ limit: mostChanges }),
      vault.notebook.undecidedChanges(),
    ])
    const isCut = made.length === mostCalls || sent.length === mostRequests || changes.length === mostChanges
    return c.json(await activityOf(vault, { calls: made, requests: sent, changes, undecided, isCut }))
  })

  routes.get('/changes/:id', async (c) => {
    const { notebook } = vault
    const undo = await notebook.planUndo({ id: c.req.param('id') }, () => 'take-back')
    const entry = (await notebook.history()).find(({ id }) => id === c.req.param('id'))
    const changes = await showPastChanges(undo, (path) => notebook.vault.read(path))
    return c.json({ id: c.req.param('id'), title: entry?.title ?? '', changes })
  })

  routes.post('/undo', async (c) => {
    const { id, settle } = bodyOf(c, z.object({ id: z.string(), settle: z.array(settled).optional() }))
    return c.json(await kept(await vault.notebook.planUndo({ id }, settle && chooseAs(settle))))
  })

  routes.post('/settle', async (c) => {
    const { id, note, how } = bodyOf(c, z.object({ id: z.string(), note: z.string(), how: z.enum(settlements) }))
    return c.json(
      await kept(await vault.notebook.vault.planResolution({ id, decisions: [{ note: notePath(note), how }] })),
    )
  })

  // A read-only POST. Leaving the page stops it.
  routes.post('/check', async (c) => {
    const wanted = bodyOf(c, checked)
    const { checkReport } = await loadCheck()
    return c.json(await checkReport(wanted, await checkSource(c.req.raw.signal)))
  })

  routes.post('/check/fix', async (c) => {
    const wanted = bodyOf(c, wantedFix)
    const { fixesAsChange } = await loadCheck()
    const { set, left } = await fixesAsChange(wanted, await checkSource(c.req.raw.signal))
    return c.json({ ...(await kept(set)), left })
  })

  async function checkSource(signal: AbortSignal): Promise<CheckSource> {
    const { index, vault: notes } = await readableNotes(setup)
    return { index, read: (path) => notes.read(path), history: () => vault.notebook.history(), signal }
  }

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
      throw new Failure('not-found', 'This preview has expired.', { hint: 'Open the preview again.' })
    const { id, title, appliedAt } = await vault.notebook.apply(plan)
    return c.json({ id, title, merged: plan.merged ?? [], applied: true, appliedAt })
  })
}
