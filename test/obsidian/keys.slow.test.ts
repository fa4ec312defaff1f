import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Said } from '../e2e/model-server.js'
import { axeViolations } from '../ui/story-page.js'
import { corsFront } from './cors-front.js'
import { modelFront } from './model-front.js'
import { noticeSays, notices } from './notices.js'
import { pluginBrowser } from './plugin-browser.js'
import { ask, openPlugin, openSettings, type PluginPage } from './plugin-page.js'

const browser = pluginBrowser()

const images = join(import.meta.dirname, '../../test-results/obsidian')
const notes = { 'Soil.md': '# Soil\n\nCompost feeds the soil.\n' }
const key = 'sk-right-key'
const done: Said = { say: 'Done.' }

/** A server that sees what it is sent, and the settings that lead to it as its own provider. */
async function proxied(script: Said[]) {
  const front = await modelFront(script)
  const proxy = await corsFront(front.url, { letsAppsRead: true })
  const config = { ...(front.data.config as object), model: 'openrouter/test' }
  const data = {
    ...front.data,
    config,
    addresses: { openrouter: `${proxy.url}/v1` },
    secrets: { openrouter: 'my-key' },
  }
  return {
    proxy,
    data,
    async stop() {
      await proxy.stop()
      await front.stop()
    },
  }
}

async function openWithKey(data: Record<string, unknown>, options: { web?: Record<string, object> } = {}) {
  const plugin = await openPlugin(browser, { files: notes, data, ...options })
  await plugin.page.evaluate(`host.app.secretStorage.setSecret("my-key", "${key}")`)
  await plugin.run('open-chat')
  return plugin
}

/** Writes like another device, or another program with access to the vault's folder. */
async function sync(plugin: PluginPage, data: Record<string, unknown>): Promise<void> {
  await plugin.write('.obsidian/plugins/notewright/data.json', JSON.stringify(data))
  await plugin.page.evaluate('host.plugin.onExternalSettingsChange()')
}

const openProvider = async (plugin: PluginPage, name: string) => {
  await openSettings(plugin)
  await plugin.page.getByRole('button', { name: `Open ${name}`, exact: true }).click()
}

const answered = ({ page }: PluginPage, times: number) =>
  expect.poll(() => page.locator('.nw-log').getByText('Done.').count()).toBe(times)

describe('the key of a provider whose address was changed elsewhere', () => {
  it('is not sent there before the user on this device has agreed to the recipient, once', async () => {
    const { proxy, data, stop } = await proxied([done, done])
    const plugin = await openWithKey(data)
    await ask(plugin, 'Hello')
    await plugin.page
      .getByText(`Your key for OpenRouter is not sent to ${proxy.url} until you approve it on this device`)
      .first()
      .waitFor()
    await openProvider(plugin, 'OpenRouter')
    await plugin.page.getByRole('button', { name: 'Test connection' }).click()
    await noticeSays(plugin, "Can't connect to OpenRouter: Your key")
    expect(proxy.seen).toEqual([])

    const box = plugin.page.getByRole('group', { name: 'Send your key there?' })
    await box.getByText('Settings from another device want your key for OpenRouter').waitFor()
    expect(await box.locator('li').allTextContents()).toEqual([proxy.url])
    expect(await axeViolations(plugin.page)).toEqual([])
    await plugin.page.screenshot({ path: join(images, 'key-recipient.png') })
    await box.getByRole('button', { name: 'Send it from this device' }).click()
    await box.waitFor({ state: 'detached' })
    await plugin.page.evaluate('host.closeSettings()')
    await ask(plugin, 'Hello')
    await answered(plugin, 1)
    expect(proxy.seen.some(({ headers }) => headers.authorization === `Bearer ${key}`)).toBe(true)

    // Once: also after a restart, and with another path at the same place.
    await plugin.restart()
    await sync(plugin, { ...data, addresses: { openrouter: `${proxy.url}/v1/` } })
    await plugin.run('open-chat')
    await ask(plugin, 'Hello')
    await answered(plugin, 2)
    expect(plugin.troubles).toEqual([])
    await plugin.close()
    await stop()
  })

  it('is not sent to another synced address while the app is open', async () => {
    const [first, second] = [await proxied([done, done]), await proxied([done])]
    const { openrouter: _, ...addresses } = first.data.addresses as Record<string, string>
    const plugin = await openWithKey({ ...first.data, addresses })
    // A value typed on this device counts as agreed on this device.
    await openProvider(plugin, 'OpenRouter')
    await plugin.page.getByLabel('Base URL').fill(`${first.proxy.url}/v1`)
    await plugin.page.getByLabel('Base URL').blur()
    await expect
      .poll(() => plugin.settings().then(({ addresses }) => addresses))
      .toEqual({ openrouter: `${first.proxy.url}/v1` })
    expect(await plugin.page.getByRole('group', { name: 'Send your key there?' }).count()).toBe(0)
    await plugin.page.evaluate('host.closeSettings()')
    await ask(plugin, 'Hello')
    await answered(plugin, 1)
    await sync(plugin, second.data)
    await ask(plugin, 'Hello')
    await plugin.page.getByText(`not sent to ${second.proxy.url}`).first().waitFor()
    await sync(plugin, first.data)
    await ask(plugin, 'Hello')
    await answered(plugin, 2)
    expect(first.proxy.seen.some(({ headers }) => headers.authorization === `Bearer ${key}`)).toBe(true)
    expect(second.proxy.seen).toEqual([])
    await plugin.close()
    await first.stop()
    await second.stop()
  })
})

it('the key of the web search is not sent to a synced address before the user agrees', async () => {
  const search: Said = { call: [{ name: 'web_search', input: { query: 'soil' } }] }
  const front = await modelFront([search, done, search, done])
  const engine = 'https://search.example'
  const config = {
    ...(front.data.config as object),
    tools: { enabled: ['web_search'] },
    web: { searchEngine: 'custom', searchUrl: `${engine}/find` },
  }
  const web = { [`${engine}/find?q=soil&limit=5`]: { html: '{"results":[]}' } }
  const plugin = await openWithKey({ ...front.data, config, secrets: { 'web-search': 'my-key' } }, { web })
  const { page } = plugin
  // The key came after the settings were read.
  await plugin.sync(await plugin.settings())
  await noticeSays(plugin, `Web search is off until you approve sending your key to ${engine}`)
  await ask(plugin, 'Search')
  await answered(plugin, 1)
  const elsewhere = () => plugin.requests.filter((url) => url.startsWith(engine))
  expect(elsewhere()).toEqual([])
  await openSettings(plugin)
  const box = page.getByRole('group', { name: 'Send your key there?' })
  await box.getByRole('button', { name: 'Send it from this device' }).click()
  await box.waitFor({ state: 'detached' })
  await page.evaluate('host.closeSettings()')
  await ask(plugin, 'Search')
  await page.locator('.nw-allow').click()
  await answered(plugin, 2)
  expect(elsewhere()).toHaveLength(1)
  // A value typed on this device counts as agreed on this device.
  await openSettings(plugin)
  await page.getByLabel('Search address').fill('https://other.example/find')
  await page.getByLabel('Search address').blur()
  await expect
    .poll(() => plugin.settings())
    .toMatchObject({ config: { web: { searchUrl: 'https://other.example/find' } } })
  expect(await box.count()).toBe(0)
  expect((await notices(plugin)).filter((text) => text.includes('https://other.example'))).toEqual([])
  await plugin.close()
  await front.stop()
})
