// Ollama's own chat API.

import {
  type LanguageModelV3,
  type LanguageModelV3CallOptions,
  type LanguageModelV3FinishReason,
  type LanguageModelV3FunctionTool,
  type LanguageModelV3Message,
  type LanguageModelV3Prompt,
  type LanguageModelV3StreamPart,
  type LanguageModelV3Usage,
  resultText,
} from '../model/index.js'
import { serverRoot } from './model-window.js'
import { bearer, type ModelConnection } from './provider.js'
import { type PartReader, responseError, resultOfParts, streamOfBody, textBlocks } from './server-response.js'

/**
 * A model of Ollama through its own API, because only there a request can set the context size: the OpenAI-compatible
 * API keeps it at 4,096 and silently drops the beginning of longer prompts. If another server answers at the address,
 * which knows only the shared API, `shared` is used.
 */
export function ollamaModel(modelId: string, connection: ModelConnection, shared: LanguageModelV3): LanguageModelV3 {
  async function ownWindow(): Promise<number | undefined> {
    const { tokens, from } = await connection.window()
    return from === 'server' ? tokens : undefined
  }

  let mayThink = true

  async function send(options: LanguageModelV3CallOptions, window: number, stream: boolean): Promise<Response> {
    const body = requestBody(modelId, options, window, stream)
    const response = await connection.fetch(`${serverRoot(connection.baseUrl)}/api/chat`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...bearer(connection.key?.reveal()) },
      body: JSON.stringify(mayThink ? body : { ...body, think: undefined }),
      signal: options.abortSignal as never,
    })
    if (response.ok) return response
    const text = await response.text()
    if (mayThink && body.think !== undefined && /does not support thinking/.test(text)) {
      // The setting is not meant for models that cannot think.
      mayThink = false
      return send(options, window, stream)
    }
    throw await responseError(response, text)
  }

  return {
    specificationVersion: 'v3',
    provider: 'ollama.chat',
    modelId,
    supportedUrls: {},
    async doGenerate(options) {
      const window = await ownWindow()
      if (window === undefined) return shared.doGenerate(options)
      const response = await send(options, window, false)
      return resultOfParts(ollamaReply().read(await response.text()))
    },
    async doStream(options) {
      const window = await ownWindow()
      if (window === undefined) return shared.doStream(options)
      const response = await send(options, window, true)
      return { stream: streamOfBody(response, lineReader(ollamaReply().read)) }
    },
  }
}

function requestBody(model: string, options: LanguageModelV3CallOptions, window: number, stream: boolean) {
  const { prompt, tools = [], responseFormat, providerOptions = {} } = options
  const functions = tools.filter((tool) => tool.type === 'function')
  const { think, reasoningEffort } = providerOptions.ollama ?? {}
  return {
    model,
    messages: ollamaMessages(prompt),
    ...(functions.length > 0 && { tools: functions.map(ollamaTool) }),
    stream,
    think: reasoningEffort ?? think,
    ...(responseFormat?.type === 'json' && { format: responseFormat.schema ?? 'json' }),
    options: {
      num_ctx: window,
      temperature: options.temperature,
      top_p: options.topP,
      seed: options.seed,
      stop: options.stopSequences,
      num_predict: options.maxOutputTokens,
      presence_penalty: options.presencePenalty,
      frequency_penalty: options.frequencyPenalty,
    },
  }
}

function lineReader(readLine: (line: string) => LanguageModelV3StreamPart[]): PartReader {
  let rest = ''
  const read = (lines: string[]) => lines.filter((line) => line.trim() !== '').flatMap(readLine)
  return {
    read(text) {
      const lines = (rest + text).split('\n')
      rest = lines.pop() ?? ''
      return read(lines)
    },
    end: () => read([rest]),
  }
}

/** A message for `/api/chat`. */
interface OllamaMessage {
  role: 'system' | 'user' | 'assistant' | 'tool'
  content: string
  thinking?: string
  images?: string[]
  tool_calls?: OllamaCall[]
  tool_name?: string
  tool_call_id?: string
}

