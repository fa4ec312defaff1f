import type { Hono } from 'hono'
import * as z from 'zod'
import { Failure } from '../../../core/errors.js'
import { isRecord } from '../../../core/is-record.js'
import { toolHash } from '../../../core/mcp/index.js'
import {
  addServer,
  enableServerTools,
  findServers,
  readToolStates,
  removeServer,
  serverRow,
  serverToolIds,
  serverToTrust,
  stateNamed,
  switchTools,
  testServer,
  toolStateRow,
} from '../../../hosts/node/setup/index.js'
import type { ServerEnv } from '../../server/index.js'
import { takeUpSettings, type WebSetup } from '../web-setup.js'
import { bodyOf } from './body.js'

const name = z.string().max(200)

const newProgram = z.strictObject({
  name,
  command: z.string().min(1).max(4000),
  args: z.array(z.string().max(4000)).max(100).default([]),
})

const newAddress = z.strictObject({
  name,
  url: z.string().min(1).max(4000),
  headers: z
    .array(z.strictObject({ name: z.string().max(200), value: z.string().max(8000) }))
    .max(50)
    .default([]),
})

/** Other people's tools, as `mcp-servers` has them. What is agreed to is named by the hash of what was shown. */
export function mountServers(routes: Hono<ServerEnv>, setup: WebSetup): void {
  const { place } = setup
  const takeUp = async () => {
    await takeUpSettings(setup)
    await setup.takeUpServers()
  }

  routes.get('/mcp-servers', async (c) => {
    const { servers, headers } = await findServers(place)
    return c.json({ servers: await Promise.all(servers.map((server) => serverRow(server, headers))) })
  })

  routes.post('/mcp-servers', async (c) => {
    const body: unknown = c.get('body')
    if (isRecord(body) && 'url' in body) {
      const { headers, ...server } = bodyOf(c, newAddress)
      const named = Object.fromEntries(headers.map((header) => [header.name, header.value]))
      const { path, kept } = await addServer(place, { ...server, headers: named })
      await takeUp()
      // What may be secret, the address too, is not sent back.
      return c.json({ name: server.name, kept, path })
    }
    const added = bodyOf(c, newProgram)
    const { path } = await addServer(place, added)
    await takeUp()
    return c.json({ ...added, path })
  })

  routes.post('/mcp-servers/:name/remove', async (c) => {
    await removeServer(place, c.req.param('name'))
    await takeUp()
    return c.json({ removed: c.req.param('name') })
  })

  routes.post('/mcp-servers/:name/test', async (c) => c.json(await testServer(place, c.req.param('name'))))

  // Starts the server to ask it.
  routes.post('/mcp-servers/:name/tools', async (c) => {
    const server = c.req.param('name')
    const states = await readToolStates(place, server, await findServers(place))
    return c.json({ server, tools: states.map(toolStateRow) })
  })

  routes.post('/mcp-servers/:name/enable', async (c) => {
    const { tools } = bodyOf(
      c,
      z.strictObject({
        tools: z
          .array(z.strictObject({ name, hash: name }))
          .min(1)
          .max(200),
      }),
    )
    const server = c.req.param('name')
    const found = await findServers(place)
    const states = await readToolStates(place, server, found)
    const wanted = tools.map((shown) => {
      const state = stateNamed(shown.name, server, states)
      if (toolHash(state.tool) === shown.hash) return state
      throw new Failure('conflict', `${shown.name} is not what was shown: its server describes it otherwise now.`, {
        hint: 'Look at it again.',
      })
    })
    await enableServerTools(place, server, wanted, found)
    await takeUp()
    return c.json({ server, tools: wanted.map(({ tool }) => toolStateRow({ tool, state: 'seen', enabled: true })) })
  })

  routes.post('/mcp-servers/:name/disable', async (c) => {
    const { tools } = bodyOf(c, z.strictObject({ tools: z.array(name).min(1).max(200) }))
    const server = c.req.param('name')
    const found = await findServers(place)
    await switchTools(found.setup, serverToolIds(server, tools), false)
    await takeUp()
    return c.json({ server, disabled: tools })
  })

  // Without a hash it answers what would be run; with it, that very entry is trusted.
  routes.post('/mcp-servers/:name/trust', async (c) => {
    const { hash } = bodyOf(c, z.strictObject({ hash: name.optional() }))
    const { servers, known, root } = await findServers(place)
    const { server, argv, given } = serverToTrust(c.req.param('name'), servers)
    if (hash === undefined) return c.json({ argv, given, hash: server.hash })
    if (hash !== server.hash)
      throw new Failure('conflict', 'The entry has changed since it was shown.', { hint: 'Look at it again.' })
    await known.trust(root!, server.name, server.hash)
    await takeUp()
    return c.json({ trusted: server.name, argv })
  })
}
