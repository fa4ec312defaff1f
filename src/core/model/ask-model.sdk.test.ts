import { jsonSchema, streamText, tool } from 'ai'
import { describe, expect, it } from 'vitest'
import { callPart, finishPart, replayingModel, textParts } from '../../../test/doubles/replaying-model.js'
import { askModel } from './ask-model.js'
import type { ModelRequest } from './model-request.js'
import type { LanguageModelV3, LanguageModelV3CallOptions, LanguageModelV3StreamPart, ModelMessage } from './sdk.js'

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
  {
    role: 'user',
    content: [
      { type: 'text', text: 'sure?' },
      { type: 'image', image: 'data:image/png;base64,iVBORw0KGgo=' },
      { type: 'image', image: new Uint8Array([0x89, 0x50, 0x4e, 0x47]), mediaType: 'image/png' },
      { type: 'file', data: 'JVBERi0=', mediaType: 'application/pdf', filename: 'a.pdf' },
    ],
  },
]

type Script = (LanguageModelV3StreamPart[] | Error)[]

const replies: Record<string, Script> = {
  words: [[...textParts('Yes.'), finishPart()]],
  'reasoning, words and calls': [
    [
      { type: 'stream-start', warnings: [] },
      { type: 'reasoning-start', id: 'r' },
      { type: 'reasoning-delta', id: 'r', delta: 'Hm.' },
      { type: 'reasoning-end', id: 'r' },
      ...textParts('So.'),
      callPart('look', '{"a":1}', 'c1'),
      callPart('look', '{"a":', 'c2'),
      callPart('look', '', 'c3'),
      callPart('other', '{}', 'c4'),
      finishPart('tool-calls'),
    ],
  ],
}

type Asking = Pick<ModelRequest, 'tools' | 'toolChoice' | 'settings'>
const settings = { temperature: 0.5, topP: 0.9, seed: 7, maxOutputTokens: 100, presencePenalty: 1, frequencyPenalty: 2 }
const usual: Asking = { tools, toolChoice: 'auto', settings: { ...settings, stop: ['END'] } }

async function heard(
  script: Script,
  asking: Asking,
  ask: (model: LanguageModelV3, asking: Asking) => Promise<unknown[]>,
) {
  const model = replayingModel('m', ...script)
  return { said: await ask(model, asking), asked: model.asked.map(question) }
}

async function askDirectly(model: LanguageModelV3, asking: Asking): Promise<unknown[]> {
  const { signal } = new AbortController()
  const said: unknown[] = []
  for await (const event of askModel(model, { system: 'Be kind.', messages, signal, ...asking })) {
    if (event.type === 'text-delta' || event.type === 'reasoning-delta') said.push([event.type, event.text])
    if (event.type === 'tool-call') {
      const { id, name, input } = event.call
      said.push(['tool-call', id, name, input])
    }
    if (event.type === 'finish') said.push(['finish', event.reason, event.usage.input])
  }
  return said
}

async function askThroughSdk(model: LanguageModelV3, { tools: offered = [], toolChoice, settings: wanted }: Asking) {
  const { stop, ...rest } = wanted ?? {}
  const { fullStream } = streamText({
    model,
    system: 'Be kind.',
    messages,
    ...(offered.length > 0 && {
      tools: Object.fromEntries(
        offered.map((each) => [each.name, tool({ ...each, inputSchema: jsonSchema(each.inputSchema) })]),
      ),
      toolChoice: chosen(toolChoice),
    }),
    ...rest,
    ...(stop && { stopSequences: [...stop] }),
    maxRetries: 0,
    onError: () => {},
  })
  const said: unknown[] = []
  for await (const part of fullStream) {
    if (part.type === 'text-delta' || part.type === 'reasoning-delta') said.push([part.type, part.text])
    if (part.type === 'tool-call') said.push([part.type, part.toolCallId, part.toolName, part.input])
    if (part.type === 'finish-step') said.push(['finish', part.finishReason, part.usage.inputTokens])
  }
  return said
}

function chosen(choice: Asking['toolChoice']) {
  if (typeof choice !== 'object') return choice
  return 'tool' in choice ? { type: 'tool' as const, toolName: choice.tool } : choice.mode
}

/** The SDK adds headers and leaves empty options; the question itself must be the same. */
function question({
  headers: _headers,
  providerOptions: _options,
  includeRawChunks: _raw,
  ...rest
}: LanguageModelV3CallOptions) {
  const { abortSignal: _signal, ...asked } = rest
  return JSON.parse(JSON.stringify(asked))
}

describe('a request without the SDK', () => {
  it.each(Object.keys(replies))('sends the same request and yields the same reply as the SDK: %s', async (name) => {
    expect(await heard(replies[name], usual, askDirectly)).toEqual(await heard(replies[name], usual, askThroughSdk))
  })

  it('passes on a forced tool, and no tool', async () => {
    const askings: [Script, Asking][] = [
      [replies['reasoning, words and calls'].map(withoutOther), { tools, toolChoice: { tool: 'look' } }],
      [replies.words, { tools, toolChoice: 'none' }],
      [replies.words, { tools: [], toolChoice: 'auto' }],
    ]
    for (const [script, asking] of askings) {
      expect(sorted(await heard(script, asking, askDirectly))).toEqual(
        sorted(await heard(script, asking, askThroughSdk)),
      )
    }
  })
})

const withoutOther = (script: Script[number]) =>
  script instanceof Error ? script : script.filter((part) => part.type !== 'tool-call' || part.toolName === 'look')

/** A required call holds text back; here only the request is compared. */
const sorted = ({ said, asked }: { said: unknown[]; asked: unknown }) => ({ said: said.map(String).sort(), asked })
