import type { Context, Hono } from 'hono'
import type { Embedder } from '../../core/index/index.js'
import type { ResponseTable } from '../../hosts/node/response-store.js'
import { badField, credentialIn, errorBody, type Mount, refusal, type ServerEnv, sendTexts } from '../server/index.js'
import { chatChunks, chatCompletion, chatStream, newChatState } from './chat-events.js'
import { compactResponse } from './compact.js'
import { embeddingsResponse } from './embeddings.js'
import {
  callIdsOf,
  type Endpoint,
  type EndpointSetup,
  newEndpoint,
  newResponseFor,
  type RunningResponses,
  startReply,
} from './endpoint.js'
import { indexAfter, sseHeaders, sseTexts } from './event-stream.js'
import { messageError, messageEvents, messageStream, newMessageState, wholeMessage } from './message-events.js'
import { requestTokens } from './model-request.js'
import { parseChatRequest } from './request/chat-request.js'
import { parseMessagesRequest } from './request/messages-request.js'
import { parseResponsesRequest } from './request/responses-request.js'
import { nowSeconds, type ResponseEvent } from './response.js'
import { clientReplies, responseStore, type StoredResponse } from './response-store.js'
import { newSigner } from './sign.js'
import { findThread } from './thread.js'
import { type ServedVault, vaultModels } from './vault-agent.js'
import { webSocketRoute } from './web-socket.js'
import { persistResponse, respondInBackground, wholeResponse, writeResponse } from './write-response.js'

type RouteContext = Context<ServerEnv>

/** A client with an access key. It sees its own responses, and the vault with the permissions of its key. */
interface ApiClient {
  id: string
  vault: ServedVault
}

interface ResponsesSetup extends Pick<EndpointSetup, 'backend' | 'openBackend' | 'vault'> {
  replies: ResponseTable
  /** The embedding model of the settings, if there is one. */
  embedder?: () => Embedder | undefined
  /** The client of an Authorization header. Without it, all clients share their responses. */
  clientOf?(authorization: string | undefined): ApiClient | undefined
}

/** The APIs of OpenAI and Anthropic in front of any backend. */
export function responsesMount({
  replies,
  embedder = () => undefined,
  clientOf = () => undefined,
  ...setup
}: ResponsesSetup): Mount {
  const running: RunningResponses = new Map()
  const endpoints = new Map<string, Endpoint>()
  return {
    path: '/v1',
    addRoutes(routes, context) {
      const signer = newSigner(replies.secret())
      const endpointOf = (c: RouteContext): Endpoint => {
        const client = clientOf(credentialIn((name) => c.req.header(name)))
        const id = client?.id ?? ''
        const store = responseStore(client ? clientReplies(replies, client.id) : replies)
        const found = endpoints.get(id) ?? newEndpoint({ ...setup, ...client, store, signer }, context, running)
        endpoints.set(id, found)
        return found
      }
      modelRoutes(routes, setup)
      storedRoutes(routes, endpointOf)
      webSocketRoute(routes, endpointOf)
      routes.post('/responses', (c) => createResponse(c, endpointOf(c)))
      routes.post('/responses/compact', async (c) =>
        c.json(await compactResponse(endpointOf(c), c.get('body'), c.req.raw.signal)),
      )
      routes.post('/responses/input_tokens', (c) => countInputTokens(c, endpointOf(c)))
      routes.post('/chat/completions', (c) => createChat(c, endpointOf(c)))
      routes.post('/messages', (c) => createMessage(c, endpointOf(c)))
      routes.post('/messages/count_tokens', (c) => countMessageTokens(c, endpointOf(c)))
      routes.post('/embeddings', async (c) => {
        const { response, ignored } = await embeddingsResponse(c.get('body'), embedder(), c.req.raw.signal)
        nameIgnored(c, ignored)
        return c.json(response)
      })
    },
    errorBody: (error, path) => (path.startsWith('/v1/messages') ? messageError(error) : errorBody(error)),
    async close() {
      const open = [...running.values()]
      for (const { stop } of open) stop()
      await Promise.all(open.map(({ done }) => done))
      replies.close()
    },
  }
}

/** Names fields without effect in a header. A client that wants to know of them at once can ask for strict requests. */
function nameIgnored(c: RouteContext, ignored: readonly string[]): void {
  const [first] = ignored
  if (first === undefined) return
  if (c.req.header('x-notewright-strict') === 'true') {
    throw badField(first, `${first} is not supported.`, 'unsupported_parameter')
  }
  const names = ignored.slice(0, mostNamed).map((name) => name.replace(/[^\x20-\x7e]/g, '?').slice(0, 100))
  c.env.outgoing.setHeader('X-Notewright-Ignored', names.join(', '))
}

