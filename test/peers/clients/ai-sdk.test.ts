import { createOpenAI } from '@ai-sdk/openai'
import { APICallError, generateText, jsonSchema, stepCountIs, streamText, tool } from 'ai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { backends, type Served, serveWith } from '../serve.js'
import { answer, question, weather, weatherOf } from './weather.js'

describe.each(backends)('the AI SDK with %s behind', (kind) => {
  let served: Served
  let provider: ReturnType<typeof createOpenAI>
  beforeAll(async () => {
    served = await serveWith(kind, { pieceMs: 1 })
    provider = createOpenAI({ baseURL: served.url, apiKey: served.key, fetch: served.fetch })
  })
  afterAll(() => served.stop())

  const tools = {
    get_weather: tool({
      description: weather.description,
      inputSchema: jsonSchema<{ city: string }>(weather.parameters),
      execute: async (input) => weatherOf(input),
    }),
  }
  const setup = { prompt: question, tools, stopWhen: stepCountIs(3), maxRetries: 0 }

  it('generateText by the Responses API: text, two calls, the answer', async () => {
    const { steps, text } = await generateText({ ...setup, model: provider(served.model) })
    expect(steps[0].text).toBe('Let me look.')
    expect(steps[0].toolCalls.map(({ input }) => input)).toEqual([{ city: 'Oslo' }, { city: 'Paris' }])
    expect(steps[0].finishReason).toBe('tool-calls')
    expect(text).toBe(answer)
  })

  it('streamText by the Responses API: deltas of text and of arguments', async () => {
    const result = streamText({ ...setup, model: provider(served.model) })
    const kinds = new Set<string>()
    for await (const part of result.fullStream) kinds.add(part.type)
    expect(kinds).not.toContain('error')
    expect([...kinds]).toEqual(
      expect.arrayContaining(['text-delta', 'tool-input-start', 'tool-input-delta', 'tool-call']),
    )
    expect(await result.text).toBe(answer)
    expect((await result.totalUsage).outputTokens).toBeGreaterThan(0)
  })

  it('streamText by chat completions', async () => {
    const result = streamText({ ...setup, model: provider.chat(served.model) })
    expect(await result.text).toBe(answer)
    expect((await result.steps)[0].finishReason).toBe('tool-calls')
  })

  it('a stream that is aborted stops the model behind', async () => {
    const before = served.backend.left()
    const stop = new AbortController()
    const { fullStream } = streamText({
      model: provider(served.model),
      prompt: 'Count from 1 to 2000',
      abortSignal: stop.signal,
      maxRetries: 0,
    })
    for await (const part of fullStream) if (part.type === 'text-delta') stop.abort()
    await expect.poll(() => served.backend.left()).toBeGreaterThan(before)
  })

  it('an unknown model is an error of the API', async () => {
    const asked = generateText({ model: provider('nobody/nothing'), prompt: 'x', maxRetries: 0 })
    const error = await asked.then(
      () => undefined,
      (failure) => failure,
    )
    expect(APICallError.isInstance(error) && error.statusCode).toBe(404)
  })
})
