import type { App } from 'obsidian'
import { indexedDbStore } from '../../../src/hosts/obsidian/index-store.js'
import { indexedDbSessions } from '../../../src/hosts/obsidian/session-store.js'
import { openState } from '../../../src/hosts/obsidian/stored-values.js'
import { obsidianVault } from '../../../src/hosts/obsidian/vault/obsidian-vault.js'
import { describeIndexStore } from '../../contracts/index-store/index.js'
import { describeSessionStore } from '../../contracts/session-store/index.js'
import { describeVault, encode } from '../../contracts/vault/index.js'
import type { App as HostApp } from '../app/app.js'
import { describeTwoConnections } from './two-connections.js'
import { runRegistered } from './vitest.js'

/** The app that the page has. */
interface Here {
  host: { app: HostApp; open(vault: string): Promise<void> }
  runContracts: typeof runRegistered
}

const here = globalThis as unknown as Here
let opened = 0

describeVault('obsidianVault', async (initial, exclude) => {
  const name = `contract-${opened++}`
  await here.host.open(name)
  const { app } = here.host
  const { disk } = app.vault
  const config = '.obsidian/app.json'
  // Obsidian's default is the trash of the system, which no test may fill.
  const isOurs = !(config in initial)
  const put = (path: string, content: string | Uint8Array) =>
    disk.writeFromOutside(path, typeof content === 'string' ? encode(content) : content)
  if (isOurs) await put(config, '{"trashOption": "local"}')
  for (const [path, content] of Object.entries(initial)) await put(path, content)
  await app.vault.reconcile()
  const database = await openState(name)
  return {
    vault: await obsidianVault(app as unknown as App, { id: name, database, exclude }),
    async write(path, content) {
      await put(path, content)
      await app.vault.reconcile()
    },
    async remove(path) {
      await disk.remove(path)
      await app.vault.reconcile()
    },
    async snapshot() {
      const files = new Map<string, Uint8Array>()
      for (const path of await everyPath(app)) {
        if (path === '.notewrightignore' || (isOurs && path === config)) continue
        files.set(path, await disk.read(path))
      }
      return files
    },
  }
})

describeIndexStore('the store in IndexedDB', () => indexedDbStore(`index-${opened++}`))
describeTwoConnections()
describeSessionStore('the store in IndexedDB', async () => indexedDbSessions(await openState(`sessions-${opened++}`)))

async function everyPath(app: HostApp, folder = ''): Promise<string[]> {
  const { files, folders } = await app.vault.adapter.list(folder)
  const below = await Promise.all(folders.map((one) => everyPath(app, one)))
  return [...files, ...below.flat()].sort()
}

here.runContracts = runRegistered
