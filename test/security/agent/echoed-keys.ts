import { readdir, readFile, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { expect } from 'vitest'
import { askModel } from '../../../src/core/model/index.js'
import { openModel } from '../../../src/core/providers/index.js'
import { type Ran, type Stage, stage } from '../../e2e/cli-harness.js'
import { type Loopback, loopback } from '../../providers/loopback.js'
import { type Check, quoted, type SecurityCase } from '../security-case.js'

interface Keyed {
  provider: string
  model: string
  /** Settings of its key and its address. */
  key: string
  address: string
  path: string
}

/** The six of the case, and the one for every other server. */
const keyed: Keyed[] = [
  { provider: 'openai', model: 'gpt-4o', key: 'OPENAI_API_KEY', address: 'OPENAI_BASE_URL', path: '/v1' },
  {
    provider: 'anthropic',
    model: 'claude-3-5-haiku-latest',
    key: 'ANTHROPIC_API_KEY',
    address: 'ANTHROPIC_BASE_URL',
    path: '',
  },
  { provider: 'gemini', model: 'gemini-2.0-flash', key: 'GEMINI_API_KEY', address: 'GEMINI_BASE_URL', path: '' },
  { provider: 'openrouter', model: 'a/b', key: 'OPENROUTER_API_KEY', address: 'OPENROUTER_BASE_URL', path: '/api/v1' },
  { provider: 'ollama', model: 'llama3.2', key: 'OLLAMA_API_KEY', address: 'OLLAMA_HOST', path: '' },
  { provider: 'lmstudio', model: 'qwen3-8b', key: 'LMSTUDIO_API_KEY', address: 'LMSTUDIO_BASE_URL', path: '' },
  {
    provider: 'compatible',
    model: 'm',
    key: 'NOTEWRIGHT_COMPATIBLE_KEY',
    address: 'NOTEWRIGHT_COMPATIBLE_URL',
    path: '/v1',
  },
]

/** The model's part of the case. The token of the server, MCP servers, sessions and their export are later floors. */
export function echoedKeyChecks(of: SecurityCase): Check[] {
  const start = quoted(of.setup)[0].replace(/\.+$/, '')
  const word = start.slice(start.lastIndexOf('-') + 1)
  // Some look like keys to anyone, some only to those who know them.
  const shapes: Record<string, string> = { gemini: `AIza${word}`, ollama: word, lmstudio: word, compatible: word }
  const keyOf = (provider: string): string => `${shapes[provider] ?? start}-${provider}`
  const turns = Number(/(\d+) turns/.exec(of.action)![1])
  const statuses = /(\d+)\/(\d+) bodies/.exec(of.action)!.slice(1).map(Number)
  return [
    ...keyed.map(
      (one): Check => ({
        name: `a failure of ${one.provider} says nothing of the key that the provider repeats`,
        run: () =>
          onEcho([...statuses, 400, 403], async (server) => {
            for (let count = 0; count < 4; count++) {
              const failure = await failureOf(one, {
                [one.key]: keyOf(one.provider),
                [one.address]: server.url + one.path,
              })
              expect(JSON.stringify([failure.message, failure.details, failure.stack, { ...failure }])).not.toContain(
                word,
              )
              expect(failure.cause).toBeUndefined()
              expect(failure.message).not.toBe('')
            }
            expect(server.requests).toHaveLength(4)
            expect(JSON.stringify(server.requests)).toContain(keyOf(one.provider))
          }),
      }),
    ),
    {
      name: `${turns} turns at the command line, with keys from the environment and from the store: none outside the store`,
      timeoutMs: 120_000,
      run: () =>
        onEcho(statuses, async (server) => {
          const here = await stage()
          try {
            const addresses = Object.fromEntries(keyed.map(({ address, path }) => [address, server.url + path]))
            const keys = Object.fromEntries(keyed.map(({ key, provider }) => [key, keyOf(provider)]))
            const stored = ['openai', 'anthropic', 'gemini']
            for (const provider of stored) await here.run(['keys', 'set', provider], { input: keyOf(provider) })
            const ran = await inPairs(
              Array.from({ length: turns }, (_, turn) => () => {
                const { provider, model, key } = keyed[turn % keyed.length]
                const isStored = stored.includes(provider) && turn >= keyed.length
                const environment = {
                  ...addresses,
                  ...(!isStored && { [key]: keys[key] }),
                  NOTEWRIGHT_DIALECT: 'native',
                }
                const shape = [
                  ['--verbose'],
                  ['--verbose', '--json'],
                  ['--verbose', '--format', 'stream-json'],
                  ['--no-stream'],
                ][turn % 4]
                const words = ['ask', `What is ${turn}?`, '-m', `${provider}/${model}`, '--vault', here.vault, ...shape]
                return here.run(words, { environment })
              }),
            )
            expect(ran.map(({ code }) => code)).toEqual(Array(turns).fill(5))
            for (const { provider } of keyed) expect(JSON.stringify(server.requests)).toContain(keyOf(provider))
            expect(ran.map(({ stdout, stderr }) => stdout + stderr).filter((said) => said.includes(word))).toEqual([])
            expect(await filesAround(here, word)).toEqual(
              stored.map((provider) => `home/state/keys/${provider}`).sort(),
            )
          } finally {
            await here.remove()
          }
        }),
    },
    {
      name: 'the store is a file of its owner alone, outside the vault, and its commands never show a key',
      run: async () => {
        const here = await stage()
        try {
          const before = await here.treeHash()
          const ran = [
            await here.run(['keys', 'set', 'openai', '--vault', here.vault, '--verbose'], { input: `${start}\n` }),
            await here.run(['keys', 'list', '--vault', here.vault, '--verbose']),
          ]
          expect(ran.map(({ code }) => code)).toEqual([0, 0])
          expect(ran[1].stdout).toContain('openai')
          expect(JSON.stringify(ran)).not.toContain(word)
          expect(await filesAround(here, word)).toEqual(['home/state/keys/openai'])
          const file = join(here.home, 'state', 'keys', 'openai')
          expect((await stat(file)).mode & 0o777).toBe(0o600)
          expect(await readFile(file, 'utf8')).toBe(`${start}\n`)
          expect(await here.treeHash()).toBe(before)
        } finally {
          await here.remove()
        }
      },
    },
  ]
}

/** A server that answers with the statuses in turn, and in each with whatever key it was sent. */
async function onEcho(statuses: number[], use: (server: Loopback) => Promise<void>): Promise<void> {
  const server: Loopback = await loopback((response, { count }) => {
    const { headers, path } = server.requests[count - 1]
    const given = `${headers.authorization ?? headers['x-api-key'] ?? headers['x-goog-api-key']}`.replace('Bearer ', '')
    const message = `Incorrect key: ${given} (${encodeURIComponent(given)}) at ${path}. `.repeat(5)
    const status = statuses[(count - 1) % statuses.length]
    response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '0' })
    response.end(JSON.stringify({ error: { message, type: 'error', code: given } }))
  })
  try {
    await use(server)
  } finally {
    await server.stop()
  }
}

async function failureOf({ provider, model }: Keyed, environment: Record<string, string>) {
  const opened = await openModel(`${provider}/${model}`, { environment, fetch })
  const { signal } = new AbortController()
  const step = { messages: [{ role: 'user' as const, content: 'hello' }], signal, settings: { retry: { attempts: 1 } } }
  for await (const event of askModel(opened.model, step)) if (event.type === 'failed') return event.failure
  throw new Error('It did not fail.')
}

/** Two at a time. */
async function inPairs(works: (() => Promise<Ran>)[]): Promise<Ran[]> {
  const ran: Ran[] = []
  for (let at = 0; at < works.length; at += 2)
    ran.push(...(await Promise.all(works.slice(at, at + 2).map((work) => work()))))
  return ran
}

/** Files with this word in the home, the state, the vault and everything else below. */
async function filesAround({ vault }: Stage, word: string): Promise<string[]> {
  const root = join(vault, '..')
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const found: string[] = []
  for (const file of files) if ((await readFile(file)).includes(word)) found.push(relative(root, file))
  return found.sort()
}
