import { afterEach, describe, expect, it } from 'vitest'
import { askModel } from '../../src/core/model/index.js'
import { type OpenModelOptions, openModel } from '../../src/core/providers/index.js'
import { type Loopback, loopback } from './loopback.js'
import { ollamaServer } from './ollama-server.js'

const servers: Loopback[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()))
})

const windowOf = async (name: string, options: Omit<OpenModelOptions, 'fetch'>) =>
  (await openModel(name, { fetch, ...options })).window?.()

/** A server that answers these paths with these bodies, and 404 to all others. */
async function answering(bodies: Record<string, unknown>) {
  const server = await loopback(
    (response, { path }) => {
      const body = bodies[path]
      response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(body ?? { error: 'Not found' }))
    },
    { tells: true },
  )
  servers.push(server)
  return server
}

describe('the window of a model of Ollama', () => {
  async function ollama(setup: Partial<Parameters<typeof ollamaServer>[0]>) {
    const server = await ollamaServer({ model: () => ({ say: 'Hello.' }), ...setup })
    servers.push(server)
    return server
  }

  it.each([
    ['is 8,192 when nobody has chosen', {}, undefined, 8192],
    [
      'is what the Modelfile says',
      { parameters: 'stop "<|im_end|>"\nnum_ctx                        16384' },
      undefined,
      16_384,
    ],
    ['is what it is loaded with, where that is more', { loaded: 32_768 }, undefined, 32_768],
    ['is 8,192 where it is loaded with less', { loaded: 4096 }, undefined, 8192],
    ['is what the person says', { loaded: 32_768, parameters: 'num_ctx 2048' }, 12_000, 12_000],
    ['is never more than the model was made for', { made: 4096 }, 100_000, 4096],
  ])('%s', async (_what, setup, window, expected) => {
    const { environment } = await ollama(setup)
    expect(await windowOf('ollama/qwen3:8b', { environment, window })).toMatchObject({
      tokens: expected,
      from: 'server',
    })
  })

  it.each([true, false])('is sent with every request (streamed: %s)', async (stream) => {
    const server = await ollama({
      model: () => ({ say: 'Hello there.', call: [{ name: 'look', input: { at: 'it' } }] }),
    })
    const { model } = await openModel('ollama/qwen3:8b', { environment: server.environment, fetch, window: 6000 })
    const messages = [
      { role: 'user' as const, content: 'One.' },
      {
        role: 'assistant' as const,
        content: [{ type: 'tool-call' as const, toolCallId: 'c1', toolName: 'look', input: { at: 'one' } }],
      },
      {
        role: 'tool' as const,
        content: [
          {
            type: 'tool-result' as const,
            toolCallId: 'c1',
            toolName: 'look',
            output: { type: 'text' as const, value: 'A one.' },
          },
        ],
      },
    ]
    const tools = [{ name: 'look', description: 'Looks.', inputSchema: { type: 'object', properties: {} } }]
    const { signal } = new AbortController()
    const events = []
    for await (const event of askModel(model, { system: 'Be brief.', messages, tools, signal, settings: { stream } })) {
      events.push(event)
    }
    const sent = JSON.parse(server.requests.find(({ path }) => path === '/api/chat')!.body)
    expect(sent.options.num_ctx).toBe(6000)
    expect(sent.messages).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'One.' },
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ id: 'c1', function: { name: 'look', arguments: { at: 'one' } } }],
      },
      { role: 'tool', content: 'A one.', tool_name: 'look', tool_call_id: 'c1' },
    ])
    expect(events.flatMap((event) => (event.type === 'text-delta' ? [event.text] : [])).join('')).toBe('Hello there.')
    expect(events.at(-1)).toMatchObject({ type: 'finish', reason: 'tool-calls', usage: { output: 2 } })
    expect(events.find(({ type }) => type === 'tool-call')).toMatchObject({
      call: { name: 'look', input: { at: 'it' } },
    })
  })

  it('does not prevent a model without thinking from answering if thinking is set', async () => {
    // Status 400 with these words, as clients of Ollama know it.
    const error = '"qwen3:8b" does not support thinking'
    const server = await ollama({ model: ({ think }) => (think === undefined ? { say: 'Hello.' } : { error }) })
    const { model } = await openModel('ollama/qwen3:8b', { environment: server.environment, fetch })
    const { signal } = new AbortController()
    for (let time = 0; time < 2; time++) {
      const reply = askModel(model, {
        messages: [{ role: 'user', content: 'Hi' }],
        signal,
        settings: { thinking: 'on' },
      })
      let last: unknown
      for await (const event of reply) last = event
      expect(last).toMatchObject({ type: 'finish', reason: 'stop' })
    }
    expect(server.seen.map(({ think }) => think)).toEqual([true, undefined, undefined])
  })

  it("uses the shared API if the server lacks Ollama's own", async () => {
    const server = await answering({})
    const { model } = await openModel('ollama/qwen3:8b', { environment: { OLLAMA_HOST: server.url }, fetch })
    const { signal } = new AbortController()
    for await (const event of askModel(model, { messages: [{ role: 'user', content: 'Hi' }], signal })) {
      expect(event.type).toBe('failed')
    }
    expect(server.requests.map(({ path }) => path)).toContain('/v1/chat/completions')
  })
})

