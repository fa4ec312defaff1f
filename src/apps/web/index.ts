import { runningSessions } from '../../core/session/index.js'
import type { BrowserLogins } from '../../hosts/node/web-page.js'
import type { Mount } from '../server/index.js'
import { apiMount } from './api-mount.js'
import type { VaultChoice } from './choose-vault-mount.js'
import { chooseVaultMount } from './choose-vault-mount.js'
import { indexJob } from './index-job.js'
import { pageLogin } from './login.js'
import { pageMount } from './page-mount.js'
import type { WebSetup } from './web-setup.js'

export type { VaultChoice } from './choose-vault-mount.js'
export { type ModelChoice, pageWords, type WebSetup } from './web-setup.js'

interface WebMounts {
  mounts: Mount[]
  /** The code of a link that signs a browser in: good once, for two minutes. */
  newCode(): string
}

/** A terminal can continue a conversation soon after the page stops showing it, and a while after its last use. */
const idle = { unfollowedMs: 3000, followedMs: 60_000 }

/** The page and its API, for a server to mount. */
export async function webMounts(setup: WebSetup): Promise<WebMounts> {
  const login = pageLogin(setup.logins)
  const running = runningSessions(setup.vault, setup.onTrouble, idle)
  const indexing = indexJob(setup.vault.notebook, () => setup.vault.settings.index.vectors)
  // The page is served immediately; indexing runs in the background.
  indexing.begin()
  return { mounts: [await pageMount(), apiMount(setup, login, running, indexing)], newCode: login.newCode }
}

/** The page before there is a vault: it lets the user choose one. */
export async function chooseVaultMounts(choice: VaultChoice, logins: BrowserLogins): Promise<WebMounts> {
  const login = pageLogin(logins)
  return { mounts: [await pageMount(), chooseVaultMount(choice, login)], newCode: login.newCode }
}
