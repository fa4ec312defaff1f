import { describe, expect, it } from 'vitest'
import {
  heard,
  hello,
  type Options,
  partsOf,
  profileWith,
  readA,
  request,
  says,
  sentinel,
  tools,
  wrap,
} from '../../../../test/dialects/dialect-models.js'
import { scriptedModel } from '../../../../test/doubles/scripted-model.js'
import { Failure } from '../../errors.js'
import {
  askModel,
  defaultProfile,
  type LanguageModelV3CallOptions,
  type ModelRequest,
  modelFailureData,
  type ReplyEvent,
} from '../../model/index.js'
import type { ReaderEvent } from '../events.js'
import { withDialect } from '../index.js'
import type { TextDialect } from '../text-dialect.js'

describe('a dialect that cannot be taught', () => {
  it('is refused with the available names', () => {
    expect(() => wrap(says('hi'), { dialect: 'klingon' })).toThrow('klingon')
  })
})

describe('a custom dialect', () => {
  /** A line that begins with an exclamation mark is a call: `!read_note {"path": "A.md"}`. */
  const shout: TextDialect = {
    name: 'shout',
    teach: ({ tools: offered }) => `Available tools: ${offered.map(({ name }) => name)}. Write !NAME {…} on a line.`,
    write: ({ name, arguments: args }) => `!${name} ${JSON.stringify(args)}`,
    open() {
      let text = ''
      return {
        push(piece) {
          text += piece
          return []
        },
        end: () =>
          text.split('\n').map((line): ReaderEvent => {
            const [, name, args] = /^!(\w+) (.*)$/.exec(line) ?? []
            return name ? { type: 'call', name, arguments: JSON.parse(args) } : { type: 'text', text: line }
          }),
      }
    },
  }

  it('is taught, written and read like the others', async () => {
    const model = says('Looking.\n!read_note {"path":"A.md"}')
    const { content, reason } = await heard(wrap(model, { dialect: shout }))
    expect(content).toEqual([{ text: 'Looking.' }, { call: 'read_note', input: { path: 'A.md' } }])
    expect(reason).toBe('tool-calls')
    expect(model.prompts[0].prompt[0].content).toContain('Write !NAME')
  })
})

describe('an answer in JSON', () => {
  const responseFormat = { type: 'json' as const, schema: { type: 'object' as const } }

  it('is requested in words if calls are text too, so that no server suppresses them', async () => {
    const model = says('{}')
    await heard(wrap(model), request({ responseFormat }))
    await heard(wrap(model), request({ responseFormat, tools: undefined }))
    expect(model.prompts[0].prompt[0].content).toContain('fits this JSON Schema: {"type":"object"}')
    expect(model.prompts.map((asked) => asked.responseFormat)).toEqual([undefined, responseFormat])
  })
})

describe('the choice of tools', () => {
  const both = `One. ${readA} Two. ${sentinel('delete_note', { path: 'B.md' })}`

  it.each<[string, LanguageModelV3CallOptions['toolChoice']]>([
    ['must call at least one tool', { type: 'required' }],
    ['must call the tool read_note and no other', { type: 'tool', toolName: 'read_note' }],
  ])('is written into the prompt: %s', async (words, toolChoice) => {
    const model = says(both)
    const { content } = await heard(wrap(model), request({ toolChoice }))
    expect(model.prompts[0].prompt[0].content).toContain(words)
    // The caller checks whether the model kept to it.
    expect(content.flatMap((part) => ('call' in part ? [part.call] : []))).toEqual(['read_note', 'delete_note'])
  })

  it('is written at the very end when nothing may be called, so that the beginning stays unchanged', async () => {
    const model = says('Well.')
    await heard(wrap(model), request())
    await heard(wrap(model), request({ toolChoice: { type: 'none' } }))
    const [open, closed] = model.prompts.map(({ prompt }) => prompt)
    expect(closed.slice(0, -1)).toEqual(open.slice(0, -1))
    const [before, after] = [open, closed].map((prompt) => (prompt.at(-1)!.content[0] as { text: string }).text)
    expect(after).toBe(`${before}\n\nDo not call any tool in this reply. Answer in plain text.`)
  })

  it.each([
    ['the profile', { profile: profileWith({ parallelCalls: false }) }, {}],
    ['an option', { parallelCalls: false }, {}],
    ['the request', {}, { providerOptions: { openai: { parallelToolCalls: false } } }],
  ])('one at a time, when %s says so', async (_who, options, more) => {
    const model = says(both)
    const { content } = await heard(wrap(model, options), request(more))
    expect(content).toEqual([{ text: 'One.' }, { call: 'read_note', input: { path: 'A.md' } }, { text: '  Two.' }])
    expect(model.prompts[0].prompt[0].content).toContain('at most one call')
  })
})

