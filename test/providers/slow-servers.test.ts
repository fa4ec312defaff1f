import type { ServerResponse } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import type { AgentEvent } from '../../src/core/agent/index.js'
import { configSchema } from '../../src/core/config/index.js'
import { withDialect } from '../../src/core/dialects/index.js'
import { isLocalNetwork } from '../../src/core/providers/addresses.js'
import { openModel } from '../../src/core/providers/index.js'
import { type SessionOptions, vaultFromHost } from '../../src/core/session/index.js'
import { memoryHost } from '../doubles/memory-host.js'
import { chatChunk, eventStream, type Loopback, loopback } from './loopback.js'

let server: Loopback | undefined
afterEach(async () => {
  await server?.stop()
  server = undefined
})

const later = (ms: number, act: () => void) => void setTimeout(act, ms)

/** The events of one turn of a session on this server. */
async function told(
  answer: (response: ServerResponse, request: { count: number; body: string }) => void,
  { settings = {}, ...options }: SessionOptions & { settings?: object } = {},
  dialect: 'native' | 'auto' = 'native',
) {
  let chats = 0
  server = await loopback((response, { path, body }) => {
    if (path.endsWith('/models')) return void response.writeHead(404).end()
    answer(response, { count: ++chats, body })
  })
  const environment = { NOTEWRIGHT_COMPATIBLE_URL: `${server.url}/v1` }
  const host = await memoryHost({ 'Soil.md': 'Loam.' })
  host.openModel = async (name, _dialect, wish) => {
    // A second is a hundredth here.
    const opened = await openModel(name, { environment, fetch, ...wish, stallMs: (wish?.stallMs ?? 0) / 100 })
    return { ...opened, model: withDialect(opened.model, { dialect, profile: opened.profile }) }
  }
  const vault = vaultFromHost({ host, settings: configSchema.parse(settings) })
  const session = await vault.openSession({ model: 'compatible/some.model', ...options })
  const events: AgentEvent[] = []
  for await (const event of session.ask('Hello?')) events.push(event)
  await vault.close()
  const end = events.at(-1)
  if (end?.type !== 'run-end') throw new Error('It has not ended.')
  const sent = server.requests.filter(({ body }) => body !== '').map(({ body }) => JSON.parse(body))
  return { events, end, sent }
}

const say = (response: ServerResponse, content: string) => response.end(chatChunk({ content }) + chatChunk({}, 'stop'))

describe('a server at home', () => {
  it('has a five times longer timeout before its first text, also after the role', async () => {
    const { end } = await told(
      (response) => {
        eventStream(response).write(chatChunk({ role: 'assistant', content: '' }))
        later(400, () => say(response, 'At last.'))
      },
      { stallSeconds: 15 },
    )
    expect(end).toMatchObject({ reason: 'answered', text: 'At last.' })
  })

  it('times out if it stops in the middle, naming the setting', async () => {
    const { end } = await told((response) => void eventStream(response).write(chatChunk({ content: 'I am' })), {
      settings: { models: { stallSeconds: 15 } },
    })
    expect(end).toMatchObject({
      reason: 'failed',
      text: 'I am',
      failure: {
        text: expect.stringMatching(/stopped responding for/),
        hint: expect.stringMatching(/models\.stallSeconds/),
      },
    })
  })

  it.each([
    ['http://127.0.0.1:8080/v1', true],
    ['http://[::1]:11434/v1', true],
    ['http://192.168.1.20:11434/v1', true],
    ['http://10.0.0.5:1234/v1', true],
    ['http://172.20.1.1/v1', true],
    ['http://[fd12::1]/v1', true],
    ['http://studio.local:1234/v1', true],
    ['http://gpu-box:8000/v1', true],
    ['https://api.openai.com/v1', false],
    ['http://172.40.1.1/v1', false],
    ['https://10.example.com/v1', false],
    ['http://[2001:db8::1]/v1', false],
  ])('is recognised by its address: %s', (url, expected) => {
    expect(isLocalNetwork(url)).toBe(expected)
  })
})

