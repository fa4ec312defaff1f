import { describe, expect, it } from 'vitest'
import {
  callPart,
  finishPart,
  type ReplayingModel,
  replayingModel,
  textParts,
} from '../../../test/doubles/replaying-model.js'
import { askModel } from './ask-model.js'
import { modelFailureData } from './model-failure.js'
import type { ModelRequest, ToolChoice } from './model-request.js'
import { profileFor } from './profile-for.js'
import { shouldTruncateStreaming } from './reply-checks.js'
import type { ReplyEvent } from './reply-event.js'
import type { LanguageModelV3, LanguageModelV3StreamPart } from './sdk.js'

const tools = [{ name: 'look', description: 'Look.', inputSchema: { type: 'object', properties: {} } }]

async function ask(model: LanguageModelV3, request: Partial<ModelRequest> = {}): Promise<ReplyEvent[]> {
  const events: ReplyEvent[] = []
  const given = { messages: [{ role: 'user' as const, content: 'hello' }], signal: new AbortController().signal }
  const settings = { retry: { firstWaitMs: 1 }, ...request.settings }
  for await (const event of askModel(model, { ...given, ...request, settings })) events.push(event)
  return events
}
const types = (events: ReplyEvent[]) => events.map(({ type }) => type)

describe('one reply', () => {
  it('yields text, calls and more text in the order they were written', async () => {
    const model = replayingModel('m', [
      ...textParts('Hm.'),
      callPart('look', '{"a":1}'),
      ...textParts('So.', 'u'),
      finishPart(),
    ])
    const events = await ask(model, { tools })
    expect(types(events)).toEqual(['text-delta', 'tool-call', 'text-delta', 'finish'])
    expect(events.at(-1)).toMatchObject({
      reason: 'tool-calls',
      usage: { input: 3, output: 2 },
      message: {
        content: [
          { type: 'text', text: 'Hm.' },
          { type: 'tool-call', toolCallId: 'c1', toolName: 'look', input: { a: 1 } },
          { type: 'text', text: 'So.' },
        ],
      },
    })
  })

  it('ends a failed reply with its failure and without its calls', async () => {
    const model = replayingModel('m', [
      callPart('look', '{}'),
      { type: 'error', error: new Error('gone') },
      finishPart(),
    ])
    const events = await ask(model, { tools })
    expect(types(events)).toEqual(['tool-call', 'failed'])
    expect(events.at(-1)).not.toHaveProperty('message')
  })

  it('does not retry once text has arrived', async () => {
    const busy = { type: 'error' as const, error: { type: 'overloaded_error', message: 'busy' } }
    const model = replayingModel('m', [
      { type: 'text-start', id: 't' },
      { type: 'text-delta', id: 't', delta: 'So ' },
      busy,
    ])
    expect(types(await ask(model))).toEqual(['text-delta', 'failed'])
    expect(model.asked).toHaveLength(1)
  })

  it('retries a request while nothing has arrived, and reports it', async () => {
    const busy = [{ type: 'error' as const, error: { type: 'overloaded_error', message: 'busy' } }]
    const model = replayingModel('m', busy, busy, [...textParts('Here.'), finishPart()])
    expect(types(await ask(model))).toEqual(['retry', 'retry', 'text-delta', 'finish'])
  })

  it('distinguishes calls with the same id', async () => {
    const model = replayingModel('m', [
      callPart('look', '{}', 'x'),
      callPart('look', '{}', 'x'),
      callPart('look', '{}', ''),
      finishPart(),
    ])
    const events = await ask(model, { tools })
    const ids = events.flatMap((event) => (event.type === 'tool-call' ? [event.call.id] : []))
    expect(new Set(ids).size).toBe(3)
    expect(ids.every((id) => id !== '')).toBe(true)
  })

  it('passes on the reason why middleware could not read a call', async () => {
    const part = {
      ...callPart('look', '{}'),
      providerMetadata: { notewright: { error: 'Two names.' } },
    } as LanguageModelV3StreamPart
    const events = await ask(replayingModel('m', [part, finishPart()]), { tools })
    expect(events[0]).toMatchObject({ type: 'tool-call', call: { name: 'look', error: 'Two names.' } })
  })

  it('keeps the signature of reasoning with the reasoning, for the next step', async () => {
    const model = replayingModel('m', [
      { type: 'reasoning-start', id: 'r' },
      { type: 'reasoning-delta', id: 'r', delta: 'Because.' },
      ...textParts('Yes.'),
      { type: 'reasoning-end', id: 'r', providerMetadata: { anthropic: { signature: 'sig' } } },
      finishPart(),
    ])
    const end = (await ask(model)).at(-1)
    expect(end).toMatchObject({
      message: {
        content: [
          { type: 'reasoning', text: 'Because.', providerOptions: { anthropic: { signature: 'sig' } } },
          { type: 'text', text: 'Yes.' },
        ],
      },
    })
  })

  it('sends the same beginning for the same system prompt, marked for caching where the profile asks for it', async () => {
    const model = replayingModel('claude-sonnet-4-5', [...textParts('Yes.'), finishPart()])
    await ask(model, { system: 'You help.' })
    expect(model.asked[0].prompt[0]).toEqual({
      role: 'system',
      content: 'You help.',
      providerOptions: {
        anthropic: { cacheControl: { type: 'ephemeral' } },
        openrouter: { cacheControl: { type: 'ephemeral' } },
      },
    })
  })

  it('marks tools and the end of the conversation for caching, and nothing between', async () => {
    const model = replayingModel('claude-sonnet-4-5', [...textParts('Yes.'), finishPart()])
    const messages = [
      { role: 'user' as const, content: 'One?' },
      { role: 'assistant' as const, content: 'Yes.' },
      { role: 'user' as const, content: 'Two?' },
    ]
    await ask(model, { system: 'You help.', messages, tools: [tools[0], { ...tools[0], name: 'last' }] })
    const { prompt, tools: sent = [] } = model.asked[0]
    const isMarked = (item: object) => JSON.stringify(item).includes('cacheControl')
    expect(prompt.map(isMarked)).toEqual([true, false, false, true])
    expect(sent.map(isMarked)).toEqual([false, true])
  })

  it('passes on which tool must be called, and none at all', async () => {
    const model = replayingModel('m', [callPart('look', '{}'), finishPart()], [...textParts('Yes.'), finishPart()])
    await ask(model, { tools, toolChoice: { tool: 'look' } })
    await ask(model, { tools, toolChoice: 'none' })
    await ask(model)
    expect(model.asked.map(({ toolChoice }) => toolChoice)).toEqual([
      { type: 'tool', toolName: 'look' },
      { type: 'none' },
      undefined,
    ])
    expect(model.asked[0].tools).toMatchObject([{ type: 'function', name: 'look', description: 'Look.' }])
    expect(model.asked[2].tools).toBeUndefined()
  })

  it('throws the reason when it is aborted, and sends no request if it already was', async () => {
    const stop = new AbortController()
    stop.abort(new Error('enough'))
    const model = replayingModel('m', [...textParts('Yes.'), finishPart()])
    await expect(ask(model, { signal: stop.signal })).rejects.toThrow('enough')
    expect(model.asked).toEqual([])
  })

  it('aborts while it waits for a retry', async () => {
    const stop = new AbortController()
    const model = replayingModel('m', [{ type: 'error', error: { type: 'overloaded_error', message: 'busy' } }])
    const listen = async () => {
      const settings = { retry: { firstWaitMs: 30_000 } }
      const request = { messages: [{ role: 'user' as const, content: 'x' }], signal: stop.signal, settings }
      for await (const event of askModel(model, request)) {
        if (event.type === 'retry') stop.abort(new Error('enough'))
      }
    }
    await expect(listen()).rejects.toThrow('enough')
  })
})

