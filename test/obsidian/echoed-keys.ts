import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { LLMock } from '@copilotkit/aimock'
import { expect } from 'vitest'
import { everyProvider } from '../providers/every-provider.js'
import { filesWith } from '../security/floor.js'
import type { Check } from '../security/security-case.js'
import { ask, openSettings, type PluginPage, sendKeysTo } from './plugin-page.js'
import { kept, onPlugin } from './plugin-with-model.js'

/** How a server gives the key away that it was sent. */
const ways = ['refuses', 'fails', 'answers'] as const
type Way = (typeof ways)[number]

const providers = everyProvider.map(({ name, environment }) => ({
  name,
  id: name.slice(0, name.indexOf('/')),
  environment,
}))
const keyOf = (id: string) => `sk-test-CANARYKEY-${id}-0123456789`

const allowed = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': '*, authorization',
  'access-control-expose-headers': '*',
}

/** All providers at one address. It says the key of every request in its answers, its errors and its headers. */
async function echoingServer() {
  const mock = new LLMock({ port: 0, host: '127.0.0.1' })
  await mock.start()
  let way: Way = 'refuses'
  let key = ''
  const seen: string[] = []
  mock.addFixture({
    match: { predicate: () => true },
    response: () => ({ content: `Your key is ${key}, or ${key.slice(0, 9)} and ${key.slice(9)}.` }),
  })
  const server = createServer(async (request, response) => {
    if (request.method === 'OPTIONS') return void response.writeHead(204, allowed).end()
    let body = ''
    for await (const chunk of request) body += chunk
    key = /sk-test-CANARYKEY[\w-]*/.exec(`${JSON.stringify(request.headers)} ${request.url}`)?.[0] ?? ''
    if (key !== '') seen.push(key)
    if (way !== 'answers') {
      const status = way === 'refuses' ? 401 : 500
      const message = `Incorrect API key provided: ${key} (Bearer ${key})`
      response.writeHead(status, {
        ...allowed,
        'content-type': 'application/json',
        'x-request-key': key,
        'retry-after-ms': '1',
      })
      return void response.end(JSON.stringify({ error: { message, type: 'invalid_request_error', key }, message }))
    }
    const sent = Object.entries(request.headers).filter(([name]) =>
      /^(content-type|accept|x-|anthropic-|auth)/.test(name),
    )
    const answer = await fetch(`${mock.url}${request.url}`, {
      method: request.method,
      headers: sent as [string, string][],
      ...(body !== '' && { body }),
    })
    response.writeHead(answer.status, { ...allowed, 'content-type': answer.headers.get('content-type') ?? '' })
    if (answer.body === null) response.end()
    else Readable.fromWeb(answer.body as never).pipe(response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    be(next: Way) {
      way = next
    },
    async stop() {
      server.closeAllConnections()
      server.close()
      await mock.stop()
    },
  }
}

/** All that is shown: words, attributes, and what stands in fields. */
const shown = ({ page }: PluginPage): Promise<string> =>
  page.evaluate(`[
    document.documentElement.outerHTML,
    ...[...document.querySelectorAll('input, textarea')].map(({ value }) => value),
  ].join('\\n')`)

/** Turns with every provider, each answered by a server that gives the key away. */
export function echoedKeys(): Check {
  return onPlugin(
    'the keys of all providers, echoed in answers, errors and headers, stand nowhere but in the store of secrets',
    [{ say: 'ok' }],
    async (plugin) => {
      const { page } = plugin
      const said: string[] = []
      plugin.context.on('console', (message) => said.push(message.text()))
      const server = await echoingServer()
      try {
        const addresses: Record<string, string> = {}
        for (const { id, environment } of providers) {
          await page.evaluate(`host.app.secretStorage.setSecret('${id}-secret', '${keyOf(id)}')`)
          const [, address] = Object.entries(environment(server.url)).find(([name]) => /URL$|HOST$/.test(name))!
          addresses[id] = String(address)
        }
        await sendKeysTo(plugin, Object.fromEntries(providers.map(({ id }) => [id, server.url])))
        const secrets = Object.fromEntries(providers.map(({ id }) => [id, `${id}-secret`]))
        let turns = 0
        for (const { name } of providers) {
          const config = { model: name, dialect: 'native', sessions: { autoTitle: false } }
          const data = { config, debug: true, enableToolCalling: true, addresses, secrets }
          await plugin.write('.obsidian/plugins/notewright/data.json', JSON.stringify(data))
          await page.evaluate('host.plugin.onExternalSettingsChange()')
          await page.getByRole('button', { name: 'New chat' }).click()
          await page.getByText('I ask before changing anything').waitFor()
          for (const [at, way] of ways.entries()) {
            server.be(way)
            await ask(plugin, `Question ${++turns}`)
            await expect.poll(() => page.locator('.nw-turn-foot').count(), { message: `${name} ${way}` }).toBe(at + 1)
          }
          expect(await shown(plugin), name).not.toContain('CANARYKEY')
        }
        // Each of them was really sent its key; Ollama's is not asked for one.
        const sent = new Set(server.seen)
        for (const { id } of providers) if (id !== 'ollama') expect(sent, id).toContain(keyOf(id))
        expect(turns).toBeGreaterThanOrEqual(20)

        await plugin.run('open-activity')
        await page.getByRole('region', { name: 'Activity' }).waitFor()
        await openSettings(plugin)
        expect(await shown(plugin)).not.toContain('CANARYKEY')
        const everything = await kept(plugin)
        expect(everything).not.toContain('CANARYKEY')
        expect(everything).toContain('Incorrect API key provided')
        expect(everything).toContain('Your key is')
        expect(said).not.toEqual([])
        expect(said.join('\n')).not.toContain('CANARYKEY')
        expect(filesWith(plugin.folder('garden'), 'CANARYKEY')).toEqual([])
        for (const { id } of providers) expect(JSON.stringify(await plugin.settings())).toContain(`${id}-secret`)
        for (const command of ['log', 'tools']) {
          expect(await page.evaluate(`host.app.cli.get('notewright:${command}')({ last: '50' })`)).not.toContain(
            'CANARYKEY',
          )
        }
      } finally {
        await server.stop()
      }
    },
    { timeoutMs: 300_000 },
  )
}
