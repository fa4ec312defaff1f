import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Backend, responsesDoor, type ServedVault } from '../../src/apps/responses/index.js'
import { type RunningServer, startServer } from '../../src/apps/server/index.js'
import { withDialect } from '../../src/core/dialects/index.js'
import { Failure } from '../../src/core/errors.js'
import { type LanguageModelV3, profileFor } from '../../src/core/model/index.js'
import { repliesFile } from '../../src/hosts/node/replies/index.js'
import { eventsIn, validateStream } from './stream-validator.js'

export const token = 'nw-a-token-for-tests'

// biome-ignore lint/suspicious/noExplicitAny: answers are looked at as a client would
type Any = any

/** The endpoint in front of models of a test's own, over real connections. */
export interface TestEndpoint {
  server: RunningServer
  /** Lines of `--verbose`. */
  lines: string[]
  post(path: string, body: unknown, init?: RequestInit): Promise<Response>
  get(path: string, init?: RequestInit): Promise<Response>
  /** A response as a whole. */
  respond(body: object): Promise<Any>
  /** The same streamed and checked; answers the events and the final response. */
  stream(body: object): Promise<{ events: Any[]; final: Any }>
  /** Starts anew on the same file, as after a restart. */
  restart(): Promise<void>
  close(): Promise<void>
}

export interface TestModels {
  /** By name; in a dialect where the name says so: `sentinel/…`. */
  [name: string]: LanguageModelV3
}

export interface TestOptions {
  limits?: object
  vault?: ServedVault
  /** How many tokens fit into the models. */
  window?: number
}

export async function testEndpoint(
  models: TestModels,
  { limits, vault, window }: TestOptions = {},
): Promise<TestEndpoint> {
  const folder = mkdtempSync(join(tmpdir(), 'notewright-endpoint-'))
  const lines: string[] = []
  const open = () =>
    startServer({
      host: '127.0.0.1',
      port: 0,
      token,
      limits: { goodbyeMs: 100, ...limits },
      log: (line) => lines.push(line),
      doors: [
        responsesDoor({
          backend: Object.keys(models)[0],
          ...(vault && { vault }),
          replies: repliesFile(join(folder, 'replies.db'), { keepMs: 3_600_000 }),
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
