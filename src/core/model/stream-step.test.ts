import { describe, expect, it } from 'vitest'
import { modelFailureData } from './model-failure.js'
import type { LanguageModelV3, LanguageModelV3StreamPart } from './sdk.js'
import type { StepEvent } from './step-event.js'
import { type Step, streamStep } from './stream-step.js'
import { callPart, finishPart, scriptedModel, textParts } from './testing.js'

const tools = [{ name: 'look', description: 'Look.', inputSchema: { type: 'object', properties: {} } }]

async function take(model: LanguageModelV3, step: Partial<Step> = {}): Promise<StepEvent[]> {
  const events: StepEvent[] = []
  const given = { messages: [{ role: 'user' as const, content: 'hello' }], signal: new AbortController().signal }
  const settings = { retry: { firstWaitMs: 1 }, ...step.settings }
  for await (const event of streamStep(model, { ...given, ...step, settings })) events.push(event)
  return events
}
const types = (events: StepEvent[]) => events.map(({ type }) => type)

describe('one step', () => {
  it('gives words at once and calls at the end', async () => {
    const model = scriptedModel('m', [
      ...textParts('Hm.'),
      callPart('look', '{"a":1}'),
      ...textParts('So.', 'u'),
      finishPart(),
    ])
    const events = await take(model, { tools })
    expect(types(events)).toEqual(['text-delta', 'text-delta', 'tool-call', 'finish'])
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

  it('gives no call of a reply that failed', async () => {
    const model = scriptedModel('m', [
      callPart('look', '{}'),
      { type: 'error', error: new Error('gone') },
      finishPart(),
    ])
    const events = await take(model, { tools })
    expect(types(events)).toEqual(['failed'])
  })

  it('repeats nothing once a word has come', async () => {
    const busy = { type: 'error' as const, error: { type: 'overloaded_error', message: 'busy' } }
    const model = scriptedModel('m', [
      { type: 'text-start', id: 't' },
      { type: 'text-delta', id: 't', delta: 'So ' },
      busy,
    ])
    expect(types(await take(model))).toEqual(['text-delta', 'failed'])
    expect(model.asked).toHaveLength(1)
  })

  it('repeats a request while nothing has come, and says so', async () => {
    const busy = [{ type: 'error' as const, error: { type: 'overloaded_error', message: 'busy' } }]
    const model = scriptedModel('m', busy, busy, [...textParts('Here.'), finishPart()])
    expect(types(await take(model))).toEqual(['retry', 'retry', 'text-delta', 'finish'])
  })

  it('tells calls with the same id apart', async () => {
    const model = scriptedModel('m', [
      callPart('look', '{}', 'x'),
      callPart('look', '{}', 'x'),
      callPart('look', '{}', ''),
      finishPart(),
    ])
    const events = await take(model, { tools })
    const ids = events.flatMap((event) => (event.type === 'tool-call' ? [event.call.id] : []))
    expect(new Set(ids).size).toBe(3)
    expect(ids.every((id) => id !== '')).toBe(true)
  })

  it('hands on why a middleware could not read a call', async () => {
    const part = {
      ...callPart('look', '{}'),
      providerMetadata: { notewright: { error: 'Two names.' } },
    } as LanguageModelV3StreamPart
    const events = await take(scriptedModel('m', [part, finishPart()]), { tools })
    expect(events[0]).toMatchObject({ type: 'tool-call', call: { name: 'look', error: 'Two names.' } })
  })

  it('keeps the signature of a thought with the thought, for the next step', async () => {
    const model = scriptedModel('m', [
      { type: 'reasoning-start', id: 'r' },
      { type: 'reasoning-delta', id: 'r', delta: 'Because.' },
      ...textParts('Yes.'),
      { type: 'reasoning-end', id: 'r', providerMetadata: { anthropic: { signature: 'sig' } } },
      finishPart(),
    ])
    const end = (await take(model)).at(-1)
    expect(end).toMatchObject({
      message: {
        content: [
          { type: 'reasoning', text: 'Because.', providerOptions: { anthropic: { signature: 'sig' } } },
          { type: 'text', text: 'Yes.' },
        ],
      },
    })
  })

  it('sends the same beginning for the same system prompt, marked for caching where that is asked for', async () => {
    const model = scriptedModel('claude-sonnet-4-5', [...textParts('Yes.'), finishPart()])
    await take(model, { system: 'You help.' })
    expect(model.asked[0].prompt[0]).toEqual({
      role: 'system',
      content: 'You help.',
      providerOptions: {
        anthropic: { cacheControl: { type: 'ephemeral' } },
        openrouter: { cacheControl: { type: 'ephemeral' } },
      },
    })
  })

  it('passes on which tool must be called, and none at all', async () => {
    const model = scriptedModel('m', [...textParts('Yes.'), finishPart()])
    await take(model, { tools, toolChoice: { tool: 'look' } })
    await take(model, { tools, toolChoice: 'none' })
    await take(model)
    expect(model.asked.map(({ toolChoice }) => toolChoice)).toEqual([
      { type: 'tool', toolName: 'look' },
      { type: 'none' },
      undefined,
    ])
    expect(model.asked[0].tools).toMatchObject([{ type: 'function', name: 'look', description: 'Look.' }])
    expect(model.asked[2].tools).toBeUndefined()
  })

  it('throws the reason when it is stopped, and asks nobody when it already was', async () => {
    const stop = new AbortController()
    stop.abort(new Error('enough'))
    const model = scriptedModel('m', [...textParts('Yes.'), finishPart()])
    await expect(take(model, { signal: stop.signal })).rejects.toThrow('enough')
    expect(model.asked).toEqual([])
  })

  it('stops while it waits to try again', async () => {
    const stop = new AbortController()
    const model = scriptedModel('m', [{ type: 'error', error: { type: 'overloaded_error', message: 'busy' } }])
    const listen = async () => {
      const settings = { retry: { firstWaitMs: 30_000 } }
      for await (const event of streamStep(model, {
        messages: [{ role: 'user', content: 'x' }],
        signal: stop.signal,
        settings,
      })) {
        if (event.type === 'retry') stop.abort(new Error('enough'))
      }
    }
    await expect(listen()).rejects.toThrow('enough')
  })
})

describe('an answer written before its results', () => {
  const model = (after: string) =>
    scriptedModel('claude-sonnet-4-20250514', [
      ...textParts('Looking.'),
      callPart('look', '{}'),
      ...textParts(after, 'u'),
      finishPart(),
    ])
  const invented = 'Your notes say a lot about this. '.repeat(5)

  it('is cut on the first step, and how much is said', async () => {
    const events = await take(model(invented), { tools, settings: { isFirstStep: true } })
    expect(types(events)).toEqual(['text-delta', 'tool-call', 'finish'])
    expect(events.at(-1)).toMatchObject({ reason: 'tool-calls', cutCharacters: invented.length })
    expect(JSON.stringify(events)).not.toContain('Your notes say')
  })

  it('is kept later, and when it is short', async () => {
    expect(JSON.stringify(await take(model(invented), { tools }))).toContain('Your notes say')
    expect(types(await take(model('One moment.'), { tools, settings: { isFirstStep: true } }))).toEqual([
      'text-delta',
      'text-delta',
      'tool-call',
      'finish',
    ])
  })
})

it('says that a reply without a word or a call is none', async () => {
  const [event] = await take(scriptedModel('m', [finishPart()]))
  expect(event.type === 'failed' && modelFailureData(event.failure)?.kind).toBe('empty')
})
