import { upgradeWebSocket, type WebSocketLike } from '@hono/node-server'
import type { Hono } from 'hono'
import { apiError, badField, errorBody, parseJson, refusal, type ServerEnv } from '../server/index.js'
import { type Endpoint, startReply, writingFor } from './endpoint.js'
import { keeper } from './keeper.js'
import { fieldsOf } from './request/fields.js'
import { responsesRequest } from './request/responses-request.js'
import type { KeptReply, ReplyStore } from './store/reply-store.js'
import type { ResponseEvent } from './wire/response-events.js'
import type { ResponseObject } from './wire/response-object.js'
import { writeResponse } from './write-response.js'

/** One connection: its responses come one after the other, and it can go on from the last also where nothing is stored. */
interface Connection {
  endpoint: Endpoint
  socket: WebSocketLike
  /** The last response that was not to be stored, with everything before it. */
  last?: KeptReply
  running?: AbortController
}

/** How long a client may leave what it was sent unread. */
const patienceMs = 60_000

/** The same path as a WebSocket: each message asks for a response, whose events come as messages. */
export function webSocketRoute(routes: Hono<ServerEnv>, endpoint: Endpoint): void {
  routes.get(
    '/responses',
    upgradeWebSocket(() => {
      let connection: Connection | undefined
      const end = () => {
        if (connection?.running === undefined) connection?.socket.close(1001, 'The server is closing.')
      }
      return {
        onOpen(_event, { raw }) {
          if (raw === undefined) return
          connection = { endpoint, socket: raw }
          endpoint.context.ending.addEventListener('abort', end, { once: true })
          if (endpoint.context.ending.aborted) end()
        },
        onMessage({ data }) {
          if (connection !== undefined)
            void receive(connection, data).then(() => endpoint.context.ending.aborted && end())
        },
        onClose() {
          endpoint.context.ending.removeEventListener('abort', end)
          connection?.running?.abort()
        },
      }
    }),
  )
}

async function receive(connection: Connection, data: unknown): Promise<void> {
  const stop = new AbortController()
  try {
    if (connection.running !== undefined) throw stillAnswering()
    connection.running = stop
    await respond(connection, messageOf(data), stop.signal)
  } catch (error) {
    if (stop.signal.aborted) return
    const answer = apiError(error)
    if (answer.code === 'internal_error')
      connection.endpoint.context.log(`failed unexpectedly: ${(error as Error).stack}`)
    await send(connection, [{ type: 'error', status: answer.status, ...errorBody(answer) }]).catch(() => {})
  } finally {
    if (connection.running === stop) connection.running = undefined
  }
}

function messageOf(data: unknown): object {
  if (typeof data !== 'string')
    throw refusal({ status: 400, code: 'invalid_json', message: 'Messages are JSON in text.' })
  const { type, ...body } = parseJson(data) as { type?: unknown }
  fieldsOf(body)
  if (type !== 'response.create') {
    throw badField('type', 'A message must be of the type response.create.', 'unsupported_event')
  }
  for (const name of ['stream', 'stream_options', 'background']) {
    if (Object.hasOwn(body, name)) throw badField(name, `${name} is not for a WebSocket.`, 'unsupported_parameter')
  }
  return body
}

async function respond(connection: Connection, body: object, signal: AbortSignal): Promise<void> {
  const { endpoint } = connection
  const store = storeOf(connection)
  const asked = responsesRequest(body, store.item)
  const isLocal = asked.previousResponseId !== null && asked.previousResponseId === connection.last?.response.id
  let status: ResponseObject['status'] | undefined
  try {
    const { thread, told, leave } = await startReply(endpoint, asked, signal, store)
    const keep = keeper(asked, { store: endpoint.setup.store, running: endpoint.running, stop: leave })
    const events = writeResponse(writingFor(asked, thread), told, {
      begin: keep.begin,
      end(response, messages) {
        status = response.status
        keep.end(response, messages)
        // As the beginning of a conversation: what came before need not be found again.
        if (!asked.store)
          connection.last = { response: { ...response, previous_response_id: null }, input: thread.items }
      },
    })
    try {
      for await (const batch of events) await send(connection, batch)
    } finally {
      leave()
    }
  } finally {
    // Going on from it has failed, so it is not gone on from again.
    const isOver = status === 'completed' || status === 'incomplete'
    if (isLocal && !isOver) connection.last = undefined
  }
}

/** What is kept for all, and the last response of this connection alone. */
function storeOf({ endpoint, last }: Connection): Omit<ReplyStore, 'put' | 'delete'> {
  const { store } = endpoint.setup
  const isLast = (callId: string) =>
    last?.response.output.some((item) => item.type === 'function_call' && item.call_id === callId) === true
  return {
    get: (id) => (last?.response.id === id ? last : store.get(id)),
    item: (id) => last?.response.output.find((item) => item.id === id) ?? store.item(id),
    withCall: (callId) => [...(last && isLast(callId) ? [last.response.id] : []), ...store.withCall(callId)],
  }
}

/** Sent when the client has taken it: one that does not read slows down its own backend alone. */
async function send({ socket }: Connection, events: readonly (ResponseEvent | object)[]): Promise<void> {
  const raw = socket as unknown as { send(text: string, sent: (error?: Error) => void): void; terminate(): void }
  for (const event of events) {
    await new Promise<void>((resolve, reject) => {
      const patience = setTimeout(() => raw.terminate(), patienceMs)
      raw.send(JSON.stringify(event), (error) => {
        clearTimeout(patience)
        if (error) reject(error)
        else resolve()
      })
    })
  }
}

const stillAnswering = () =>
  refusal({ status: 409, code: 'response_in_progress', message: 'This connection is still answering: one at a time.' })
