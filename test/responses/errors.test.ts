import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { Failure } from '../../src/core/errors.js'
import { modelFailure } from '../../src/core/model/index.js'
import { randomNumbers } from '../dialects/cuttings.js'
import { finishPart, replayingModel, textParts } from '../doubles/replaying-model.js'
import { howOften } from '../runner/how-often.js'
import { type TestEndpoint, testEndpoint } from './endpoint.js'
import { eventsIn, validateStream } from './stream-validator.js'

const said = [...textParts('Hello.'), finishPart()]
const ask = { model: 'native/m', input: 'Hi' }
const context = { provider: 'Nobody', modelId: 'm' }

describe('an unsupported field', () => {
  let endpoint: TestEndpoint
  beforeAll(async () => {
    endpoint = await testEndpoint({ 'native/m': replayingModel('m', said) })
  })
  afterAll(() => endpoint.close())

  it.each([
    ['model', { model: undefined }, 'model'],
    ['a model that is no text', { model: 7 }, 'model'],
    ['no input', { input: undefined }, 'input'],
    ['input that is a number', { input: 3 }, 'input'],
    ['an unknown item', { input: [{ type: 'web_search_call' }] }, 'input[0].type'],
    ['an unknown part', { input: [{ role: 'user', content: [{ type: 'input_audio' }] }] }, 'input[0].content[0].type'],
    ['an unknown role', { input: [{ role: 'boss', content: 'x' }] }, 'input[0].role'],
    [
      'a file id',
      { input: [{ role: 'user', content: [{ type: 'input_image', file_id: 'f' }] }] },
      'input[0].content[0].file_id',
    ],
    [
      'an invalid image',
      { input: [{ role: 'user', content: [{ type: 'input_image', image_url: 'file:///etc/passwd' }] }] },
      'input[0].content[0].image_url',
    ],
    ['an item that is not kept', { input: [{ type: 'item_reference', id: 'msg_x' }] }, 'input[0].id'],
    ['temperature', { temperature: 3 }, 'temperature'],
    ['top_p', { top_p: 'a' }, 'top_p'],
    ['max_output_tokens', { max_output_tokens: 0 }, 'max_output_tokens'],
    ['top_logprobs', { top_logprobs: 2 }, 'top_logprobs'],
    ['a tool of an unknown type', { tools: [{ type: 'teleport' }] }, 'tools[0].type'],
    ['a tool without a name', { tools: [{ type: 'function' }] }, 'tools[0].name'],
    [
      'two tools with the same name',
      {
        tools: [
          { type: 'function', name: 'a' },
          { type: 'function', name: 'a' },
        ],
      },
      'tools[1].name',
    ],
    ['a choice of an unknown tool', { tool_choice: { type: 'function', name: 'a' } }, 'tool_choice.name'],
    ['a call that is required without tools', { tool_choice: 'required' }, 'tool_choice'],
    ['truncation', { truncation: 'some' }, 'truncation'],
    ['an invalid schema', { text: { format: { type: 'json_schema', name: 'a', schema: 1 } } }, 'text.format.schema'],
    ['an unknown inclusion', { include: ['message.output_text.logprobs'] }, 'include[0]'],
    ['a prompt that is kept elsewhere', { prompt: { id: 'p' } }, 'prompt'],
    ['a conversation that is kept elsewhere', { conversation: 'c' }, 'conversation'],
    ['background without store', { background: true, store: false }, 'background'],
    ['metadata that is no text', { metadata: { a: 1 } }, 'metadata.a'],
  ])('is refused and named: %s', async (_what, more, param) => {
    const answer = await endpoint.respond({ ...ask, ...more })
    expect(answer).toMatchObject({ status: 400, error: { type: 'invalid_request_error', param } })
    expect(answer.error.message).toMatch(/\.$/)
  })

  it.each([
    ['n', { n: 2 }],
    ['messages', { messages: [] }],
    ['logprobs', { logprobs: true }],
    ['functions', { functions: [] }],
    ['stop', { stop: ['a', 'b', 'c', 'd', 'e'] }],
    ['modalities', { modalities: ['audio'] }],
    ['messages[0].role', { messages: [{ role: 'function', content: 'x' }] }],
    ['messages[0].tool_call_id', { messages: [{ role: 'tool', content: 'x' }] }],
  ])('is refused on chat completions too: %s', async (param, more) => {
    const body = { model: 'native/m', messages: [{ role: 'user', content: 'Hi' }], ...more }
    const answer = await endpoint.post('/v1/chat/completions', body)
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ error: { param } })
  })
})

