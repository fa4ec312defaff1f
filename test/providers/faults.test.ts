import { afterEach, describe, expect, it } from 'vitest'
import { askModel, modelFailureData } from '../../src/core/model/index.js'
import { openModel } from '../../src/core/providers/index.js'
import { plainFetch } from '../../src/hosts/node/plain-fetch.js'
import { canary, everyProvider } from './every-provider.js'
import { chatChunk, eventStream, type Loopback, loopback } from './loopback.js'
import { searchTool, type Taken, takeStep } from './take-step.js'

let server: Loopback | undefined

afterEach(async () => {
  await server?.stop()
  server = undefined
})

const serve = async (answer: Parameters<typeof loopback>[0]): Promise<string> => {
  server = await loopback(answer)
  return server.url
}
const compatible = (url: string) => ({ NOTEWRIGHT_COMPATIBLE_URL: url, NOTEWRIGHT_COMPATIBLE_KEY: canary })
const step = (url: string, wishes: Parameters<typeof takeStep>[2] = {}) =>
  takeStep('compatible/m', compatible(url), wishes)
const failureOf = ({ end }: Taken) => {
  if (end.type !== 'failed') throw new Error(`ended with ${end.type}`)
  return end.failure
}
const kindOf = (taken: Taken) => modelFailureData(failureOf(taken))?.kind

describe.each(everyProvider)('$name', ({ name, environment }) => {
  it.each([true, false])('detects a web page in place of an answer (streaming %s)', async (stream) => {
    const url = await serve((response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!DOCTYPE html><html><body>Sign in</body></html>')
    })
    const taken = await takeStep(name, environment(url), { settings: { stream } })
    expect(kindOf(taken)).toBe('not-an-api')
    expect(failureOf(taken).details.hint).toContain('base URL')
  })

  it('does not carry a key to where it is redirected', async () => {
    const elsewhere = await loopback((response) => void response.end('{}'))
    try {
      const url = await serve((response) => response.writeHead(307, { location: `${elsewhere.url}/v1` }).end())
      expect(kindOf(await takeStep(name, environment(url)))).toBe('not-an-api')
      expect(elsewhere.requests).toEqual([])
    } finally {
      await elsewhere.stop()
    }
  })

  it('names the unreachable server, and what to do', async () => {
    const gone = await loopback(() => {})
    await gone.stop()
    const failure = failureOf(await takeStep(name, environment(gone.url)))
    expect(modelFailureData(failure)?.kind).toBe('unreachable')
    expect(failure.message).toContain(gone.url)
    expect(failure.details.hint).not.toBe('')
  })
})

describe('a provider that stalls', () => {
  // Tried again where the machine itself stood still for longer than the limit; a limit of the whole would always fail.
  it('is not given up while comments keep the line alive', { retry: 5 }, async () => {
    const url = await serve((response) => {
      eventStream(response)
      let left = 20
      const timer = setInterval(() => {
        if (left-- > 0) return response.write(': PROCESSING\n\n')
        clearInterval(timer)
        response.end(`${chatChunk({ content: 'Here.' })}${chatChunk({}, 'stop')}data: [DONE]\n\n`)
      }, 20)
    })
    expect((await step(url, { open: { stallMs: 300 } })).text).toBe('Here.')
  })

  it('has its connection closed when the caller leaves', async () => {
    const url = await serve((response) => void eventStream(response).write(chatChunk({ content: 'a' })))
    const { model } = await openModel('compatible/m', { environment: compatible(url), fetch: plainFetch })
    const signal = new AbortController().signal
    for await (const event of askModel(model, { messages: [{ role: 'user', content: 'hello' }], signal })) {
      if (event.type === 'text-delta') break
    }
    await expect.poll(() => server?.closed()).toBe(1)
  })
})

describe('a reply that is interrupted', () => {
  it('in the middle of a call as if that were its end gives no call', async () => {
    const url = await serve((response) => {
      eventStream(response).write(chatChunk({ content: 'Let me look. ' }))
      const call = {
        index: 0,
        id: 'a',
        type: 'function',
        function: { name: 'search_notes', arguments: '{"query":"to' },
      }
      response.end(chatChunk({ tool_calls: [call] }))
    })
    const taken = await step(url, { tools: [searchTool] })
    expect(kindOf(taken)).toBe('disconnected')
    expect(taken.calls).toEqual([])
    expect(taken.text).toBe('Let me look. ')
    expect(taken.end).toMatchObject({ message: { content: [{ type: 'text', text: 'Let me look. ' }] } })
    expect(server?.requests).toHaveLength(1)
  })

  it('before the first byte is requested again', async () => {
    const url = await serve((response, { count }) => {
      if (count < 3) return void response.socket?.destroy()
      eventStream(response).end(chatChunk({ content: 'Third time.' }) + chatChunk({}, 'stop'))
    })
    const { text, events } = await step(url)
    expect(text).toBe('Third time.')
    expect(events.filter(({ type }) => type === 'retry')).toHaveLength(2)
  })
})

