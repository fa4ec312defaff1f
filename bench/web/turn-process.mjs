// Started by turn.mjs: one process that stays, with a vault, its sessions and the page's server. A turn is told either as
// lines of JSON, as `ask --format stream-json` tells it, or to whoever follows it over the server.
import { join } from 'node:path'
import { bundled } from '../bundled.mjs'

const [folder, model] = process.argv.slice(2)
const { openVault, webMounts, startServer, openPageState, browserLogins } = await bundled(
  'src/hosts/node/open-vault.ts',
  'src/apps/web/index.ts',
  'src/apps/server/index.ts',
  'src/hosts/node/web-page.ts',
)
const vault = await openVault(folder)
const logins = browserLogins(await openPageState({ state: join(process.env.NOTEWRIGHT_HOME, 'state') }))
const nothing = async () => []
const { mounts, newCode } = await webMounts({
  vault,
  name: 'vault',
  logins,
  place: { flags: {} },
  models: nothing,
  calls: nothing,
  requests: nothing,
  restartServers: nothing,
  onTrouble: console.error,
})
const server = await startServer({ host: '127.0.0.1', port: 0, mounts })

/** The session of the next turn, if it is printed as lines. */
let session
const orders = {
  async open() {
    session = await vault.openSession({ model })
  },
  async ask(text) {
    for await (const event of session.ask({ text })) process.stdout.write(`${JSON.stringify(event)}\n`)
  },
  close: () => session.close(),
  /** Processor time so far, in milliseconds. */
  async used() {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  },
  async stop() {
    await server.close()
    await vault.close()
  },
}
process.on('message', async ({ order, text }) => {
  process.send({ answer: await orders[order](text) })
  if (order === 'stop') process.disconnect()
})
process.send({ answer: { url: server.url, code: newCode() } })