describe('a field without effect', () => {
  let endpoint: TestEndpoint
  beforeAll(async () => {
    endpoint = await testEndpoint({ 'native/m': replayingModel('m', said) })
  })
  afterAll(() => endpoint.close())

  const chat = { model: 'native/m', messages: [{ role: 'user', content: 'Hi' }] }
  it.each([
    [
      '/v1/chat/completions',
      { ...chat, top_k: 5, min_p: 0.1, logit_bias: {}, store: true },
      'top_k, min_p, logit_bias, store',
    ],
    [
      '/v1/chat/completions',
      { ...chat, max_tokens: -1, verbosity: 'low', service_tier: 'flex' },
      'verbosity, service_tier, max_tokens',
    ],
    ['/v1/chat/completions', { ...chat, stream: true, top_k: 5 }, 'top_k'],
    ['/v1/responses', { ...ask, text: { verbosity: 'low' }, service_tier: 'flex' }, 'service_tier, text.verbosity'],
    ['/v1/responses', { ...ask, tools: [{ type: 'web_search' }] }, 'tools[0] (web_search)'],
    ['/v1/responses/input_tokens', { ...ask, top_k: 5 }, 'top_k'],
    [
      '/v1/messages',
      { ...chat, max_tokens: 9, top_k: 5, tools: [{ type: 'bash_20250124', name: 'bash' }] },
      'top_k, tools[0] (bash_20250124)',
    ],
  ])('is accepted and named in a header: %s %o', async (path, body, named) => {
    const answer = await endpoint.post(path, body)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('x-notewright-ignored')).toBe(named)
    await answer.text()
  })

  it('is refused if the client asks for strict requests', async () => {
    const answer = await endpoint.post(
      '/v1/chat/completions',
      { ...chat, top_k: 5 },
      { headers: { 'X-Notewright-Strict': 'true' } },
    )
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ error: { param: 'top_k' } })
  })

  it('is not named where there is none, and the highest effort is accepted under its other name', async () => {
    const answer = await endpoint.post('/v1/chat/completions', { ...chat, reasoning_effort: 'max', max_tokens: 100 })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('x-notewright-ignored')).toBeNull()
  })
})

describe('a backend that fails', () => {
  const opened: TestEndpoint[] = []
  afterEach(async () => {
    for (const endpoint of opened.splice(0)) await endpoint.close()
  })

  it.each([
    [modelFailure('rate-limit', context, 'Slow down.', { retryAfterMs: 7000 }), 429, 'rate_limit_exceeded'],
    [modelFailure('credit', context, 'No money.'), 429, 'insufficient_quota'],
    [modelFailure('context', context, 'Too long.'), 400, 'context_length_exceeded'],
    [modelFailure('unknown-model', context, 'No such model.'), 404, 'model_not_found'],
    [modelFailure('unreachable', context, 'Nobody there.'), 502, 'backend_unreachable'],
    [modelFailure('overloaded', context, 'Busy.'), 503, 'backend_overloaded'],
    [modelFailure('key', context, 'Wrong key.'), 502, 'backend_key_refused'],
    [new Failure('internal', 'Odd.'), 500, 'internal_error'],
    [new Error('a bug with a secret'), 400, 'backend_refused'],
  ])('before its first word gives the matching status, streamed or not: %s', async (failure, status, code) => {
    const model = replayingModel('m', failure)
    const endpoint = await testEndpoint({ 'native/m': model })
    opened.push(endpoint)
    for (const stream of [false, true]) {
      const answers = [
        await endpoint.post('/v1/responses', { ...ask, stream }),
        await endpoint.post('/v1/chat/completions', {
          model: 'native/m',
          messages: [{ role: 'user', content: 'Hi' }],
          stream,
        }),
      ]
      for (const answer of answers) {
        expect(answer.status).toBe(status)
        expect(await answer.json()).toMatchObject({ error: { code } })
        if (status === 429) expect(answer.headers.get('retry-after')).toBe(code === 'rate_limit_exceeded' ? '7' : null)
      }
    }
    // Retrying is up to the client.
    expect(model.asked).toHaveLength(4)
  })
})