describe('the choice of tools', () => {
  const two = [...tools, { ...tools[0], name: 'listen', strict: true }]
  const said = (text: string): LanguageModelV3StreamPart[] => [...textParts(text), finishPart()]
  const called = (...names: string[]) => [...names.map((name, at) => callPart(name, '{}', `c${at}`)), finishPart()]
  const calls = (events: ReplyEvent[]) =>
    events.flatMap((event) => (event.type === 'tool-call' ? [event.call.name] : []))
  const lastWords = (model: ReplayingModel) => JSON.stringify(model.asked.at(-1)?.prompt.at(-1)?.content)

  it('required: a reply without a call is requested once more with the reason, and not shown', async () => {
    const model = replayingModel('m', said('I will.'), called('look'))
    const events = await ask(model, { tools: two, toolChoice: 'required' })
    expect(types(events)).toEqual(['repair', 'tool-call', 'finish'])
    expect(lastWords(model)).toContain('must call one of these tools: look, listen')
    expect(model.asked[1].prompt.at(-2)).toMatchObject({ role: 'assistant', content: [{ text: 'I will.' }] })
    expect(events.at(-1)).toMatchObject({
      usage: { input: 6, output: 4 },
      message: { content: [{ toolName: 'look' }] },
    })
  })

  it('required: a second reply without a call is a failure that says so', async () => {
    const model = replayingModel('m', said('I will.'))
    const [repair, end] = await ask(model, { tools: two, toolChoice: 'required' })
    expect(repair.type).toBe('repair')
    expect(end.type === 'failed' && modelFailureData(end.failure)).toMatchObject({ kind: 'tool-choice' })
    expect(model.asked).toHaveLength(2)
  })

  it('required: text is held back until the call, and comes before it', async () => {
    const model = replayingModel('m', [...textParts('So. '), ...called('look')])
    expect(types(await ask(model, { tools: two, toolChoice: 'required' }))).toEqual([
      'text-delta',
      'tool-call',
      'finish',
    ])
  })

  it('none: a call is not passed on; the model is told to answer, and its text stays one reply', async () => {
    const model = replayingModel('m', [...textParts('Let me look. '), ...called('look')], said('It is a pear.'))
    const events = await ask(model, { tools: two, toolChoice: 'none' })
    expect(types(events)).toEqual(['text-delta', 'repair', 'text-delta', 'finish'])
    expect(lastWords(model)).toContain('Answer in plain text')
    expect(events.at(-1)).toMatchObject({
      message: { content: [{ text: 'Let me look. ' }, { text: 'It is a pear.' }] },
    })
  })

  it.each<[string, ToolChoice, string[], string[]]>([
    ['one', { tool: 'look' }, ['listen'], ['look']],
    ['a list', { tools: ['look'], mode: 'required' }, ['listen'], ['look']],
    ['a list or none', { tools: ['look'], mode: 'auto' }, ['listen'], ['look']],
    ['required', 'required', ['smell'], ['listen']],
  ])('%s: another call is refused, and asked for once more', async (_name, toolChoice, first, second) => {
    const model = replayingModel('m', called(...first), called(...second))
    const events = await ask(model, { tools: two, toolChoice })
    expect(types(events)).toEqual(['repair', 'tool-call', 'finish'])
    expect(calls(events)).toEqual(second)
    expect(lastWords(model)).toContain(first[0])
  })

  it('passes on those of several calls that are allowed', async () => {
    const model = replayingModel('m', called('listen', 'look', 'listen'))
    const events = await ask(model, { tools: two, toolChoice: { tools: ['look'], mode: 'auto' } })
    expect(calls(events)).toEqual(['look'])
    expect(model.asked).toHaveLength(1)
    expect(model.asked[0].tools).toMatchObject([{ name: 'look' }])
  })

  it('one at a time: passes on the first of several calls', async () => {
    const model = replayingModel('m', called('listen', 'look'))
    const events = await ask(model, { tools: two, settings: { parallelCalls: false } })
    expect(calls(events)).toEqual(['listen'])
    expect(model.asked[0].tools).toMatchObject([{ name: 'look' }, { name: 'listen', strict: true }])
  })
})