interface OllamaCall {
  id?: string
  function: { name: string; arguments: unknown }
}

function ollamaMessages(prompt: LanguageModelV3Prompt): OllamaMessage[] {
  return prompt.flatMap(messagesOf)
}

function ollamaTool({ name, description, inputSchema }: LanguageModelV3FunctionTool) {
  return { type: 'function', function: { name, description, parameters: inputSchema } }
}

function messagesOf(message: LanguageModelV3Message): OllamaMessage[] {
  switch (message.role) {
    case 'system':
      return [{ role: 'system', content: message.content }]
    case 'user': {
      const images = message.content.flatMap((part) =>
        part.type === 'file' && part.mediaType.startsWith('image/') && typeof part.data === 'string' ? [part.data] : [],
      )
      return [{ role: 'user', content: textOf(message.content, 'text'), ...(images.length > 0 && { images }) }]
    }
    case 'assistant': {
      const calls = message.content.flatMap((part): OllamaCall[] =>
        part.type === 'tool-call'
          ? [{ id: part.toolCallId, function: { name: part.toolName, arguments: part.input } }]
          : [],
      )
      const thinking = textOf(message.content, 'reasoning')
      return [
        {
          role: 'assistant',
          content: textOf(message.content, 'text'),
          ...(thinking !== '' && { thinking }),
          ...(calls.length > 0 && { tool_calls: calls }),
        },
      ]
    }
    case 'tool':
      return message.content.flatMap((part): OllamaMessage[] =>
        part.type === 'tool-result'
          ? [
              {
                role: 'tool',
                content: resultText(part.output),
                tool_name: part.toolName,
                tool_call_id: part.toolCallId,
              },
            ]
          : [],
      )
  }
}

function textOf(content: readonly { type: string }[], type: 'text' | 'reasoning'): string {
  return content.flatMap((part) => (part.type === type ? [(part as { text?: string }).text ?? ''] : [])).join('')
}

/** One line of a reply of `/api/chat`; a reply that is not streamed is one such line. */
interface ReplyLine {
  message?: { content?: string; thinking?: string; tool_calls?: OllamaCall[] | null }
  done?: boolean
  done_reason?: string
  prompt_eval_count?: number
  eval_count?: number
  /** Set if the model fails in the middle of a reply. */
  error?: string
}

/** Turns the lines of a reply into parts. */
function ollamaReply() {
  const text = textBlocks()
  let calls = 0

  function* readLine(line: ReplyLine): Generator<LanguageModelV3StreamPart, void, void> {
    if (line.error !== undefined) return yield { type: 'error', error: { message: line.error } }
    yield* text.add('reasoning', line.message?.thinking)
    yield* text.add('text', line.message?.content)
    for (const call of line.message?.tool_calls ?? []) {
      yield* text.close()
      calls++
      const { name, arguments: input } = call.function
      yield { type: 'tool-call', toolCallId: call.id ?? '', toolName: name, input: JSON.stringify(input ?? {}) }
    }
    if (!line.done) return
    yield* text.close()
    yield { type: 'finish', usage: usageOf(line), finishReason: finishReasonOf(line, calls > 0) }
  }

  return { read: (line: string): LanguageModelV3StreamPart[] => [...readLine(JSON.parse(line) as ReplyLine)] }
}

function finishReasonOf({ done_reason: raw }: ReplyLine, hasCalls: boolean): LanguageModelV3FinishReason {
  if (raw === 'length') return { unified: 'length', raw }
  if (hasCalls) return { unified: 'tool-calls', raw }
  // Older versions send `done` without a reason.
  return raw === undefined || raw === 'stop' ? { unified: 'stop', raw: raw ?? 'stop' } : { unified: 'other', raw }
}

function usageOf({ prompt_eval_count: input, eval_count: output }: ReplyLine): LanguageModelV3Usage {
  return {
    inputTokens: { total: input, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: output, text: undefined, reasoning: undefined },
  }
}
