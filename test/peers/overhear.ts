import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type RawData, WebSocket, WebSocketServer } from 'ws'
import { eventsIn, validateStream } from '../responses/stream-validator.js'

/** A proxy between a client and the server that checks every stream with our own validator. */
export interface Overheard {
  /** Base URL with `/v1`, for the client. */
  url: string
  /** How many streams came to their end, by the way they came. */
  streams: { http: number; socket: number }
  /** Problems found in any of the streams. */
  broken: string[]
  close(): Promise<void>
}

type Event = Parameters<typeof validateStream>[0][number]

export async function overhear(base: string): Promise<Overheard> {
  const target = new URL(base)
  const streams = { http: 0, socket: 0 }
  const broken: string[] = []
  const hold = (way: keyof typeof streams, events: () => readonly Event[]) => {
    streams[way]++
    try {
      validateStream(events())
    } catch (error) {
      broken.push(String(error))
    }
  }

  const server = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, host: target.host }
    const passed = request(new URL(incoming.url ?? '/', target), { method: incoming.method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      let text = ''
      answer.on('data', (bytes: Buffer) => {
        text += bytes.toString('latin1')
        outgoing.write(bytes)
      })
      answer.on('end', () => {
        const isStream = answer.headers['content-type']?.startsWith('text/event-stream')
        if (isStream && incoming.url?.endsWith('/responses')) {
          hold('http', () => eventsIn(Buffer.from(text, 'latin1').toString('utf8')))
        }
        outgoing.end()
      })
      answer.on('error', () => outgoing.destroy())
    })
    outgoing.on('close', () => passed.destroy())
    passed.on('error', () => outgoing.destroy())
    incoming.pipe(passed)
  })
  const sockets = new WebSocketServer({ server })
  sockets.on('connection', (client, incoming) =>
    between(client, incoming, target, (events) => hold('socket', () => events)),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${target.pathname}`,
    streams,
    broken,
    close() {
      for (const client of sockets.clients) client.terminate()
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

/** The messages of a response, from its first to its last, are a stream. */
function between(client: WebSocket, incoming: IncomingMessage, target: URL, hold: (events: Event[]) => void): void {
  const { authorization = '' } = incoming.headers
  const url = new URL(incoming.url ?? '/', target)
  const served = new WebSocket(url.href.replace(/^http/, 'ws'), { headers: { authorization } })
  const waiting: RawData[] = []
  let events: Event[] = []
  client.on('message', (data) => {
    if (served.readyState === WebSocket.OPEN) served.send(data, { binary: false })
    else waiting.push(data)
  })
  served.on('open', () => {
    for (const data of waiting) served.send(data, { binary: false })
  })
  served.on('message', (data) => {
    client.send(data, { binary: false })
    const event = JSON.parse(data.toString()) as Event
    // An error response is not a stream.
    if (event.sequence_number === undefined) return
    events.push(event)
    if (!/^response\.(completed|failed|incomplete)$/.test(event.type)) return
    hold(events)
    events = []
  })
  served.on('close', () => client.close()).on('error', () => client.terminate())
  client.on('close', () => served.close()).on('error', () => served.terminate())
}