describe('a call', () => {
  it('is passed on as it was written, and parsed', async () => {
    const text = ' {"n": 1.0, "id": 12345678901234567890, "s": "\\u00fc"}'
    const [event] = await ask(replayingModel('m', [callPart('look', text), finishPart()]), { tools })
    expect(event).toMatchObject({ call: { argumentsText: text, input: { n: 1, s: 'ü' } } })
  })

  it('has an id that no earlier call of the conversation has', async () => {
    const model = replayingModel('m', [callPart('look', '{}', '0'), finishPart()])
    const earlier = { type: 'tool-call' as const, toolCallId: '0', toolName: 'look', input: {} }
    const [event] = await ask(model, { tools, messages: [{ role: 'assistant', content: [earlier] }] })
    expect(event).toMatchObject({ call: { id: '0-2' } })
  })

  it('has the same id from its first character to its end', async () => {
    const written = (id: string): LanguageModelV3StreamPart[] => [
      { type: 'tool-input-start', id, toolName: 'look' },
      { type: 'tool-input-delta', id, delta: '{}' },
      { type: 'tool-input-end', id },
      callPart('look', '{}', id),
    ]
    const events = await ask(replayingModel('m', [...written('x'), ...written('x'), finishPart()]), { tools })
    const ids = events.flatMap((event) => ('id' in event ? [event.id] : 'call' in event ? [event.call.id] : []))
    expect(ids).toEqual(['x', 'x', 'x', 'x-2', 'x-2', 'x-2'])
  })
})

