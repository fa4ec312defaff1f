import { describe, expect, it } from 'vitest'
import { ownModel } from './own-model.js'
import type { LanguageModelV3CallOptions, LanguageModelV3StreamPart, ModelMessage } from './sdk.js'
import type { StepEvent } from './step-event.js'
import { type Step, streamStep } from './stream-step.js'
import { callPart, finishPart, scriptedModel, textParts } from './testing.js'

const tools = [{ name: 'look', description: 'Look.', inputSchema: { type: 'object', properties: {} } }]
const messages: ModelMessage[] = [
  { role: 'user', content: 'hello' },
  {
    role: 'assistant',
    content: [
      { type: 'text', text: 'Looking.' },
      { type: 'tool-call', toolCallId: 'c0', toolName: 'look', input: { a: 1 } },
    ],
  },
  {
    role: 'tool',
    content: [{ type: 'tool-result', toolCallId: 'c0', toolName: 'look', output: { type: 'text', value: 'A pear.' } }],
  },
  { role: 'assistant', content: 'It is a pear.' },
  { role: 'user', content: 'sure?' },
]

const replies: Record<string, (LanguageModelV3StreamPart[] | Error)[]> = {
  words: [[...textParts('Yes.'), finishPart()]],
  'reasoning, words and calls': [
    [
      { type: 'stream-start', warnings: [] },
      { type: 'reasoning-start', id: 'r' },
      { type: 'reasoning-delta', id: 'r', delta: 'Hm.' },
      { type: 'reasoning-end', id: 'r', providerMetadata: { who: { signature: 'x' } } },
      ...textParts('So.'),
      callPart('look', '{"a":1}', 'c1'),
      callPart('look', '{"a":', 'c2'),
      callPart('look', '', 'c3'),
      callPart('other', '{}', 'c4'),
      finishPart('tool-calls'),
    ],
  ],
  'nothing at all': [[finishPart()]],
  'a reply that breaks off': [[...textParts('Ye')]],
  'an error in the stream': [[...textParts('Ye'), { type: 'error', error: new Error('gone') }]],
  'an error before it': [new Error('ECONNREFUSED')],
}

async function take(isOwn: boolean, script: (LanguageModelV3StreamPart[] | Error)[], step: Partial<Step> = {}) {
  const model = scriptedModel('m', ...script)
  const events: StepEvent[] = []
  const settings = { retry: { attempts: 1 }, temperature: 0.5 }
  const given = { messages, system: 'Be kind.', tools, settings, signal: new AbortController().signal, ...step }
  for await (const event of streamStep(isOwn ? ownModel(model) : model, given)) events.push(event)
  return { events, asked: model.asked.map(comparable) }
}

/** The SDK adds headers and leaves empty options; the question itself must be the same. */
function comparable({ prompt, tools: offered, toolChoice, temperature }: LanguageModelV3CallOptions) {
  return JSON.parse(JSON.stringify({ prompt, tools: offered, toolChoice, temperature }))
}

describe('a model of our own, asked without the SDK', () => {
  it.each(Object.keys(replies))('is asked and heard in the same way: %s', async (name) => {
    expect(await take(true, replies[name])).toEqual(await take(false, replies[name]))
  })

  it('hears of a tool it must call, and of none', async () => {
    for (const step of [{ toolChoice: { tool: 'look' } }, { toolChoice: 'none' as const }, { tools: [] }]) {
      expect(await take(true, replies.words, step)).toEqual(await take(false, replies.words, step))
    }
  })
})
