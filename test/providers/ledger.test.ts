import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { askModel, userMessage } from '../../src/core/model/index.js'
import { type OutgoingRequest, openModel } from '../../src/core/providers/index.js'
import { canary, everyProvider } from './every-provider.js'

/** The bytes that reached a server. */
interface Received {
  path: string
  bytes: number
  sha256: string
}

let received: Received[]
let server: ReturnType<typeof createServer>
let url: string

beforeEach(async () => {
  received = []
  server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const body = Buffer.concat(parts)
    const path = (request.url ?? '').replace(/\?.*$/, '')
    received.push({ path, bytes: body.length, sha256: createHash('sha256').update(body).digest('hex') })
    // Overloaded at first, so that the request is made again; then it is refused for good.
    const isFirst = received.filter((one) => one.bytes > 40).length < 3
    response.writeHead(isFirst ? 503 : 400, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ error: { message: isFirst ? 'overloaded' : 'bad request', type: 'x' } }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

describe.each(everyProvider)('the ledger of $name', ({ name, environment }) => {
  it('has every request as the server received it, logged before it was sent, also repeated ones', async () => {
    const told: OutgoingRequest[] = []
    const opened = await openModel(name, {
      environment: environment(url),
      fetch: globalThis.fetch,
      async onRequest(request) {
        // Nothing has arrived yet of what is only about to leave.
        expect(received).toHaveLength(told.length)
        told.push(request)
      },
    })
    const messages = [userMessage('What does “Soil.md” say? Äpfel \u{1f331}')]
    const settings = { retry: { attempts: 4, firstWaitMs: 1, longestWaitMs: 5 } }
    for await (const _ of askModel(opened.model, { messages, settings, signal: new AbortController().signal })) {
    }
    expect(received.length).toBeGreaterThanOrEqual(3)
    expect(
      told.map(({ bytes, sha256, destination }) => ({ path: new URL(destination).pathname, bytes, sha256 })),
    ).toEqual(received)
    for (const request of told) {
      expect(`${request.provider}/${request.model}`).toBe(name)
      expect(JSON.stringify(request)).not.toContain(canary)
    }
  })

  it('blocks a request that cannot be logged', async () => {
    const opened = await openModel(name, {
      environment: environment(url),
      fetch: globalThis.fetch,
      onRequest: () => Promise.reject(new Error('The disk is full.')),
    })
    const events: string[] = []
    const settings = { retry: { attempts: 1 } }
    const request = { messages: [userMessage('Hello')], settings, signal: new AbortController().signal }
    for await (const { type } of askModel(opened.model, request)) events.push(type)
    expect(events).toEqual(['failed'])
    expect(received).toEqual([])
  })
})
