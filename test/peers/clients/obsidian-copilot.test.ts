import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { backends, type Served, serveWith } from '../serve.js'

/**
 * A request in the shape that Obsidian Copilot sends: 13 tools in the form of chat completions also where it speaks the
 * Responses API, the system prompt as a `developer` message, `strict` left out or null.
 */
const names = [
  'localSearch',
  'webSearch',
  'getFileTree',
  'getTagList',
  'readNote',
  'writeToFile',
  'replaceInFile',
  'updateMemory',
  'youtubeTranscription',
  'getCurrentTime',
  'getTimeRangeMs',
  'convertTimeBetweenTimezones',
  'indexVault',
]

const tools = names.map((name, at) => ({
  type: 'function',
  function: {
    name,
    description: `What ${name} is for.`,
    ...(at % 2 === 0 && { strict: null }),
    parameters: {
      type: 'object',
      properties: { query: { type: 'string', description: 'What to look for' } },
      required: ['query'],
      $schema: 'http://json-schema.org/draft-07/schema#',
    },
  },
}))

describe.each(backends)('Obsidian Copilot with %s behind', (kind) => {
  let served: Served
  beforeAll(async () => {
    served = await serveWith(kind)
  })
  afterAll(() => served.stop())

  async function post(path: string, body: object) {
    const response = await served.fetch(`${served.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${served.key}` },
      body: JSON.stringify({ model: served.model, temperature: 0.1, tools, ...body }),
    })
    // biome-ignore lint/suspicious/noExplicitAny: what a client would see.
    return { status: response.status, body: (await response.json()) as any }
  }

  const messages = [
    { role: 'developer', content: 'You are Obsidian Copilot, a helpful assistant for notes.' },
    { role: 'user', content: 'Do a local search for "compost" please.' },
  ]

  it('its tools in the shape of chat completions are understood by the Responses API, by their names and in order', async () => {
    const { status, body } = await post('/responses', { input: messages })
    expect(status).toBe(200)
    expect(body.tools.map(({ name }: { name: string }) => name)).toEqual(names)
    const calls = body.output.filter(({ type }: { type: string }) => type === 'function_call')
    expect(calls.map((call: { name: string; arguments: string }) => [call.name, JSON.parse(call.arguments)])).toEqual([
      ['localSearch', { query: 'compost' }],
    ])
    const result = { type: 'function_call_output', call_id: calls[0].call_id, output: 'Compost feeds the soil.' }
    const next = await post('/responses', { input: [...messages, ...body.output, result] })
    expect(next.status).toBe(200)
    expect(JSON.stringify(next.body.output)).toContain('Compost feeds the soil.')
  })

  it('the same by chat completions', async () => {
    const { status, body } = await post('/chat/completions', { messages })
    expect(status).toBe(200)
    const [{ message, finish_reason: reason }] = body.choices
    expect(reason).toBe('tool_calls')
    expect(message.tool_calls[0].function.name).toBe('localSearch')
    const result = { role: 'tool', tool_call_id: message.tool_calls[0].id, content: 'Compost feeds the soil.' }
    const next = await post('/chat/completions', { messages: [...messages, message, result] })
    expect(next.body.choices[0].message.content).toContain('Compost feeds the soil.')
  })
})
