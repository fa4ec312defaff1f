import type { Context } from 'hono'
import type { RepliesFile } from '../../hosts/node/replies/index.js'
import { type Door, type ServerEnv, sendTexts } from '../server/index.js'
import { background } from './background.js'
import { compact } from './compact.js'
import { callIdsOf, type Endpoint, newEndpoint, startReply, writingFor } from './endpoint.js'
import { keeper, type Running } from './keeper.js'
import { keptRoutes } from './kept-routes.js'
import { modelRoutes } from './model-routes.js'
import type { Told } from './reply/told.js'
import { chatRequest } from './request/chat-request.js'
import { responsesRequest } from './request/responses-request.js'
import { sealing } from './seal.js'
import type { Backend, ServedVault } from './setup.js'
import { keptReplies } from './store/kept-replies.js'
import { webSocketRoute } from './web-socket.js'
import { advanceChat, type ChatWriting, chatBeginning, chatCompletion, newChat } from './wire/chat-events.js'
import { responseTexts, serverEvent, streamEnd, streamHeaders } from './wire/event-stream.js'
import { wholeResponse, writeResponse } from './write-response.js'

type Routed = Context<ServerEnv>

export interface ResponsesSetup {
  /** The backend that is listed; others that can be opened are served by their name too. */
  backend?: string
  /** Fails when there is no model of that name, no key or no address. */
  openBackend(name: string): Promise<Backend>
  /** Served as the model `notewright`. */
  vault?: ServedVault
  replies: RepliesFile
}

/** OpenAI's API in front of any backend: `/v1/responses`, `/v1/chat/completions` and `/v1/models`. */
export function responsesDoor({ replies, ...setup }: ResponsesSetup): Door {
  const running: Running = new Map()
  return {
    path: '/v1',
    mount(routes, context) {
      const endpoint = newEndpoint(
        { ...setup, store: keptReplies(replies), sealed: sealing(replies.secret()) },
        context,
        running,
      )
      modelRoutes(routes, endpoint)
      keptRoutes(routes, endpoint)
      webSocketRoute(routes, endpoint)
      routes.post('/responses', (c) => createResponse(c, endpoint))
      routes.post('/responses/compact', async (c) => c.json(await compact(endpoint, c.get('body'), c.req.raw.signal)))
      routes.post('/chat/completions', (c) => createChat(c, endpoint))
    },
    async close() {
      const open = [...running.values()]
      for (const { stop } of open) stop()
      await Promise.all(open.map(({ over }) => over))
      replies.close()
    },
  }
}

async function createResponse(c: Routed, endpoint: Endpoint): Promise<Response> {
  const { store } = endpoint.setup
  const asked = responsesRequest(c.get('body'), store.item)
  if (asked.background) {
    const { queued, log } = background(endpoint, asked)
    if (!asked.stream) return c.json(queued)
    return sendTexts(c, responseTexts(log.follow(-1, c.req.raw.signal)), streamHeaders)
  }
  const { thread, told, leave } = await startReply(endpoint, asked, c.req.raw.signal)
  const writing = writingFor(asked, thread)
  const keep = keeper(asked, { store, running: endpoint.running, stop: leave })
  if (!asked.stream) return c.json(await wholeResponse(writing, told, keep))
  const events = writeResponse(writing, told, keep)
  return sendTexts(c, responseTexts(events), streamHeaders)
}

async function createChat(c: Routed, endpoint: Endpoint): Promise<Response> {
  const asked = chatRequest(c.get('body'))
  const { thread, told } = await startReply(endpoint, asked, c.req.raw.signal)
  const chat = newChat(asked.model, asked.usageInStream, callIdsOf(thread.items))
  if (asked.stream) return sendTexts(c, chatTexts(chat, told), streamHeaders)
  for await (const one of told) {
    if (one.type === 'failed') throw one.failure
    advanceChat(chat, one)
  }
  return c.json(chatCompletion(chat))
}

async function* chatTexts(
  chat: ChatWriting,
  told: AsyncGenerator<Told, void, void>,
): AsyncGenerator<string, void, void> {
  yield chatBeginning(chat)
    .map((chunk) => serverEvent(chunk))
    .join('')
  for await (const one of told) {
    const chunks = advanceChat(chat, one)
    if (chunks.length > 0) yield chunks.map((chunk) => serverEvent(chunk)).join('')
  }
  yield streamEnd
}
