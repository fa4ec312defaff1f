import type { Hono } from 'hono'
import * as z from 'zod'
import { explainCall } from '../../../core/session/index.js'
import { addRule, permissionRows, type RulePlace, readSetup, revokeRule } from '../../../hosts/node/setup/index.js'
import type { ServerEnv } from '../../server/index.js'
import { inPassing, takeUpSettings, type WebSetup } from '../web-setup.js'
import { bodyOf } from './body.js'

/** Rules and what was allowed for always, as `permissions` has them. */
export function mountPermissions(routes: Hono<ServerEnv>, setup: WebSetup): void {
  const { vault, place, onTrouble } = setup
  const rules = async (): Promise<RulePlace> => ({
    setup: await readSetup(place),
    root: async () => vault.notebook.root,
    onTrouble,
  })

  routes.get('/permissions', async (c) =>
    c.json(
      await inPassing(setup, async (session) => {
        await session.toolSetup()
        return permissionRows(session.guard, vault.settings.consent)
      }),
    ),
  )

  routes.post('/permissions', async (c) => {
    const { rule } = bodyOf(c, z.strictObject({ rule: z.string().max(2000) }))
    const added = await addRule(rule, await rules())
    await takeUpSettings(setup)
    return c.json(added)
  })

  routes.post('/permissions/revoke', async (c) => {
    const { what } = bodyOf(c, z.strictObject({ what: z.string().max(2000) }))
    const revoked = await revokeRule(what, await rules())
    await takeUpSettings(setup)
    return c.json({ revoked })
  })

  // Asks and changes nothing; a body holds what an address cannot.
  routes.post('/permissions/explain', async (c) => {
    const { tool, input } = bodyOf(c, z.strictObject({ tool: z.string().max(300), input: z.string().max(200_000) }))
    return c.json(await inPassing(setup, (session) => explainCall(session, { name: tool, input })))
  })
}
