import type { ServerResponse } from 'node:http'
import { type Message, type ModelReply, type ModelRequest, type Schema, tokensOf } from './request.js'

/** OpenAI's chat completions, as https://platform.openai.com/docs/api-reference/chat describes them. */
interface ChatBody {
  model: string
  stream?: boolean
  messages: {
    role: string
    content: string | { type: string; text?: string }[] | null
    tool_calls?: { function: { name: string } }[]
  }[]
  tools?: { function: { name: string; description?: string; parameters?: Schema } }[]
  tool_choice?: 'auto' | 'none' | 'required' | { function: { name: string } }
  parallel_tool_calls?: boolean
  response_format?: { type: string; json_schema?: { schema: Schema } }
  max_tokens?: number
  stop?: string | string[]
  max_completion_tokens?: number
}

export function readChat(given: unknown): ModelRequest {
  const body = given as ChatBody
  const { tool_choice: choice = 'auto', response_format: format } = body
  return {
    messages: body.messages.map(({ role, content, tool_calls: calls }): Message => {
      const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? [])
      return {
        role: role === 'developer' ? 'system' : (role as Message['role']),
        text: parts.map(({ text = '' }) => text).join('\n'),
        images: parts.filter(({ type }) => type === 'image_url').length,
        calls: calls?.map((call) => call.function),
      }
    }),
    tools: (body.tools ?? []).map(({ function: { name, description = '', parameters = {} } }) => ({
      name,
      description,
      schema: parameters,
    })),
    choice: typeof choice === 'object' ? choice.function : choice,
    parallel: body.parallel_tool_calls !== false,
    ...(format && format.type !== 'text' && { json: { schema: format.json_schema?.schema } }),
    stop: [body.stop ?? []].flat(),
    maxTokens: body.max_completion_tokens ?? body.max_tokens,
  }
}

export function writeChat(response: ServerResponse, body: unknown, said: ModelReply, pace: Pace): void {
  const { model, stream } = body as ChatBody
  const base = { id: `chatcmpl-${unique()}`, created: Math.floor(Date.now() / 1000), model }
  const calls = said.calls?.map(({ name, arguments: input }, index) => ({
    index,
    id: `call_${unique()}`,
    type: 'function',
    function: { name, arguments: input },
  }))
  const reason = said.isCut ? 'length' : calls ? 'tool_calls' : 'stop'
  const usage = usageOf(body, said)
  if (!stream) {
    const message = { role: 'assistant', content: said.text ?? null, ...(calls && { tool_calls: calls }) }
    const thoughts = said.reasoning === undefined ? {} : { reasoning_content: said.reasoning }
    response.writeHead(200, { 'content-type': 'application/json' })
    const choices = [{ index: 0, message: { ...message, ...thoughts }, finish_reason: reason }]
    return void response.end(JSON.stringify({ ...base, object: 'chat.completion', choices, usage }))
  }
  const chunk = (delta: unknown, finish: string | null = null, more = {}) => {
    const choices = [{ index: 0, delta, finish_reason: finish }]
    return `data: ${JSON.stringify({ ...base, object: 'chat.completion.chunk', choices, ...more })}\n\n`
  }
  const pieces = [
    chunk({ role: 'assistant', content: '' }),
    ...cuts(said.reasoning).map((text) => chunk({ reasoning_content: text })),
    ...cuts(said.text).map((text) => chunk({ content: text })),
    ...(calls ?? []).flatMap(({ function: made, ...call }) => [
      chunk({ tool_calls: [{ ...call, function: { name: made.name, arguments: '' } }] }),
      ...cuts(made.arguments).map((text) =>
        chunk({ tool_calls: [{ index: call.index, function: { arguments: text } }] }),
      ),
    ]),
    chunk({}, reason),
    `data: ${JSON.stringify({ ...base, object: 'chat.completion.chunk', choices: [], usage })}\n\n`,
    'data: [DONE]\n\n',
  ]
  pace(response, pieces)
}

/** Sends pieces as fast as the model writes. */
export type Pace = (response: ServerResponse, pieces: string[]) => void

let made = 0
export const unique = () => `${(++made).toString(36).padStart(6, '0')}${Math.random().toString(36).slice(2, 10)}`

/** Cut as tokens are: anywhere. */
export const cuts = (text = '') => text.match(/[\s\S]{1,5}/g) ?? []

function usageOf(body: unknown, { text = '', reasoning = '', calls = [] }: ModelReply) {
  const input = tokensOf(JSON.stringify((body as ChatBody).messages))
  const thoughts = reasoning === '' ? 0 : tokensOf(reasoning)
  const output = tokensOf(text + calls.map((call) => call.arguments).join('')) + thoughts
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: thoughts },
  }
}
