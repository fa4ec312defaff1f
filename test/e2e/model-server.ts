import type { ServerResponse } from 'node:http'
import { chatChunk, eventStream, type Loopback, loopback } from '../providers/loopback.js'

export type Said =
  | { say?: string; think?: string; call?: { name: string; input: unknown }[] }
  /** Says this much and then nothing more, or the rest when it is time. */
  | { stall: string; until?: Promise<string> }
  | { status: number; error: string }

export interface Prompt {
  messages: { role: string; content: unknown }[]
  tools?: { function: { name: string } }[]
}

/** Its replies, fixed or computed from the prompt. */
export type Script = readonly (Said | ((prompt: Prompt) => Said))[]

export interface ModelServer extends Loopback {
  /** Leads `-m compatible/test` here. */
  environment: Record<string, string>
  /** The conversations it was sent. */
  prompts(): Prompt[]
}

/** A server with OpenAI's chat completions API and scripted replies; the last one is repeated. */
export async function modelServer(...script: Script): Promise<ModelServer> {
  let replies = 0
  const server = await loopback((response, { path, body }) => {
    if (path.endsWith('/models')) return sendJson(response, 200, { data: [{ id: 'test' }, { id: 'test-large' }] })
    const next = script[Math.min(replies++, script.length - 1)]
    const said = typeof next === 'function' ? next(JSON.parse(body)) : next
    if ('status' in said) return sendJson(response, said.status, { error: { message: said.error } })
    if (JSON.parse(body).stream !== true) return sendJson(response, 200, completion(said))
    stream(eventStream(response), said, replies)
  })
  return {
    ...server,
    environment: { NOTEWRIGHT_COMPATIBLE_URL: `${server.url}/v1`, NOTEWRIGHT_DIALECT: 'native' },
    prompts: () => server.requests.filter(({ body }) => body !== '').map(({ body }) => JSON.parse(body)),
  }
}

function stream(response: ServerResponse, said: Exclude<Said, { status: number }>, reply: number): void {
  if ('stall' in said) {
    response.write(chatChunk({ role: 'assistant', content: said.stall }))
    return void said.until?.then((rest) => stream(response, { say: rest }, reply))
  }
  if (said.think) response.write(chatChunk({ reasoning_content: said.think }))
  for (const word of said.say?.match(/\S+\s*|\s+/g) ?? []) response.write(chatChunk({ content: word }))
  for (const call of toolCalls(said, reply)) response.write(chatChunk({ tool_calls: [call] }))
  response.end(`${chatChunk({}, said.call ? 'tool_calls' : 'stop')}data: [DONE]\n\n`)
}

function completion(said: Exclude<Said, { status: number }>) {
  if ('stall' in said) throw new Error('Only a stream can stall half-way.')
  const message = { role: 'assistant', content: said.say ?? null, ...(said.call && { tool_calls: toolCalls(said, 0) }) }
  const choices = [{ index: 0, message, finish_reason: said.call ? 'tool_calls' : 'stop' }]
  return {
    id: 'c',
    object: 'chat.completion',
    created: 1,
    model: 'test',
    choices,
    usage: { prompt_tokens: 7, completion_tokens: 3 },
  }
}

function toolCalls({ call = [] }: { call?: { name: string; input: unknown }[] }, reply: number) {
  return call.map(({ name, input }, index) => ({
    index,
    id: `call-${reply}-${index}`,
    type: 'function',
    function: { name, arguments: typeof input === 'string' ? input : JSON.stringify(input) },
  }))
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
