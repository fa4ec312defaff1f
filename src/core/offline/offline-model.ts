import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3Content,
  LanguageModelV3StreamPart,
  LanguageModelV3Usage,
} from '../model/index.js'
import { decide } from './decide.js'
import { commandLineGuidance, type OfflineGuidance } from './guidance.js'

interface OfflineSettings {
  /** Models found on this machine, e.g. `ollama/qwen3:8b`. */
  found?: readonly string[]
  /** Guidance for the current front end; for the command line by default. */
  guidance?: OfflineGuidance
}

/** The model that is always available: no key, no network. It searches, quotes and runs plain requests. */
export function offlineModel({
  found = [],
  guidance: words = commandLineGuidance(found),
}: OfflineSettings = {}): LanguageModelV3 {
  return {
    specificationVersion: 'v3',
    provider: 'offline',
    modelId: 'offline',
    supportedUrls: {},
    async doGenerate(options) {
      options.abortSignal?.throwIfAborted()
      const content = reply(options, words)
      return { content, finishReason: finishReason(content), usage, warnings: [] }
    },
    async doStream(options) {
      options.abortSignal?.throwIfAborted()
      return { stream: streamed(reply(options, words), options.abortSignal) }
    },
  }
}

function reply(options: LanguageModelV3CallOptions, words: OfflineGuidance): LanguageModelV3Content[] {
  const decision = decide(options, words)
  if ('text' in decision) return [{ type: 'text', text: decision.text }]
  return decision.calls.map(({ name, input }) => ({
    type: 'tool-call',
    toolCallId: crypto.randomUUID(),
    toolName: name,
    input: JSON.stringify(input),
  }))
}

function streamed(
  content: readonly LanguageModelV3Content[],
  signal: AbortSignal | undefined,
): ReadableStream<LanguageModelV3StreamPart> {
  const parts = partsOf(content)
  return new ReadableStream({
    pull(controller) {
      if (signal?.aborted) return controller.error(signal.reason)
      const { done, value } = parts.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
  })
}

function* partsOf(content: readonly LanguageModelV3Content[]): Generator<LanguageModelV3StreamPart, void> {
  yield { type: 'stream-start', warnings: [] }
  for (const [at, piece] of content.entries()) {
    if (piece.type === 'tool-call') yield piece
    if (piece.type !== 'text') continue
    const id = `text-${at}`
    yield { type: 'text-start', id }
    for (const delta of piece.text.match(/[^\n]*\n+|[^\n]+$/g) ?? []) yield { type: 'text-delta', id, delta }
    yield { type: 'text-end', id }
  }
  yield { type: 'finish', finishReason: finishReason(content), usage }
}

function finishReason(content: readonly LanguageModelV3Content[]) {
  const unified = content.some(({ type }) => type === 'tool-call') ? ('tool-calls' as const) : ('stop' as const)
  return { unified, raw: unified }
}

/** No tokens are used. */
const usage: LanguageModelV3Usage = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
}
