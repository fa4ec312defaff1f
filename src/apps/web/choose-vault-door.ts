import * as z from 'zod'
import type { Door } from '../server/index.js'
import { answerFailures, mayEnter, mountEntrance } from './api-door.js'
import type { Entrance } from './entrance.js'
import { bodyOf } from './routes/body.js'

/** What a person without a vault is offered. */
export interface VaultChoice {
  /** Folders that were found. */
  vaults: readonly { root: string; from: string }[]
  /** Where a copy of the sample vault would be put. */
  sample: string
  /** Takes a folder for the vault from now on, or the sample. Fails where there is no such folder. */
  choose(wish: { path: string } | { sample: true }): Promise<void>
}

/** `/api` before there is a vault: what was found, and the choice. */
export function chooseVaultDoor(choice: VaultChoice, entry: Entrance): Door {
  const wish = z.union([
    z.strictObject({ path: z.string().min(1).max(4000) }),
    z.strictObject({ sample: z.literal(true) }),
  ])
  return {
    path: '/api',
    admits: (request) => mayEnter(request, entry),
    mount(routes, context) {
      entry.setPort(new URL(context.url).port)
      answerFailures(routes, context.log)
      mountEntrance(routes, entry)
      routes.get('/overview', (c) => c.json({ choose: { vaults: choice.vaults, sample: choice.sample } }))
      routes.post('/vault', async (c) => {
        await choice.choose(bodyOf(c, wish))
        return c.json({ ok: true })
      })
    },
  }
}
