import type { ServerResponse } from 'node:http'
import { type Loopback, loopback } from './loopback.js'

export interface EmbeddingServer extends Loopback {
  /** Every text it was sent, in order. */
  texts(): string[]
}

interface Behaviour {
  /** Answers in place of the vectors, where it does. */
  instead?(response: ServerResponse, texts: string[], count: number): boolean
}

/** A server on this machine that makes vectors as OpenAI (and LM Studio, vLLM, llama.cpp), Ollama and Gemini do. */
export async function embeddingServer({ instead }: Behaviour = {}): Promise<EmbeddingServer> {
  const server = await loopback((response, { path, body, count }) => {
    const texts = textsIn(body)
    if (instead?.(response, texts, count)) return
    const vectors = texts.map(vectorOf)
    if (path.endsWith('/v1/embeddings')) return sendJson(response, 200, asOpenAi(body, vectors))
    if (path === '/api/embed') return sendJson(response, 200, asOllama(body, vectors))
    if (path.includes(':batchEmbedContents')) {
      // https://ai.google.dev/api/embeddings, method models.batchEmbedContents.
      return sendJson(response, 200, { embeddings: vectors.map((values) => ({ values })) })
    }
    // The same page, method models.embedContent.
    if (path.includes(':embedContent')) return sendJson(response, 200, { embedding: { values: vectors[0] } })
    sendJson(response, 404, { error: { message: `no ${path} here` } })
  })
  return { ...server, texts: () => server.requests.flatMap(({ body }) => textsIn(body)) }
}

// https://platform.openai.com/docs/api-reference/embeddings/create, its example response.
const asOpenAi = (body: string, vectors: number[][]) => ({
  object: 'list',
  data: vectors.map((embedding, index) => ({ object: 'embedding', index, embedding })),
  model: JSON.parse(body).model,
  usage: { prompt_tokens: 8, total_tokens: 8 },
})

// https://docs.ollama.com/api/embed, its example response.
const asOllama = (body: string, embeddings: number[][]) => ({
  model: JSON.parse(body).model,
  embeddings,
  total_duration: 14143917,
  load_duration: 1019500,
  prompt_eval_count: 8,
})

export function sendJson(response: ServerResponse, status: number, body: unknown, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

function textsIn(body: string): string[] {
  if (body === '') return []
  const { input, requests, content } = JSON.parse(body)
  if (input !== undefined) return [input].flat()
  if (requests !== undefined) return requests.map((request: typeof content) => request.content.parts[0].text)
  return content === undefined ? [] : [content.parts[0].text]
}

/** It knows that a velocipede is a bicycle. */
function vectorOf(text: string): number[] {
  const directions = [/sourdough/i, /bicycle|velocipede/i, /harbour/i]
  return [...directions.map((word) => (word.test(text) ? 1 : 0)), 0.1]
}
