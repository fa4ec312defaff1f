import type { LanguageModelV3, LanguageModelV3CallOptions, LanguageModelV3StreamPart } from 'notewright'

export type Reply = { say: string } | { call: string; input: unknown }

/** A model that answers as a function says. */
export function modelFrom(reply: (prompt: LanguageModelV3CallOptions) => Reply): LanguageModelV3 {
  return {
    specificationVersion: 'v3',
    provider: 'example',
    modelId: 'scripted',
    supportedUrls: {},
    async doStream(prompt) {
      const parts = partsOf(reply(prompt))
      return {
        stream: new ReadableStream({
          start(controller) {
            for (const part of parts) controller.enqueue(part)
            controller.close()
          },
        }),
      }
    },
    async doGenerate() {
      throw new Error('This model only streams.')
    },
  }
}

function partsOf(reply: Reply): LanguageModelV3StreamPart[] {
  const isCall = 'call' in reply
  const unified = isCall ? ('tool-calls' as const) : ('stop' as const)
  return [
    { type: 'stream-start', warnings: [] },
    ...(isCall
      ? [
          {
            type: 'tool-call' as const,
            toolCallId: crypto.randomUUID(),
            toolName: reply.call,
            input: JSON.stringify(reply.input),
          },
        ]
      : [
          { type: 'text-start' as const, id: 'text' },
          { type: 'text-delta' as const, id: 'text', delta: reply.say },
          { type: 'text-end' as const, id: 'text' },
        ]),
    {
      type: 'finish',
      finishReason: { unified, raw: unified },
      usage: {
        inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
        outputTokens: { total: undefined, text: undefined, reasoning: undefined },
      },
    },
  ]
}

/** Whether a tool has answered since the question. */
export const hasResult = ({ prompt }: LanguageModelV3CallOptions): boolean => prompt.at(-1)?.role === 'tool'