describe('stored responses', () => {
  let endpoint: TestEndpoint
  beforeAll(async () => {
    endpoint = await testEndpoint({ 'native/m': replayingModel('m', said) })
  })
  afterAll(() => endpoint.close())

  it('can be read with their input, and deleted', async () => {
    const { status: _, ...made } = await endpoint.respond({
      ...ask,
      input: [
        { role: 'user', content: 'one' },
        { role: 'user', content: 'two' },
      ],
    })
    const { status: __, ...kept } = (await (await endpoint.get(`/v1/responses/${made.id}`)).json()) as {
      status: string
    }
    expect(kept).toEqual(made)
    const items = async (query: string) => (await endpoint.get(`/v1/responses/${made.id}/input_items${query}`)).json()
    expect(await items('?order=asc&limit=1')).toMatchObject({
      object: 'list',
      data: [{ content: [{ text: 'one' }] }],
      has_more: true,
    })
    expect(await items('')).toMatchObject({ data: [{ content: [{ text: 'two' }] }, {}], has_more: false })
    const gone = await fetch(`${endpoint.server.url}/v1/responses/${made.id}`, {
      method: 'DELETE',
      headers: { Authorization: 'Bearer nw-a-token-for-tests' },
    })
    expect(await gone.json()).toEqual({ id: made.id, object: 'response', deleted: true })
    expect((await endpoint.get(`/v1/responses/${made.id}`)).status).toBe(404)
  })

  it('can be made in the background, and stopped', async () => {
    const queued = await endpoint.respond({ ...ask, background: true })
    expect(queued).toMatchObject({ background: true, output: [] })
    await expect
      .poll(
        async () => ((await (await endpoint.get(`/v1/responses/${queued.id}`)).json()) as { status: string }).status,
      )
      .toBe('completed')
    const stopped = await endpoint.post(`/v1/responses/${queued.id}/cancel`, {})
    expect(await stopped.json()).toMatchObject({ status: 'completed' })
  })

  it('stream from the background, continue without a client, and can be streamed again from any event', async () => {
    let release = () => {}
    const free = new Promise<void>((resolve) => {
      release = resolve
    })
    const model = replayingModel('m', [])
    model.doStream = async () => ({
      stream: new ReadableStream({
        async start(controller) {
          const [start, delta, ...end] = [...textParts('Hello '), finishPart()]
          for (const part of [start, delta]) controller.enqueue(part)
          await free
          for (const part of [delta, ...end]) controller.enqueue(part)
          controller.close()
        },
      }),
    })
    const going = await testEndpoint({ 'native/m': model })
    const leave = new AbortController()
    const left = await going.post('/v1/responses', { ...ask, background: true, stream: true }, { signal: leave.signal })
    let heard = ''
    for await (const part of left.body!.pipeThrough(new TextDecoderStream()) as unknown as AsyncIterable<string>) {
      heard += part
      if (heard.includes('output_text.delta')) break
    }
    leave.abort()
    const [id] = /resp_\w+/.exec(heard) ?? []
    const path = `/v1/responses/${id}?stream=true`
    const live = going.get(`${path}&starting_after=1`).then((answer) => answer.text())
    release()
    const rest = eventsIn(await live)
    expect(rest[0].sequence_number).toBe(2)
    const whole = eventsIn(await (await going.get(path)).text())
    const output = [{ content: [{ text: 'Hello Hello ' }] }]
    expect(validateStream(whole)).toMatchObject({ status: 'completed', background: true, output })
    expect(whole.slice(2)).toEqual(rest)
    await going.restart()
    expect(eventsIn(await (await going.get(`${path}&starting_after=4`)).text())).toEqual(whole.slice(5))
    expect((await going.get(`${path}&starting_after=x`)).status).toBe(400)
    const plain = await going.respond(ask)
    expect((await going.get(`/v1/responses/${plain.id}?stream=true`)).status).toBe(400)
    await going.close()
  })

  it('that were in progress when the server stopped are reported as failed', async () => {
    const model = replayingModel('m', [])
    model.doStream = async () => ({ stream: new ReadableStream() })
    const stuck = await testEndpoint({ 'native/m': model })
    const queued = await stuck.respond({ ...ask, background: true })
    const cancelled = await stuck.post(`/v1/responses/${queued.id}/cancel`, {})
    expect(await cancelled.json()).toMatchObject({ status: 'cancelled' })
    const again = await stuck.respond({ ...ask, background: true })
    await stuck.restart()
    expect(await (await stuck.get(`/v1/responses/${again.id}`)).json()).toMatchObject({ status: 'cancelled' })
    await stuck.close()
  })
})

