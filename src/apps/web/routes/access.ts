import { basename } from 'node:path'
import type { Hono } from 'hono'
import * as z from 'zod'
import { consentLevels, levelTexts } from '../../../core/approval/index.js'
import { Failure } from '../../../core/errors.js'
import type { AccessKey } from '../../../hosts/node/access-keys.js'
import { keyRoutes } from '../../../hosts/node/access-keys.js'
import type { ServerEnv } from '../../server/index.js'
import type { PageLogin } from '../login.js'
import type { WebSetup } from '../web-setup.js'
import { bodyOf } from './body.js'

/** Without a word about it a key reads this vault alone. The page makes no key whose own answers count as the user's. */
const wanted = z.strictObject({
  name: z.string(),
  routes: z
    .array(z.enum(keyRoutes))
    .min(1)
    .default([...keyRoutes]),
  allVaults: z.boolean().default(false),
  level: z.enum(consentLevels).default('read-only'),
})

/** The access keys of programs that use `notewright serve`. A new key is in the answer that creates it, and in no other. */
export function mountAccessKeys(routes: Hono<ServerEnv>, { keys, vault }: WebSetup): void {
  const { root } = vault.notebook
  const shown = ({ vaults, ...key }: AccessKey) => ({
    ...key,
    vaults: vaults === 'all' ? 'all' : vaults.map((path) => basename(path)),
    isForThisVault: vaults === 'all' || vaults.includes(root),
  })

  routes.get('/access-keys', (c) =>
    c.json({
      vault: basename(root),
      levels: consentLevels.map((name) => ({ name, about: levelTexts[name] })),
      keys: keys.list().map(shown),
    }),
  )

  routes.post('/access-keys', (c) => {
    const { name, routes: opens, allVaults, level } = bodyOf(c, wanted)
    const { key, secret } = keys.create({
      name,
      routes: opens,
      vaults: allVaults ? 'all' : [root],
      level,
      trustsForms: false,
    })
    return c.json({ key: shown(key), secret })
  })

  routes.post('/access-keys/:id/revoke', (c) => c.json({ revoked: keys.revoke(c.req.param('id')).id }))
}

/** The browsers that are signed in, and a link for another one. To revoke a browser also ends its open event streams. */
export function mountBrowsers(routes: Hono<ServerEnv>, { logins }: WebSetup, login: PageLogin): void {
  routes.post('/browsers', (c) => c.json({ path: `/#code=${login.newCode()}` }))

  routes.get('/browsers', (c) => {
    const own = login.browserOf(c.req.header('authorization'))
    const browsers = logins.list().map((browser) => ({
      ...browser,
      isThisBrowser: browser.id === own?.id,
      /** A browser signed in to the page of another vault. */
      isOnOtherPort: browser.port !== own?.port,
    }))
    return c.json({ browsers })
  })

  routes.post('/browsers/:id/revoke', async (c) => {
    const id = c.req.param('id')
    if (!(await logins.revoke(id))) throw new Failure('not-found', 'This browser is no longer signed in.')
    return c.json({ revoked: id })
  })
}