describe('a rate limit', () => {
  const slowDown = (response: ServerResponse) =>
    void response
      .writeHead(429, { 'retry-after': '0' })
      .end('{"error":{"message":"slow","type":"rate_limit_exceeded"}}')

  it.each(['native', 'auto'] as const)('is shown during probes of the model too (%s)', async (dialect) => {
    const { events, end } = await told(
      (response, { count, body }) => {
        if (count === 1) return slowDown(response)
        const isProbe = body.includes('pick_word')
        const word = '<tool_call>{"name": "pick_word", "arguments": {"word": "pear"}}</tool_call>'
        eventStream(response)
        say(response, isProbe ? word : 'Now.')
      },
      {},
      dialect,
    )
    expect(events.filter(({ type }) => type === 'retrying')).toHaveLength(1)
    expect(end).toMatchObject({ reason: 'answered', text: 'Now.' })
  })
})

describe('a setting', () => {
  const hello = (response: ServerResponse) => void say(eventStream(response), 'Hello.')
  const general = { temperature: 0.7, instructions: 'Answer in German.', stream: false }

  it('reaches the model', async () => {
    const whole = (response: ServerResponse) => {
      const choices = [{ index: 0, message: { role: 'assistant', content: 'Hello.' }, finish_reason: 'stop' }]
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ id: 'c', object: 'chat.completion', created: 1, model: 'm', choices }))
    }
    const { sent, end } = await told(whole, { settings: { ...general, mode: 'chat' } })
    expect(end.text).toBe('Hello.')
    expect(sent[0]).toMatchObject({ temperature: 0.7 })
    expect(sent[0].stream).not.toBe(true)
    expect(sent[0].tools).toBeUndefined()
    expect(sent[0].messages[0].content).toContain("The user's instructions:\nAnswer in German.")
  })

  it('of one model takes precedence over those for all, and a flag over both', async () => {
    const own = { temperature: 0.1, instructions: 'Answer in French.', stream: true, steps: 1 }
    const settings = { ...general, turn: { steps: 9 }, models: { 'compatible/some.model': own } }
    const { sent } = await told(hello, { settings, temperature: 0 })
    expect(sent[0]).toMatchObject({ temperature: 0, stream: true })
    expect(sent[0].messages[0].content).toContain('Answer in French.')
    // One reply is all there is, so it is asked for without tools.
    expect(sent[0].tools).toBeUndefined()
  })

  it('ends a turn that takes too long with an answer from the results so far', async () => {
    const call = {
      id: 'c',
      type: 'function',
      index: 0,
      function: { name: 'read_note', arguments: '{"path":"Soil.md"}' },
    }
    const { events, end } = await told(
      (response, { count }) => {
        eventStream(response)
        if (count > 1) return void say(response, 'Loam.')
        response.write(chatChunk({ content: 'Let me see.' }))
        later(150, () => response.end(chatChunk({ tool_calls: [call] }) + chatChunk({}, 'tool_calls')))
      },
      { settings: { turn: { minutes: 0.002 } } },
    )
    expect(events).toContainEqual({ type: 'notice', text: expect.stringContaining('The time limit was reached') })
    expect(end).toMatchObject({ reason: 'step-limit', text: 'Loam.' })
  })

  it('does not count the time in which a local machine reads the prompt', async () => {
    const call = {
      id: 'c',
      type: 'function',
      index: 0,
      function: { name: 'read_note', arguments: '{"path":"Soil.md"}' },
    }
    const { events, end } = await told(
      (response, { count }) =>
        later(300, () => {
          eventStream(response)
          if (count > 1) return void say(response, 'Loam.')
          response.end(chatChunk({ tool_calls: [call] }) + chatChunk({}, 'tool_calls'))
        }),
      { settings: { turn: { minutes: 0.004 } } },
    )
    expect(end).toMatchObject({ reason: 'answered', text: 'Loam.' })
    expect(events.some(({ type }) => type === 'notice')).toBe(false)
  })
})
