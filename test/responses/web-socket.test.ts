import { afterEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { callPart, finishPart, replayingModel, textParts } from '../doubles/replaying-model.js'
import { type TestEndpoint, testEndpoint, token } from './endpoint.js'
import { validateStream } from './stream-validator.js'

const opened: { close(): unknown }[] = []
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close()
})

// biome-ignore lint/suspicious/noExplicitAny: messages as a client sees them
type Any = any

/** A client that requests one response after the other. */
async function connection(endpoint: TestEndpoint) {
  const socket = new WebSocket(`${endpoint.server.url.replace('http', 'ws')}/v1/responses`, {
    headers: { Authorization: `Bearer ${token}` },
  })
  const messages: Any[] = []
  let heard = () => {}
  socket.on('message', (data) => {
    messages.push(JSON.parse(data.toString()))
    heard()
  })
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  opened.push(socket)
  const isEnd = ({ type }: Any) => /^(error|response\.(completed|failed|incomplete))$/.test(type)
  return {
    socket,
    /** The final response, or the error. */
    async create(body: object | string): Promise<Any> {
      messages.length = 0
      socket.send(typeof body === 'string' ? body : JSON.stringify({ type: 'response.create', ...body }))
      for (;;) {
        const last = messages.at(-1)
        // In a stream, an error event is followed by the failed response.
        if (last !== undefined && isEnd(last) && !(last.type === 'error' && last.status === undefined)) break
        await new Promise<void>((resolve) => {
          heard = resolve
        })
      }
      return messages.at(-1).type === 'error' ? messages.at(-1) : validateStream(messages)
    },
  }
}

async function endpointOf(...scripts: Parameters<typeof replayingModel>[1][]) {
  const model = replayingModel('m', ...scripts)
  const endpoint = await testEndpoint({ 'native/m': model })
  opened.push(endpoint)
  return { endpoint, model }
}

const said = (text: string) => [...textParts(text), finishPart()]
const model = 'native/m'

