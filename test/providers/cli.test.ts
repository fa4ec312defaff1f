import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Stage, stage } from '../e2e/cli-harness.js'
import { canary } from './every-provider.js'
import { type Loopback, loopback } from './loopback.js'

let here: Stage
let server: Loopback | undefined

beforeEach(async () => {
  here = await stage()
})
afterEach(async () => {
  await here.remove()
  await server?.stop()
  server = undefined
})

const serveModels = async (...ids: string[]): Promise<string> => {
  server = await loopback((response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ object: 'list', data: ids.map((id) => ({ id })) }))
  })
  return server.url
}
const json = async (words: string[], environment: Record<string, string> = {}, input = '') => {
  const { stdout, code } = await here.run([...words, '--json'], { environment, input })
  return { code, value: JSON.parse(stdout) }
}
/** Two ports without a listener, so that no server of this machine is queried. */
const nobody = { OLLAMA_HOST: '127.0.0.1:9', LMSTUDIO_BASE_URL: 'http://127.0.0.1:9' }

describe('notewright keys', () => {
  it('takes no key as an argument, and does not repeat it', async () => {
    const { code, stderr, stdout } = await here.run(['keys', 'set', 'openai', canary])
    expect(code).toBe(2)
    expect(stderr + stdout).not.toContain('CANARY')
    expect(existsSync(join(here.home, 'state', 'keys'))).toBe(false)
  })

  it('keeps no key inside the vault', async () => {
    const environment = { NOTEWRIGHT_HOME: join(here.vault, 'own') }
    const { code } = await here.run(['keys', 'set', 'openai', '--vault', here.vault], { input: canary, environment })
    expect(code).toBe(2)
    expect(await readdir(here.vault)).not.toContain('own')
  })

  it('removes a stored key, and reports if there is none', async () => {
    await here.run(['keys', 'set', 'gemini'], { input: canary })
    expect((await json(['keys', 'list'])).value.keys).toMatchObject([{ provider: 'gemini', source: 'file' }])
    expect((await json(['keys', 'remove', 'gemini'])).value).toEqual({ provider: 'gemini', removed: true })
    expect((await json(['keys', 'remove', 'gemini'])).code).toBe(3)
    expect((await json(['keys', 'remove', 'gemni'])).value.hint).toBe('Did you mean gemini?')
  })

  it('names the variable that a key comes from', async () => {
    const { value } = await json(['keys', 'list'], { ANTHROPIC_API_KEY: canary })
    expect(value.keys).toEqual([{ provider: 'anthropic', source: 'environment', where: 'ANTHROPIC_API_KEY' }])
  })
})

describe('notewright models', () => {
  const rowOf = (value: { providers: { provider: string }[] }, id: string) =>
    value.providers.find(({ provider }) => provider === id)

  it('lists models that run on this machine', async () => {
    const url = await serveModels('qwen3:8b', 'llama3.2')
    const { value } = await json(['models'], { ...nobody, OLLAMA_HOST: url.replace('http://127.0.0.1', '0.0.0.0') })
    expect(rowOf(value, 'ollama')).toMatchObject({ running: true, models: ['ollama/llama3.2', 'ollama/qwen3:8b'] })
    expect(rowOf(value, 'lmstudio')).toMatchObject({ running: false })
    expect(rowOf(value, 'openai')).toMatchObject({ configured: false })
    expect(rowOf(value, 'offline')).toMatchObject({ configured: true })
  })

  it('asks providers only with --probe, and says when a key is not accepted without showing it', async () => {
    server = await loopback((response) => {
      response.writeHead(401).end(JSON.stringify({ error: { message: `Incorrect key: ${canary}` } }))
    })
    const environment = { ...nobody, OPENAI_API_KEY: canary, OPENAI_BASE_URL: `${server.url}/v1` }
    expect(rowOf((await json(['models'], environment)).value, 'openai')).toMatchObject({ configured: true })
    expect(server.requests).toEqual([])
    const { value } = await json(['models', '--probe'], environment)
    expect(server.requests.map(({ path }) => path)).toEqual(['/v1/models'])
    expect(rowOf(value, 'openai')).toMatchObject({
      problem: { text: expect.stringContaining('rejected the API key') },
    })
    expect(JSON.stringify(value)).not.toContain('CANARY')
  })

  it('reports how many models it does not show', async () => {
    const url = await serveModels(...Array.from({ length: 33 }, (_, at) => `m${at}`))
    const { stdout } = await here.run(['models'], { environment: { ...nobody, OLLAMA_HOST: url } })
    expect(stdout).toContain('33 models')
    expect(stdout).toContain('and 13 more')
  })

  it('connects to nothing but this machine when no key is set', async () => {
    const record = join(here.home, '..', 'connections')
    const preload = pathToFileURL(resolve('test/providers/record-connections.mjs')).href
    const environment = { NODE_OPTIONS: `--import=${preload}`, RECORD_CONNECTIONS: record }
    const { code } = await here.run(['models', '--probe'], { environment })
    expect(code).toBe(0)
    const lines = (await readFile(record, 'utf8')).trim().split('\n').sort()
    expect(lines).toEqual(['connect 127.0.0.1:11434', 'connect 127.0.0.1:1234'])
    const keys = await here.run(['keys', 'list'], {
      environment: { ...environment, RECORD_CONNECTIONS: `${record}-keys` },
    })
    expect(keys.code).toBe(0)
    expect(existsSync(`${record}-keys`)).toBe(false)
  })

  it('sends no request to a remote server without --probe', async () => {
    const { value } = await json(['models'], { ...nobody, OLLAMA_HOST: 'https://ollama.invalid' })
    expect(rowOf(value, 'ollama')).toEqual({
      provider: 'ollama',
      name: 'Ollama',
      configured: true,
      address: 'https://ollama.invalid',
    })
  })
})