describe('the native dialect', () => {
  it('reports a reply that is a call written as text, and shows nothing of it', async () => {
    const native = { dialect: 'native' }
    const bare = '{"name": "read_note", "arguments": {"path": "A.md"}}'
    for (const reply of [bare, `\`\`\`json\n${bare}\n\`\`\``, readA]) {
      expect((await heard(wrap(says(reply), native))).content).toEqual([{ text: '' }])
    }
    for (const reply of ['hi', `For example: ${readA}`, `<think>hm</think> {"a": 1}`, `\`${readA}\``]) {
      expect((await heard(wrap(says(reply), native))).content).toEqual([{ text: reply }])
    }
  })
})

describe('a native model that also writes calls as text', () => {
  const options: Options = { dialect: 'native', textCalls: true }

  it('is offered its tools natively, and its text calls are read', async () => {
    const model = says(`Looking. ${readA}`)
    expect(await heard(wrap(model, options))).toEqual({
      content: [{ text: 'Looking.' }, { call: 'read_note', input: { path: 'A.md' } }],
      reason: 'tool-calls',
    })
    expect(model.prompts[0].tools).toEqual(tools)
    expect(model.prompts[0].prompt).toEqual(hello)
  })

  it('counts only its native calls if it makes any', async () => {
    const model = says({ say: `Looking. ${readA}`, call: [{ name: 'read_note', input: { path: 'B.md' } }] })
    expect((await heard(wrap(model, options))).content).toEqual([
      { text: 'Looking.' },
      { call: 'read_note', input: { path: 'B.md' } },
    ])
  })

  it('calls nothing from code, from reasoning, or when no tools were offered', async () => {
    const quoted = `<think>${readA}</think>\n\`\`\`\n${readA}\n\`\`\``
    expect((await heard(wrap(says({ think: readA, say: quoted }), options))).content).toEqual([
      { reasoning: readA },
      { reasoning: readA },
      { text: `\`\`\`\n${readA}\n\`\`\`` },
    ])
    expect((await heard(wrap(says(readA), options), request({ tools: undefined }))).content).toEqual([{ text: readA }])
  })
})

