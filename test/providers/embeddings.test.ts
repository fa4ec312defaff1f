import { createHash } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import { type Environment, openEmbedder, recipientOf } from '../../src/core/providers/index.js'
import { type EmbeddingServer, embeddingServer, sendJson } from './embedding-server.js'
import { canary } from './every-provider.js'

const routes: { name: string; path: string; environment(url: string): Environment }[] = [
  {
    name: 'openai/text-embedding-3-small',
    path: '/v1/embeddings',
    environment: (url) => ({ OPENAI_API_KEY: canary, OPENAI_BASE_URL: `${url}/v1` }),
  },
  {
    name: 'gemini/gemini-embedding-001',
    path: '/v1beta/models/gemini-embedding-001:batchEmbedContents',
    environment: (url) => ({ GEMINI_API_KEY: canary, GEMINI_BASE_URL: url }),
  },
  { name: 'ollama/nomic-embed-text', path: '/api/embed', environment: (url) => ({ OLLAMA_HOST: url }) },
  {
    name: 'lmstudio/text-embedding-bge-m3',
    path: '/v1/embeddings',
    environment: (url) => ({ LMSTUDIO_BASE_URL: url }),
  },
  {
    name: 'openrouter/qwen/qwen3-embedding-8b',
    path: '/api/v1/embeddings',
    environment: (url) => ({ OPENROUTER_API_KEY: canary, OPENROUTER_BASE_URL: `${url}/api/v1` }),
  },
  {
    name: 'compatible/bge-m3',
    path: '/v1/embeddings',
    environment: (url) => ({ NOTEWRIGHT_COMPATIBLE_URL: `${url}/v1`, NOTEWRIGHT_COMPATIBLE_KEY: canary }),
  },
]

const { signal } = new AbortController()
let server: EmbeddingServer

afterEach(() => server?.stop())

function embedderFor({ name, environment }: (typeof routes)[number], mayBeSent = async () => true) {
  const place = environment(server.url)
  const retrying = { tries: 3, firstWaitMs: 1, longestWaitMs: 2000 }
  return openEmbedder(recipientOf(name, place), { environment: place, fetch, mayBeSent, retrying })
}

describe.each(routes)('embeddings of $name', (route) => {
  it('are returned in order, one for each text, with their model', async () => {
    server = await embeddingServer()
    const embedder = embedderFor(route)
    expect(embedder.id).toBe(route.name)
    const vectors = await embedder.embed(['a bicycle', 'the harbour', 'sourdough'], 'passage', signal)
    expect(vectors.map((vector) => vector.indexOf(1))).toEqual([1, 2, 0])
    expect(server.requests[0].path).toBe(route.path)
    const [query] = await embedder.embed(['velocipede'], 'query', signal)
    expect(query.indexOf(1)).toBe(1)
  })

  it('are not requested before the user agrees', async () => {
    server = await embeddingServer()
    const embedder = embedderFor(route, async () => false)
    for (const as of ['query', 'passage'] as const) {
      await expect(embedder.embed(['secret'], as, signal)).rejects.toMatchObject({
        code: 'needs-approval',
        details: { command: expect.stringContaining('embeddings.sendTo 127.0.0.1:') },
      })
    }
    expect(server.requests).toEqual([])
  })

  it('are logged before each request, with its notes, also for repeated requests', async () => {
    server = await embeddingServer({
      instead(response, _texts, count) {
        if (count === 1) sendJson(response, 429, { error: { message: 'Rate limit reached' } }, { 'retry-after': '0' })
        return count === 1
      },
    })
    const told: { bytes: number; sha256: string; notes: string[] }[] = []
    const place = route.environment(server.url)
    const embedder = openEmbedder(recipientOf(route.name, place), {
      environment: place,
      fetch,
      mayBeSent: async () => true,
      retrying: { tries: 3, firstWaitMs: 1, longestWaitMs: 2000 },
      async onRequest({ bytes, sha256 }, notes) {
        expect(server.requests).toHaveLength(told.length)
        told.push({ bytes, sha256, notes })
      },
    })
    await embedder.embed(['a "bicycle"', 'the harbour'], 'passage', signal, ['Bike.md', 'Sea.md'])
    await embedder.embed(['velocipede'], 'query', signal)
    const received = server.requests.map(({ body }) => createHash('sha256').update(body).digest('hex'))
    expect(told.map(({ sha256 }) => sha256)).toEqual(received)
    expect(told.map(({ notes }) => notes)).toEqual([['Bike.md', 'Sea.md'], ['Bike.md', 'Sea.md'], []])
  })

  it('wait as long as the provider says, and then continue', async () => {
    server = await embeddingServer({
      instead(response, _texts, count) {
        if (count === 1) sendJson(response, 429, { error: { message: 'Rate limit reached' } }, { 'retry-after': '0.3' })
        return count === 1
      },
    })
    const startedAt = performance.now()
    await embedderFor(route).embed(['a bicycle', 'b'], 'passage', signal)
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(290)
    expect(server.requests).toHaveLength(2)
  })

  it('fail with a sentence that says what to do and holds no key', async () => {
    server = await embeddingServer({
      instead(response) {
        sendJson(response, 404, { error: `model not found ${canary}` })
        return true
      },
    })
    const failing = embedderFor(route).embed(['a', 'b'], 'passage', signal)
    const failure = await failing.then(
      () => undefined,
      (error) => error,
    )
    expect(failure).toMatchObject({ code: 'network', details: { hint: expect.any(String) } })
    expect(JSON.stringify([failure.message, failure.details])).not.toContain(canary)
    expect(server.requests).toHaveLength(1)
  })
})

describe('a text that a model cannot take', () => {
  const route = routes[0]

  it('is cut, or left out, and keeps no other from being made', async () => {
    server = await embeddingServer({
      instead(response, texts) {
        const isBad = texts.some((text) => text.length > 1500 || text.includes('refuse'))
        // In the words OpenAI has for an input that is too long.
        const message = "This model's maximum context length is 8192 tokens, however you requested 9000 tokens."
        if (isBad) sendJson(response, 400, { error: { message, type: 'invalid_request_error' } })
        return isBad
      },
    })
    const long = `bicycle ${'x'.repeat(5000)}`
    const texts = ['harbour', long, 'refuse this', 'sourdough']
    const vectors = await embedderFor(route).embed(texts, 'passage', signal)
    expect(vectors.map((vector) => vector.indexOf(1))).toEqual([2, 1, -1, 0])
    expect(new Set(vectors.map(({ length }) => length))).toEqual(new Set([4]))
  })

  it('is reported after a few requests if no text is accepted', async () => {
    server = await embeddingServer({
      instead(response) {
        sendJson(response, 400, { error: { message: 'this model does not make embeddings' } })
        return true
      },
    })
    const texts = Array.from({ length: 64 }, (_, at) => `text ${at}`)
    await expect(embedderFor(route).embed(texts, 'passage', signal)).rejects.toThrow('does not make embeddings')
    expect(server.requests.length).toBeLessThan(20)
  })
})

it('names providers of embeddings if this one has none', () => {
  expect(() => recipientOf('anthropic/claude', {})).toThrow('Anthropic has no embeddings models.')
  expect(() => recipientOf('nomic-embed-text', {})).toThrow('provider/model')
})

it('marks queries and passages as the model was trained', async () => {
  server = await embeddingServer()
  const embedder = embedderFor(routes[2])
  await embedder.embed(['rain'], 'passage', signal)
  await embedder.embed(['rain'], 'query', signal)
  expect(server.texts()).toEqual(['search_document: rain', 'search_query: rain'])
})
