import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { chatChunk } from '../../providers/loopback.js'
import type { Message, Prompt, Reply } from '../model/prompt.js'
import type { Refusal, ServerKind } from './kinds.js'
import { promptTokens } from './window.js'

export interface Served {
  url: string
  stop(): Promise<void>
}

export interface ServedModel {
  window: number
  takesTools: boolean
  reply(prompt: Prompt): Reply
}

/** A server of one kind on this machine. `model` is called for each request, so that one server serves many runs. */
export async function serve(kind: ServerKind, model: () => ServedModel): Promise<Served> {
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { status, type, text } = answer(kind, model(), request.url ?? '', body)
    response.writeHead(status, { 'content-type': type }).end(text)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

interface Sent {
  status: number
  type: string
  text: string
}

function answer(kind: ServerKind, { window, takesTools, reply }: ServedModel, path: string, body: string): Sent {
  const told = kind.tells(path, window)
  if (told !== undefined) return json(told)
  const isOllama = path === '/api/chat'
  if (!isOllama && !path.endsWith('/chat/completions')) return json({ error: 'not found' }, 404)
  const request = JSON.parse(body)
  const prompt = promptOf(request)
  if (prompt.tools.length > 0 && !takesTools && kind.refusesTools) return refusal(kind.refusesTools, isOllama)
  // Ollama gives what a request asks for, up to what the model was made for.
  const room = Math.min(request.options?.num_ctx ?? window, window)
  const fitted = kind.fit(prompt, room)
  if ('status' in fitted) return refusal(fitted, isOllama)
  const said = reply(fitted)
  if (isOllama) return ollamaReply(said, request.stream !== false, promptTokens(fitted))
  return request.stream === true ? stream(said) : json(completion(said))
}

interface WireMessage {
  role: Message['role']
  content?: string | { text?: string }[] | null
  tool_calls?: { id?: string; function: { name: string; arguments: string | Record<string, unknown> } }[]
  tool_call_id?: string
  tool_name?: string
}

interface WireRequest {
  messages: WireMessage[]
  tools?: { function: { name: string; parameters: Record<string, unknown> } }[]
}

function promptOf({ messages, tools = [] }: WireRequest): Prompt {
  return {
    messages: messages.map(({ role, content, tool_calls, tool_call_id, tool_name }) => ({
      role,
      text: typeof content === 'string' ? content : (content ?? []).map(({ text = '' }) => text).join(''),
      ...(tool_calls && {
        calls: tool_calls.map(({ id, function: { name, arguments: input } }) => ({
          id,
          name,
          input: typeof input === 'string' ? JSON.parse(input || '{}') : input,
        })),
      }),
      callId: tool_call_id,
      toolName: tool_name,
    })),
    tools: tools.map((tool) => ({ name: tool.function.name, schema: tool.function.parameters })),
  }
}

const pieces = (text = ''): string[] => text.match(/[\s\S]{1,24}/g) ?? []

let calls = 0

const wireCalls = ({ calls: made = [] }: Reply) =>
  made.map(({ name, input }, index) => ({
    index,
    id: `call_${++calls}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  }))

function stream(said: Reply): Sent {
  const made = wireCalls(said)
  const chunks = [
    ...pieces(said.text).map((content) => chatChunk({ role: 'assistant', content })),
    ...made.map((call) => chatChunk({ role: 'assistant', tool_calls: [call] })),
    chatChunk({}, made.length > 0 ? 'tool_calls' : 'stop'),
  ]
  return { status: 200, type: 'text/event-stream', text: `${chunks.join('')}data: [DONE]\n\n` }
}

function completion(said: Reply) {
  const made = wireCalls(said)
  const message = { role: 'assistant', content: said.text ?? null, ...(made.length > 0 && { tool_calls: made }) }
  const choices = [{ index: 0, message, finish_reason: made.length > 0 ? 'tool_calls' : 'stop' }]
  return { id: 'c', object: 'chat.completion', created: 1, model: 'm', choices }
}

/** Ollama's own protocol: lines of JSON. */
function ollamaReply(said: Reply, streams: boolean, tokens: number): Sent {
  const head = { model: 'm', created_at: '2025-07-07T20:22:19.184789Z' }
  const tool_calls = said.calls?.map(({ name, input }) => ({ function: { name, arguments: input } }))
  const end = { done: true, done_reason: 'stop', prompt_eval_count: tokens, eval_count: 1 }
  if (!streams) {
    const message = { role: 'assistant', content: said.text ?? '', ...(tool_calls && { tool_calls }) }
    return json({ ...head, message, ...end })
  }
  const lines = [
    ...pieces(said.text).map((content) => ({ ...head, message: { role: 'assistant', content }, done: false })),
    ...(tool_calls ? [{ ...head, message: { role: 'assistant', content: '', tool_calls }, done: false }] : []),
    { ...head, message: { role: 'assistant', content: '' }, ...end },
  ]
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
  return { status: 200, type: 'application/x-ndjson', text }
}

/** Ollama's own protocol says it without the wrapping of the one it shares with others. */
function refusal({ status, body }: Refusal, isOllama: boolean): Sent {
  const { error } = body as { error?: { message?: string } | string }
  const plain = typeof error === 'object' ? error.message : error
  return json(isOllama ? { error: plain } : body, status)
}

const json = (body: unknown, status = 200): Sent => ({ status, type: 'application/json', text: JSON.stringify(body) })
