import { afterEach, describe, expect, it } from 'vitest'
import { callPart, finishPart, replayingModel, textParts } from '../doubles/replaying-model.js'
import { type TestEndpoint, type TestModels, testEndpoint } from './endpoint.js'

const opened: TestEndpoint[] = []
afterEach(async () => {
  for (const endpoint of opened.splice(0)) await endpoint.close()
})

async function endpointOf(models: TestModels): Promise<TestEndpoint> {
  const endpoint = await testEndpoint(models)
  opened.push(endpoint)
  return endpoint
}

const weather = {
  type: 'function',
  name: 'get_weather',
  description: 'The weather of a place.',
  parameters: { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] },
}

describe('POST /v1/responses', () => {
  it('returns a response with all its fields', async () => {
    const model = replayingModel('m', [...textParts('Hello there.'), finishPart()])
    const endpoint = await endpointOf({ 'native/m': model })
    const answer = await endpoint.respond({
      model: 'native/m',
      input: 'Hi',
      instructions: 'Be brief.',
      metadata: { a: 'b' },
    })
    expect(answer).toMatchObject({
      object: 'response',
      status: 'completed',
      model: 'native/m',
      instructions: 'Be brief.',
      metadata: { a: 'b' },
      output: [
        {
          type: 'message',
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text: 'Hello there.' }],
        },
      ],
      usage: { input_tokens: 3, output_tokens: 2, total_tokens: 5, output_tokens_details: { reasoning_tokens: 0 } },
    })
    expect(model.asked[0].prompt).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
    ])
  })

  it('streams text, reasoning and calls in the order the model made them', async () => {
    const model = replayingModel('m', [
      { type: 'reasoning-start', id: 'r' },
      { type: 'reasoning-delta', id: 'r', delta: 'Let me ' },
      { type: 'reasoning-delta', id: 'r', delta: 'see.' },
      { type: 'reasoning-end', id: 'r' },
      ...textParts('I will look. '),
      { type: 'tool-input-start', id: 'call_a', toolName: 'get_weather' },
      { type: 'tool-input-delta', id: 'call_a', delta: '{ "place":' },
      { type: 'tool-input-delta', id: 'call_a', delta: ' "Oslo"}' },
      { type: 'tool-input-end', id: 'call_a' },
      callPart('get_weather', '{ "place": "Oslo"}', 'call_a'),
      callPart('get_weather', '{"place":"Rome"}', 'call_a'),
      finishPart('tool-calls'),
    ])
    const endpoint = await endpointOf({ 'native/m': model })
    const { final, events } = await endpoint.stream({ model: 'native/m', input: 'Weather?', tools: [weather] })
    expect(final.status).toBe('completed')
    expect(final.output).toMatchObject([
      { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Let me see.' }] },
      { type: 'message', content: [{ text: 'I will look. ' }] },
      {
        type: 'function_call',
        call_id: 'call_a',
        name: 'get_weather',
        arguments: '{ "place": "Oslo"}',
        status: 'completed',
      },
      { type: 'function_call', call_id: 'call_a-2', arguments: '{"place":"Rome"}' },
    ])
    const deltas = events.filter(({ type }) => type === 'response.function_call_arguments.delta')
    expect(deltas.map(({ delta }) => delta)).toEqual(['{ "place":', ' "Oslo"}', '{"place":"Rome"}'])
  })

  it('reads calls that a model writes as text, without any of the markup', async () => {
    const said =
      'Looking.\n<tool_call>{"id":"call_x1","name":"get_weather","arguments":"{\\"place\\": \\"Oslo\\"}"}</tool_call>'
    const model = replayingModel('m', [...textParts(said), finishPart()])
    const endpoint = await endpointOf({ 'sentinel/m': model })
    const { final } = await endpoint.stream({ model: 'sentinel/m', input: 'Weather?', tools: [weather] })
    expect(final.output).toMatchObject([
      { type: 'message', content: [{ text: 'Looking.' }] },
      { type: 'function_call', call_id: 'call_x1', name: 'get_weather', arguments: '{"place": "Oslo"}' },
    ])
  })

  it('drops the oldest messages of a conversation that does not fit, if the client wants that', async () => {
    const model = replayingModel('m', [...textParts('Yes.'), finishPart()])
    const endpoint = await testEndpoint({ 'native/m': model }, { window: 2000 })
    const input = [
      { role: 'user', content: 'old '.repeat(2000) },
      { role: 'assistant', content: 'Older.' },
      { role: 'user', content: 'And now?' },
    ]
    const { final } = await endpoint.stream({ model: 'native/m', input, truncation: 'auto' })
    expect(final).toMatchObject({ status: 'completed', truncation: 'auto' })
    await endpoint.stream({ model: 'native/m', input })
    expect(model.asked.map(({ prompt }) => prompt.length)).toEqual([1, 3])
    await endpoint.close()
  })

  it('continues a response with the outputs of its calls, in any order, also after a restart', async () => {
    const model = replayingModel(
      'm',
      [
        callPart('get_weather', '{"place":"Oslo"}', 'call_a'),
        callPart('get_weather', '{"place":"Rome"}', 'call_b'),
        finishPart('tool-calls'),
      ],
      [...textParts('Snow and sun.'), finishPart()],
    )
    const endpoint = await endpointOf({ 'native/m': model })
    const first = await endpoint.respond({ model: 'native/m', input: 'Weather?', tools: [weather] })
    await endpoint.restart()
    const outputs = [
      { type: 'function_call_output', call_id: 'call_b', output: 'sun' },
      { type: 'function_call_output', call_id: 'call_a', output: 'snow' },
    ]
    for (const previous of [{ previous_response_id: first.id }, {}]) {
      const second = await endpoint.stream({ model: 'native/m', input: outputs, tools: [weather], ...previous })
      expect(second.final).toMatchObject({ status: 'completed', previous_response_id: first.id })
      expect(model.asked.at(-1)?.prompt).toMatchObject([
        { role: 'user' },
        { role: 'assistant', content: [{ toolCallId: 'call_a', input: { place: 'Oslo' } }, { toolCallId: 'call_b' }] },
        {
          role: 'tool',
          content: [
            { toolCallId: 'call_a', toolName: 'get_weather', output: { value: 'snow' } },
            { toolCallId: 'call_b', output: { value: 'sun' } },
          ],
        },
      ])
    }
  })
})

