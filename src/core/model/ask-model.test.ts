import { jsonSchema, streamText, tool } from 'ai'
import { describe, expect, it } from 'vitest'
import { askModel, type ModelRequest } from './ask-model.js'
import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3StreamPart,
  ModelMessage,
  TextStreamPart,
  ToolSet,
} from './sdk.js'
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

type Script = (LanguageModelV3StreamPart[] | Error)[]

const replies: Record<string, Script> = {
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

type Asking = Pick<ModelRequest, 'tools' | 'toolChoice'>
const usual: Asking = { tools, toolChoice: 'auto' }

async function heard(script: Script, asking: Asking, ask: typeof askModel | typeof askThroughSdk) {
  const model = scriptedModel('m', ...script)
  const system = { role: 'system' as const, content: 'Be kind.' }
  const parts: unknown[] = []
  try {
    const request = { system, messages, ...asking, options: { temperature: 0.5 } }
    for await (const part of ask(model, request)) {
      parts.push(...comparable(part))
      // Nobody listens after an error.
      if (part.type === 'error') break
    }
  } catch (error) {
    parts.push({ type: 'error', error: `${error}` })
  }
  return { parts, asked: model.asked.map(question) }
}

async function* askThroughSdk(model: LanguageModelV3, request: ModelRequest) {
  const { system, messages: said, tools: offered, toolChoice, options } = request
  const { fullStream } = streamText({
    model,
    system,
    messages: [...said],
    ...(offered.length > 0 && {
      tools: Object.fromEntries(
        offered.map((each) => [each.name, tool({ ...each, inputSchema: jsonSchema(each.inputSchema) })]),
      ),
      toolChoice: typeof toolChoice === 'object' ? { type: 'tool' as const, toolName: toolChoice.tool } : toolChoice,
    }),
    temperature: options.temperature,
    maxRetries: 0,
    onError: () => {},
  })
  yield* fullStream
}

/** The SDK adds headers and leaves empty options; the question itself must be the same. */
function question({ prompt, tools: offered, toolChoice, temperature }: LanguageModelV3CallOptions) {
  return JSON.parse(JSON.stringify({ prompt, tools: offered, toolChoice, temperature }))
}

/** What a step looks at in a part. */
function comparable(part: TextStreamPart<ToolSet>): unknown[] {
  switch (part.type) {
    case 'text-delta':
    case 'reasoning-delta':
      return [[part.type, part.id, part.text]]
    case 'reasoning-end':
      return [[part.type, part.id, part.providerMetadata]]
    case 'tool-call':
      // A call of a tool that was not offered is no business of this floor.
      return [
        [part.type, part.toolCallId, part.toolName, part.input, part.toolName === 'look' && part.invalid === true],
      ]
    case 'error':
      return [{ type: 'error', error: `${part.error}` }]
    case 'finish-step':
      return [[part.type, part.finishReason, part.usage.inputTokens]]
    default:
      return []
  }
}

describe('a model asked without the SDK', () => {
  it.each(Object.keys(replies))('is asked and heard as the SDK would: %s', async (name) => {
    expect(await heard(replies[name], usual, askModel)).toEqual(await heard(replies[name], usual, askThroughSdk))
  })

  it('hears of a tool it must call, and of none', async () => {
    const askings: Asking[] = [
      { tools, toolChoice: { tool: 'look' } },
      { tools, toolChoice: 'none' },
      { tools: [], toolChoice: 'auto' },
    ]
    for (const asking of askings) {
      expect(await heard(replies.words, asking, askModel)).toEqual(await heard(replies.words, asking, askThroughSdk))
    }
  })
})
