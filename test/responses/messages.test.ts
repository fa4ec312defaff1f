import { afterEach, describe, expect, it } from 'vitest'
import { callPart, finishPart, replayingModel, textParts } from '../doubles/replaying-model.js'
import { type TestEndpoint, type TestModels, testEndpoint, token } from './endpoint.js'

// Shapes as in Anthropic's Messages API: https://docs.anthropic.com/en/api/messages and /messages-streaming.

const opened: TestEndpoint[] = []
afterEach(async () => {
  for (const endpoint of opened.splice(0)) await endpoint.close()
})

async function endpointOf(models: TestModels): Promise<TestEndpoint> {
  const endpoint = await testEndpoint(models)
  opened.push(endpoint)
  return endpoint
}

const said = (text: string) => [...textParts(text), finishPart()]
const ask = { model: 'native/m', max_tokens: 100, messages: [{ role: 'user', content: 'Weather?' }] }
const tool = {
  name: 'look',
  description: 'Looks at the weather.',
  input_schema: { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] },
}

/** The named events of a stream, with their data. */
async function eventsOf(answer: Response) {
  return (await answer.text())
    .split('\n\n')
    .filter(Boolean)
    .map((block) => {
      const [name = '', data = ''] = block.split('\n')
      return { name: name.replace('event: ', ''), data: JSON.parse(data.replace('data: ', '')) }
    })
}