describe('POST /v1/chat/completions', () => {
  it('ends a turn with calls with tool_calls, streamed and not', async () => {
    const script = [
      ...textParts('Looking.'),
      callPart('get_weather', '{"place": "Oslo"}', 'call_a'),
      finishPart('tool-calls'),
    ]
    const endpoint = await endpointOf({ 'native/m': replayingModel('m', script) })
    const body = {
      model: 'native/m',
      messages: [{ role: 'user', content: 'Weather?' }],
      tools: [{ type: 'function', function: { name: 'get_weather', parameters: weather.parameters } }],
    }
    const whole = await (await endpoint.post('/v1/chat/completions', body)).json()
    expect(whole).toMatchObject({
      object: 'chat.completion',
      choices: [
        {
          finish_reason: 'tool_calls',
          message: {
            content: 'Looking.',
            tool_calls: [
              { id: 'call_a', type: 'function', function: { name: 'get_weather', arguments: '{"place": "Oslo"}' } },
            ],
          },
        },
      ],
      usage: { total_tokens: 5 },
    })
    const streamed = await endpoint.post('/v1/chat/completions', {
      ...body,
      stream: true,
      stream_options: { include_usage: true },
    })
    const lines = (await streamed.text()).split('\n\n').filter(Boolean)
    expect(lines.at(-1)).toBe('data: [DONE]')
    const chunks = lines.slice(0, -1).map((line) => JSON.parse(line.slice(6)))
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: 5 } })
    const deltas = chunks.flatMap(({ choices }) => choices.map(({ delta }: { delta: object }) => delta))
    expect(deltas).toMatchObject([
      { role: 'assistant' },
      { content: 'Looking.' },
      { tool_calls: [{ index: 0, id: 'call_a', function: { name: 'get_weather', arguments: '' } }] },
      { tool_calls: [{ index: 0, function: { arguments: '{"place": "Oslo"}' } }] },
      {},
    ])
    expect(chunks.at(-2).choices[0].finish_reason).toBe('tool_calls')
  })
})