const mostNamed = 20

async function createResponse(c: RouteContext, endpoint: Endpoint): Promise<Response> {
  const { store } = endpoint.setup
  const request = parseResponsesRequest(c.get('body'), store.findItem)
  nameIgnored(c, request.ignored)
  if (request.background) {
    const { queued, log } = respondInBackground(endpoint, request)
    if (!request.stream) return c.json(queued)
    return sendTexts(c, sseTexts(log.follow(-1, c.req.raw.signal)), sseHeaders)
  }
  const { thread, reply, stop } = await startReply(endpoint, request, c.req.raw.signal)
  const state = newResponseFor(request, thread)
  const storage = persistResponse(request, { store, running: endpoint.running, stop })
  if (!request.stream) return c.json(await wholeResponse(state, reply, storage))
  const events = writeResponse(state, reply, storage)
  return sendTexts(c, sseTexts(events), sseHeaders)
}

async function createChat(c: RouteContext, endpoint: Endpoint): Promise<Response> {
  const request = parseChatRequest(c.get('body'))
  nameIgnored(c, request.ignored)
  const { thread, reply } = await startReply(endpoint, request, c.req.raw.signal)
  const chat = newChatState(request.model, request.usageInStream, callIdsOf(thread.items))
  if (request.stream) return sendTexts(c, chatStream(chat, reply), sseHeaders)
  for await (const event of reply) {
    if (event.type === 'failed') throw event.failure
    chatChunks(chat, event)
  }
  return c.json(chatCompletion(chat))
}

async function createMessage(c: RouteContext, endpoint: Endpoint): Promise<Response> {
  const request = parseMessagesRequest(c.get('body'))
  nameIgnored(c, request.ignored)
  const { thread, reply } = await startReply(endpoint, request, c.req.raw.signal)
  const tokens = requestTokens(request, thread.items, endpoint.setup.signer)
  const message = newMessageState(request.model, tokens, callIdsOf(thread.items))
  if (request.stream) return sendTexts(c, messageStream(message, reply), sseHeaders)
  for await (const event of reply) {
    if (event.type === 'failed') throw event.failure
    messageEvents(message, event)
  }
  return c.json(wholeMessage(message))
}

/** Tokens are estimated: a backend may count a few more or less. */
function countMessageTokens(c: RouteContext, { setup }: Endpoint): Response {
  const request = parseMessagesRequest(c.get('body'), { isCount: true })
  nameIgnored(c, request.ignored)
  return c.json({ input_tokens: requestTokens(request, request.input, setup.signer) })
}

function countInputTokens(c: RouteContext, { setup }: Endpoint): Response {
  const request = parseResponsesRequest(c.get('body'), setup.store.findItem)
  nameIgnored(c, request.ignored)
  const { items } = findThread(request.input, request.previousResponseId, setup.store)
  return c.json({ object: 'response.input_tokens', input_tokens: requestTokens(request, items, setup.signer) })
}

/** The list of models. */
function modelRoutes(routes: Hono<ServerEnv>, setup: Pick<EndpointSetup, 'backend' | 'vault'>): void {
  const created = nowSeconds()
  const models = () => modelNames(setup).map((id) => ({ id, object: 'model', created, owned_by: id.split('/')[0] }))
  routes.get('/models', (c) => c.json({ object: 'list', data: models() }))
  // Model names contain slashes.
  routes.get('/models/:id{.+}', (c) => {
    const id = c.req.param('id')
    const found = models().find((model) => model.id === id)
    if (found !== undefined) return c.json(found)
    const message = `Model not found: ${id.slice(0, 80)}`
    throw refusal({ status: 404, code: 'model_not_found', param: 'model', message })
  })
}

function modelNames({ backend, vault }: Pick<EndpointSetup, 'backend' | 'vault'>): string[] {
  return [...(vault ? Object.keys(vaultModels) : []), ...(backend ? [backend] : [])]
}

