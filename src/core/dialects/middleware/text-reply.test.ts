import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  delta,
  generatedContent,
  heard,
  hello,
  partsModel,
  partsOf,
  profileWith,
  readA,
  readB,
  request,
  says,
  sentinel,
  wrap,
} from '../../../../test/dialects/dialect-models.js'
import { finishPart, replayingModel } from '../../../../test/doubles/replaying-model.js'
import { defaultProfile, type LanguageModelV3StreamPart } from '../../model/index.js'
import { withDialect } from './with-dialect.js'

describe('a reply', () => {
  const reply = `<think>\nHm: ${readB}\n</think>\n\nLet me look 🌱.\n\n${readA}\n\n\`\`\`\n${readB}\n\`\`\`\nand ${readB}\n`
  const expected = [
    { reasoning: `Hm: ${readB}` },
    { text: 'Let me look 🌱.' },
    { call: 'read_note', input: { path: 'A.md' } },
    { text: `\n\n\n\n\`\`\`\n${readB}\n\`\`\`\nand` },
    { call: 'read_note', input: { path: 'B.md' } },
  ]

  it('becomes text, reasoning and calls', async () => {
    expect(await heard(wrap(says(reply)))).toEqual({ content: expected, reason: 'tool-calls' })
  })

  it('becomes the same in one piece', async () => {
    const { content, finishReason } = await wrap(says(reply)).doGenerate(request())
    expect(generatedContent(content)).toEqual(expected)
    expect(finishReason).toEqual({ unified: 'tool-calls', raw: 'stop' })
  })

  it('becomes the same however it is cut', async () => {
    const cuts = fc.array(fc.nat({ max: reply.length }), { maxLength: 20 })
    await fc.assert(
      fc.asyncProperty(cuts, async (places) => {
        const sorted = [0, ...places.sort((a, b) => a - b), reply.length]
        const pieces = sorted.slice(1).map((end, at) => delta(reply.slice(sorted[at], end)))
        expect((await heard(wrap(partsModel(...pieces)))).content).toEqual(expected)
      }),
      { numRuns: 200 },
    )
  })

  it('without calls is exactly what the model wrote, including white space', async () => {
    const plain = '  Plain `<tool_call>` text, 3 < 5, [[link]] \n\n'
    expect(await heard(wrap(says(plain)))).toEqual({ content: [{ text: plain }], reason: 'stop' })
  })

  it('gives every call its own id', async () => {
    const parts = await partsOf(wrap(says(readA.repeat(3))))
    const ids = parts.flatMap((part) => (part.type === 'tool-call' ? [part.toolCallId] : []))
    expect(new Set(ids).size).toBe(3)
    const starts = parts.flatMap((part) => (part.type === 'tool-input-start' ? [part.id] : []))
    expect(starts).toEqual(ids)
  })

  it('passes text on at once if it cannot start a call', async () => {
    let push = (_text: string) => {}
    const model = partsModel()
    model.doStream = async () => ({
      stream: new ReadableStream<LanguageModelV3StreamPart>({
        start(controller) {
          push = (text) => controller.enqueue(delta(text))
        },
      }),
    })
    const { stream } = await wrap(model).doStream(request())
    const reader = stream.getReader()
    const shown = async () => {
      const { value } = await reader.read()
      return value?.type === 'text-delta' ? value.delta : value?.type
    }
    push('H')
    expect(await shown()).toBe('text-start')
    expect(await shown()).toBe('H')
    push('i <')
    expect(await shown()).toBe('i')
    push('b')
    expect(await shown()).toBe(' <b')
    await reader.cancel()
  })

  it('keeps the finish reason when it was cut short', async () => {
    const usage = { inputTokens: {}, outputTokens: {} } as never
    const cut = partsModel(delta(readA), { type: 'finish', usage, finishReason: { unified: 'length', raw: 'length' } })
    expect((await heard(wrap(cut))).reason).toBe('length')
  })

  it('shows the text that was held back when the connection breaks', async () => {
    const parts = await partsOf(wrap(partsModel(delta('3 <'), { type: 'error', error: new Error('gone') })))
    expect(parts.map((part) => (part.type === 'text-delta' ? part.delta : part.type))).toEqual([
      ...['text-start', '3', ' <', 'text-end', 'error', 'finish'],
    ])
  })

  it('contains an error call for an unreadable call', async () => {
    const text = '<tool_call>{"name": "read_note", "arguments": {"path": oops}}</tool_call>'
    const parts = await partsOf(wrap(says(text)))
    const [call] = parts.flatMap((part) => (part.type === 'tool-call' ? [part] : []))
    expect(call).toMatchObject({
      toolName: 'read_note',
      providerMetadata: { notewright: { error: expect.stringContaining('could not be read') } },
    })
    expect(() => JSON.parse(call.input)).toThrow()
    expect(parts.at(-1)).toMatchObject({ finishReason: { unified: 'tool-calls' } })
  })

  it('keeps the exact arguments, the model’s own id, and the name of an unknown tool', async () => {
    const args = '{ "path": "A.md", "line": 1.0, "big": 12345678901234567890, "u": "\\u00fc" }'
    const text = `<tool_call>{"id": "call_7", "name": "reed_note", "arguments": ${args}}</tool_call>`
    for (const name of ['read_note', 'reed_note']) {
      const parts = await partsOf(wrap(says(text.replace('reed_note', name))))
      const id = 'call_7'
      expect(parts.slice(1, -1)).toEqual([
        { type: 'tool-input-start', id, toolName: name },
        { type: 'tool-input-delta', id, delta: args },
        { type: 'tool-input-end', id },
        { type: 'tool-call', toolCallId: id, toolName: name, input: args },
      ])
    }
  })

  it('reads other names of a tool if they are given', async () => {
    const model = says(sentinel('readNote', { notePath: 'A.md' }))
    expect((await heard(wrap(model, { aliases: { readNote: 'read_note' } }))).content).toEqual([
      { call: 'readNote', input: { notePath: 'A.md' } },
    ])
  })

  it('is read in whatever dialect the model prefers', async () => {
    const model = says('<use_tool><name>read_note</name><path>A.md</path><line>3</line></use_tool>')
    expect((await heard(wrap(model))).content).toEqual([{ call: 'read_note', input: { path: 'A.md', line: 3 } }])
  })
})

