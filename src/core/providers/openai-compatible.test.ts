import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { describe, expect, it } from 'vitest'
import type { LanguageModelV3, LanguageModelV3CallOptions, LanguageModelV3StreamPart } from '../model/index.js'
import { chatModel } from './openai-compatible.js'

const baseUrl = 'http://127.0.0.1:9/v1'
const schema = { type: 'object', properties: { a: { type: 'string' } } } as const

const prompt: LanguageModelV3CallOptions['prompt'] = [
  { role: 'system', content: 'Be kind.' },
  { role: 'user', content: [{ type: 'text', text: 'hello' }] },
  {
    role: 'assistant',
    content: [
      { type: 'reasoning', text: 'Hm.' },
      { type: 'text', text: 'Looking.' },
      { type: 'tool-call', toolCallId: 'c0', toolName: 'look', input: { a: 'ü' } },
      { type: 'tool-call', toolCallId: 'c1', toolName: 'look', input: {} },
    ],
  },
  {
    role: 'tool',
    content: [
      { type: 'tool-result', toolCallId: 'c0', toolName: 'look', output: { type: 'text', value: 'A pear.' } },
      { type: 'tool-result', toolCallId: 'c1', toolName: 'look', output: { type: 'json', value: { pears: 2 } } },
    ],
  },
  { role: 'assistant', content: [{ type: 'text', text: 'Two pears.' }] },
  {
    role: 'user',
    content: [
      { type: 'text', text: 'sure?' },
      { type: 'file', mediaType: 'image/png', data: 'iVBORw0KGgo=' },
      { type: 'file', mediaType: 'image/*', data: new Uint8Array([0xff, 0xd8, 0xff]) },
      { type: 'file', mediaType: 'image/png', data: new URL('https://pictures.test/a.png') },
      { type: 'file', mediaType: 'application/pdf', data: 'JVBERi0=', filename: 'a.pdf' },
      { type: 'file', mediaType: 'text/plain', data: 'w7xiZXI=' },
    ],
  },
]

const tool = { type: 'function' as const, name: 'look', description: 'Look.', inputSchema: schema }

const wishes: Record<string, Partial<LanguageModelV3CallOptions>> = {
  'nothing more': {},
  settings: {
    temperature: 0.5,
    topP: 0.9,
    seed: 7,
    maxOutputTokens: 100,
    presencePenalty: 1,
    frequencyPenalty: 2,
    stopSequences: ['END'],
    providerOptions: { compatible: { reasoningEffort: 'low', think: true }, openai: { store: false } },
  },
  tools: { tools: [tool, { ...tool, name: 'strict', strict: true }], toolChoice: { type: 'auto' } },
  'one tool': { tools: [tool], toolChoice: { type: 'tool', toolName: 'look' } },
  'no tools to choose from': { tools: [], toolChoice: { type: 'auto' } },
  'some JSON': { responseFormat: { type: 'json' } },
  'JSON of a shape': { responseFormat: { type: 'json', schema, name: 'pear', description: 'A pear.' } },
  'JSON of a shape, loosely': {
    responseFormat: { type: 'json', schema },
    providerOptions: { compatible: { strictJsonSchema: false } },
  },
}

type Ask = (model: LanguageModelV3) => PromiseLike<unknown>

/** The request, and both readings of the same answer. */
async function bothWays(answer: () => Response, ask: Ask) {
  const sent: unknown[] = []
  const fetch = (async (url: string, { body, headers }: RequestInit) => {
    const { authorization } = Object.fromEntries(new Headers(headers))
    sent.push({ url, authorization, body: JSON.parse(String(body)) })
    return answer()
  }) as never
  const sdk = createOpenAICompatible({
    name: 'compatible',
    baseURL: baseUrl,
    apiKey: 'k',
    includeUsage: true,
    supportsStructuredOutputs: true,
    fetch,
  })
  const key = { reveal: () => 'k' } as never
  const ours = await ask(chatModel('compatible', 'm', { baseUrl, key, fetch }))
  const theirs = await ask(sdk.chatModel('m') as LanguageModelV3)
  return { sent, ours, theirs }
}

const chunk = (delta: object, finish_reason: string | null = null, more: object = {}) =>
  `data: ${JSON.stringify({ id: 'x', choices: [{ index: 0, delta, finish_reason }], ...more })}\n\n`

const callDelta = (index: number, id: string | undefined, name: string | undefined, text: string) => ({
  tool_calls: [{ index, ...(id && { id }), type: 'function', function: { ...(name && { name }), arguments: text } }],
})

const usage = {
  prompt_tokens: 9,
  completion_tokens: 5,
  total_tokens: 14,
  prompt_tokens_details: { cached_tokens: 4 },
  completion_tokens_details: { reasoning_tokens: 2 },
}

