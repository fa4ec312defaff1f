import { Hono } from 'hono'
import type { MountContext, ServerEnv } from '../../src/apps/server/index.js'
import { apiMount } from '../../src/apps/web/api-mount.js'
import { chooseVaultMount, type VaultChoice } from '../../src/apps/web/choose-vault-mount.js'
import { type PageLogin, pageLogin } from '../../src/apps/web/login.js'
import type { WebSetup } from '../../src/apps/web/web-setup.js'
import type { BrowserLogins } from '../../src/hosts/node/web-page.js'

export interface ApiRoute {
  method: string
  path: string
}

/** Every route below `/api`, as the apps are mounted: a route that is added is tried too. */
export function apiRoutes(): ApiRoute[] {
  const logins = {} as BrowserLogins
  const setup = { vault: { notebook: {} }, logins, place: {} } as unknown as WebSetup
  const login: PageLogin = pageLogin(logins)
  const mounts = [apiMount(setup, login, {} as never, {} as never), chooseVaultMount({} as VaultChoice, login)]
  const all = mounts.flatMap((mount) => {
    const routes = new Hono<ServerEnv>()
    mount.addRoutes(routes, { url: 'http://127.0.0.1:1', log: () => {} } as unknown as MountContext)
    return routes.routes.map(({ method, path }) => ({ method, path: `/api${path.replace(/:\w+/g, 'x')}` }))
  })
  return [...new Map(all.map((route) => [`${route.method} ${route.path}`, route])).values()]
}
