// OpenAI's wire format, which most servers share: chat completions and embeddings.

import { base64 } from '../files.js'
import { isRecord } from '../is-record.js'
import {
  type EmbeddingModelV3,
  type LanguageModelV3,
  type LanguageModelV3CallOptions,
  type LanguageModelV3FinishReason,
  type LanguageModelV3FunctionTool,
  type LanguageModelV3Message,
  type LanguageModelV3Prompt,
  type LanguageModelV3StreamPart,
  type LanguageModelV3ToolChoice,
  type LanguageModelV3Usage,
  resultText,
} from '../model/index.js'
import { bearer, type ProviderConnection } from './provider.js'
import { responseError, resultOfParts, streamOfBody, textBlocks } from './server-response.js'

/**
 * A model of a server with OpenAI's chat completions API. The SDK's package for it passes every piece of a reply
 * through five streams and a schema, which was most of the work of `notewright serve`.
 */
export function chatModel(name: string, modelId: string, { baseUrl, key, fetch }: ProviderConnection): LanguageModelV3 {
  async function send(options: LanguageModelV3CallOptions, stream: boolean): Promise<Response> {
    const response = await fetch(`${baseUrl.replace(/\/$/, '')}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...bearer(key?.reveal()) },
      body: JSON.stringify(requestBody(name, modelId, options, stream)),
      signal: options.abortSignal as never,
    })
    if (!response.ok) throw await responseError(response)
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
      return resultOfParts([...parts, ...reply.end()])
    },
    async doStream(options) {
      const response = await send(options, true)
      const reply = chatReply()
      const events = eventDataReader()
      return {
        stream: streamOfBody(response, {
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

type UserPart = Extract<LanguageModelV3Message, { role: 'user' }>['content'][number]
type FilePart = Extract<UserPart, { type: 'file' }>
type AssistantPart = Extract<LanguageModelV3Message, { role: 'assistant' }>['content'][number]
type CallPart = Extract<AssistantPart, { type: 'tool-call' }>

/** The messages in the format of `/chat/completions`. */
function chatMessages(prompt: LanguageModelV3Prompt): object[] {
  return prompt.flatMap(messagesOf)
}

function chatTool({ name, description, inputSchema, strict }: LanguageModelV3FunctionTool) {
  return {
    type: 'function',
    function: { name, description, parameters: inputSchema, ...(strict !== undefined && { strict }) },
  }
}

function chatToolChoice(choice: LanguageModelV3ToolChoice) {
  return choice.type === 'tool' ? { type: 'function', function: { name: choice.toolName } } : choice.type
}

function messagesOf(message: LanguageModelV3Message): object[] {
  switch (message.role) {
    case 'system':
      return [{ role: 'system', content: message.content }]
    case 'user': {
      const [first, ...more] = message.content
      // Servers without image support accept only a plain string.
      const isText = first?.type === 'text' && more.length === 0
      return [{ role: 'user', content: isText ? first.text : message.content.map(userPart) }]
    }
    case 'assistant': {
      const calls = message.content.filter((part): part is CallPart => part.type === 'tool-call').map(chatCall)
      const text = joinText(message.content, 'text')
      const reasoning = joinText(message.content, 'reasoning')
      return [
        {
          role: 'assistant',
          content: calls.length > 0 ? text || null : text,
          ...(reasoning !== '' && { reasoning_content: reasoning }),
          ...(calls.length > 0 && { tool_calls: calls }),
        },
      ]
    }
    case 'tool':
      return message.content.flatMap((part) =>
        part.type === 'tool-result'
          ? [{ role: 'tool', tool_call_id: part.toolCallId, content: resultText(part.output) }]
          : [],
      )
  }
}

const joinText = (content: readonly AssistantPart[], type: 'text' | 'reasoning'): string =>
  content.flatMap((part) => (part.type === type ? [part.text] : [])).join('')

function chatCall({ toolCallId, toolName, input }: CallPart) {
  return { id: toolCallId, type: 'function', function: { name: toolName, arguments: JSON.stringify(input) } }
}

function userPart(part: UserPart): object {
  if (part.type === 'text') return { type: 'text', text: part.text }
  const { mediaType, data, filename = 'document.pdf' } = part
  if (mediaType.startsWith('image/')) {
    const type = mediaType === 'image/*' ? 'image/jpeg' : mediaType
    return { type: 'image_url', image_url: { url: data instanceof URL ? data.href : dataUrl(type, data) } }
  }
  if (data instanceof URL) throw unsupportedFile(`a file at an address`)
  if (mediaType === 'application/pdf') return { type: 'file', file: { filename, file_data: dataUrl(mediaType, data) } }
  if (mediaType.startsWith('text/')) return { type: 'text', text: new TextDecoder().decode(bytesOf(data)) }
  throw unsupportedFile(`a file of the type ${mediaType}`)
}

type FileData = Exclude<FilePart['data'], URL>

const dataUrl = (type: string, data: FileData): string =>
  `data:${type};base64,${typeof data === 'string' ? data : base64(data)}`

const bytesOf = (data: FileData): Uint8Array =>
  typeof data === 'string' ? Uint8Array.from(atob(data), (char) => char.charCodeAt(0)) : data

const unsupportedFile = (what: string): Error => new Error(`An OpenAI-compatible server does not accept ${what}.`)

/** A chunk of `/chat/completions`. In a reply that is not streamed, the choice has a message. */
interface ChatChunk {
  choices?: { delta?: Delta | null; message?: Delta | null; finish_reason?: string | null }[]
  usage?: ChatUsage | null
  /** Set if the server fails in the middle of a reply. */
  error?: unknown
}

interface Delta {
  content?: string | ContentPart[] | null
  reasoning_content?: string | null
  reasoning?: string | null
  tool_calls?: CallDelta[] | null
}

/** Some servers send text and reasoning as parts of one content. */
interface ContentPart {
  type?: string
  text?: string
  thinking?: { text?: string }[]
}

interface ChatUsage {
  prompt_tokens?: number
  completion_tokens?: number
  prompt_tokens_details?: { cached_tokens?: number } | null
  completion_tokens_details?: { reasoning_tokens?: number } | null
}

type Part = LanguageModelV3StreamPart

/** Turns the chunks of a reply into parts, in the order they arrive. */
function chatReply() {
  const calls: PartialCall[] = []
  const text = textBlocks()
  let finishReason: LanguageModelV3FinishReason | undefined
  let usage: ChatUsage | undefined

  function* addContent(content: Delta['content']): Generator<Part, void, void> {
    if (!Array.isArray(content)) return yield* text.add('text', content)
    for (const part of content) {
      if (part.type === 'text') yield* text.add('text', part.text)
      else if (part.type === 'thinking')
        for (const thought of part.thinking ?? []) yield* text.add('reasoning', thought.text)
    }
  }

  function* addCall(delta: CallDelta): Generator<Part, void, void> {
    const known = calls.length
    const parts = [...addCallDelta(calls, delta)]
    // When the next call begins, earlier calls end if their JSON is complete; otherwise their pieces may be
    // interleaved.
    if (calls.length > known)
      for (const earlier of calls.slice(0, known)) if (parseChunk(earlier.text)) yield* endCall(earlier)
    yield* parts
  }

  function* endCall(call: PartialCall): Generator<Part, void, void> {
    if (call.isOver || call.name === '') return
    call.isOver = true
    yield { type: 'tool-input-end', id: call.id }
    yield { type: 'tool-call', toolCallId: call.id, toolName: call.name, input: call.text }
  }

  function* readChunk(chunk: ChatChunk): Generator<Part, void, void> {
    if (chunk.error) return yield { type: 'error', error: chunk.error }
    if (!Array.isArray(chunk.choices)) return yield { type: 'error', error: invalidChunk }
    usage = chunk.usage ?? usage
    const [choice] = chunk.choices
    if (choice?.finish_reason) finishReason = finishReasonOf(choice.finish_reason)
    const delta = choice?.delta ?? choice?.message
    if (!delta) return
    yield* text.add('reasoning', delta.reasoning_content ?? delta.reasoning)
    yield* addContent(delta.content)
    for (const call of delta.tool_calls ?? []) {
      yield* text.close()
      yield* addCall(call)
    }
  }

  function* ending(): Generator<Part, void, void> {
    yield* text.close()
    if (finishReason === undefined) return yield { type: 'error', error: truncatedError }
    for (const call of calls) yield* endCall(call)
    yield { type: 'finish', finishReason, usage: usageOf(usage) }
  }

  return {
    read(json: string): Part[] {
      const chunk = parseChunk(json)
      return chunk === undefined ? [{ type: 'error', error: invalidChunk }] : [...readChunk(chunk)]
    },
    /** Ends the stream. One without a finish reason was cut off. */
    end: (): Part[] => [...ending()],
  }
}

const truncatedError = { name: 'TruncatedReply', message: 'The stream ended without a finish reason.' }

const invalidChunk = { name: 'InvalidResponseData', message: 'The server sent something that is not part of a reply.' }

function parseChunk(json: string): ChatChunk | undefined {
  try {
    const value: unknown = JSON.parse(json)
    return isRecord(value) ? value : undefined
  } catch {
    // The caller reports an invalid chunk.
    return undefined
  }
}

const finishReasons: Record<string, LanguageModelV3FinishReason['unified']> = {
  stop: 'stop',
  length: 'length',
  content_filter: 'content-filter',
  function_call: 'tool-calls',
  tool_calls: 'tool-calls',
}

const finishReasonOf = (raw: string): LanguageModelV3FinishReason => ({ unified: finishReasons[raw] ?? 'other', raw })

/** Counts that were not sent stay unknown. */
function usageOf(usage: ChatUsage | undefined): LanguageModelV3Usage {
  const cached = usage?.prompt_tokens_details?.cached_tokens
  const reasoning = usage?.completion_tokens_details?.reasoning_tokens
  return {
    inputTokens: { total: usage?.prompt_tokens, noCache: undefined, cacheRead: cached, cacheWrite: undefined },
    outputTokens: { total: usage?.completion_tokens, text: undefined, reasoning },
  }
}

/** A call whose pieces are still arriving. */
export interface PartialCall {
  id: string
  index?: number
  /** Empty until the name arrives. */
  name: string
  text: string
  /** The call was reported; later pieces for it are ignored. */
  isOver?: boolean
}

/** A piece of a call, as OpenAI and most compatible servers stream it. */
export interface CallDelta {
  index?: number | null
  id?: string | null
  function?: { name?: string | null; arguments?: string | null } | null
}

/** A new index or a new id begins a new call; a piece with neither belongs to the last call. */
export function* addCallDelta(calls: PartialCall[], delta: CallDelta): Generator<LanguageModelV3StreamPart> {
  const { index, id, function: piece } = delta
  let call =
    index != null ? calls.find((one) => one.index === index) : id ? calls.find((one) => one.id === id) : calls.at(-1)
  if (call === undefined) {
    call = { id: uniqueId(calls, id), name: '', text: '', ...(index != null && { index }) }
    calls.push(call)
  }
  if (call.isOver) return
  let text = piece?.arguments ?? ''
  call.text += text
  if (call.name === '') {
    if (!piece?.name) return
    call.name = piece.name
    text = call.text
    yield { type: 'tool-input-start', id: call.id, toolName: call.name }
  }
  if (text !== '') yield { type: 'tool-input-delta', id: call.id, delta: text }
}

function uniqueId(calls: readonly PartialCall[], id: string | null | undefined): string {
  return id && !calls.some((call) => call.id === id) ? id : `call_${crypto.randomUUID()}`
}

/** Extracts the data of server-sent events from text that arrives in arbitrary pieces. */
function eventDataReader() {
  let rest = ''
  let lines: string[] = []
  return {
    read(text: string): string[] {
      const found: string[] = []
      const all = (rest + text).split('\n')
      rest = all.pop() ?? ''
      for (const one of all) {
        const line = one.endsWith('\r') ? one.slice(0, -1) : one
        if (line.startsWith('data:')) lines.push(line.slice(line[5] === ' ' ? 6 : 5))
        else if (line === '' && lines.length > 0) {
          found.push(lines.join('\n'))
          lines = []
        }
      }
      return found
    },
  }
}

/** Embeddings in OpenAI's format, which nearly every server shares. */
export function compatibleEmbeddings(
  name: string,
  modelId: string,
  { baseUrl, key, fetch }: ProviderConnection,
): EmbeddingModelV3 {
  return {
    specificationVersion: 'v3',
    provider: `${name}.embedding`,
    modelId,
    maxEmbeddingsPerCall: 2048,
    supportsParallelCalls: true,
    async doEmbed({ values, abortSignal }) {
      const response = await fetch(`${baseUrl.replace(/\/$/, '')}/embeddings`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...bearer(key?.reveal()) },
        body: JSON.stringify({ model: modelId, input: values, encoding_format: 'float' }),
        signal: abortSignal as never,
      })
      if (!response.ok) throw await responseError(response)
      return { embeddings: vectorsIn(JSON.parse(await response.text())), warnings: [] }
    },
  }
}

/** In the order of the texts, whatever order they arrive in. */
function vectorsIn(body: unknown): number[][] {
  const data: unknown = isRecord(body) ? body.data : undefined
  if (!Array.isArray(data)) throw new SyntaxError('The server sent no vectors.')
  const items = data as { index?: number; embedding: number[] }[]
  return [...items].sort((one, other) => (one.index ?? 0) - (other.index ?? 0)).map(({ embedding }) => embedding)
}