describe('reasoning in the text', () => {
  const thinks = profileWith({ startsInReasoning: true })

  it('begins at once if the template opened it', async () => {
    const model = says(`Hm. ${readB} </think>\nYes.`)
    expect((await heard(wrap(model, { profile: thinks }))).content).toEqual([
      { reasoning: `Hm. ${readB}` },
      { text: 'Yes.' },
    ])
  })

  it('is not searched for if the provider sends it separately', async () => {
    const model = says({ think: 'Hm.', say: `Yes. ${readA}` })
    expect((await heard(wrap(model, { profile: thinks }))).content).toEqual([
      { reasoning: 'Hm.' },
      { text: 'Yes.' },
      { call: 'read_note', input: { path: 'A.md' } },
    ])
  })

  it('that is never closed turns out to be the answer, and no call is read from it', async () => {
    const wrapped = wrap(says(`It is so. ${readB}`), { profile: thinks })
    expect((await heard(wrapped)).content).toEqual([
      { reasoning: `It is so. ${readB}` },
      { text: `It is so. ${readB}` },
    ])
    // From then on the model is not taken for one that starts in reasoning.
    expect((await heard(wrapped)).content).toMatchObject([{ text: 'It is so.' }, { call: 'read_note' }])
  })

  it('without an opening tag is sent as reasoning as far as it was not shown, and expected the next time', async () => {
    const wrapped = wrap(says('Hm, let me think.</think>Yes.'))
    const parts = await partsOf(wrapped)
    expect(parts.find(({ type }) => type === 'text-end')).toMatchObject({
      providerMetadata: { notewright: { wasReasoning: true } },
    })
    expect((await heard(wrapped)).content).toEqual([{ reasoning: 'Hm, let me think.' }, { text: 'Yes.' }])
  })

  it('without an opening tag is reasoning in a reply in one piece', async () => {
    const { content } = await wrap(says('Hm, let me think.</think>\nYes.')).doGenerate(request())
    expect(generatedContent(content)).toEqual([{ reasoning: 'Hm, let me think.' }, { text: 'Yes.' }])
  })

  it('that was shown as text is not repeated to the model', async () => {
    const model = says('ok')
    const text = { type: 'text' as const, text: 'Hm.', providerOptions: { notewright: { wasReasoning: true } } }
    await partsOf(wrap(model), request({ prompt: [...hello, { role: 'assistant', content: [text] }, hello[1]] }))
    expect(JSON.stringify(model.prompts[0].prompt)).not.toContain('Hm.')
  })
})

async function answered(pieces: string[]): Promise<string> {
  const parts = pieces.map((delta) => ({ type: 'text-delta' as const, id: 't', delta }))
  const script = [
    { type: 'text-start' as const, id: 't' },
    ...parts,
    { type: 'text-end' as const, id: 't' },
    finishPart(),
  ]
  const model = withDialect(replayingModel('m', script), { dialect: 'sentinel', profile: defaultProfile })
  const { stream } = await model.doStream({
    prompt: [{ role: 'user', content: [{ type: 'text', text: 'as JSON' }] }],
    responseFormat: { type: 'json' },
  })
  let text = ''
  const reader = stream.getReader()
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    if (next.value.type === 'text-delta') text += next.value.delta
  }
  return text
}

const marked = '\n{"note":"<tool_call>{}</tool_call> and <think>no</think>"}'

it('markers inside an answer that must be JSON are data, however it is cut', async () => {
  for (let at = 0; at <= marked.length; at++) {
    expect(await answered([marked.slice(0, at), marked.slice(at)])).toBe(marked)
  }
})

it('reasoning before such an answer is still reasoning', async () => {
  expect((await answered(['<think>a number</think>', '{"n":1}'])).trim()).toBe('{"n":1}')
})
