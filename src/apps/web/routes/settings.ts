import type { Hono } from 'hono'
import * as z from 'zod'
import { findProvider } from '../../../core/providers/index.js'
import {
  changeSetting,
  configuredTools,
  keyRows,
  probedProvider,
  providerRows,
  readSetup,
  removeKey,
  settingRows,
  storeKey,
  switchTool,
  toolDetails,
  toolRows,
} from '../../../hosts/node/setup/index.js'
import type { ServerEnv } from '../../server/index.js'
import { takeUpSettings, type WebSetup } from '../web-setup.js'
import { bodyOf } from './body.js'

/** What a person sets up, as `config`, `models`, `keys` and `tool` have it. A key goes in and never comes out. */
export function mountSettings(routes: Hono<ServerEnv>, setup: WebSetup): void {
  const { place } = setup

  routes.get('/settings', async (c) => c.json({ settings: settingRows(await readSetup(place)) }))

  routes.post('/settings', async (c) => {
    const { key, text } = bodyOf(c, z.strictObject({ key: z.string().max(300), text: z.string().max(200_000) }))
    const set = await changeSetting(place, key, text)
    // What is chosen now counts before what the server was started with.
    if (key !== 'vault') delete place.flags[key]
    await takeUpSettings(setup)
    return c.json(set)
  })

  routes.get('/providers', async (c) => c.json({ providers: await providerRows(place) }))

  // Asks the provider, with the key there is: a request goes out.
  routes.post('/providers/:id/test', async (c) => c.json(await probedProvider(place, findProvider(c.req.param('id')))))

  routes.get('/keys', async (c) => c.json({ keys: await keyRows(place) }))

  routes.post('/keys/:id', async (c) => {
    const { key } = bodyOf(c, z.strictObject({ key: z.string().max(10_000) }))
    const { name: _, ...stored } = await storeKey(place, c.req.param('id'), key)
    return c.json(stored)
  })

  routes.post('/keys/:id/remove', async (c) => {
    const { provider, left } = await removeKey(place, c.req.param('id'))
    return c.json({ provider, removed: true, ...(left && { left }) })
  })

  routes.get('/tools', async (c) => c.json({ tools: toolRows(await configuredTools(await readSetup(place))) }))

  routes.get('/tools/:name', async (c) =>
    c.json(toolDetails(await configuredTools(await readSetup(place)), c.req.param('name'))),
  )

  routes.post('/tools/:name', async (c) => {
    const { enabled } = bodyOf(c, z.strictObject({ enabled: z.boolean() }))
    const { name } = await switchTool(await readSetup(place), c.req.param('name'), enabled)
    await takeUpSettings(setup)
    return c.json({ name, enabled })
  })
}
