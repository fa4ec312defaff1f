import type { LanguageModelV3, LanguageModelV3CallOptions, LanguageModelV3StreamPart } from '../../model/index.js'
import { bearer, type ModelConnection } from '../provider.js'
import { refusedBy } from '../refused-by.js'
import { type PartReader, partsInOnePiece, partsOfBody } from '../reply-parts.js'
import { serverRoot } from '../window/ask-server.js'
import { ollamaMessages, ollamaTool } from './ollama-messages.js'
import { ollamaReply } from './ollama-reply.js'

/**
 * A model of Ollama by its own API, since only there a request can say how large the window is to be: the one it shares
 * with others leaves it at 4,096 and drops the beginning of what is longer, without a word. Where something else
 * answers at the address, which knows only the shared one, that is used.
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
      // Whoever wants models to think does not mean the ones that cannot.
      mayThink = false
      return send(options, window, stream)
    }
    throw await refusedBy(response, text)
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
      return partsInOnePiece(ollamaReply().read(await response.text()))
    },
    async doStream(options) {
      const window = await ownWindow()
      if (window === undefined) return shared.doStream(options)
      const response = await send(options, window, true)
      return { stream: partsOfBody(response.body!, lineReader(ollamaReply().read)) }
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
