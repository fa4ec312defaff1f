import { expect, it } from 'vitest'
import { askModel } from '../../src/core/model/index.js'
import { afterGreeting, converse, recordedCodex, searchTool, textOf } from './recorded-codex.js'

it('Codex 0.166 calls two tools at once, waits for both results, and continues in the same turn', async () => {
  const { model, heard } = await recordedCodex('two-calls-0.166')
  const events = await converse(model, afterGreeting('do a parallel search'))
  expect(textOf(events)).toBe('Let me look.Done with 2 results.')
  const calls = events.flatMap((event) => (event.type === 'tool-call' ? [event.call] : []))
  expect(calls.map(({ id, argumentsText }) => [id, argumentsText])).toEqual([
    ['call_1_2', '{"query": "a"}'],
    ['call_1_3', '{"query":"b" }'],
  ])
  const answers = heard().filter(({ method }) => method === undefined)
  expect(answers.map(({ result }) => JSON.stringify(result)).sort()).toEqual([
    '{"contentItems":[{"type":"inputText","text":"found {\\"query\\":\\"a\\"}"}],"success":true}',
    '{"contentItems":[{"type":"inputText","text":"found {\\"query\\":\\"b\\"}"}],"success":true}',
  ])
  expect(heard().filter(({ method }) => method === 'thread/start')).toHaveLength(1)
})

it('reasoning, text and calls of Codex keep their order, and each reply has its own usage', async () => {
  const { model } = await recordedCodex('two-calls-0.166')
  const events = await converse(model, afterGreeting('do a parallel search'))
  const kinds = events.map(({ type }) => type).filter((type, at, all) => type !== all[at - 1])
  expect(kinds).toEqual(['reasoning-delta', 'text-delta', 'tool-call', 'finish', 'text-delta', 'finish'])
  const usages = events.flatMap((event) => (event.type === 'finish' ? [event.usage] : []))
  expect(usages).toEqual([
    { input: 10, output: 5, reasoning: 1, cachedInput: 2 },
    { input: 10, output: 5, reasoning: 1, cachedInput: 2 },
  ])
})

it('Codex gets an unsaved thread with the conversation and without its own tools', async () => {
  const { model, heard } = await recordedCodex('two-calls-0.166')
  await converse(model, afterGreeting('do a parallel search'))
  const { params } = heard().find(({ method }) => method === 'thread/start')!
  expect(params).toMatchObject({
    model: 'fake-model',
    ephemeral: true,
    approvalPolicy: 'never',
    sandbox: 'read-only',
    developerInstructions: 'You are a note agent.',
    environments: [],
    dynamicTools: [{ type: 'function', ...searchTool }],
  })
  expect(params).not.toHaveProperty('baseInstructions')
  expect(params?.config).toMatchObject({
    web_search: 'disabled',
    'features.shell_tool': false,
    'features.view_image': false,
    'agents.enabled': false,
    mcp_servers: { notes: { enabled: false } },
  })
  expect(heard().find(({ method }) => method === 'thread/inject_items')?.params?.items).toEqual([
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'earlier' }] },
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'ok' }] },
  ])
})

it('a model in code mode calls tools from its code, which waits for the results', async () => {
  const { model, heard } = await recordedCodex('code-mode-0.166')
  const events = await converse(model, [{ role: 'user', content: 'CODEMODE please' }])
  const calls = events.flatMap((event) => (event.type === 'tool-call' ? [event.call.input] : []))
  expect(calls).toEqual([{ query: 'a' }, { query: 'b' }])
  expect(heard().filter(({ method }) => method === undefined)).toHaveLength(2)
  expect(textOf(events)).toContain('Script completed')
})

it('code that calls one tool after the other gets each result', async () => {
  const { model, heard } = await recordedCodex('code-mode-0.166', { ONE_BY_ONE: 'yes' })
  const events = await converse(model, [{ role: 'user', content: 'CODEMODE please' }])
  const calls = events.flatMap((event) => (event.type === 'tool-call' ? [event.call.input] : []))
  expect(calls).toEqual([{ query: 'a' }, { query: 'b' }])
  expect(events.filter(({ type }) => type === 'finish')).toHaveLength(3)
  expect(heard().filter(({ method }) => method === undefined)).toHaveLength(2)
  expect(textOf(events)).toContain('Script completed')
})

it('a call with unreadable arguments goes back to Codex, which lets the model try again', async () => {
  const { model } = await recordedCodex('broken-arguments-0.166')
  const events = await converse(model, afterGreeting('BROKEN args'))
  expect(events.some(({ type }) => type === 'tool-call')).toBe(false)
  expect(textOf(events)).toBe('Done with 1 results.')
})

it('a usage limit of Codex is a failure that says what to do', async () => {
  const { model } = await recordedCodex('rate-limit-0.166')
  const events = await converse(model, afterGreeting('FAIL please'))
  expect(events).toEqual([
    expect.objectContaining({
      type: 'failed',
      failure: expect.objectContaining({
        message: 'Codex could not answer: rate limit exceeded: slow down, try again in 20s',
        details: expect.objectContaining({ data: expect.objectContaining({ kind: 'rate-limit', retryable: true }) }),
      }),
    }),
  ])
})

it('a reply that reaches the length limit reports it', async () => {
  const { model } = await recordedCodex('cut-0.166')
  const events = await converse(model, afterGreeting('CUT please'))
  expect(textOf(events)).toBe('Half of it')
  expect(events.at(-1)).toMatchObject({ type: 'finish', reason: 'length' })
})

it('leaving the stream interrupts the turn and leaves the thread', async () => {
  const { model, heard } = await recordedCodex('cancelled-0.166')
  const stop = new AbortController()
  const listen = async () => {
    const request = { messages: [{ role: 'user' as const, content: 'HANG please' }], tools: [searchTool] }
    for await (const event of askModel(model, { ...request, signal: stop.signal })) {
      if (event.type === 'text-delta') stop.abort(new Error('enough'))
    }
  }
  await expect(listen()).rejects.toThrow('enough')
  await expect.poll(() => heard().map(({ method }) => method)).toContain('turn/interrupt')
  await expect.poll(() => heard().at(-1)?.method).toBe('thread/unsubscribe')
})

it('Codex 0.89 has no client tools, so it writes its calls and receives results as text', async () => {
  const { model, heard } = await recordedCodex('text-call-0.89')
  const events = await converse(model, afterGreeting('SENTINEL search'))
  expect(events.flatMap((event) => (event.type === 'tool-call' ? [event.call.input] : []))).toEqual([{ query: 'a' }])
  expect(textOf(events)).toMatch(/^Let me look\.\s*Hello there/)
  const [first, second] = heard().filter(({ method }) => method === 'thread/resume')
  expect(first.params?.developerInstructions).toMatch(/^You are a note agent\.\n\nYou can use tools\./)
  expect(first.params).not.toHaveProperty('dynamicTools')
  const inputs = heard().filter(({ method }) => method === 'turn/start')
  expect(JSON.stringify(inputs[1].params?.input)).toContain('found {\\"query\\":\\"a\\"}')
  expect(second.params?.history).toHaveLength(4)
})

it('the turn ends if Codex uses a tool of its own that it may not use', async () => {
  const { model, heard } = await recordedCodex('view-image-0.89')
  const events = await converse(model, afterGreeting('VIEWIMAGE please'))
  expect(events.at(-1)).toMatchObject({
    type: 'failed',
    failure: expect.objectContaining({
      message: 'Stopped, because Codex started to use a built-in tool that is not allowed: image.',
    }),
  })
  await expect.poll(() => heard().map(({ method }) => method)).toContain('turn/interrupt')
})
