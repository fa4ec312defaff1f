import type { LanguageModelV3, LanguageModelV3CallOptions } from '../../model/index.js'
import { bearer, type Connection } from '../provider.js'
import { refusedBy } from '../refused-by.js'
import { partsInOnePiece, partsOfBody } from '../reply-parts.js'
import { chatMessages, chatTool, chatToolChoice } from './chat-messages.js'
import { chatReply } from './chat-reply.js'
import { eventData } from './event-data.js'

/**
 * A model of a server that speaks OpenAI's chat completions. The SDK's package for it takes every piece of a reply
 * through five streams and a schema, which was most of what `notewright serve` did.
 */
export function chatModel(name: string, modelId: string, { baseUrl, key, fetch }: Connection): LanguageModelV3 {
  async function send(options: LanguageModelV3CallOptions, stream: boolean): Promise<Response> {
    const response = await fetch(`${baseUrl.replace(/\/$/, '')}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...bearer(key?.reveal()) },
      body: JSON.stringify(requestBody(name, modelId, options, stream)),
      signal: options.abortSignal as never,
    })
    if (!response.ok) throw await refusedBy(response)
    return response
  }

  return {
    specificationVersion: 'v3',
    provider: `${name}.chat`,
    modelId,
    supportedUrls: {},
    async doGenerate(options) {
      const reply = chatReply()
      const parts = reply.read(await (await send(options, false)).text())
      return partsInOnePiece([...parts, ...reply.end()])
    },
    async doStream(options) {
      const { body } = await send(options, true)
      const reply = chatReply()
      const events = eventData()
      return {
        stream: partsOfBody(body!, {
          read: (text) => events.read(text).flatMap((data) => (data === '[DONE]' ? [] : reply.read(data))),
          end: reply.end,
        }),
      }
    },
  }
}

function requestBody(name: string, model: string, options: LanguageModelV3CallOptions, stream: boolean) {
  const { prompt, tools = [], toolChoice, responseFormat, providerOptions = {} } = options
  const functions = tools.filter((tool) => tool.type === 'function')
  const { reasoningEffort, strictJsonSchema = true, ...more } = providerOptions[name] ?? {}
  return {
    model,
    max_tokens: options.maxOutputTokens,
    temperature: options.temperature,
    top_p: options.topP,
    frequency_penalty: options.frequencyPenalty,
    presence_penalty: options.presencePenalty,
    stop: options.stopSequences,
    seed: options.seed,
    ...more,
    reasoning_effort: reasoningEffort,
    response_format: responseFormat?.type === 'json' ? answerFormat(responseFormat, strictJsonSchema) : undefined,
    messages: chatMessages(prompt),
    ...(functions.length > 0 && {
      tools: functions.map(chatTool),
      tool_choice: toolChoice && chatToolChoice(toolChoice),
    }),
    ...(stream && { stream, stream_options: { include_usage: true } }),
  }
}

type JsonFormat = Extract<NonNullable<LanguageModelV3CallOptions['responseFormat']>, { type: 'json' }>

function answerFormat({ schema, name = 'response', description }: JsonFormat, strict: unknown) {
  if (schema === undefined) return { type: 'json_object' }
  return { type: 'json_schema', json_schema: { schema, strict, name, description } }
}