describe('leaving a reply', () => {
  it('aborts the request at any event, also while the model is silent', async () => {
    const script = [...textParts('So. '), callPart('look', '{}'), ...textParts('Yes.', 'u'), finishPart()]
    for (let at = 0; at < 4; at++) {
      const model = replayingModel('m', script)
      let seen = 0
      for await (const _ of askModel(model, { messages: [], tools, signal: new AbortController().signal })) {
        if (seen++ === at) break
      }
      expect(model.asked[0].abortSignal?.aborted).toBe(true)
    }
  })

  it('does not wait for a model that ignores its signal', async () => {
    const stop = new AbortController()
    const model = replayingModel('m', [])
    model.doStream = async () => ({ stream: new ReadableStream({}) })
    const listening = askModel(model, { messages: [], signal: stop.signal }).next()
    setTimeout(() => stop.abort(new Error('enough')), 5)
    await expect(listening).rejects.toThrow('enough')
  })
})

describe('a reply that is long enough', () => {
  const invented = 'Your notes say a lot about this. '.repeat(5)
  const model = () =>
    replayingModel('claude-sonnet-4-20250514', [
      ...textParts('Looking.'),
      callPart('look', '{}'),
      ...textParts(invented, 'u'),
      callPart('look', '{}', 'c2'),
      finishPart(),
    ])

  it('ends there, with everything that had arrived', async () => {
    const profile = profileFor('claude-sonnet-4-20250514')
    const events = await ask(model(), { tools, isEnough: (soFar) => shouldTruncateStreaming(profile, soFar, 0) })
    expect(types(events)).toEqual(['text-delta', 'tool-call', 'text-delta', 'finish'])
    expect(events.at(-1)).toMatchObject({ reason: 'tool-calls' })
  })

  it('is not cut by askModel itself', async () => {
    const events = await ask(model(), { tools })
    expect(types(events)).toEqual(['text-delta', 'tool-call', 'text-delta', 'tool-call', 'finish'])
  })
})

it('reports a reply without text and calls as a failure', async () => {
  const [event] = await ask(replayingModel('m', [finishPart()]))
  expect(event.type === 'failed' && modelFailureData(event.failure)?.kind).toBe('empty')
})
