import type { ServerResponse } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { withDialect } from '../../src/core/dialects/index.js'
import { askModel, type DialectMemory, modelFailureData, type ReplyEvent } from '../../src/core/model/index.js'
import { type Environment, openModel } from '../../src/core/providers/index.js'
import { canary } from './every-provider.js'
import { chatChunk, eventStream, type Loopback, loopback } from './loopback.js'
import { searchTool } from './take-step.js'

let server: Loopback | undefined

afterEach(async () => {
  await server?.stop()
  server = undefined
})

interface Refusal {
  who: string
  model: string
  environment(url: string): Environment
  status: number
  body: string
}

const local = (url: string) => ({ NOTEWRIGHT_COMPATIBLE_URL: `${url}/v1`, NOTEWRIGHT_COMPATIBLE_KEY: canary })
const routed = (url: string) => ({ OPENROUTER_API_KEY: canary, OPENROUTER_BASE_URL: `${url}/api/v1` })

/** As people have seen them; the number is the issue in which the body stands. */
const refusals: Refusal[] = [
  {
    // github.com/FoundationAgents/OpenManus 220
    who: 'Ollama',
    model: 'ollama/qwen:4b',
    environment: (url) => ({ OLLAMA_HOST: url.replace('http://', '') }),
    status: 400,
    body: '{"error":{"message":"registry.ollama.ai/library/qwen:4b does not support tools","type":"api_error","param":null,"code":null}}',
  },
  {
    // github.com/QwenLM/Qwen3.8 44, github.com/containers/ramalama 988
    who: 'llama.cpp without --jinja',
    model: 'compatible/qwen2.5-7b',
    environment: local,
    status: 500,
    body: '{"error":{"code":500,"message":"tools param requires --jinja flag","type":"server_error"}}',
  },
  {
    // github.com/ggml-org/llama.cpp 10920
    who: 'an older llama.cpp',
    model: 'compatible/qwen2.5-1.5b',
    environment: local,
    status: 500,
    body: '{"code":500,"message":"Unsupported param: tools","type":"server_error"}',
  },
  {
    // github.com/bobrware/bobrchat 60
    who: 'OpenRouter',
    model: 'openrouter/openai/gpt-4o',
    environment: routed,
    status: 404,
    body: '{"error":{"message":"No endpoints found that support tool use. To learn more about provider routing, visit: https://openrouter.ai/docs/guides/routing/provider-selection","code":404}}',
  },
  {
    // github.com/langchain4j/langchain4j 3475
    who: 'vLLM',
    model: 'compatible/phi-4-mini-instruct',
    environment: local,
    status: 400,
    body: '{"object":"error","message":"\\"auto\\" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set","type":"BadRequestError","param":null,"code":400}',
  },
  {
    // github.com/agno-agi/agno 3505; here through an address that speaks OpenAI's protocol, as its model is named
    who: 'Google for Gemma',
    model: 'compatible/gemini-like-gemma-3-12b-it',
    environment: local,
    status: 400,
    body: '{"error":{"code":400,"message":"Function calling is not enabled for models/gemma-3-12b-it","status":"INVALID_ARGUMENT"}}',
  },
]

const named = ['gpt-4o-mini', 'claude-sonnet-4-5', 'gemini-2.0-flash'].map((model) => ({
  ...refusals[1],
  who: `a server of one's own with a model named ${model}`,
  model: `compatible/${model}`,
}))

/** Refuses requests with tools. If tools are described in text, the model calls the first one. */
async function serve({ status, body }: Refusal): Promise<string> {
  server = await loopback((response, request) => {
    const asked = JSON.parse(request.body)
    if (asked.tools !== undefined)
      return void response.writeHead(status, { 'content-type': 'application/json' }).end(body)
    say(
      response,
      request.body.includes('pick_word') ? call('pick_word', { word: 'pear' }) : call('search', { q: 'roof' }),
    )
  })
  return server.url
}

