import type { Hono } from 'hono'
import * as z from 'zod'
import { Failure } from '../../../core/errors.js'
import { enabledToolsOf, reviewedToolRow, serverForms, toolHash } from '../../../core/mcp/index.js'
import { trustServer } from '../../../hosts/node/mcp-servers.js'
import { approveProgram, programRows } from '../../../hosts/node/settings/programs.js'
import {
  addServer,
  describeServer,
  enableServerTools,
  findServers,
  findToolState,
  programToAdd,
  readToolStates,
  removeServer,
  serverToolIds,
  serverToTrust,
  testServer,
} from '../../../hosts/node/settings/servers.js'
import { switchTools } from '../../../hosts/node/settings/tools.js'
import type { ServerEnv } from '../../server/index.js'
import { applySettings, type WebSetup } from '../web-setup.js'
import { bodyOf } from './body.js'

const name = z.string().max(200)

/** The fields are checked against the schema of the settings; `hash` is of the command that the user approved. */
const newServer = z.looseObject({ name, hash: name.optional() })

/** MCP servers, as in `mcp-servers`. Approval refers to the hash of what was shown. */
export function mountServers(routes: Hono<ServerEnv>, webSetup: WebSetup): void {
  const { place } = webSetup
  const takeUp = async () => {
    await applySettings(webSetup)
    await webSetup.takeUpServers()
  }

  routes.get('/programs', async (c) => c.json({ programs: await programRows(place) }))

  routes.post('/programs/approve', async (c) => {
    const { id, hash } = bodyOf(c, z.strictObject({ id: name, hash: name }))
    const approved = await approveProgram(place, id, hash)
    await takeUp()
    return c.json(approved)
  })

  routes.get('/mcp-servers', async (c) => {
    const { servers, headers, setup } = await findServers(place)
    const rows = servers.map(async (server) => ({
      ...(await describeServer(server, headers)),
      toolsOn: enabledToolsOf(server.name, setup.config.tools.enabled).length,
    }))
    return c.json({ servers: await Promise.all(rows), forms: serverForms() })
  })

  routes.post('/mcp-servers', async (c) => {
    const { hash, ...server } = bodyOf(c, newServer)
    const toApprove = hash === undefined ? programToAdd(server) : undefined
    if (toApprove !== undefined) return c.json({ toApprove })
    const { path, kept } = await addServer(place, server, { ...(hash !== undefined && { hash }) })
    await takeUp()
    // Possibly secret values, including the address, are not returned.
    return c.json({ name: server.name, kept, path })
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
    return c.json({ server, tools: states.map(reviewedToolRow) })
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
      const state = findToolState(shown.name, server, states)
      if (toolHash(state.tool) === shown.hash) return state
      throw new Failure('conflict', `${shown.name} is not what was shown: its server describes it otherwise now.`, {
        hint: 'Check it again.',
      })
    })
    await enableServerTools(place, server, wanted, found)
    await takeUp()
    return c.json({ server, tools: wanted.map(({ tool }) => reviewedToolRow({ tool, state: 'seen', enabled: true })) })
  })

  routes.post('/mcp-servers/:name/disable', async (c) => {
    const { tools } = bodyOf(c, z.strictObject({ tools: z.array(name).min(1).max(200) }))
    const server = c.req.param('name')
    const found = await findServers(place)
    await switchTools(found.setup, serverToolIds(server, tools), false)
    await takeUp()
    return c.json({ server, disabled: tools })
  })

  // Without a hash it returns the command; with it, that exact command or entry is approved.
  routes.post('/mcp-servers/:name/trust', async (c) => {
    const { hash } = bodyOf(c, z.strictObject({ hash: name.optional() }))
    const found = await findServers(place)
    const { server, ...toTrust } = serverToTrust(c.req.param('name'), found)
    if (hash === undefined) return c.json(toTrust)
    if (hash !== toTrust.hash)
      throw new Failure('conflict', 'The entry has changed since it was shown.', { hint: 'Check it again.' })
    await trustServer(server, found.known, found.root)
    await takeUp()
    return c.json({ trusted: server.name, argv: toTrust.argv })
  })
}
