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
import { scriptedModel } from '../../agent/testing/scripted-model.js'
import { Failure } from '../../errors.js'
import type { LanguageModelV3CallOptions } from '../../model/index.js'

describe('the native dialect', () => {
  it('says that a reply was a call written as text, and shows nothing of it', async () => {
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

  it('is offered its tools as ever, and its calls are read', async () => {
    const model = says(`Looking. ${readA}`)
    expect(await heard(wrap(model, options))).toEqual({
      content: [{ text: 'Looking.' }, { call: 'read_note', input: { path: 'A.md' } }],
      reason: 'tool-calls',
    })
    expect(model.prompts[0].tools).toEqual(tools)
    expect(model.prompts[0].prompt).toEqual(hello)
  })

  it('is believed only in its native calls when it makes any', async () => {
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

  it('asks once when tools are first offered, remembers, and goes on in the dialect that worked', async () => {
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

  it('stays native where the model calls tools by itself', async () => {
    const model = scriptedModel([
      (params) => ({
        call: [isProbe(params) ? { name: 'pick_word', input: { word: 'pear' } } : { name: 'read_note', input: {} }],
      }),
    ])
    expect((await heard(wrap(model, { dialect: 'auto' }))).content).toEqual([{ call: 'read_note', input: {} }])
    expect(model.prompts.at(-1)?.tools).toEqual(tools)
  })

  it('takes the dialect a profile names', async () => {
    const model = says(readA)
    const wrapped = wrap(model, { dialect: 'auto', profile: profileWith({ dialect: 'sentinel' }) })
    expect((await heard(wrapped)).content).toEqual([{ call: 'read_note', input: { path: 'A.md' } }])
    expect(model.prompts).toHaveLength(1)
  })

  it('leaves it to the request to wait and ask again, where a person can see it', async () => {
    const data = { kind: 'overloaded', retryable: true, retryAfterMs: 60_000 }
    const model = scriptedModel([{ fail: new Failure('network', 'Too busy.', { data }) }])
    const failed = await partsOf(wrap(model, { dialect: 'auto' })).then(undefined, (error) => error)
    expect(failed).toMatchObject({ message: 'Too busy.', details: { data: { kind: 'overloaded', retryable: true } } })
    expect(model.prompts).toHaveLength(1)
  })

  it('asks again when the provider could not be reached', async () => {
    const model = scriptedModel([{ fail: new Failure('network', 'No key.') }, { say: pear('pear') }, { say: readA }])
    const wrapped = wrap(model, { dialect: 'auto' })
    await expect(partsOf(wrapped)).rejects.toThrow('No key.')
    expect((await heard(wrapped)).content).toEqual([{ call: 'read_note', input: { path: 'A.md' } }])
  })
})
