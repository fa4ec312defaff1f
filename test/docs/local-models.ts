import { type Loopback, loopback } from '../providers/loopback.js'

interface Message {
  role: string
  content: string
}

const json = { 'content-type': 'application/json; charset=utf-8' }

/** Stands in for Ollama and for LM Studio: its model searches the notes once and then answers. */
export function localModels(): Promise<Loopback> {
  return loopback(
    (response, { path, body }) => {
      const found = answers[path]
      if (found === undefined) return void response.writeHead(404, json).end('{"error":"not found"}')
      const answer = found(body === '' ? {} : JSON.parse(body))
      const text = Array.isArray(answer)
        ? answer.map((line) => `${JSON.stringify(line)}\n`).join('')
        : JSON.stringify(answer)
      response.writeHead(200, json).end(text)
    },
    { tells: true },
  )
}

/** https://github.com/ollama/ollama/blob/main/docs/api.md, and OpenAI's API as LM Studio has it. */
const answers: Record<
  string,
  (request: { messages?: Message[]; input?: string | string[]; stream?: boolean }) => unknown
> = {
  '/api/version': () => ({ version: '0.12.0' }),
  '/api/tags': () => ({ models: [{ name: 'qwen3:8b', model: 'qwen3:8b' }, { name: 'nomic-embed-text:latest' }] }),
  '/api/show': () => ({
    details: { family: 'qwen3', parameter_size: '8.2B' },
    model_info: { 'general.architecture': 'qwen3', 'qwen3.context_length': 40_960 },
    capabilities: ['completion', 'tools'],
  }),
  '/api/ps': () => ({ models: [] }),
  '/api/embed': ({ input = [] }) => ({ embeddings: [input].flat().map((text) => [text.length, 1, 0]) }),
  '/api/chat': ({ messages = [], stream }) => {
    const lines = ollamaReply(messages)
    if (stream !== false) return lines
    const message = { ...lines[0].message }
    return { ...lines.at(-1), message }
  },
  '/v1/models': () => ({ object: 'list', data: [{ id: 'qwen3-8b', object: 'model' }] }),
}

function ollamaReply(messages: Message[]) {
  const end = { done: true, done_reason: 'stop', prompt_eval_count: 900, eval_count: 12 }
  const last = messages.at(-1)
  const message =
    last?.role === 'user'
      ? { role: 'assistant', content: '', tool_calls: [searchFor(last.content)] }
      : { role: 'assistant', content: 'Compost feeds the soil. [[Garden/Compost]]' }
  return [
    { model: 'qwen3:8b', message, done: false },
    { model: 'qwen3:8b', message: { role: 'assistant', content: '' }, ...end },
  ]
}

const searchFor = (query: string) => ({
  function: { name: 'search_notes', arguments: { query: query.split('\n').at(-1)?.slice(0, 200) } },
})
