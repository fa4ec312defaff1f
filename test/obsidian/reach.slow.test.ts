import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import type { Said } from '../e2e/model-server.js'
import { oddHttpServer } from '../mcp/odd-http-server.js'
import { axeViolations } from '../ui/story-page.js'
import { modelFront } from './model-front.js'
import { noticeSays } from './notices.js'
import { pluginBrowser } from './plugin-browser.js'
import { ask, openPlugin, openSettings, type PluginPage } from './plugin-page.js'

const browser = pluginBrowser()

const images = join(import.meta.dirname, '../../test-results/obsidian')
const notes = { 'Soil.md': '# Soil\n\nCompost feeds the soil.\n' }
const call = (name: string, input: unknown): Said => ({ call: [{ name, input }] })
const done: Said = { say: 'Done.' }
const answered = ({ page }: PluginPage, times = 1) =>
  expect.poll(() => page.locator('.nw-log').getByText('Done.').count()).toBe(times)

describe('the web', () => {
  const peas = 'https://garden.example/peas'
  const article = `<title>Peas</title><article><h1>Peas</h1><p>${'Sow peas in March, in rows. '.repeat(12)}</p></article>`

  it('is loaded through Obsidian after an approval that names what is unchecked, and never from local addresses', async () => {
    const away = { [peas]: { html: article }, 'https://evil.example/': { status: 302, location: 'http://10.0.0.1/' } }
    const fetch = (url: string) => call('web_fetch', { url })
    // A number says nothing of who is there, and a name without a dot is one of the house.
    const nearby = [
      'http://192.168.1.1/',
      'http://93.184.216.34/',
      'http://[::1]:8080/',
      'http://nas/',
      'http://localhost/',
    ]
    const front = await modelFront([
      fetch(peas),
      done,
      ...nearby.flatMap((url) => [fetch(url), done]),
      fetch('https://evil.example/'),
      done,
    ])
    const data = { ...front.data, config: { ...(front.data.config as object), tools: { enabled: ['web_fetch'] } } }
    const plugin = await openPlugin(browser, { files: notes, data, web: away })
    const { page } = plugin
    await plugin.run('open-chat')
    const askFor = async (words: string, times: number) => {
      await ask(plugin, words)
      await page.getByText("can't check which address").last().waitFor()
      await page.getByText('follows redirects automatically').last().waitFor()
      if (times === 1) {
        expect(await axeViolations(page)).toEqual([])
        await page.screenshot({ path: join(images, 'web-approval.png') })
      }
      await page.locator('.nw-allow').click()
      await answered(plugin, times)
    }
    await askFor(`Read ${peas}`, 1)
    expect(JSON.stringify(front.model.prompts().at(-1))).toContain('Sow peas in March')
    for (const [at, url] of nearby.entries()) {
      await askFor(`Read ${url}`, at + 2)
      expect(JSON.stringify(front.model.prompts().at(-1)?.messages.at(-1)), url).toContain('not on the public internet')
    }
    await askFor('Read https://evil.example/', nearby.length + 2)
    expect(plugin.requests.filter((url) => !url.startsWith(front.url))).toEqual([peas, 'https://evil.example/'])
    expect(plugin.troubles).toEqual([])
    await plugin.close()
    await front.stop()
  })
})

