import * as z from 'zod'
import type { Mount } from '../server/index.js'
import { answerFailures } from './api-mount.js'
import type { PageLogin } from './login.js'
import { bodyOf } from './routes/body.js'

/** Choices for a user without a vault. */
export interface VaultChoice {
  /** Folders that were found. */
  vaults: readonly { root: string; from: string }[]
  /** Target folder for a copy of the sample vault. */
  sample: string
  /** Takes a folder for the vault from now on, or the sample. Fails where there is no such folder. */
  choose(wish: { path: string } | { sample: true }): Promise<void>
}

/** `/api` without a vault: candidates, and the choice. */
export function chooseVaultMount(choice: VaultChoice, login: PageLogin): Mount {
  const wish = z.union([
    z.strictObject({ path: z.string().min(1).max(4000) }),
    z.strictObject({ sample: z.literal(true) }),
  ])
  return {
    path: '/api',
    checkLogin: login.admit,
    addRoutes(routes, context) {
      answerFailures(routes, context.log)
      login.mount(routes, context.url)
      routes.get('/overview', (c) => c.json({ choose: { vaults: choice.vaults, sample: choice.sample } }))
      routes.post('/vault', async (c) => {
        await choice.choose(bodyOf(c, wish))
        return c.json({ ok: true })
      })
    },
  }
}