describe('a request to wait', () => {
  it('is followed if it is short', async () => {
    const url = await serve((response, { count }) => {
      if (count === 1) return void response.writeHead(429, { 'retry-after': '0' }).end('{"error":{"message":"slow"}}')
      eventStream(response).end(chatChunk({ content: 'Now.' }) + chatChunk({}, 'stop'))
    })
    const { text, events } = await step(url)
    expect(text).toBe('Now.')
    expect(events[0]).toMatchObject({ type: 'retry', waitMs: 0 })
  })

  it('is also followed inside a stream that has not sent text yet', async () => {
    const url = await serve((response, { count }) => {
      const error = { error: { message: 'overloaded', type: 'overloaded_error', code: 529 } }
      if (count === 1) return void eventStream(response).end(`data: ${JSON.stringify(error)}\n\n`)
      eventStream(response).end(chatChunk({ content: 'Now.' }) + chatChunk({}, 'stop'))
    })
    expect((await step(url)).text).toBe('Now.')
  })
})

describe('an invalid response', () => {
  it.each([
    [
      'a stream that says nothing',
      (): string => `${chatChunk({ role: 'assistant' })}${chatChunk({}, 'stop')}`,
      'empty',
    ],
    ['nothing but blanks', () => chatChunk({ content: ' \n' }) + chatChunk({}, 'stop'), 'empty'],
    ['nothing but thoughts', () => chatChunk({ reasoning_content: 'hm' }) + chatChunk({}, 'length'), 'empty'],
    ['a refusal by filter', () => chatChunk({}, 'content_filter'), 'filtered'],
    ['garbage', () => 'data: {"choices": [{]\n\n', 'malformed'],
    ['an empty body', () => '', 'disconnected'],
  ])('%s fails', async (_name, body, kind) => {
    const url = await serve((response) => void eventStream(response).end(body()))
    expect(kindOf(await step(url, { settings: { retry: { attempts: 1 } } }))).toBe(kind)
  })
})

describe('native calls', () => {
  const call = (fields: Record<string, unknown>, name: string | undefined, text: string) => ({
    type: 'function',
    ...fields,
    function: { ...(name && { name }), arguments: text },
  })
  const calls = async (name: string, ...deltas: Record<string, unknown>[][]) => {
    const url = await serve((response) => {
      const chunks = deltas.map((tool_calls) => chatChunk({ tool_calls }))
      eventStream(response).end(`${chunks.join('')}${chatChunk({}, 'tool_calls')}data: [DONE]\n\n`)
    })
    const environment = { ...compatible(url), OPENROUTER_API_KEY: canary, OPENROUTER_BASE_URL: `${url}/api/v1` }
    return takeStep(name, environment, { tools: [searchTool] })
  }

  describe.each(['compatible/m', 'openrouter/a/b'])('of %s', (name) => {
    it('with arguments that are not JSON are calls with an error, never empty ones', async () => {
      const taken = await calls(name, [call({ index: 0, id: 'a' }, 'search_notes', '{"query": tom')])
      expect(taken.calls).toEqual([
        {
          id: 'a',
          name: 'search_notes',
          argumentsText: '{"query": tom',
          input: '{"query": tom',
          error: expect.stringMatching(/not valid JSON/),
        },
      ])
      expect(taken.end).toMatchObject({ type: 'finish', reason: 'tool-calls' })
    })

    it('without an index but with different ids are different calls', async () => {
      const taken = await calls(
        name,
        [call({ id: 'a' }, 'search_notes', '{"query":"x"}')],
        [call({ id: 'b' }, 'search_notes', '{"query":"y"}')],
      )
      expect(taken.calls.map(({ id, input }) => [id, input])).toEqual([
        ['a', { query: 'x' }],
        ['b', { query: 'y' }],
      ])
    })

    it('are assembled from pieces, interleaved by index', async () => {
      const taken = await calls(
        name,
        [call({ index: 0, id: 'a' }, 'search_notes', '{"que'), call({ index: 1, id: 'b' }, 'search_notes', '')],
        [call({ index: 1 }, undefined, '{"query":"y"}'), call({ index: 0 }, undefined, 'ry":"x"}')],
      )
      expect(taken.calls.map(({ input }) => input)).toEqual([{ query: 'x' }, { query: 'y' }])
    })

    it('without arguments have none, and of a tool nobody offered are passed on', async () => {
      const taken = await calls(name, [call({ index: 0, id: 'a' }, 'localSearch', '')])
      expect(taken.calls).toEqual([{ id: 'a', name: 'localSearch', argumentsText: '', input: {} }])
    })
  })
})

it('has a failure without a key that says where to get one', async () => {
  for (const { name } of everyProvider.slice(0, 4)) {
    await expect(openModel(name, { environment: {}, fetch })).rejects.toMatchObject({
      code: 'network',
      details: { hint: expect.stringMatching(/keys set/), data: { kind: 'no-key' } },
    })
  }
})