/** Reads, deletes and cancels stored responses. */
function storedRoutes(routes: Hono<ServerEnv>, endpointOf: (c: RouteContext) => Endpoint): void {
  routes.get('/responses/:id', (c) => {
    const id = c.req.param('id')
    const endpoint = endpointOf(c)
    const stored = storedResponse(endpoint, id)
    if (c.req.query('stream') !== 'true') return c.json(stored.response)
    const after = readStartingAfter(c.req.query('starting_after'))
    const log = endpoint.logs.get(id)
    const events = log?.follow(after, c.req.raw.signal) ?? storedEvents(stored, after)
    return sendTexts(c, sseTexts(events), sseHeaders)
  })
  routes.delete('/responses/:id', (c) => {
    const id = c.req.param('id')
    const endpoint = endpointOf(c)
    storedResponse(endpoint, id)
    endpoint.running.get(id)?.stop()
    endpoint.setup.store.delete(id)
    return c.json({ id, object: 'response', deleted: true })
  })
  routes.post('/responses/:id/cancel', async (c) => {
    const id = c.req.param('id')
    const endpoint = endpointOf(c)
    storedResponse(endpoint, id)
    const running = endpoint.running.get(id)
    running?.stop()
    await running?.done
    return c.json(storedResponse(endpoint, id).response)
  })
  routes.get('/responses/:id/input_items', (c) => {
    const { input } = storedResponse(endpointOf(c), c.req.param('id'))
    const query = (name: string) => c.req.query(name)
    return c.json(listPage(input, query))
  })
}

/** The number of the last event the client has; -1 for none. */
function readStartingAfter(given: string | undefined): number {
  if (given === undefined) return -1
  if (/^\d{1,9}$/.test(given)) return Number(given)
  throw badField('starting_after', 'starting_after must be the sequence_number of an event.')
}

function storedEvents({ events }: StoredResponse, after: number): AsyncGenerator<ResponseEvent[], void, void> {
  if (events === undefined) {
    const message = 'Only a streamed background response can be streamed again.'
    throw badField('stream', message, 'unsupported_parameter')
  }
  return (async function* () {
    yield events.slice(indexAfter(events, after))
  })()
}

/** Finds a stored response. One that was in progress when the server stopped is marked as failed. */
function storedResponse({ setup, running }: Endpoint, id: string): StoredResponse {
  const stored = setup.store.get(id)
  if (stored === undefined) {
    const message = `Response not found: ${id.slice(0, 80)}. It may be deleted or expired.`
    throw refusal({ status: 404, code: 'response_not_found', param: 'response_id', message })
  }
  const { status } = stored.response
  if ((status === 'queued' || status === 'in_progress') && !running.has(id)) {
    stored.response.status = 'failed'
    stored.response.error = {
      code: 'server_restarted',
      message: 'The server stopped while it generated this response.',
    }
    stored.response.completed_at = nowSeconds()
    setup.store.put(stored)
  }
  return stored
}

function listPage(items: readonly { id: string }[], query: (name: string) => string | undefined) {
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

/** The routes below `/v1`, for the reference page. */
export const routeList: readonly { method: 'GET' | 'POST' | 'DELETE'; path: string; about: string }[] = [
  {
    method: 'GET',
    path: '/v1/models',
    about: 'List the models: the vault in its four modes, and the backend.',
  },
  { method: 'GET', path: '/v1/models/{id}', about: 'Get one model.' },
  { method: 'POST', path: '/v1/responses', about: 'Create a response, whole or as a stream of events (`stream`).' },
  {
    method: 'GET',
    path: '/v1/responses',
    about: 'Create responses over a WebSocket: each `response.create` message requests one response, one at a time.',
  },
  {
    method: 'POST',
    path: '/v1/responses/compact',
    about: 'Compact a conversation. Use the result as the input of the next request.',
  },
  {
    method: 'GET',
    path: '/v1/responses/{id}',
    about:
      'Get a stored response. Add `?stream=true` to stream a background response again, and `&starting_after=N` to start after an event.',
  },
  { method: 'DELETE', path: '/v1/responses/{id}', about: 'Delete a stored response.' },
  {
    method: 'POST',
    path: '/v1/responses/{id}/cancel',
    about: 'Cancel a response in progress. The partial output is kept.',
  },
  {
    method: 'GET',
    path: '/v1/responses/{id}/input_items',
    about: 'List the input items of a response (`limit`, `order`, `after`).',
  },
  {
    method: 'POST',
    path: '/v1/chat/completions',
    about: 'Create a reply in the Chat Completions format, whole or as a stream.',
  },
  { method: 'POST', path: '/v1/responses/input_tokens', about: 'Estimate the input tokens of a response.' },
  {
    method: 'POST',
    path: '/v1/messages',
    about: "Create a message in the format of Anthropic's API, whole or as a stream.",
  },
  { method: 'POST', path: '/v1/messages/count_tokens', about: 'Estimate the input tokens of a message.' },
  {
    method: 'POST',
    path: '/v1/embeddings',
    about: 'Embed texts with the embedding model of the settings. Without one, the answer is 404.',
  },
]