const streams: Record<string, string> = {
  words: `${chunk({ role: 'assistant', content: '' })}${chunk({ content: 'Grüß ' })}: alive\n\n${chunk({ content: 'dich.' })}${chunk({}, 'stop', { usage })}data: [DONE]\n\n`,
  'reasoning, words and two calls': `${chunk({ reasoning_content: 'Hm.' })}${chunk({ content: 'So.' })}${chunk(callDelta(0, 'a', 'look', ''))}${chunk(callDelta(0, undefined, undefined, '{"a":'))}${chunk(callDelta(0, undefined, undefined, '"x"}'))}${chunk(callDelta(1, 'b', 'look', '{}'))}${chunk({}, 'tool_calls')}data: {"choices":[],"usage":${JSON.stringify(usage)}}\n\ndata: [DONE]\n\n`,
  'a name that comes late': `${chunk(callDelta(0, 'a', undefined, '{"a"'))}${chunk(callDelta(0, undefined, 'look', ':1}'))}${chunk({}, 'tool_calls')}`,
  'parts of one content': `${chunk({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] }] })}${chunk({ content: [{ type: 'text', text: 'So.' }] })}${chunk({}, 'stop')}`,
  'lines of Windows': `${chunk({ content: 'Yes.' })}${chunk({}, 'length')}`.replaceAll('\n', '\r\n'),
  'an end that is nobody else’s': chunk({ content: 'Yes.' }, 'eos'),
}

/** The relevant parts of a stream, with adjacent text and arguments joined. */
async function heard(stream: ReadableStream<LanguageModelV3StreamPart>): Promise<unknown[]> {
  const told: unknown[][] = []
  const add = (kind: string, text: string) => {
    const last = told.at(-1)
    if (last?.[0] === kind) last[1] += text
    else told.push([kind, text])
  }
  for await (const part of stream as unknown as AsyncIterable<LanguageModelV3StreamPart>) {
    if (part.type === 'text-delta' || part.type === 'reasoning-delta') add(part.type, part.delta)
    if (part.type === 'tool-input-delta') add(`${part.type} ${part.id}`, part.delta)
    if (part.type === 'tool-call') told.push([part.type, part.toolCallId, part.toolName, part.input])
    if (part.type === 'finish') {
      const { inputTokens, outputTokens } = part.usage
      told.push([
        part.type,
        part.finishReason,
        [inputTokens.total, inputTokens.cacheRead, outputTokens.total, outputTokens.reasoning],
      ])
    }
  }
  // Calls may arrive as soon as one is complete, or at the end.
  return told.sort(([one], [other]) => Number(one === 'tool-call') - Number(other === 'tool-call'))
}

/** In pieces of `size` bytes. */
function cut(text: string, size: number): Response {
  const bytes = new TextEncoder().encode(text)
  let at = 0
  const body = new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close()
      controller.enqueue(bytes.slice(at, at + size))
      at += size
    },
  })
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
}

describe('a model of a server with the chat completions API', () => {
  it.each(Object.keys(wishes))('is asked as the SDK asks: %s', async (name) => {
    const options = { prompt, ...wishes[name] }
    const { sent } = await bothWays(
      () => cut(streams.words, 1000),
      (model) => model.doStream(options),
    )
    expect(sent[0]).toEqual(sent[1])
    const message = { role: 'assistant', content: 'Yes.' }
    const whole = await bothWays(
      () => Response.json({ choices: [{ message, finish_reason: 'stop' }] }),
      (model) => model.doGenerate(options),
    )
    expect(whole.sent[0]).toEqual(whole.sent[1])
  })

  it.each(Object.keys(streams))('is heard as the SDK hears it, however the bytes are cut: %s', async (name) => {
    for (const size of [1, 2, 3, 7, 50, 100_000]) {
      const { ours, theirs } = await bothWays(
        () => cut(streams[name], size),
        async (model) => heard((await model.doStream({ prompt })).stream),
      )
      const known = JSON.stringify(theirs).replaceAll('[0,0,0,0]', '[null,null,null,null]')
      expect(JSON.parse(JSON.stringify(ours))).toEqual(JSON.parse(known))
    }
  })

  it('answers in one piece as the SDK does', async () => {
    const message = {
      role: 'assistant',
      content: 'So.',
      reasoning_content: 'Hm.',
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'look', arguments: '{"a":1}' } }],
    }
    const { ours, theirs } = await bothWays(
      () => Response.json({ choices: [{ message, finish_reason: 'tool_calls' }], usage }),
      async (model) => {
        const { content, finishReason, usage: used } = await model.doGenerate({ prompt })
        return [content.map(({ providerMetadata: _, ...rest }) => rest), finishReason, used.inputTokens.total]
      },
    )
    expect(ours).toEqual(theirs)
  })

  it('passes on the error of the server', async () => {
    const refuse = () =>
      new Response('{"error":{"message":"slow down"}}', { status: 429, headers: { 'retry-after': '7' } })
    const ask = chatModel('compatible', 'm', { baseUrl, fetch: (async () => refuse()) as never }).doStream({ prompt })
    await expect(ask).rejects.toMatchObject({
      statusCode: 429,
      responseBody: '{"error":{"message":"slow down"}}',
      responseHeaders: { 'retry-after': '7' },
    })
  })
})
