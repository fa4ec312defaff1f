import { Agent, OpenAIProvider, Runner, setTracingDisabled, tool } from '@openai/agents'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { backends, type Served, serveWith } from '../serve.js'
import { answer, question, weather, weatherOf } from './weather.js'

setTracingDisabled(true)

describe.each(backends)('@openai/agents with %s behind', (kind) => {
  let served: Served
  let client: OpenAI
  beforeAll(async () => {
    served = await serveWith(kind)
    client = new OpenAI({ baseURL: served.url, apiKey: served.key, fetch: served.fetch, maxRetries: 0 })
  })
  afterAll(() => served.stop())

  const asked: string[] = []
  const agent = () =>
    new Agent({
      name: 'Forecaster',
      instructions: 'Be brief.',
      model: served.model,
      tools: [
        tool({
          ...weather,
          strict: false,
          // The required type depends on the compiler's version.
          parameters: { ...weather.parameters, additionalProperties: true } as never,
          execute: async (input) => {
            asked.push((input as { city: string }).city)
            return weatherOf(input as { city: string })
          },
        }),
      ],
    })

  it.each([
    ['Responses', true],
    ['chat completions', false],
  ])('runs both tools and answers, streamed, by %s', async (_, useResponses) => {
    asked.length = 0
    const runner = new Runner({ modelProvider: new OpenAIProvider({ openAIClient: client as never, useResponses }) })
    const result = await runner.run(agent(), question, { stream: true })
    for await (const _event of result);
    await result.completed
    expect(asked).toEqual(['Oslo', 'Paris'])
    expect(result.finalOutput).toBe(answer)
  })

  it('runs both tools and answers in one piece', async () => {
    asked.length = 0
    const runner = new Runner({
      modelProvider: new OpenAIProvider({ openAIClient: client as never, useResponses: true }),
    })
    const result = await runner.run(agent(), question)
    expect(asked).toEqual(['Oslo', 'Paris'])
    expect(result.finalOutput).toBe(answer)
  })
})
