import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3StreamPart,
} from '../../src/core/model/sdk.js'

export interface ReplayingModel extends LanguageModelV3 {
  /** The requests it received, in order. */
  readonly asked: LanguageModelV3CallOptions[]
}

type Script = readonly LanguageModelV3StreamPart[] | Error

/** A model that replays scripts of stream parts, one per request; the last one serves all further requests. */
export function replayingModel(modelId: string, ...scripts: Script[]): ReplayingModel {
  const asked: LanguageModelV3CallOptions[] = []
  const next = (options: LanguageModelV3CallOptions): readonly LanguageModelV3StreamPart[] => {
    asked.push(options)
    const script = scripts[Math.min(asked.length, scripts.length) - 1] ?? []
    if (script instanceof Error) throw script
    return script
  }
  return {
    specificationVersion: 'v3',
    provider: 'scripted',
    modelId,
    supportedUrls: {},
    asked,
    doGenerate: async () => {
      throw new Error('A replaying model only streams.')
    },
    doStream: async (options) => {
      const parts = [...next(options)]
      return {
        stream: new ReadableStream<LanguageModelV3StreamPart>({
          pull(controller) {
            const part = parts.shift()
            if (part === undefined) controller.close()
            else controller.enqueue(part)
          },
        }),
      }
    },
  }
}

export function textParts(text: string, id = 't'): LanguageModelV3StreamPart[] {
  return [
    { type: 'text-start', id },
    { type: 'text-delta', id, delta: text },
    { type: 'text-end', id },
  ]
}

export function finishPart(unified: 'stop' | 'tool-calls' | 'length' | 'other' = 'stop'): LanguageModelV3StreamPart {
  return {
    type: 'finish',
    finishReason: { unified, raw: unified },
    usage: {
      inputTokens: { total: 3, noCache: 3, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 2, text: 2, reasoning: 0 },
    },
  }
}

export function callPart(toolName: string, input: string, toolCallId = 'c1'): LanguageModelV3StreamPart {
  return { type: 'tool-call', toolCallId, toolName, input }
}
