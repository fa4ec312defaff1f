import { basename } from 'node:path'
import { httpDoor, mcpDoor } from '../../../src/apps/mcp-server/http/mcp-door.js'
import { servedVaults } from '../../../src/apps/mcp-server/index.js'
import { startServer } from '../../../src/apps/server/index.js'
import { openVault } from '../../../src/hosts/node/open-vault.js'
import { fixtureServer } from './fixture.js'

/**
 * Our server with the suite's names behind it or, with a folder, with that vault. The suite knows no token, so that its
 * door lets everybody in who comes by the right host and origin.
 */
const [port, folder] = process.argv.slice(2)
const vault = folder === undefined ? undefined : await openVault(folder, { desk: { remote: true } })
const door =
  vault === undefined
    ? httpDoor({ connect: () => ({ server: fixtureServer(), close: async () => {} }), once: fixtureServer })
    : mcpDoor({ vaults: servedVaults({ [basename(vault.notebook.root)]: async () => vault }) })
const server = await startServer({
  host: '127.0.0.1',
  port: Number(port),
  token: 'not-asked-for',
  doors: [{ ...door, admits: () => true }],
})
process.stdout.write(`${server.url}\n`)
