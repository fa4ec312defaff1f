import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect } from 'vitest'
import type { Said } from '../e2e/model-server.js'
import type { Check } from '../security/security-case.js'
import { noticeSays } from './notices.js'
import { ask, openSettings, type PluginPage } from './plugin-page.js'
import { onPlugin, panel, turnIsOver } from './plugin-with-model.js'

const call = (name: string, input: unknown): Said => ({ call: [{ name, input }] })
const ok: Said = { say: 'ok' }

async function stop(plugin: PluginPage): Promise<void> {
  await plugin.run('stop')
  await turnIsOver(plugin)
  await plugin.page.getByText('Stopped.').waitFor()
  expect(await panel(plugin).count()).toBe(0)
}

/** An MCP server whose tool never answers. It tells of calls, of those that were called off, and of those that were left. */
async function silentServer() {
  const calls = { begun: 0, calledOff: 0, left: 0 }
  const allowed = {
    'access-control-allow-origin': '*',
    'access-control-allow-headers': '*, authorization',
    'access-control-allow-methods': '*',
    'access-control-expose-headers': 'mcp-session-id',
  }
  const wait = { name: 'wait', description: 'Waits.', inputSchema: { type: 'object', properties: {} } }
  const server = createServer(async (request, response) => {
    if (request.method === 'OPTIONS') return void response.writeHead(204, allowed).end()
    if (request.method !== 'POST') return void response.writeHead(405, allowed).end()
    const { id, method, params } = JSON.parse(await text(request))
    if (method === 'notifications/cancelled') calls.calledOff++
    if (id === undefined) return void response.writeHead(202, allowed).end()
    if (method === 'tools/call') {
      calls.begun++
      return void response.once('close', () => calls.left++)
    }
    const results: Record<string, unknown> = {
      initialize: {
        protocolVersion: params?.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'silent', version: '1' },
      },
      'tools/list': { tools: [wait] },
      ping: {},
    }
    const answer = results[method]
    const told = answer ? { result: answer } : { error: { code: -32601, message: 'Method not found' } }
    response.writeHead(200, { ...allowed, 'content-type': 'application/json' })
    response.end(JSON.stringify({ jsonrpc: '2.0', id, ...told }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    calls,
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}

async function addServer(plugin: PluginPage, address: string): Promise<void> {
  const { page } = plugin
  await openSettings(plugin)
  await page.getByRole('button', { name: 'Open Add server: a web address' }).click()
  await page.getByLabel('Name', { exact: true }).fill('silent')
  await page.getByLabel('Address', { exact: true }).fill(address)
  await page.getByLabel('Address', { exact: true }).blur()
  await page.getByRole('button', { name: 'Add without connecting' }).click()
  await noticeSays(plugin, 'Added silent')
  await page.getByRole('button', { name: '‹ Add server: a web address' }).click()
  await page.getByRole('button', { name: 'Open silent', exact: true }).click()
  await page.getByRole('button', { name: 'Show tools' }).click()
  await page.getByRole('switch', { name: 'Use wait' }).click()
  await expect.poll(() => plugin.settings().then(({ config }) => JSON.stringify(config))).toContain('silent/wait')
  await page.evaluate('host.closeSettings()')
}

const slowPage = 'https://garden.example/slow'
const many = 300
const manyNotes = Object.fromEntries(
  Array.from({ length: many }, (_, at) => [`Note ${at}.md`, `# Note ${at}\n\nCompost number${at}.\n`]),
)

/** A turn, stopped in every state that it can be in. */
export function stopChecks(): Check[] {
  let answerPage = () => {}
  const pageComes = new Promise<void>((resolve) => {
    answerPage = resolve
  })
  return [
    onPlugin('while an answer is streamed', [{ stall: 'So far' }], async (plugin) => {
      await ask(plugin, 'x')
      await plugin.page.getByText('So far').waitFor()
      await stop(plugin)
    }),
    onPlugin('while the provider has not answered', [{ stall: '' }], async (plugin, { model }) => {
      await ask(plugin, 'x')
      await expect.poll(() => model.prompts().length).toBe(1)
      await stop(plugin)
    }),
    onPlugin(
      'while a person is asked',
      [call('write_note', { path: 'Made.md', content: 'made' }), ok],
      async (plugin, { model }) => {
        await ask(plugin, 'x')
        await panel(plugin).waitFor()
        await stop(plugin)
        await expect(plugin.read('Made.md')).rejects.toThrow()
        expect(model.prompts()).toHaveLength(1)
      },
    ),
    onPlugin(
      'while a tool works: what it brings later goes to nobody',
      [call('web_fetch', { url: slowPage }), ok],
      async (plugin, { model }) => {
        await ask(plugin, `Read ${slowPage}`)
        await plugin.page.locator('.nw-allow').click()
        await expect.poll(() => plugin.requests).toContain(slowPage)
        await stop(plugin)
        answerPage()
        // The next question is the next message to the model.
        await ask(plugin, 'And now?')
        await expect.poll(() => model.prompts().length).toBe(2)
        await expect.poll(() => plugin.page.locator('.nw-turn-foot').count()).toBe(2)
        expect(JSON.stringify(model.prompts()[1])).not.toContain('Late compost')
      },
      {
        config: { tools: { enabled: ['web_fetch'] } },
        web: { [slowPage]: { html: '<title>Slow</title><p>Late compost.</p>', until: pageComes } },
      },
    ),
    onPlugin(
      'while an MCP server at a web address is called: it is told, and then left',
      [call('silent__wait', {}), ok],
      async (plugin, { model }) => {
        const server = await silentServer()
        try {
          await addServer(plugin, server.url)
          await ask(plugin, 'Wait')
          await plugin.page.locator('.nw-allow').click()
          await expect.poll(() => server.calls.begun).toBe(1)
          await stop(plugin)
          await expect.poll(() => server.calls).toEqual({ begun: 1, calledOff: 1, left: 1 })
          expect(model.prompts()).toHaveLength(1)
        } finally {
          server.stop()
        }
      },
    ),
    onPlugin(
      'while the index is being made: the turn ends at once, and the index is made to its end',
      [call('search_notes', { query: 'compost' }), { stall: 'So far' }],
      async (plugin) => {
        const notes = () =>
          plugin.page.evaluate(
            'host.plugin.opened().then(({ vault }) => vault.notebook.status()).then(({ notes }) => notes)',
          )
        await ask(plugin, 'x')
        await plugin.page.locator('.nw-status').waitFor()
        expect(await notes()).toBe(0)
        await stop(plugin)
        expect(await notes()).toBe(0)
        await plugin.page.evaluate(
          'delete document.visibilityState; document.dispatchEvent(new Event("visibilitychange"))',
        )
        await expect.poll(notes).toBe(many)
        const found = 'host.app.cli.get("notewright:search")({ query: "number77" })'
        expect(await plugin.page.evaluate(found)).toContain('Note 77.md')
      },
      {
        files: manyNotes,
        // An index rests while the app is hidden, so that it is in the making for as long as it takes.
        script: 'Object.defineProperty(document, "visibilityState", { configurable: true, get: () => "hidden" })',
      },
    ),
  ]
}