describe('the window of a model', () => {
  // GET /api/v0/models: 1_developer/_2_rest/endpoints.md of lmstudio-ai/docs; a loaded one also has its length.
  const inLmStudio = (more: object) => ({
    '/api/v0/models': {
      object: 'list',
      data: [
        {
          id: 'other',
          object: 'model',
          type: 'llm',
          state: 'loaded',
          max_context_length: 2048,
          loaded_context_length: 1024,
        },
        { id: 'qwen3-8b', object: 'model', type: 'llm', arch: 'qwen3', max_context_length: 32_768, ...more },
      ],
    },
  })

  it('is what LM Studio has loaded it with', async () => {
    const { url } = await answering(inLmStudio({ state: 'loaded', loaded_context_length: 8000 }))
    const window = await windowOf('lmstudio/qwen3-8b', { environment: { LMSTUDIO_BASE_URL: url } })
    expect(window).toMatchObject({ tokens: 8000, from: 'server' })
  })

  it('is read from the newer list of LM Studio, too', async () => {
    const config = { context_length: 6144, eval_batch_size: 512, flash_attention: true }
    const loaded_instances = [{ id: 'qwen3-8b', config }]
    const models = [{ type: 'llm', key: 'qwen3-8b', loaded_instances, max_context_length: 40_960 }]
    const { url } = await answering({ '/api/v1/models': { models } })
    const window = await windowOf('lmstudio/qwen3-8b', { environment: { LMSTUDIO_BASE_URL: url } })
    expect(window).toMatchObject({ tokens: 6144, from: 'server' })
  })

  it('is requested again while LM Studio has not loaded it', async () => {
    const bodies: Record<string, unknown> = inLmStudio({ state: 'not-loaded' })
    const { url } = await answering(bodies)
    const opened = await openModel('lmstudio/qwen3-8b', { environment: { LMSTUDIO_BASE_URL: url }, fetch })
    expect(await opened.window?.()).toMatchObject({ tokens: 4096, from: 'server' })
    Object.assign(bodies, inLmStudio({ state: 'loaded', loaded_context_length: 16_000 }))
    expect(await opened.window?.()).toMatchObject({ tokens: 16_000, from: 'server' })
  })

  it.each([
    // tools/server/README.md of ggml-org/llama.cpp, GET /props
    [
      'llama.cpp was started with',
      { '/props': { default_generation_settings: { id: 0, n_ctx: 5120 }, total_slots: 1 } },
      5120,
    ],
    // The list of models of vLLM, which says `max_model_len` of each.
    [
      'vLLM was started with',
      { '/v1/models': { object: 'list', data: [{ id: 'm', object: 'model', max_model_len: 24_000 }] } },
      24_000,
    ],
    // console.groq.com/docs/models and docs.mistral.ai/api: the lists of two hosts.
    ['Groq reports', { '/v1/models': { data: [{ id: 'm', owned_by: 'Meta', context_window: 65_536 }] } }, 65_536],
    ['Mistral reports', { '/v1/models': { data: [{ id: 'm', max_context_length: 32_768 }] } }, 32_768],
    [
      'LM Studio reports at a general address',
      { '/api/v0/models': { data: [{ id: 'm', state: 'loaded', loaded_context_length: 7000 }] } },
      7000,
    ],
    [
      'Ollama has loaded it with, at a general address',
      {
        '/api/show': { model_info: { 'general.architecture': 'llama', 'llama.context_length': 131_072 } },
        '/api/ps': { models: [{ name: 'm:latest', context_length: 12_288 }] },
      },
      12_288,
    ],
  ])('is what %s', async (_what, bodies, tokens) => {
    const { url } = await answering(bodies)
    const environment = { NOTEWRIGHT_COMPATIBLE_URL: `${url}/v1` }
    expect(await windowOf('compatible/m', { environment })).toMatchObject({ tokens, from: 'server' })
    expect(await windowOf('compatible/m', { environment, window: 4000 })).toMatchObject({
      tokens: 4000,
      from: 'server',
    })
    expect(await windowOf('compatible/m', { environment, window: 90_000 })).toMatchObject({ tokens, from: 'server' })
  })

  it("is the one in OpenRouter's list", async () => {
    // GET /api/v1/models of OpenRouter.
    const data = [
      { id: 'qwen/qwen3-8b', name: 'Qwen: Qwen3 8B', context_length: 128_000, architecture: {}, pricing: {} },
    ]
    const { url } = await answering({ '/api/v1/models': { data } })
    const environment = { OPENROUTER_API_KEY: 'k', OPENROUTER_BASE_URL: `${url}/api/v1` }
    expect(await windowOf('openrouter/qwen/qwen3-8b:free', { environment })).toMatchObject({
      tokens: 128_000,
      from: 'server',
    })
  })

  it.each([
    ['what the person says', 'compatible/m', 5000, { tokens: 5000, from: 'setting' }],
    ['what is known of the family', 'compatible/claude-sonnet-4', undefined, { tokens: 200_000, from: 'profile' }],
    ['8,192', 'compatible/m', undefined, { tokens: 8192, from: 'unknown' }],
  ])('is %s if it is unknown', async (_what, name, window, expected) => {
    const { url } = await answering({})
    expect(await windowOf(name, { environment: { NOTEWRIGHT_COMPATIBLE_URL: `${url}/v1` }, window })).toMatchObject(
      expected,
    )
  })
})
