import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { backends, type Served, serveWith } from '../serve.js'
import { answer, question, weather, weatherOf } from './weather.js'

type Item = OpenAI.Responses.ResponseInputItem

describe.each(backends)('the openai SDK with %s behind', (kind) => {
  let served: Served
  let client: OpenAI
  beforeAll(async () => {
    served = await serveWith(kind, { pieceMs: 1 })
    client = new OpenAI({ baseURL: served.url, apiKey: served.key, fetch: served.fetch, maxRetries: 0 })
  })
  afterAll(() => served.stop())

  const tools: OpenAI.Responses.Tool[] = [{ type: 'function', ...weather, strict: false }]

  function resultsOf(output: OpenAI.Responses.ResponseOutputItem[]): Item[] {
    return output.flatMap((item): Item[] =>
      item.type === 'function_call'
        ? [{ type: 'function_call_output', call_id: item.call_id, output: weatherOf(JSON.parse(item.arguments)) }]
        : [],
    )
  }

  const callsOf = (output: OpenAI.Responses.ResponseOutputItem[]) =>
    output.flatMap((item) => (item.type === 'function_call' ? [[item.name, JSON.parse(item.arguments)]] : []))

  const bothCalls = [
    ['get_weather', { city: 'Oslo' }],
    ['get_weather', { city: 'Paris' }],
  ]

  it('text, two calls and their continuation with previous_response_id, in one piece', async () => {
    const first = await client.responses.create({ model: served.model, input: question, tools })
    expect(first.output_text).toBe('Let me look.')
    expect(callsOf(first.output)).toEqual(bothCalls)
    expect(first.status).toBe('completed')
    const second = await client.responses.create({
      model: served.model,
      previous_response_id: first.id,
      input: resultsOf(first.output).reverse(),
      tools,
    })
    expect(second.output_text).toContain('Sunny in Oslo')
    expect(second.output_text).toContain('Sunny in Paris')
  })

  it('text, two calls and their continuation with echoed items, streamed', async () => {
    const input: Item[] = [{ role: 'user', content: question }]
    const first = await client.responses.stream({ model: served.model, input, tools, store: false }).finalResponse()
    expect(callsOf(first.output)).toEqual(bothCalls)
    const echoed = [...input, ...(first.output as Item[]), ...resultsOf(first.output)]
    const stream = client.responses.stream({ model: served.model, input: echoed, tools, store: false })
    let text = ''
    stream.on('response.output_text.delta', ({ delta }) => {
      text += delta
    })
    const second = await stream.finalResponse()
    expect(text).toBe(answer)
    expect(second.output_text).toBe(answer)
    expect(second.usage?.output_tokens).toBeGreaterThan(0)
  })

  it('the helpers of chat completions run both tools and answer', async () => {
    const seen: string[] = []
    const runner = client.chat.completions.runTools({
      model: served.model,
      stream: true,
      messages: [{ role: 'user', content: question }],
      tools: [
        {
          type: 'function',
          function: {
            ...weather,
            parse: JSON.parse,
            function: (args: { city: string }) => {
              seen.push(args.city)
              return weatherOf(args)
            },
          },
        },
      ],
    })
    expect(await runner.finalContent()).toBe(answer)
    expect(seen).toEqual(['Oslo', 'Paris'])
  })

  it('a chat completion in one piece ends with tool_calls', async () => {
    const { choices } = await client.chat.completions.create({
      model: served.model,
      messages: [
        { role: 'developer', content: 'Be brief.' },
        { role: 'user', content: question },
      ],
      tools: [{ type: 'function', function: weather }],
    })
    expect(choices[0].finish_reason).toBe('tool_calls')
    expect(choices[0].message.tool_calls).toHaveLength(2)
  })

  it('a stream that the client leaves stops the model behind', async () => {
    const before = served.backend.left()
    const stream = await client.responses.create({ model: served.model, input: 'Count from 1 to 2000', stream: true })
    for await (const event of stream) if (event.type === 'response.output_text.delta') break
    await expect.poll(() => served.backend.left()).toBeGreaterThan(before)
  })

  it('errors are those of the API', async () => {
    const wrongKey = new OpenAI({ baseURL: served.url, apiKey: 'wrong', maxRetries: 0 })
    await expect(wrongKey.responses.create({ model: served.model, input: 'x' })).rejects.toThrow(
      OpenAI.AuthenticationError,
    )
    const unknown = client.responses.create({ model: 'nobody/nothing', input: 'x' })
    await expect(unknown).rejects.toMatchObject({ status: 404, code: 'model_not_found', param: 'model' })
    const noSuch = client.responses.create({ model: served.model, input: 'x', previous_response_id: 'resp_nothing' })
    await expect(noSuch).rejects.toMatchObject({ code: 'previous_response_not_found' })
    const wrong = client.responses.create({ model: served.model, input: 'x', temperature: 'hot' as never })
    await expect(wrong).rejects.toMatchObject({ status: 400, param: 'temperature' })
  })
})
