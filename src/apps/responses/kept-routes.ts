import type { Hono } from 'hono'
import { badField, refusal, type ServerEnv, sendTexts } from '../server/index.js'
import type { Endpoint } from './endpoint.js'
import { eventsAfter } from './event-log.js'
import type { KeptReply } from './store/reply-store.js'
import { responseTexts, streamHeaders } from './wire/event-stream.js'
import type { ResponseEvent } from './wire/response-events.js'
import { nowSeconds } from './wire/response-object.js'

/** Looking at responses that are kept, and stopping those that are being made. */
export function keptRoutes(routes: Hono<ServerEnv>, endpoint: Endpoint): void {
  routes.get('/responses/:id', (c) => {
    const id = c.req.param('id')
    const reply = keptReply(endpoint, id)
    if (c.req.query('stream') !== 'true') return c.json(reply.response)
    const after = startingAfter(c.req.query('starting_after'))
    const log = endpoint.logs.get(id)
    const events = log?.follow(after, c.req.raw.signal) ?? again(reply, after)
    return sendTexts(c, responseTexts(events), streamHeaders)
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

/** The number of the event that was heard last; -1: none was. */
function startingAfter(given: string | undefined): number {
  if (given === undefined) return -1
  if (/^\d{1,9}$/.test(given)) return Number(given)
  throw badField('starting_after', 'starting_after must be the sequence_number of an event.')
}

function again({ events }: KeptReply, after: number): AsyncGenerator<ResponseEvent[], void, void> {
  if (events === undefined) {
    const message = 'Only a response that was made in the background and streamed can be streamed again.'
    throw badField('stream', message, 'unsupported_parameter')
  }
  return (async function* () {
    yield events.slice(eventsAfter(events, after))
  })()
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
