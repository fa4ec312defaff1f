import Anthropic from '@anthropic-ai/sdk'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { backends, type Served, serveWith } from '../serve.js'
import { answer, question, weather, weatherOf } from './weather.js'

describe.each(backends)("Anthropic's SDK with %s behind", (kind) => {
  let served: Served
  let client: Anthropic
  beforeAll(async () => {
    served = await serveWith(kind, { pieceMs: 1 })
    client = new Anthropic({ baseURL: served.url.replace(/\/v1$/, ''), apiKey: served.key, maxRetries: 0 })
  })
  afterAll(() => served.stop())

  const { name, description, parameters } = weather
  const tools: Anthropic.Tool[] = [{ name, description, input_schema: parameters }]
  const ask: Anthropic.MessageParam = { role: 'user', content: question }
  const request = () => ({ model: served.model, max_tokens: 1000, tools })

  const callsIn = (content: Anthropic.ContentBlock[]) => content.filter((block) => block.type === 'tool_use')
  const textIn = (content: Anthropic.ContentBlock[]) =>
    content.map((block) => (block.type === 'text' ? block.text : '')).join('')

  const resultsOf = (content: Anthropic.ContentBlock[]): Anthropic.MessageParam => ({
    role: 'user',
    content: callsIn(content).map(({ id, input }) => ({
      type: 'tool_result',
      tool_use_id: id,
      content: weatherOf(input as { city: string }),
    })),
  })

  it('gets text, two calls and their continuation, in one piece', async () => {
    const first = await client.messages.create({ ...request(), messages: [ask] })
    expect(textIn(first.content)).toContain('Let me look.')
    expect(callsIn(first.content).map(({ input }) => input)).toEqual([{ city: 'Oslo' }, { city: 'Paris' }])
    expect(first.stop_reason).toBe('tool_use')
    const messages = [ask, { role: 'assistant' as const, content: first.content }, resultsOf(first.content)]
    const second = await client.messages.create({ ...request(), messages })
    expect(textIn(second.content)).toContain(answer)
    expect(second.stop_reason).toBe('end_turn')
  })

  it('gets the same as a stream', async () => {
    const first = await client.messages.stream({ ...request(), messages: [ask] }).finalMessage()
    expect(callsIn(first.content)).toHaveLength(2)
    const messages = [ask, { role: 'assistant' as const, content: first.content }, resultsOf(first.content)]
    let text = ''
    const stream = client.messages.stream({ ...request(), messages }).on('text', (delta) => {
      text += delta
    })
    const second = await stream.finalMessage()
    expect(text).toContain(answer)
    expect(second.usage.output_tokens).toBeGreaterThan(0)
  })

  it('counts tokens, and gets errors of its own classes', async () => {
    const { input_tokens } = await client.messages.countTokens({ model: served.model, messages: [ask], tools })
    expect(input_tokens).toBeGreaterThan(10)
    const wrong = client.messages.create({
      ...request(),
      model: 'compatible/none/nowhere',
      max_tokens: 0,
      messages: [ask],
    })
    await expect(wrong).rejects.toBeInstanceOf(Anthropic.BadRequestError)
    const stranger = new Anthropic({ baseURL: served.url.replace(/\/v1$/, ''), apiKey: 'wrong', maxRetries: 0 })
    await expect(stranger.messages.create({ ...request(), messages: [ask] })).rejects.toBeInstanceOf(
      Anthropic.AuthenticationError,
    )
  })
})
