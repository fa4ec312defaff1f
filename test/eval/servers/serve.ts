import type { ServerResponse } from 'node:http'
import { chatChunk, eventStream, loopback } from '../../providers/loopback.js'
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

/** A server of a kind on this machine. `model` is asked anew for each request, so that one server does for many runs. */
export async function serve(kind: ServerKind, model: () => ServedModel): Promise<Served> {
  const server = await loopback((response, { path, body }) => {
    const { window, takesTools, reply } = model()
    const told = kind.tells(path, window)
    if (told !== undefined) return sendJson(response, 200, told)
    const isOllama = path === '/api/chat'
    if (!isOllama && !path.endsWith('/chat/completions')) return sendJson(response, 404, { error: 'not found' })
    const request = JSON.parse(body)
    const prompt = promptOf(request)
    if (prompt.tools.length > 0 && !takesTools && kind.refusesTools)
      return refuse(response, kind.refusesTools, isOllama)
    // Ollama gives what a request asks for, up to what the model was made for.
    const room = Math.min(request.options?.num_ctx ?? window, window)
    const fitted = kind.fit(prompt, room)
    if ('status' in fitted) return refuse(response, fitted, isOllama)
    const said = reply(fitted)
    if (isOllama) sendOllama(response, said, request.stream !== false, promptTokens(fitted))
    else if (request.stream === true) stream(response, said)
    else sendJson(response, 200, completion(said))
  })
  return { url: server.url, stop: server.stop }
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

function stream(response: ServerResponse, said: Reply): void {
  const made = wireCalls(said)
  const chunks = [
    ...pieces(said.text).map((content) => chatChunk({ role: 'assistant', content })),
    ...made.map((call) => chatChunk({ role: 'assistant', tool_calls: [call] })),
    chatChunk({}, made.length > 0 ? 'tool_calls' : 'stop'),
  ]
  eventStream(response).end(`${chunks.join('')}data: [DONE]\n\n`)
}

function completion(said: Reply) {
  const made = wireCalls(said)
  const message = { role: 'assistant', content: said.text ?? null, ...(made.length > 0 && { tool_calls: made }) }
  const choices = [{ index: 0, message, finish_reason: made.length > 0 ? 'tool_calls' : 'stop' }]
  return { id: 'c', object: 'chat.completion', created: 1, model: 'm', choices }
}

/** Ollama's own protocol: lines of JSON. */
function sendOllama(response: ServerResponse, said: Reply, streams: boolean, tokens: number): void {
  const head = { model: 'm', created_at: '2025-07-07T20:22:19.184789Z' }
  const tool_calls = said.calls?.map(({ name, input }) => ({ function: { name, arguments: input } }))
  const end = { done: true, done_reason: 'stop', prompt_eval_count: tokens, eval_count: 1 }
  if (!streams) {
    const message = { role: 'assistant', content: said.text ?? '', ...(tool_calls && { tool_calls }) }
    sendJson(response, 200, { ...head, message, ...end })
    return
  }
  const lines = [
    ...pieces(said.text).map((content) => ({ ...head, message: { role: 'assistant', content }, done: false })),
    ...(tool_calls ? [{ ...head, message: { role: 'assistant', content: '', tool_calls }, done: false }] : []),
    { ...head, message: { role: 'assistant', content: '' }, ...end },
  ]
  response.writeHead(200, { 'content-type': 'application/x-ndjson' })
  response.end(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
}

/** Ollama's own protocol says it without the wrapping of the one it shares with others. */
function refuse(response: ServerResponse, { status, body }: Refusal, isOllama: boolean): void {
  const { error } = body as { error?: { message?: string } | string }
  const plain = typeof error === 'object' ? error.message : error
  sendJson(response, status, isOllama ? { error: plain } : body)
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
