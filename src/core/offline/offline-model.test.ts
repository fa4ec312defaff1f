import { describe, expect, it } from 'vitest'
import type { LanguageModelV3CallOptions, LanguageModelV3StreamPart } from '../model/index.js'
import { offlineModel } from './index.js'

const options = (text: string, more: Partial<LanguageModelV3CallOptions> = {}): LanguageModelV3CallOptions => ({
  prompt: [{ role: 'user', content: [{ type: 'text', text }] }],
  tools: [{ type: 'function', name: 'search_notes', inputSchema: {} }],
  ...more,
})

async function parts(stream: ReadableStream<LanguageModelV3StreamPart>): Promise<LanguageModelV3StreamPart[]> {
  const reader = stream.getReader()
  const all: LanguageModelV3StreamPart[] = []
  for (let next = await reader.read(); !next.done; next = await reader.read()) all.push(next.value)
  return all
}

describe('the offline model', () => {
  it('streams the same text in several pieces', async () => {
    const model = offlineModel({ found: ['ollama/a', 'ollama/b', 'ollama/c', 'ollama/d'] })
    const streamed = await parts((await model.doStream(options('help'))).stream)
    const deltas = streamed.flatMap((part) => (part.type === 'text-delta' ? [part.delta] : []))
    expect(deltas.length).toBeGreaterThan(3)
    const { content, finishReason } = await model.doGenerate(options('help'))
    expect(content).toEqual([{ type: 'text', text: deltas.join('') }])
    expect(finishReason.unified).toBe('stop')
    expect(streamed.map(({ type }) => type)).toEqual([
      'stream-start',
      'text-start',
      ...deltas.map(() => 'text-delta'),
      'text-end',
      'finish',
    ])
  })

  it('calls tools like any model, and reports no tokens', async () => {
    const { content, finishReason, usage } = await offlineModel().doGenerate(options('tomatoes'))
    expect(content).toMatchObject([{ type: 'tool-call', toolName: 'search_notes' }])
    expect(JSON.parse((content[0] as { input: string }).input)).toEqual({ query: 'tomatoes', top_k: 10 })
    expect(finishReason.unified).toBe('tool-calls')
    expect(usage.inputTokens.total).toBeUndefined()
  })

  it('gives every call its own id', async () => {
    const model = offlineModel()
    const ids = await Promise.all(
      ['a', 'b', 'a'].map(async (text) => {
        const [call] = (await model.doGenerate(options(text))).content
        return call.type === 'tool-call' ? call.toolCallId : undefined
      }),
    )
    expect(new Set(ids).size).toBe(3)
  })

  it('stops on abort, before and during the stream', async () => {
    const stop = new AbortController()
    const { stream } = await offlineModel().doStream(options('help', { abortSignal: stop.signal as never }))
    const reader = stream.getReader()
    await reader.read()
    stop.abort(new Error('Esc'))
    const rest = async () => {
      for (let next = await reader.read(); !next.done; next = await reader.read());
    }
    await expect(rest()).rejects.toThrow('Esc')
    await expect(offlineModel().doGenerate(options('help', { abortSignal: stop.signal as never }))).rejects.toThrow(
      'Esc',
    )
  })

  it('names at most three models and says how many more there are', async () => {
    const found = ['ollama/a', 'ollama/b', 'ollama/c', 'ollama/d']
    const { content } = await offlineModel({ found }).doGenerate(options('what is love?', { tools: [] }))
    expect(content).toMatchObject([{ text: expect.stringContaining('`ollama/c` and 1 more') }])
  })
})