describe('POST /v1/messages', () => {
  it('answers with text blocks, a stop reason and the usage', async () => {
    const endpoint = await endpointOf({ 'native/m': replayingModel('m', said('Rain.')) })
    const answer = await endpoint.post('/v1/messages', ask)
    expect(answer.status).toBe(200)
    expect(await answer.json()).toMatchObject({
      type: 'message',
      role: 'assistant',
      model: 'native/m',
      content: [{ type: 'text', text: 'Rain.' }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: { input_tokens: expect.any(Number), output_tokens: expect.any(Number) },
    })
  })

  it('streams named events in the order of the API', async () => {
    const script = [...textParts('Looking.'), callPart('look', '{"place":"Oslo"}', 'call_a'), finishPart('tool-calls')]
    const endpoint = await endpointOf({ 'native/m': replayingModel('m', script) })
    const answer = await endpoint.post('/v1/messages', { ...ask, stream: true, tools: [tool] })
    expect(answer.headers.get('content-type')).toContain('text/event-stream')
    const events = await eventsOf(answer)
    expect(events.every(({ name, data }) => name === data.type)).toBe(true)
    const names = events.map(({ name }) => name)
    expect(names.filter((name, at) => name !== names[at - 1])).toEqual([
      'message_start',
      'content_block_start',
      'content_block_delta',
      'content_block_stop',
      'content_block_start',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ])
    const starts = events.filter(({ name }) => name === 'content_block_start').map(({ data }) => data)
    expect(starts).toMatchObject([
      { index: 0, content_block: { type: 'text', text: '' } },
      { index: 1, content_block: { type: 'tool_use', id: 'call_a', name: 'look', input: {} } },
    ])
    const json = events.map(({ data }) => data.delta?.partial_json ?? '').join('')
    expect(JSON.parse(json)).toEqual({ place: 'Oslo' })
    expect(events.at(-2)?.data.delta).toEqual({ stop_reason: 'tool_use', stop_sequence: null })
  })

  it('passes system prompt, tools, calls and results on to the model, results before the words beside them', async () => {
    const model = replayingModel('m', said('Rain.'))
    const endpoint = await endpointOf({ 'native/m': model })
    await endpoint.post('/v1/messages', {
      ...ask,
      system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
      tools: [tool],
      tool_choice: { type: 'any' },
      messages: [
        { role: 'user', content: 'Weather?' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'look', input: { place: 'Oslo' } }] },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Well?' },
            { type: 'tool_result', tool_use_id: 'c1', content: [{ type: 'text', text: 'rain' }] },
          ],
        },
      ],
    })
    const [{ prompt, tools, toolChoice }] = model.asked
    expect(prompt.map(({ role }: { role: string }) => role)).toEqual(['system', 'user', 'assistant', 'tool', 'user'])
    expect(JSON.stringify(prompt[0])).toContain('Be brief.')
    expect(tools).toMatchObject([{ name: 'look', inputSchema: tool.input_schema }])
    expect(toolChoice).toEqual({ type: 'required' })
  })

  it('passes pictures on, and an error of a tool as one', async () => {
    const model = replayingModel('m', said('A cat.'))
    const endpoint = await endpointOf({ 'native/m': model })
    const picture = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } }
    await endpoint.post('/v1/messages', {
      ...ask,
      messages: [
        { role: 'user', content: [picture, { type: 'text', text: 'What is it?' }] },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'look', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', is_error: true, content: 'no light' }] },
      ],
      tools: [tool],
    })
    const sent = JSON.stringify(model.asked[0].prompt)
    expect(sent).toContain('image/png')
    expect(sent).toContain('Error: no light')
  })

  it.each([
    ['no limit', { max_tokens: undefined }, 400, 'invalid_request_error', 'max_tokens'],
    ['no messages', { messages: [] }, 400, 'invalid_request_error', 'messages'],
    [
      'an unknown block',
      { messages: [{ role: 'user', content: [{ type: 'audio' }] }] },
      400,
      'invalid_request_error',
      'audio',
    ],
    ['a model that is not there', { model: 'native/none' }, 404, 'not_found_error', 'native/none'],
    [
      'a choice of an unknown tool',
      { tools: [tool], tool_choice: { type: 'tool', name: 'x' } },
      400,
      'invalid_request_error',
      'x',
    ],
  ])('names errors in the shape of the API: %s', async (_, more, status, type, word) => {
    const endpoint = await endpointOf({ 'native/m': replayingModel('m', said('ok')) })
    const answer = await endpoint.post('/v1/messages', { ...ask, ...more })
    expect(answer.status).toBe(status)
    expect(await answer.json()).toEqual({ type: 'error', error: { type, message: expect.stringContaining(word) } })
  })

  it('takes the key from x-api-key, and refuses others in the shape of the API', async () => {
    const endpoint = await endpointOf({ 'native/m': replayingModel('m', said('ok')) })
    const post = (headers: Record<string, string>) =>
      fetch(`${endpoint.server.url}/v1/messages`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...headers },
        body: JSON.stringify(ask),
      })
    expect((await post({ 'x-api-key': token })).status).toBe(200)
    const refused = await post({ 'x-api-key': 'wrong' })
    expect(refused.status).toBe(401)
    expect(await refused.json()).toMatchObject({ type: 'error', error: { type: 'authentication_error' } })
  })

  it('estimates tokens without asking the model', async () => {
    const model = replayingModel('m', said('ok'))
    const endpoint = await endpointOf({ 'native/m': model })
    const { max_tokens: _, ...short } = ask
    const count = async (body: object) => {
      const answer = await endpoint.post('/v1/messages/count_tokens', body)
      return ((await answer.json()) as { input_tokens: number }).input_tokens
    }
    const few = await count(short)
    expect(few).toBeGreaterThan(0)
    expect(await count({ ...short, system: 'Be brief. '.repeat(50) })).toBeGreaterThan(few + 50)
    expect(model.asked).toEqual([])
  })
})