describe('hostile requests', () => {
  it('each get an error in the shape of the API, and the next client is served', async () => {
    const endpoint = await testEndpoint({ 'native/m': replayingModel('m', said) })
    const random = randomNumbers('hostile')
    const pick = <Value>(list: readonly Value[]): Value => list[Math.floor(random() * list.length)]
    const fields =
      'model input instructions tools tool_choice text reasoning include metadata previous_response_id stream store temperature max_output_tokens messages n stop __proto__ constructor'.split(
        ' ',
      )
    const value = (depth = 0): unknown =>
      pick<() => unknown>([
        () => null,
        () => pick([-1, 0, 1e308, 2 ** 53, 0.5]),
        () => pick([true, false]),
        () => pick(['', 'native/m', 'x'.repeat(5000), '\u0000\u202e', '../../etc/passwd', '<tool_call>', 'notewright']),
        () => (depth > 3 ? [] : Array.from({ length: Math.floor(random() * 4) }, () => value(depth + 1))),
        () =>
          depth > 3
            ? {}
            : Object.fromEntries(
                Array.from({ length: Math.floor(random() * 5) }, () => [
                  pick([...fields, 'type', 'role', 'content', 'name', 'id', 'call_id', 'function', 'parameters']),
                  value(depth + 1),
                ]),
              ),
      ])()
    const statuses = new Map<number, number>()
    for (let count = 0; count < howOften(300, 1000); count++) {
      const path = pick([
        '/v1/responses',
        '/v1/chat/completions',
        '/v1/responses/compact',
        '/v1/responses/x/cancel',
        '/v1/nothing',
        '/v1/%00',
        '/v1/responses/..%2f..%2fx',
      ])
      const base = path.includes('chat') ? { messages: [{ role: 'user', content: 'Hi' }] } : { input: 'Hi' }
      const odd = Object.fromEntries([1, 2].slice(random() < 0.2 ? 2 : 0).map(() => [pick(fields), value()]))
      const body = { ...(random() < 0.7 && { model: 'native/m', ...base }), ...odd }
      const text = random() < 0.1 ? JSON.stringify(body).slice(0, -1 - Math.floor(random() * 5)) : JSON.stringify(body)
      const answer = await endpoint.post(path, text)
      const said = await answer.text()
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
      expect(answer.status, `${path} ${text} ${said}`).toBeLessThan(500)
      if (answer.status !== 200)
        expect(JSON.parse(said).error, said).toMatchObject({ type: expect.any(String), message: expect.any(String) })
    }
    expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 400, 404]))
    expect((await endpoint.respond(ask)).output).toHaveLength(1)
    expect(endpoint.lines.filter((line) => line.includes('unexpectedly'))).toEqual([])
    await endpoint.close()
  })
})
