import type { Hono } from 'hono'
import { badField, refusal, type ServerEnv } from '../server/index.js'
import type { Endpoint } from './endpoint.js'
import type { KeptReply } from './store/reply-store.js'
import { nowSeconds } from './wire/response-object.js'

/** Looking at responses that are kept, and stopping those that are being made. */
export function keptRoutes(routes: Hono<ServerEnv>, endpoint: Endpoint): void {
  routes.get('/responses/:id', (c) => {
    if (c.req.query('stream') === 'true') {
      throw badField('stream', 'A response that is kept is not streamed again.', 'unsupported_parameter')
    }
    return c.json(keptReply(endpoint, c.req.param('id')).response)
  })
  routes.delete('/responses/:id', (c) => {
    const id = c.req.param('id')
    keptReply(endpoint, id)
    endpoint.running.get(id)?.stop()
    endpoint.setup.store.delete(id)
    return c.json({ id, object: 'response', deleted: true })
  })
  routes.post('/responses/:id/cancel', async (c) => {
    const id = c.req.param('id')
    keptReply(endpoint, id)
    const running = endpoint.running.get(id)
    running?.stop()
    await running?.over
    return c.json(keptReply(endpoint, id).response)
  })
  routes.get('/responses/:id/input_items', (c) => {
    const { input } = keptReply(endpoint, c.req.param('id'))
    const query = (name: string) => c.req.query(name)
    return c.json(page(input, query))
  })
}

/** One that was being made when the server ended will never be finished. */
function keptReply({ setup, running }: Endpoint, id: string): KeptReply {
  const reply = setup.store.get(id)
  if (reply === undefined) {
    const message = `There is no response ${id.slice(0, 80)}. It may have been deleted, or is no longer kept.`
    throw refusal({ status: 404, code: 'response_not_found', param: 'response_id', message })
  }
  const { status } = reply.response
  if ((status === 'queued' || status === 'in_progress') && !running.has(id)) {
    reply.response.status = 'failed'
    reply.response.error = { code: 'server_restarted', message: 'The server was stopped while it made this response.' }
    reply.response.completed_at = nowSeconds()
    setup.store.put(reply)
  }
  return reply
}

function page(items: readonly { id: string }[], query: (name: string) => string | undefined) {
  const limit = Number(query('limit') ?? 20)
  if (!Number.isInteger(limit) || limit < 1 || limit > 100)
    throw badField('limit', 'limit must be a whole number from 1 to 100.')
  const order = query('order') ?? 'desc'
  if (order !== 'asc' && order !== 'desc') throw badField('order', 'order must be asc or desc.')
  const ordered = order === 'asc' ? [...items] : [...items].reverse()
  const start = ordered.findIndex(({ id }) => id === query('after')) + 1
  const data = ordered.slice(start, start + limit)
  return {
    object: 'list',
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: start + limit < ordered.length,
  }
}
