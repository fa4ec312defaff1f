import { Hono } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { apiError, errorBody, errorHeaders, refusal } from './api-error.js'
import { crossOrigin } from './cross-origin.js'
import type { Door, DoorContext, ServerEnv } from './door.js'
import type { Limits } from './limits.js'
import { readBody } from './read-body.js'

/** One app of all doors. */
export function mountDoors(doors: readonly Door[], context: DoorContext, limits: Limits): Hono<ServerEnv> {
  const app = new Hono<ServerEnv>()
  app.use(crossOrigin)
  app.get('/health', (c) => c.text('ok'))
  app.use(readBody(limits))
  for (const door of doors) {
    const routes = new Hono<ServerEnv>()
    door.mount(routes, context)
    app.route(door.path, routes)
  }
  app.notFound((c) => {
    const message = `There is nothing at ${c.req.method} ${c.req.path}.`
    const error = apiError(refusal({ status: 404, code: 'unknown_url', message }))
    return c.json(errorBody(error), 404)
  })
  app.onError((thrown, c) => {
    // Whoever asked is gone.
    if (c.req.raw.signal.aborted) return c.body(null, 400)
    const error = apiError(thrown)
    if (error.code === 'internal_error') context.log(`failed unexpectedly: ${thrown.stack ?? thrown.message}`)
    return c.json(errorBody(error), error.status as ContentfulStatusCode, errorHeaders(error))
  })
  return app
}
