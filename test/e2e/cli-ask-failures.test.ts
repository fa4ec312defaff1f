import type { ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { chatChunk, eventStream, type Loopback, loopback } from '../providers/loopback.js'
import { type Stage, stage } from './cli-harness.js'

let here: Stage
let server: Loopback | undefined

beforeEach(async () => {
  here = await stage()
})
afterEach(async () => {
  await server?.stop()
  await here.remove()
  server = undefined
})

interface BrokenReply {
  of: string
  reply(response: ServerResponse): void
  /** The error, then what to do, in this order. */
  says: RegExp
  /** Text printed before the error. */
  prints?: string
}

const json = (response: ServerResponse, status: number, body: unknown) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

const replies: BrokenReply[] = [
  {
    of: 'neither text nor a call',
    reply: (response) => eventStream(response).end(`${chatChunk({}, 'stop')}data: [DONE]\n\n`),
    says: /error test returned an empty answer\.\n[\s\S]*Ask again, or choose another model\. [\s\S]*base URL/,
  },
  {
    of: 'a web page',
    reply: (response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!DOCTYPE html><html><body>Sign in</body></html>'),
    says: /web page[\s\S]*\n[\s\S]*base URL/i,
  },
  {
    of: 'half an answer and a closed socket',
    reply: (response) =>
      eventStream(response).write(chatChunk({ content: 'The beans are ' }), () => response.socket?.destroy()),
    says: /connection[\s\S]*\n[\s\S]*again/i,
    prints: 'The beans are',
  },
  {
    of: 'a refusal of the key',
    reply: (response) => json(response, 401, { error: { message: 'Incorrect API key provided.' } }),
    says: /rejected the API key[\s\S]*\n[\s\S]*keys set/i,
  },
  {
    of: 'a context that does not fit',
    reply: (response) =>
      json(response, 400, {
        error: {
          message:
            "This model's maximum context length is 4096 tokens. However, your messages resulted in 9000 tokens.",
          code: 'context_length_exceeded',
        },
      }),
    says: /(too long|context|fit)[\s\S]*\n[\s\S]*(shorter|larger|smaller|fewer)/i,
  },
]

describe.each(replies)('a model that answers with $of', ({ reply, says, prints = '' }) => {
  it('ends with code 5, says what to do, and changes nothing', async () => {
    server = await loopback((response, { path }) =>
      path.endsWith('/models') ? json(response, 200, { data: [] }) : reply(response),
    )
    const before = await here.treeHash()
    const environment = {
      NOTEWRIGHT_COMPATIBLE_URL: `${server.url}/v1`,
      NOTEWRIGHT_COMPATIBLE_KEY: 'a-key-that-is-wrong',
      NOTEWRIGHT_DIALECT: 'native',
    }
    const ran = await here.run(['ask', 'How are the beans?', '--vault', here.vault, '-m', 'compatible/test'], {
      environment,
    })
    expect(ran).toMatchObject({ code: 5, stderr: expect.stringMatching(says) })
    expect(ran.stdout).toContain(prints)
    expect(`${ran.stdout}${ran.stderr}`).not.toContain('a-key-that-is-wrong')
    expect(await here.treeHash()).toBe(before)
  })
})

it('--verbose prints how many calls the model made, and the error', async () => {
  let times = 0
  server = await loopback((response, { path }) => {
    if (path === '/v1/models') return void json(response, 200, { object: 'list', data: [] })
    // The size of the context window is asked for at other addresses.
    if (path !== '/v1/chat/completions') return void json(response, 404, {})
    times++
    if (times > 1) return void json(response, 401, { error: { message: 'no such key' } })
    const call = (id: string) => ({
      index: Number(id),
      id: `c${id}`,
      type: 'function',
      function: { name: 'get_current_time', arguments: '{}' },
    })
    eventStream(response).end(
      `${chatChunk({ tool_calls: [call('0'), call('1')] })}${chatChunk({}, 'tool_calls')}data: [DONE]\n\n`,
    )
  })
  const environment = { NOTEWRIGHT_COMPATIBLE_URL: `${server.url}/v1`, NOTEWRIGHT_COMPATIBLE_KEY: 'k' }
  const words = ['ask', '-m', 'compatible/test', '--dialect', 'native', '--verbose', 'what time is it?']
  const { stderr } = await here.run([...words, '--vault', here.vault], { environment })
  expect(stderr).toContain('[Notewright] AI requested 2 tool call(s)\n[Notewright] Handling 2 tool call(s)\n')
  expect(stderr).toMatch(/\[Notewright\] Stream error: .+/)
})
