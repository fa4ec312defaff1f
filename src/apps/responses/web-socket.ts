import { upgradeWebSocket, type WebSocketLike } from '@hono/node-server'
import type { Context, Hono } from 'hono'
import { apiError, badField, errorBody, parseRequestJson, refusal, type ServerEnv } from '../server/index.js'
import { type Endpoint, newResponseFor, startReply } from './endpoint.js'
import { readFields } from './request/fields.js'
import { parseResponsesRequest } from './request/responses-request.js'
import type { ResponseEvent, ResponseObject } from './response.js'
import type { ResponseStore, StoredResponse } from './response-store.js'
import { persistResponse, writeResponse } from './write-response.js'

/** One connection. It makes one response at a time, and can continue from the last one even if that was not stored. */
interface Connection {
  endpoint: Endpoint
  socket: WebSocketLike
  /** The last response with `store: false`, with the whole conversation as its input. */
  lastUnstored: StoredResponse | undefined
  running: AbortController | undefined
}

/** Time a client may leave data unread before it is disconnected. */
const unreadMs = 60_000

/** `/responses` as a WebSocket: each message requests a response, whose events are sent as messages. */
export function webSocketRoute(routes: Hono<ServerEnv>, endpointOf: (c: Context<ServerEnv>) => Endpoint): void {
  routes.get(
    '/responses',
    upgradeWebSocket((c) => {
      const endpoint = endpointOf(c as Context<ServerEnv>)
      let connection: Connection | undefined
      const closeIfIdle = () => {
        if (connection?.running === undefined) connection?.socket.close(1001, 'The server is closing.')
      }
      return {
        onOpen(_event, { raw }) {
          if (raw === undefined) return
          connection = { endpoint, socket: raw, lastUnstored: undefined, running: undefined }
          endpoint.context.ending.addEventListener('abort', closeIfIdle, { once: true })
          if (endpoint.context.ending.aborted) closeIfIdle()
        },
        onMessage({ data }) {
          if (connection !== undefined)
            void receive(connection, data).then(() => endpoint.context.ending.aborted && closeIfIdle())
        },
        onClose() {
          endpoint.context.ending.removeEventListener('abort', closeIfIdle)
          connection?.running?.abort()
        },
      }
    }),
  )
}

async function receive(connection: Connection, data: unknown): Promise<void> {
  const abort = new AbortController()
  try {
    if (connection.running !== undefined) throw responseInProgress()
    connection.running = abort
    await respond(connection, readMessage(data), abort.signal)
  } catch (error) {
    if (abort.signal.aborted) return
    const answer = apiError(error)
    if (answer.code === 'internal_error')
      connection.endpoint.context.log(`failed unexpectedly: ${(error as Error).stack}`)
    // The client may have disconnected: then the error cannot be reported.
    await send(connection, [{ type: 'error', status: answer.status, ...errorBody(answer) }]).catch(() => {})
  } finally {
    if (connection.running === abort) connection.running = undefined
  }
}

function readMessage(data: unknown): object {
  if (typeof data !== 'string')
    throw refusal({ status: 400, code: 'invalid_json', message: 'A message must be JSON text.' })
  const { type, ...body } = parseRequestJson(data) as { type?: unknown }
  readFields(body)
  if (type !== 'response.create') {
    throw badField('type', 'The type of a message must be response.create.', 'unsupported_event')
  }
  for (const name of ['stream', 'stream_options', 'background']) {
    if (Object.hasOwn(body, name))
      throw badField(name, `${name} is not supported over a WebSocket.`, 'unsupported_parameter')
  }
  return body
}

async function respond(connection: Connection, body: object, signal: AbortSignal): Promise<void> {
  const { endpoint } = connection
  const store = connectionStore(connection)
  const request = parseResponsesRequest(body, store.findItem)
  const { previousResponseId } = request
  const continuesUnstored = previousResponseId !== null && previousResponseId === connection.lastUnstored?.response.id
  let status: ResponseObject['status'] | undefined
  try {
    const { thread, reply, stop } = await startReply(endpoint, request, signal, store)
    const storage = persistResponse(request, { store: endpoint.setup.store, running: endpoint.running, stop })
    const events = writeResponse(newResponseFor(request, thread), reply, {
      begin: storage.begin,
      end(response, messages) {
        status = response.status
        storage.end(response, messages)
        // Stored as the start of a conversation: the earlier items are part of its input.
        if (!request.store)
          connection.lastUnstored = { response: { ...response, previous_response_id: null }, input: thread.items }
      },
    })
    try {
      for await (const batch of events) await send(connection, batch)
    } finally {
      stop()
    }
  } finally {
    // Continuing from it has failed: it is dropped.
    const isDone = status === 'completed' || status === 'incomplete'
    if (continuesUnstored && !isDone) connection.lastUnstored = undefined
  }
}

/** The stored responses, and the unstored last response of this connection. */
function connectionStore({ endpoint, lastUnstored: last }: Connection): Omit<ResponseStore, 'put' | 'delete'> {
  const { store } = endpoint.setup
  const hasCall = (callId: string) =>
    last?.response.output.some((item) => item.type === 'function_call' && item.call_id === callId) === true
  return {
    get: (id) => (last?.response.id === id ? last : store.get(id)),
    findItem: (id) => last?.response.output.find((item) => item.id === id) ?? store.findItem(id),
    idsWithCall: (callId) => [...(last && hasCall(callId) ? [last.response.id] : []), ...store.idsWithCall(callId)],
  }
}

/** Waits until each event is written: a client that does not read slows down only its own backend. */
async function send({ socket }: Connection, events: readonly (ResponseEvent | object)[]): Promise<void> {
  const raw = socket as unknown as { send(text: string, sent: (error?: Error) => void): void; terminate(): void }
  for (const event of events) {
    await new Promise<void>((resolve, reject) => {
      const timeout = setTimeout(() => raw.terminate(), unreadMs)
      raw.send(JSON.stringify(event), (error) => {
        clearTimeout(timeout)
        if (error) reject(error)
        else resolve()
      })
    })
  }
}

const responseInProgress = () =>
  refusal({
    status: 409,
    code: 'response_in_progress',
    message: 'A response is still in progress. Send one request at a time.',
  })
