import { expect } from 'vitest'
import { type DialectOptions, withDialect } from '../../src/core/dialects/index.js'
import {
  defaultProfile,
  type LanguageModelV3,
  type LanguageModelV3CallOptions,
  type LanguageModelV3Content,
  type LanguageModelV3Prompt,
  type LanguageModelV3StreamPart,
  type Profile,
} from '../../src/core/model/index.js'
import { type ScriptedStep, scriptedModel } from '../doubles/scripted-model.js'

export type Options = Partial<DialectOptions>
export type Content = LanguageModelV3Content

export const tools: LanguageModelV3CallOptions['tools'] = ['read_note', 'delete_note'].map((name) => ({
  type: 'function',
  name,
  description: `Does ${name}.`,
  inputSchema: { type: 'object', properties: { path: { type: 'string' }, line: { type: 'integer' } } },
}))
export const hello: LanguageModelV3Prompt = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: [{ type: 'text', text: 'hello' }] },
]
export const request = (more: Partial<LanguageModelV3CallOptions> = {}): LanguageModelV3CallOptions => ({
  prompt: hello,
  tools,
  ...more,
})

export const profileWith = (more: Partial<Profile>): Profile => ({ ...defaultProfile, ...more })

export function wrap(model: LanguageModelV3, options: Options = {}): LanguageModelV3 {
  return withDialect(model, { dialect: 'sentinel', profile: defaultProfile, ...options })
}

/** A model that sends these parts, and the words of a finish. */
export function partsModel(...parts: LanguageModelV3StreamPart[]): LanguageModelV3 {
  const { doStream: _, ...model } = scriptedModel([{}])
  const finish: LanguageModelV3StreamPart = {
    type: 'finish',
    finishReason: { unified: 'stop', raw: 'stop' },
    usage: {
      inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 1, text: 1, reasoning: 0 },
    },
  }
  const all = parts.some(({ type }) => type === 'finish') ? parts : [...parts, finish]
  return {
    ...model,
    doStream: async () => ({
      stream: new ReadableStream<LanguageModelV3StreamPart>({
        start(controller) {
          for (const part of all) controller.enqueue(part)
          controller.close()
        },
      }),
    }),
  }
}

export const delta = (text: string): LanguageModelV3StreamPart => ({ type: 'text-delta', id: '0', delta: text })

export async function partsOf(model: LanguageModelV3, options = request()): Promise<LanguageModelV3StreamPart[]> {
  const { stream } = await model.doStream(options)
  const reader = stream.getReader()
  const parts: LanguageModelV3StreamPart[] = []
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return parts
    parts.push(value)
  }
}

/** The result of a stream: `text`, `reasoning` and calls in order, and the finish reason. */
export async function heard(model: LanguageModelV3, options = request()) {
  const parts = await partsOf(model, options)
  const content: unknown[] = []
  const open = new Map<string, { said: string }>()
  let reason = ''
  for (const part of parts) {
    if (part.type === 'text-start' || part.type === 'reasoning-start') {
      const piece = { [part.type === 'text-start' ? 'text' : 'reasoning']: '', said: '' }
      open.set(part.id, piece)
      content.push(piece)
    }
    if (part.type === 'text-delta' || part.type === 'reasoning-delta') open.get(part.id)!.said += part.delta
    if (part.type === 'text-end' || part.type === 'reasoning-end') expect(open.has(part.id)).toBe(true)
    if (part.type === 'tool-call') content.push(callOf(part))
    if (part.type === 'finish') reason = part.finishReason.unified
  }
  return {
    content: content.map((piece) => {
      const { said, ...rest } = piece as { said?: string }
      return said === undefined ? rest : Object.fromEntries(Object.keys(rest).map((key) => [key, said]))
    }),
    reason,
  }
}

function callOf({ toolName, input, providerMetadata }: Extract<Content, { type: 'tool-call' }>): unknown {
  const error = providerMetadata?.notewright?.error
  return error === undefined ? { call: toolName, input: JSON.parse(input) } : { call: toolName, error }
}

export function generatedContent(content: readonly Content[]): unknown[] {
  return content.map((piece) => {
    if (piece.type === 'tool-call') return callOf(piece)
    return piece.type === 'text' || piece.type === 'reasoning' ? { [piece.type]: piece.text } : piece
  })
}

export const says = (...steps: (string | ScriptedStep)[]) =>
  scriptedModel(steps.map((step) => (typeof step === 'string' ? { say: step } : step)))

export const sentinel = (name: string, args: unknown) =>
  `<tool_call>${JSON.stringify({ name, arguments: args })}</tool_call>`
export const readA = sentinel('read_note', { path: 'A.md' })
export const readB = sentinel('read_note', { path: 'B.md' })