/** The same server as one that lets apps read its answers. */
async function lettingAppsRead(target: string) {
  const allowed = {
    'access-control-allow-origin': '*',
    'access-control-allow-headers': '*, authorization',
    'access-control-allow-methods': '*',
    'access-control-expose-headers': 'mcp-session-id',
  }
  const server = createServer(async (request, response) => {
    if (request.method === 'OPTIONS') return void response.writeHead(204, allowed).end()
    const { host: _, ...headers } = request.headers as Record<string, string>
    const body = await text(request)
    const answer = await fetch(target, { method: request.method, headers, ...(body && { body }) })
    const session = answer.headers.get('mcp-session-id')
    const type = answer.headers.get('content-type')
    response.writeHead(answer.status, {
      ...allowed,
      ...(session && { 'mcp-session-id': session }),
      ...(type && { 'content-type': type }),
    })
    response.end(Buffer.from(await answer.arrayBuffer()))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

describe('an MCP server', () => {
  it.each([
    ['lets apps read its answers', true],
    ['does not', false],
  ])('that %s gets no request before review, and its tool is used once it was fully shown', async (_, lets) => {
    const odd = await oddHttpServer('wants-key')
    const front = await lettingAppsRead(odd.url)
    const address = lets ? front.url : odd.url
    const model = await modelFront([call('odd__echo', { text: 'hello there' }), done])
    const plugin = await openPlugin(browser, {
      files: notes,
      data: model.data,
      ...(!lets && { width: 400, dark: true }),
    })
    const { page } = plugin
    await page.evaluate('host.app.secretStorage.setSecret("odd-key", "right-key")')
    await openSettings(plugin)
    await page.getByRole('button', { name: 'Open Add server: a web address' }).click()
    await page.getByLabel('Name', { exact: true }).fill('odd')
    await page.getByLabel('Address', { exact: true }).fill(address)
    await page.getByLabel('Address', { exact: true }).blur()
    await page.getByRole('button', { name: 'Add without connecting' }).click()
    await noticeSays(plugin, 'Added odd')
    await page.getByRole('button', { name: '‹ Add server: a web address' }).click()
    await page.getByRole('button', { name: 'Open odd', exact: true }).click()
    await page.getByRole('textbox', { name: 'API key' }).fill('odd-key')
    await expect.poll(() => plugin.settings()).toMatchObject({ serverSecrets: { odd: 'odd-key' } })
    expect(odd.seen).toEqual([])
    await page.getByRole('button', { name: 'Show tools' }).click()
    await page.getByText('Read its description before you turn it on.').first().waitFor()
    await page.getByText('Says what it was told.').first().waitFor()
    expect(await axeViolations(page)).toEqual([])
    await page.screenshot({ path: join(images, lets ? 'mcp-server.png' : 'mcp-server-narrow.png') })
    await page.getByRole('switch', { name: 'Use echo' }).click()
    await expect.poll(() => plugin.settings().then(({ config }) => JSON.stringify(config))).toContain('odd/echo')
    await page.getByRole('button', { name: '‹ odd' }).click()
    await page.getByLabel('echo', { exact: true }).waitFor()
    expect(await page.getByLabel('echo', { exact: true }).isChecked()).toBe(true)
    expect(JSON.stringify(await plugin.settings())).not.toContain('right-key')
    // After a restart it is asked for nothing until there is a question.
    await plugin.restart()
    await plugin.page.evaluate('host.plugin.opened().then(({ ready }) => ready)')
    const before = odd.seen.length
    await plugin.run('open-chat')
    await ask(plugin, 'Say hello there')
    await plugin.page.locator('.nw-allow').waitFor()
    expect(odd.seen.slice(before).map(({ method }) => method)).not.toContain('tools/call')
    await plugin.page.locator('.nw-allow').click()
    await answered(plugin)
    expect(JSON.stringify(model.model.prompts().at(-1))).toContain('hello there')
    expect(odd.seen.some(({ method }) => method === 'tools/call')).toBe(true)
    expect(plugin.troubles).toEqual([])
    await plugin.close()
    await model.stop()
    front.close()
    await odd.close()
  })
})

describe('files of the vault with a meaning', () => {
  it('apply: excluded files are not found, AGENTS.md, skills and prompts are followed, daily notes are as set', async () => {
    const files = {
      ...notes,
      '.obsidian/app.json': '{"trashOption":"local","userIgnoreFilters":["Templates/"]}',
      '.obsidian/daily-notes.json': '{"folder":"Days","format":"YYYY-MM-DD","template":"Templates/Day"}',
      'Templates/Day.md': '# Compost of {{date}}\n',
      'Secret.md': '---\nprivate: true\n---\nCompost of my own.\n',
      'AGENTS.md': 'Always answer in haiku.\n',
      '.agents/skills/weekly/SKILL.md':
        '---\nname: weekly\ndescription: How to look back on a week.\n---\nLook at seven days.\n',
      '.agents/prompts/greet.md': 'Greet the gardener warmly.\n',
    }
    const front = await modelFront([done, call('create_daily_note', { date: '2026-03-01' }), done])
    const plugin = await openPlugin(browser, { files, data: front.data })
    const { page } = plugin
    await page.evaluate('host.plugin.opened().then(({ ready }) => ready)')
    const found = await page.evaluate('host.app.cli.get("notewright:search")({ query: "compost" })')
    expect(found).toContain('Soil.md')
    expect(found).not.toMatch(/Day\.md|Secret\.md/)
    await plugin.run('open-chat')
    await ask(plugin, '/greet')
    await answered(plugin)
    const [prompt] = front.model.prompts()
    const said = JSON.stringify(prompt)
    expect(said).toContain('Always answer in haiku.')
    expect(said).toContain('How to look back on a week.')
    expect(said).toContain('Greet the gardener warmly.')
    await ask(plugin, 'Make the daily note of March 1st')
    await page.locator('.nw-allow').click()
    await answered(plugin, 2)
    expect(await plugin.read('Days/2026-03-01.md')).toContain('# Compost of 2026-03-01')
    await plugin.close()
    await front.stop()
  })
})
