import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Backend, responsesMount, type ServedVault } from '../../src/apps/responses/index.js'
import { credentialIn, type RunningServer, refusal, startServer } from '../../src/apps/server/index.js'
import { withDialect } from '../../src/core/dialects/index.js'
import { Failure } from '../../src/core/errors.js'
import type { Embedder } from '../../src/core/index/index.js'
import { type LanguageModelV3, profileFor } from '../../src/core/model/index.js'
import { responseTable } from '../../src/hosts/node/response-store.js'
import { eventsIn, validateStream } from './stream-validator.js'

export const token = 'nw-a-token-for-tests'

// biome-ignore lint/suspicious/noExplicitAny: responses are read as a client would
type Any = any

/** The responses mount in front of scripted models, over real connections. */
export interface TestEndpoint {
  server: RunningServer
  /** Lines of `--verbose`. */
  lines: string[]
  post(path: string, body: unknown, init?: RequestInit): Promise<Response>
  get(path: string, init?: RequestInit): Promise<Response>
  /** A complete response. */
  respond(body: object): Promise<Any>
  /** A streamed response: its events, checked by the stream validator, and the final response. */
  stream(body: object): Promise<{ events: Any[]; final: Any }>
  /** Closes the server and starts it again on the same file. */
  restart(): Promise<void>
  close(): Promise<void>
}

export interface TestModels {
  /** By name. A prefix such as `sentinel/` wraps the model with that dialect. */
  [name: string]: LanguageModelV3
}

export interface TestOptions {
  limits?: Parameters<typeof startServer>[0]['limits']
  vault?: ServedVault
  /** Context window of the models in tokens. */
  window?: number
  embedder?: Embedder
}

export async function testEndpoint(
  models: TestModels,
  { limits, vault, window, embedder }: TestOptions = {},
): Promise<TestEndpoint> {
  const folder = mkdtempSync(join(tmpdir(), 'notewright-endpoint-'))
  const lines: string[] = []
  const open = () =>
    startServer({
      host: '127.0.0.1',
      port: 0,
      authorize: (head) => (credentialIn(head.one) === `Bearer ${token}` ? undefined : unknownKey()),
      limits: { shutdownMs: 100, ...limits },
      log: (line) => lines.push(line),
      mounts: [
        responsesMount({
          backend: Object.keys(models)[0],
          ...(vault && { vault }),
          embedder: () => embedder,
          replies: responseTable(folder, { keepMs: 3_600_000 }),
          openBackend: async (name) => ({
            ...backendOf(name, models),
            ...(window && { window: async () => ({ tokens: window, from: 'server' as const }) }),
          }),
        }),
      ],
    })
  const self: TestEndpoint = {
    server: await open(),
    lines,
    post: (path, body, init = {}) =>
      fetch(self.server.url + path, {
        method: 'POST',
        body: typeof body === 'string' ? body : JSON.stringify(body),
        ...init,
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', ...init.headers },
      }),
    get: (path, init = {}) => fetch(self.server.url + path, { ...init, headers: { Authorization: `Bearer ${token}` } }),
    async respond(body) {
      const answer = await self.post('/v1/responses', body)
      return { status: answer.status, ...((await answer.json()) as object) }
    },
    async stream(body) {
      const answer = await self.post('/v1/responses', { ...body, stream: true })
      const text = await answer.text()
      if (answer.status !== 200) throw new Error(`${answer.status} ${text}`)
      const events = eventsIn(text)
      return { events, final: validateStream(events) }
    },
    async restart() {
      await self.server.close()
      self.server = await open()
    },
    async close() {
      await self.server.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
  return self
}

function backendOf(name: string, models: TestModels): Backend {
  const model = models[name]
  if (model === undefined) throw new Failure('not-found', `No model named ${name}.`)
  const [dialect] = name.split('/')
  const profile = { ...profileFor(model.modelId), toolRules: [], toolReminder: undefined }
  return { name, profile, model: withDialect(model, { dialect, profile, parallelCalls: true }) }
}

const unknownKey = () => refusal({ status: 401, code: 'invalid_api_key', message: 'This access key is unknown.' })
