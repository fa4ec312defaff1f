import { request } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { askModel } from '../../src/core/model/index.js'
import { openModel } from '../../src/core/providers/index.js'
import { plainFetch } from '../../src/hosts/node/plain-fetch.js'
import { chatChunk, eventStream, type Loopback, loopback } from '../providers/loopback.js'
import { type TestEndpoint, testEndpoint, token } from './endpoint.js'

let provider: Loopback | undefined
let endpoint: TestEndpoint | undefined

afterEach(async () => {
  await endpoint?.close()
  await provider?.stop()
  endpoint = provider = undefined
})

/** A provider that streams reasoning, text and the start of a call, and never ends. */
async function endlessProvider(): Promise<Loopback> {
  provider = await loopback((response) => {
    eventStream(response)
    const call = (fields: object, text: string) => ({
      tool_calls: [{ index: 0, type: 'function', ...fields, function: { name: 'look', arguments: text } }],
    })
    for (const delta of [
      { reasoning_content: 'Hm.' },
      { content: 'Let me ' },
      { content: 'look. ' },
      call({ id: 'a' }, ''),
      call({}, '{"place":'),
      call({}, '"Os'),
    ]) {
      response.write(chatChunk(delta))
    }
  })
  return provider
}

async function endlessModel(fetching: typeof fetch) {
  const { url } = await endlessProvider()
  const environment = { NOTEWRIGHT_COMPATIBLE_URL: url }
  return (await openModel('compatible/m', { environment, fetch: fetching })).model
}

const tool = { name: 'look', description: 'Look.', inputSchema: { type: 'object', properties: {} } }
const open = () => (provider?.requests.length ?? 0) - (provider?.closed() ?? 0)

describe('leaving', () => {
  it.each([
    ["Node's requests", plainFetch],
    ['fetch', fetch],
  ])('a reply at any of its events closes the connection to the provider (%s)', async (_name, fetching) => {
    const model = await endlessModel(fetching)
    const seen = new Set<string>()
    for (let leaveAt = 1; leaveAt <= 6; leaveAt++) {
      let count = 0
      const signal = new AbortController().signal
      for await (const event of askModel(model, {
        messages: [{ role: 'user', content: 'hello' }],
        tools: [tool],
        signal,
      })) {
        seen.add(event.type)
        if (++count === leaveAt) break
      }
      await expect.poll(open).toBe(0)
    }
    expect(provider?.requests).toHaveLength(6)
    expect([...seen]).toEqual(['reasoning-delta', 'text-delta', 'tool-input-start', 'tool-input-delta'])
  })

  it.each([
    ['/v1/responses', { input: 'Hi' }, 14],
    ['/v1/chat/completions', { messages: [{ role: 'user', content: 'Hi' }] }, 7],
  ])('%s at any of its events closes the connection to the provider', async (path, more, most) => {
    endpoint = await testEndpoint({ 'native/m': await endlessModel(plainFetch) })
    const tools = [{ type: 'function', function: { name: 'look', parameters: { type: 'object' } } }]
    const body = JSON.stringify({ model: 'native/m', stream: true, tools, ...more })
    for (let leaveAt = 1; leaveAt <= most; leaveAt++) {
      await leftAfter(`${endpoint.server.url}${path}`, body, leaveAt)
      await expect.poll(open).toBe(0)
    }
    expect(provider?.requests).toHaveLength(most)
    expect(endpoint.lines.filter((line) => line.includes('unexpectedly'))).toEqual([])
  })
})

/** Sends a request, and disconnects after this many events. */
function leftAfter(url: string, body: string, events: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const asking = request(url, { method: 'POST', headers, agent: false }, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (part: string) => {
        text += part
        if (text.split('\n\n').length > events) asking.destroy()
      })
      answer.on('close', resolve).on('error', () => {})
      if (answer.statusCode !== 200) reject(new Error(`status ${answer.statusCode}`))
    })
    asking.on('error', () => {})
    asking.end(body)
  })
}