const call = (name: string, args: object) => `<tool_call>${JSON.stringify({ name, arguments: args })}</tool_call>`
const useTool = (text: string) =>
  text.replace(/<tool_call>(.*)<\/tool_call>/, (_, json) => {
    const { name, arguments: args } = JSON.parse(json)
    const values = Object.entries(args).map(([key, value]) => `<${key}>${value}</${key}>`)
    return `<use_tool><name>${name}</name>${values.join('')}</use_tool>`
  })

let writes = (text: string) => text

function say(response: ServerResponse, text: string): void {
  eventStream(response).end(`${chatChunk({ content: writes(text) })}${chatChunk({}, 'stop')}data: [DONE]\n\n`)
}

function newMemory(): DialectMemory & { known: Map<string, string> } {
  const known = new Map<string, string>()
  return {
    known,
    recall: async (model) => known.get(model),
    remember: async (model, dialect) => void known.set(model, dialect),
  }
}

async function ask({ model: name, environment }: Refusal, url: string, memory: DialectMemory, dialect = 'auto') {
  const { model, profile } = await openModel(name, { environment: environment(url), fetch })
  writes = profile.textDialect === 'use-tool' ? useTool : (text) => text
  const events: ReplyEvent[] = []
  const spoken = withDialect(model, { dialect, profile, memory, name })
  const { signal } = new AbortController()
  const messages = [{ role: 'user' as const, content: 'What of the roof?' }]
  for await (const event of askModel(spoken, { messages, tools: [searchTool], profile, signal })) events.push(event)
  return events
}

const calls = (events: ReplyEvent[]) => events.flatMap((event) => (event.type === 'tool-call' ? [event.call] : []))
const notices = (events: ReplyEvent[]) => events.flatMap((event) => (event.type === 'notice' ? [event.text] : []))

describe.each([...refusals, ...named])('$who without support for tools', (refusal) => {
  it('uses calls as text, after at most two probes', async () => {
    const url = await serve(refusal)
    const memory = newMemory()
    const events = await ask(refusal, url, memory)
    expect(events.at(-1)).toMatchObject({ type: 'finish' })
    expect(calls(events)).toMatchObject([{ name: 'search', input: { q: 'roof' } }])
    expect(events.some(({ type }) => type === 'retry')).toBe(false)
    // A profile that says how is believed until the server refuses; otherwise the model is asked natively and in text.
    const { profile } = await openModel(refusal.model, { environment: refusal.environment(url), fetch })
    expect(server!.requests).toHaveLength(profile.dialect === 'auto' ? 3 : 2)
    expect(notices(events)).toEqual([expect.stringMatching(/calls/)])
    expect(memory.known.get(refusal.model)).toBe(profile.textDialect)

    const again = await ask(refusal, url, memory)
    expect(calls(again)).toMatchObject([{ name: 'search' }])
    expect(notices(again)).toEqual([])
    expect(server!.requests).toHaveLength(profile.dialect === 'auto' ? 4 : 3)
  })

  it('fails with a hint if the native dialect is forced', async () => {
    const url = await serve(refusal)
    const end = (await ask(refusal, url, newMemory(), 'native')).at(-1)
    if (end?.type !== 'failed') throw new Error('must fail')
    expect(modelFailureData(end.failure)?.kind).toBe('no-tools')
    expect(end.failure.details.hint).toContain('notewright config set dialect auto')
    expect(server!.requests).toHaveLength(1)
  })
})

it('a number in a message is not a status', async () => {
  const url = await serve({ ...refusals[0], body: '{"error":{"message":"prompt has 503 tokens too few of 500"}}' })
  const end = (await ask(refusals[0], url, newMemory(), 'native')).at(-1)
  if (end?.type !== 'failed') throw new Error('must fail')
  expect(modelFailureData(end.failure)).toMatchObject({ kind: 'rejected', retryable: false })
  expect(server!.requests).toHaveLength(1)
})