describe('tools in a namespace, as Codex sends them', () => {
  const space = {
    type: 'namespace',
    name: 'mcp__weather',
    description: 'Weather',
    tools: [{ type: 'function', name: 'look', parameters: tool.input_schema }],
  }

  it('are called by the model under a unique name, and reach the client under their own', async () => {
    const script = [callPart('mcp__weather__look', '{"place":"Oslo"}', 'call_a'), finishPart('tool-calls')]
    const model = replayingModel('m', script, said('Rain.'))
    const endpoint = await endpointOf({ 'native/m': model })
    const { final } = await endpoint.stream({ model: 'native/m', input: 'Weather?', tools: [space] })
    expect(model.asked[0].tools).toMatchObject([{ name: 'mcp__weather__look' }])
    const [item] = final.output
    expect(item).toMatchObject({ type: 'function_call', name: 'look', namespace: 'mcp__weather' })
    await endpoint.respond({
      model: 'native/m',
      tools: [space],
      input: [
        { role: 'user', content: 'Weather?' },
        item,
        { type: 'function_call_output', call_id: 'call_a', output: 'rain' },
      ],
    })
    expect(JSON.stringify(model.asked[1].prompt)).toContain('"toolName":"mcp__weather__look"')
  })
})

describe('POST /v1/embeddings', () => {
  const embedder = {
    id: 'ollama/small',
    maxBatch: 2,
    embed: async (texts: string[]) => texts.map((text) => Float32Array.of(text.length, 1)),
  }

  it('embeds texts with the model of the settings, in order, also as base64', async () => {
    const endpoint = await testEndpoint({ 'native/m': replayingModel('m', said('ok')) }, { embedder })
    opened.push(endpoint)
    const answer = await endpoint.post('/v1/embeddings', { model: 'small', input: ['a', 'bb', 'ccc'] })
    expect(await answer.json()).toMatchObject({
      object: 'list',
      model: 'ollama/small',
      data: [{ index: 0, embedding: [1, 1] }, { embedding: [2, 1] }, { index: 2, embedding: [3, 1] }],
    })
    const encoded = await endpoint.post('/v1/embeddings', { model: 'small', input: 'a', encoding_format: 'base64' })
    const { data } = (await encoded.json()) as { data: [{ embedding: string }] }
    expect(Buffer.from(data[0].embedding, 'base64')).toEqual(Buffer.from(Float32Array.of(1, 1).buffer))
  })

  it('says how to set a model up where there is none, and which one there is', async () => {
    const without = await endpointOf({ 'native/m': replayingModel('m', said('ok')) })
    const answer = await without.post('/v1/embeddings', { model: 'small', input: 'a' })
    expect(answer.status).toBe(404)
    expect(await answer.text()).toContain('notewright config set embeddings.model')
    const other = await testEndpoint({ 'native/m': replayingModel('m', said('ok')) }, { embedder })
    opened.push(other)
    const wrong = await other.post('/v1/embeddings', { model: 'text-embedding-3-small', input: 'a' })
    expect(wrong.status).toBe(404)
    expect(await wrong.text()).toContain('ollama/small')
    expect((await other.post('/v1/embeddings', { model: 'small', input: [[1, 2]] })).status).toBe(400)
  })
})

describe('chat completions', () => {
  it('take the address of a picture as a text, too', async () => {
    const model = replayingModel('m', said('A cat.'))
    const endpoint = await endpointOf({ 'native/m': model })
    const content = [{ type: 'image_url', image_url: 'data:image/png;base64,iVBORw0KGgo=' }]
    const answer = await endpoint.post('/v1/chat/completions', {
      model: 'native/m',
      messages: [{ role: 'user', content }],
    })
    expect(answer.status).toBe(200)
    expect(JSON.stringify(model.asked[0].prompt)).toContain('image/png')
  })

  it.each(['native', 'sentinel'])('that forbid calls leave the tools out of the prompt: %s', async (dialect) => {
    const model = replayingModel('m', said('ok'))
    const endpoint = await endpointOf({ [`${dialect}/m`]: model })
    const named = { type: 'function', function: { name: 'peculiar_tool', parameters: tool.input_schema } }
    await endpoint.post('/v1/chat/completions', {
      model: `${dialect}/m`,
      messages: [{ role: 'user', content: 'Hi' }],
      tools: [named],
      tool_choice: 'none',
    })
    expect(JSON.stringify(model.asked[0])).not.toContain('peculiar_tool')
  })
})
