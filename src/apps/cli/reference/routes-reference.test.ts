import { readFileSync } from 'node:fs'
import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'
import { responsesMount, routeList } from '../../responses/index.js'
import type { ServerEnv } from '../../server/index.js'
import { routesReference } from './routes-reference.js'

describe('the page of routes', () => {
  it('is up to date (npm run docs)', () => {
    expect(readFileSync('docs/reference/routes.md', 'utf8')).toBe(routesReference())
  })

  it('names every route there is, and no other', () => {
    const routes = new Hono<ServerEnv>()
    const nothing = { secret: () => new Uint8Array(32) }
    const mount = responsesMount({
      openBackend: () => Promise.reject(new Error('not asked')),
      replies: nothing as never,
    })
    const { signal } = new AbortController()
    mount.addRoutes(routes, { url: '', ending: signal, closing: signal, log: () => {} })
    const mounted = routes.routes.map(
      ({ method, path }) => `${method} ${mount.path}${path.replace(/:id({.*})?/, '{id}')}`,
    )
    expect(mounted.sort()).toEqual(routeList.map(({ method, path }) => `${method} ${path}`).sort())
  })
})
