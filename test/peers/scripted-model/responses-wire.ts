import type { ServerResponse } from 'node:http'
import { cuts, type Pace, unique } from './chat-wire.js'
import { type Message, type ModelReply, type ModelRequest, type Schema, tokensOf } from './request.js'

/** OpenAI's Responses, as Codex asks for them: always a stream, `store: false`, everything in `input`. */
interface ResponsesBody {
  instructions?: string
  input: {
    type: string
    role?: string
    content?: { type: string; text?: string }[]
    name?: string
    output?: string | { type: string; text?: string }[]
  }[]
  tools?: (OfferedTool & { tools?: OfferedTool[] })[]
  parallel_tool_calls?: boolean
  text?: { format?: { type: string; schema?: Schema } }
}

/** Codex puts the tools of one server into a `namespace`. */
interface OfferedTool {
  type: string
  name: string
  description?: string
  parameters?: Schema
}

export function readResponses(given: unknown): ModelRequest {
  const { instructions, input, tools = [], parallel_tool_calls: parallel, text } = given as ResponsesBody
  const format = text?.format
  return {
    messages: [
      ...(instructions ? [{ role: 'system' as const, text: instructions }] : []),
      ...input.flatMap(({ type, role, content = [], output = '' }): Message[] => {
        if (type === 'function_call_output') return [{ role: 'tool', text: textOf(output) }]
        if (type !== 'message') return []
        const images = content.filter((part) => part.type === 'input_image').length
        return [{ role: role === 'developer' ? 'system' : (role as Message['role']), text: textOf(content), images }]
      }),
    ],
    tools: tools
      .flatMap((tool) => tool.tools ?? [tool])
      .filter((tool) => tool.type === 'function')
      .map(({ name, description = '', parameters = {} }) => ({ name, description, schema: parameters })),
    choice: 'auto',
    parallel: parallel !== false,
    ...(format && format.type !== 'text' && { json: { schema: format.schema } }),
  }
}

const textOf = (content: string | { text?: string }[]) =>
  typeof content === 'string' ? content : content.map(({ text = '' }) => text).join('\n')

export function writeResponses(response: ServerResponse, body: unknown, said: ModelReply, pace: Pace): void {
  const id = `resp_${unique()}`
  const pieces: string[] = []
  const tell = (type: string, fields: unknown) =>
    void pieces.push(`event: ${type}\ndata: ${JSON.stringify({ type, ...(fields as object) })}\n\n`)
  let index = 0
  tell('response.created', { response: { id, status: 'in_progress' } })
  if (said.text) {
    const item = { type: 'message', role: 'assistant', id: `msg_${unique()}` }
    const place = { output_index: index++, item_id: item.id, content_index: 0 }
    tell('response.output_item.added', {
      output_index: place.output_index,
      item: { ...item, status: 'in_progress', content: [] },
    })
    tell('response.content_part.added', { ...place, part: { type: 'output_text', text: '', annotations: [] } })
    for (const delta of cuts(said.text)) tell('response.output_text.delta', { ...place, delta })
    tell('response.output_text.done', { ...place, text: said.text })
    const content = [{ type: 'output_text', text: said.text, annotations: [] }]
    tell('response.output_item.done', {
      output_index: place.output_index,
      item: { ...item, status: 'completed', content },
    })
  }
  for (const { name, arguments: input } of said.calls ?? []) {
    const space = (body as ResponsesBody).tools?.find(({ tools }) => tools?.some((tool) => tool.name === name))
    const namespace = space && { namespace: space.name }
    const item = { type: 'function_call', id: `fc_${unique()}`, call_id: `call_${unique()}`, name, ...namespace }
    const place = { output_index: index++, item_id: item.id }
    tell('response.output_item.added', {
      output_index: place.output_index,
      item: { ...item, arguments: '', status: 'in_progress' },
    })
    for (const delta of cuts(input)) tell('response.function_call_arguments.delta', { ...place, delta })
    tell('response.function_call_arguments.done', { ...place, arguments: input })
    tell('response.output_item.done', {
      output_index: place.output_index,
      item: { ...item, arguments: input, status: 'completed' },
    })
  }
  tell('response.completed', { response: { id, status: 'completed', usage: usageOf(body, said) } })
  pace(response, pieces)
}

function usageOf(body: unknown, { text = '', calls = [] }: ModelReply) {
  const input = tokensOf(JSON.stringify((body as ResponsesBody).input))
  const output = tokensOf(text + calls.map((call) => call.arguments).join(''))
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input + output,
  }
}