describe('/v1/responses as a WebSocket', () => {
  it('answers messages one after the other, and continues the last response without storing it', async () => {
    const { endpoint, model: asked } = await endpointOf(said('first'), said('second'))
    const { create } = await connection(endpoint)
    const first = await create({ model, store: false, input: 'one' })
    expect(first).toMatchObject({ status: 'completed', store: false })
    const second = await create({ model, store: false, input: 'two', previous_response_id: first.id })
    expect(second).toMatchObject({ status: 'completed', previous_response_id: first.id })
    expect(asked.asked[1].prompt.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
    // Only the last response can be continued.
    expect(await create({ model, store: false, input: 'three', previous_response_id: first.id })).toMatchObject({
      type: 'error',
      status: 400,
      error: { code: 'previous_response_not_found', param: 'previous_response_id' },
    })
  })

  it('shares stored responses with all connections, and unstored ones with none', async () => {
    const { endpoint } = await endpointOf(said('hello'))
    const here = await connection(endpoint)
    const there = await connection(endpoint)
    const secret = await here.create({ model, store: false, input: 'one' })
    expect(await there.create({ model, input: 'two', previous_response_id: secret.id })).toMatchObject({
      error: { code: 'previous_response_not_found' },
    })
    const kept = await here.create({ model, input: 'one' })
    expect(await there.create({ model, input: 'two', previous_response_id: kept.id })).toMatchObject({
      status: 'completed',
    })
  })

  it('forgets the last response when continuing it failed', async () => {
    const { endpoint } = await endpointOf(said('hello'))
    const { create } = await connection(endpoint)
    const first = await create({ model, store: false, input: 'one' })
    const previous_response_id = first.id
    const input = [{ type: 'function_call_output', call_id: 'call_nobody_made', output: 'x' }]
    expect(await create({ model, store: false, input, previous_response_id })).toMatchObject({
      error: { code: 'tool_outputs_unmatched' },
    })
    expect(await create({ model, store: false, input: 'again', previous_response_id })).toMatchObject({
      error: { code: 'previous_response_not_found' },
    })
  })

  it('accepts the output of a call made on the same connection', async () => {
    const call = [callPart('look', '{}', 'call_a'), finishPart('tool-calls')]
    const { endpoint } = await endpointOf(call, said('done'))
    const { create } = await connection(endpoint)
    const tools = [{ type: 'function', name: 'look', parameters: {} }]
    await create({ model, store: false, input: 'look', tools })
    const input = [{ type: 'function_call_output', call_id: 'call_a', output: 'seen' }]
    expect(await create({ model, store: false, input, tools })).toMatchObject({ status: 'completed' })
  })

  it.each([
    ['no JSON', '{', 'invalid_json'],
    ['another type', '{"type":"session.update"}', 'unsupported_event'],
    ['a list', '[]', 'unsupported_event'],
    ['stream', '{"type":"response.create","model":"native/m","input":"x","stream":true}', 'unsupported_parameter'],
    ['no model', '{"type":"response.create","input":"x"}', 'missing_required_parameter'],
    ['an unknown model', '{"type":"response.create","model":"nobody/x","input":"x"}', 'model_not_found'],
  ])('answers %s with an error and stays open', async (_what, text, code) => {
    const { endpoint } = await endpointOf(said('hello'))
    const { create } = await connection(endpoint)
    expect(await create(text)).toMatchObject({ type: 'error', error: { code } })
    expect(await create({ model, input: 'one' })).toMatchObject({ status: 'completed' })
  })

  it('stops the backend when the client disconnects, and closes when the server does', async () => {
    let isAborted = false
    const endless = replayingModel('m', [])
    endless.doStream = async ({ abortSignal }) => {
      abortSignal?.addEventListener('abort', () => {
        isAborted = true
      })
      return {
        stream: new ReadableStream({
          start: (controller) => {
            controller.enqueue({ type: 'text-start', id: 't' })
            controller.enqueue({ type: 'text-delta', id: 't', delta: 'on and on' })
          },
        }),
      }
    }
    const endpoint = await testEndpoint({ [model]: endless })
    opened.push(endpoint)
    const { socket } = await connection(endpoint)
    socket.send(JSON.stringify({ type: 'response.create', model, input: 'go' }))
    await new Promise((resolve) => socket.once('message', resolve))
    socket.close()
    await expect.poll(() => isAborted).toBe(true)
    const idle = await connection(endpoint)
    const closed = new Promise<number>((resolve) => idle.socket.once('close', resolve))
    await endpoint.server.close()
    expect(await closed).toBe(1001)
  })
})

describe('POST /v1/responses/compact', () => {
  it('summarizes a conversation, and a later request continues from the summary', async () => {
    const { endpoint, model: asked } = await endpointOf(said('The code word is slate.'), said('slate'))
    const input = [
      { role: 'user', content: 'The code word is slate.' },
      { role: 'assistant', content: 'Understood.' },
    ]
    const answer = await endpoint.post('/v1/responses/compact', { model, input })
    const compacted = (await answer.json()) as Any
    expect(compacted).toMatchObject({
      object: 'response.compaction',
      output: [{ type: 'compaction' }],
      usage: { total_tokens: 5 },
    })
    const next = { model, input: [...compacted.output, { role: 'user', content: 'Which word?' }] }
    expect((await endpoint.stream(next)).final.status).toBe('completed')
    expect(JSON.stringify(asked.asked[1].prompt)).toContain('The code word is slate.')
  })

  it('rejects a compaction that it did not sign', async () => {
    const { endpoint } = await endpointOf(said('hello'))
    const forged = [
      { type: 'compaction', encrypted_content: 'eyJ0ZXh0IjoieCJ9.x' },
      { role: 'user', content: 'hi' },
    ]
    expect(await endpoint.respond({ model, input: forged })).toMatchObject({
      status: 400,
      error: { code: 'invalid_compaction' },
    })
  })
})