describe('the auto dialect', () => {
  const pear = (text: string) => sentinel('pick_word', { word: text })
  const memory = () => {
    const known = new Map<string, string>()
    return {
      known,
      recall: async (model: string) => known.get(model),
      remember: async (model: string, dialect: string) => void known.set(model, dialect),
    }
  }
  const isProbe = (params: LanguageModelV3CallOptions) => JSON.stringify(params.prompt).includes('pear')

  it('probes once when tools are first offered, stores the result, and continues in the dialect that worked', async () => {
    // Calls only when it was taught how, in the prompt.
    const model = scriptedModel([
      (params) => {
        const isTaught = `${params.prompt[0].content}`.includes('<tool_call>')
        return { say: isProbe(params) ? (isTaught ? pear('pear') : 'No.') : readA }
      },
    ])
    const kept = memory()
    const wrapped = wrap(model, { dialect: 'auto', name: 'ollama/m', memory: kept })
    await heard(wrapped, request({ tools: undefined }))
    expect(model.prompts.filter(isProbe)).toHaveLength(0)
    expect((await heard(wrapped)).content).toEqual([{ call: 'read_note', input: { path: 'A.md' } }])
    await heard(wrapped)
    expect(model.prompts.filter(isProbe)).toHaveLength(2)
    expect(kept.known).toEqual(new Map([['ollama/m', 'sentinel']]))
    await heard(wrap(model, { dialect: 'auto', name: 'ollama/m', memory: kept }))
    expect(model.prompts.filter(isProbe)).toHaveLength(2)
  })

  it('stays native if the model calls tools natively', async () => {
    const model = scriptedModel([
      (params) => ({
        call: [isProbe(params) ? { name: 'pick_word', input: { word: 'pear' } } : { name: 'read_note', input: {} }],
      }),
    ])
    expect((await heard(wrap(model, { dialect: 'auto' }))).content).toEqual([{ call: 'read_note', input: {} }])
    expect(model.prompts.at(-1)?.tools).toEqual(tools)
  })

  it('uses the dialect that a profile names', async () => {
    const model = says(readA)
    const wrapped = wrap(model, { dialect: 'auto', profile: profileWith({ dialect: 'sentinel' }) })
    expect((await heard(wrapped)).content).toEqual([{ call: 'read_note', input: { path: 'A.md' } }])
    expect(model.prompts).toHaveLength(1)
  })

  it('leaves retries to the request, where the user can see them', async () => {
    const data = { kind: 'overloaded', retryable: true, retryAfterMs: 60_000 }
    const model = scriptedModel([{ fail: new Failure('network', 'Too busy.', { data }) }])
    const failed = await partsOf(wrap(model, { dialect: 'auto' })).then(undefined, (error) => error)
    expect(failed).toMatchObject({ message: 'Too busy.', details: { data: { kind: 'overloaded', retryable: true } } })
    expect(model.prompts).toHaveLength(1)
  })

  it('probes again when the provider could not be reached', async () => {
    const model = scriptedModel([{ fail: new Failure('network', 'No key.') }, { say: pear('pear') }, { say: readA }])
    const wrapped = wrap(model, { dialect: 'auto' })
    await expect(partsOf(wrapped)).rejects.toThrow('No key.')
    expect((await heard(wrapped)).content).toEqual([{ call: 'read_note', input: { path: 'A.md' } }])
  })
})

const senses = ['look', 'listen'].map((name) => ({ name, description: name, inputSchema: { type: 'object' } }))
const call = (name: string) => `<tool_call>{"name": "${name}", "arguments": {}}</tool_call>`

async function ask(replies: string[], toolChoice: ModelRequest['toolChoice']) {
  const model = scriptedModel(replies.map((say) => ({ say })))
  const events: ReplyEvent[] = []
  const { signal } = new AbortController()
  const request = { messages: [{ role: 'user' as const, content: 'go' }], tools: senses, toolChoice, signal }
  const wrapped = withDialect(model, { dialect: 'sentinel', profile: defaultProfile })
  for await (const event of askModel(wrapped, request)) events.push(event)
  const said = events.map((event) => (event.type === 'tool-call' ? event.call.name : event.type))
  return { said: said.filter((type) => !/^t(ext|ool-input)/.test(type)), events, asked: model.prompts.length }
}

it.each<[string, ModelRequest['toolChoice'], string[], string[]]>([
  ['required', 'required', ['I will.', call('look')], ['repair', 'look', 'finish']],
  ['one', { tool: 'look' }, [call('listen'), call('look')], ['repair', 'look', 'finish']],
  ['a list', { tools: ['look'], mode: 'auto' }, [call('listen'), 'Well.'], ['repair', 'finish']],
  ['none', 'none', [call('look'), 'Well.'], ['repair', 'finish']],
  ['auto', 'auto', [`${call('smell')} and ${call('look')}`], ['smell', 'look', 'finish']],
])('the choice of tools holds for a model that calls in text: %s', async (_name, choice, replies, expected) => {
  const { said, asked } = await ask(replies, choice)
  expect(said).toEqual(expected)
  expect(asked).toBe(replies.length)
})

it('a model that calls in text and breaks the choice twice is a failure', async () => {
  const { events, asked } = await ask(['No.', 'Never.'], 'required')
  const end = events.at(-1)
  expect(end?.type === 'failed' && modelFailureData(end.failure)?.kind).toBe('tool-choice')
  expect(asked).toBe(2)
})
