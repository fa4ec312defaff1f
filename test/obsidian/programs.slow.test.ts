import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Said } from '../e2e/model-server.js'
import { oddHttpServer } from '../mcp/odd-http-server.js'
import { echo, isAlive, odd, oddProgram } from '../mcp/odd-servers.js'
import { axeViolations } from '../ui/story-page.js'
import { type ModelFront, modelFront } from './model-front.js'
import { noticeSays, notices } from './notices.js'
import { pluginBrowser } from './plugin-browser.js'
import { ask, openPlugin, openSettings, type PluginOptions, type PluginPage } from './plugin-page.js'

const browser = pluginBrowser()

const images = join(import.meta.dirname, '../../test-results/obsidian')
const notes = { 'Soil.md': '# Soil\n\nCompost feeds the soil.\n' }
const call = (name: string, input: unknown): Said => ({ call: [{ name, input }] })
const done: Said = { say: 'Done.' }
const environment = {
  PATH: process.env.PATH ?? '',
  HOME: '/home/gardener',
  LANG: 'C.UTF-8',
  TMPDIR: '/tmp',
  OPENAI_API_KEY: 'sk-canary',
  MINE: 'from outside',
}

const answered = ({ page }: PluginPage, times = 1) =>
  expect.poll(() => page.locator('.nw-log').getByText('Done.').count()).toBe(times)
/** Programs of servers, without the shells that end them. */
const servers = ({ programs }: PluginPage) => programs.filter(({ command }) => command === process.execPath)
const alive = (plugin: PluginPage) => servers(plugin).filter(({ pid }) => pid !== undefined && isAlive(pid)).length
const said = ({ model }: ModelFront) => JSON.stringify(model.prompts().at(-1))

/** A model, and the plugin with these servers in its settings. */
async function openWith(mcpServers: object, script: Said[], options: PluginOptions = {}) {
  const front = await modelFront(script)
  const config = {
    ...(front.data.config as object),
    mcpServers,
    tools: { enabled: ['search_notes', ...Object.keys(mcpServers).map((name) => `${name}/echo`)] },
  }
  const plugin = await openPlugin(browser, {
    files: notes,
    environment,
    ...options,
    data: { ...front.data, config, debug: true, ...options.data },
  })
  return { front, plugin }
}

/** As if the user had trusted each server here, and read and agreed to its tool. */
const agree = ({ page }: PluginPage) =>
  page.evaluate(`(async () => {
    const { vault } = await host.plugin.opened()
    const servers = await vault.toolServers()
    for (const { name, hash } of servers.list(await servers.known())) {
      await servers.trust({ server: name, hash })
      await servers.seen.add(name, [${JSON.stringify(echo)}])
    }
  })()`)

describe('an MCP server that is a program, on a desktop', () => {
  it('is added, reviewed, enabled and used; it gets its arguments unchanged and few of our variables', async () => {
    const front = await modelFront([call('odd__echo', { text: 'hello' }), done])
    const plugin = await openPlugin(browser, { files: notes, environment, data: { ...front.data, debug: true } })
    const { page } = plugin
    const told: string[] = []
    page.on('console', (message) => told.push(message.text()))
    await openSettings(plugin)
    await page.getByRole('button', { name: 'Open Add server: a program on this computer' }).click()
    await page.getByLabel('Name', { exact: true }).fill('odd')
    await page.getByLabel('Program', { exact: true }).fill(process.execPath)
    await page.getByLabel('Arguments').fill(`${oddProgram}\nenvironment\n$(touch PWNED) && "x`)
    await page.getByLabel('Environment variables').fill(`TOKEN=\${MINE}`)
    await page.getByLabel('Environment variables').blur()
    await page.screenshot({ path: join(images, 'program-added.png') })
    expect(await axeViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Add without starting' }).click()
    await noticeSays(plugin, 'Added odd')
    await page.getByRole('button', { name: '‹ Add server: a program on this computer' }).click()
    await page.getByRole('button', { name: 'Open odd', exact: true }).click()
    expect(plugin.programs).toEqual([])
    await page.getByRole('button', { name: 'Show tools' }).click()
    await page.getByText('Read its description before you turn it on.').first().waitFor()
    expect(await axeViolations(page)).toEqual([])
    await page.screenshot({ path: join(images, 'program-server.png') })
    await expect.poll(() => alive(plugin)).toBe(0)
    await page.getByRole('switch', { name: 'Use echo' }).click()
    await expect.poll(() => plugin.settings().then(({ config }) => JSON.stringify(config))).toContain('odd/echo')
    await page.evaluate('host.closeSettings()')
    await plugin.run('open-chat')
    await ask(plugin, 'Say hello')
    await page.locator('.nw-allow').click()
    await answered(plugin)
    const [{ args, options }] = servers(plugin)
    expect(args).toEqual([oddProgram, 'environment', '$(touch PWNED) && "x'])
    expect(options).toMatchObject({ shell: false })
    const { PATH, HOME, LANG, TMPDIR, MINE } = environment
    expect(options.env).toEqual({ PATH, HOME, LANG, TMPDIR, TOKEN: MINE })
    expect(said(front)).toContain('from outside')
    expect(said(front)).not.toContain('sk-canary')
    expect(told).toContain('[Notewright] odd: odd-server is there')
    expect(plugin.troubles).toEqual([])
    await plugin.close()
    await front.stop()
  })

  it.each([
    ['dies', 'exited (exit code 3)'],
    ['long-line', 'a message of more than 10485760 bytes'],
    ['notifications', 'messages in ten seconds'],
    ['chatty', 'hello'],
  ])('that %s is told in a sentence, and the turn goes on', async (way, sentence) => {
    const { front, plugin } = await openWith({ odd: odd(way) }, [call('odd__echo', { text: 'hello' }), done])
    await agree(plugin)
    await plugin.run('open-chat')
    await ask(plugin, 'Say hello')
    await plugin.page.locator('.nw-allow').click()
    await answered(plugin)
    expect(said(front)).toContain(sentence)
    expect(plugin.troubles).toEqual([])
    await plugin.close()
    await front.stop()
  })

  it('that hangs times out, and one that is not installed is reported', async () => {
    const missing = { command: 'no-such-program-here' }
    const { front, plugin } = await openWith({ hangs: odd('hangs'), missing }, [done])
    await agree(plugin)
    await plugin.run('open-chat')
    await ask(plugin, 'Hello')
    await noticeSays(plugin, 'no-such-program-here: the program was not found')
    await answered(plugin)
    await plugin.page.evaluate('host.disable()')
    await expect.poll(() => alive(plugin)).toBe(0)
    await plugin.close()
    await front.stop()
  })

  it('ends when it is switched off, when its entry changes, when the plugin is unloaded and when the window goes', async () => {
    const { front, plugin } = await openWith({ odd: odd('good') }, [done, done, done, done, done])
    const sync = async (mcpServers: object, enabled = ['odd/echo']) => {
      const config = { ...((await plugin.settings()).config as object), mcpServers, tools: { enabled } }
      const data = { ...(await plugin.settings()), config }
      await plugin.write('.obsidian/plugins/notewright/data.json', JSON.stringify(data))
      await plugin.page.evaluate('host.plugin.onExternalSettingsChange()')
    }
    let asked = 0
    const begin = async () => {
      await agree(plugin)
      await plugin.run('open-chat')
      await ask(plugin, 'Hello')
      await answered(plugin, ++asked)
      await expect.poll(() => alive(plugin)).toBe(1)
    }
    await begin()
    await sync({ odd: odd('good') }, [])
    await expect.poll(() => alive(plugin)).toBe(0)
    await sync({ odd: odd('good') })
    await begin()
    // Not trusted as it is now, so that it is not started again either.
    await sync({ odd: odd('good', 'changed') })
    await expect.poll(() => alive(plugin)).toBe(0)
    const before = servers(plugin).length
    await ask(plugin, 'Hello')
    await answered(plugin, ++asked)
    expect(servers(plugin).length).toBe(before)
    await begin()
    await plugin.page.evaluate('host.disable()')
    await expect.poll(() => alive(plugin)).toBe(0)
    await plugin.page.evaluate('host.enable("notewright")')
    await begin()
    await plugin.page.goto('about:blank')
    await expect.poll(() => alive(plugin)).toBe(0)
    await plugin.close()
    await front.stop()
  })

  it('that ignores signals ends when the page is killed, as does the shell that watches it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'notewright-pid-'))
    const { front, plugin } = await openWith({ odd: odd('stubborn', join(folder, 'pid')) }, [done])
    await agree(plugin)
    await plugin.run('open-chat')
    await ask(plugin, 'Hello')
    await answered(plugin)
    await expect.poll(() => alive(plugin)).toBe(1)
    const cdp = await plugin.context.newCDPSession(plugin.page)
    void cdp.send('Page.crash').catch(() => undefined)
    const left = () => plugin.programs.filter((one) => one.pid !== undefined && isAlive(one.pid)).length
    await expect.poll(left).toBe(0)
    await plugin.close()
    await front.stop()
    await rm(folder, { recursive: true })
  })
})

describe("servers in a vault's .mcp.json", () => {
  const entry = (...words: string[]) => JSON.stringify({ mcpServers: { brought: odd(...words) } })

  it('are shown in full and start only after trust; a change removes the trust', async () => {
    const front = await modelFront([done, call('brought__echo', { text: 'hello' }), done, done])
    const config = { ...(front.data.config as object), tools: { enabled: ['brought/echo'] } }
    const files = { ...notes, '.mcp.json': entry('good', 'two words') }
    const plugin = await openPlugin(browser, { files, environment, data: { ...front.data, config } })
    const { page } = plugin
    await plugin.run('open-chat')
    await ask(plugin, 'Hello')
    await answered(plugin)
    await openSettings(plugin)
    await page.getByText('Needs approval').waitFor()
    await page.getByRole('button', { name: 'Open brought', exact: true }).click()
    const box = page.getByRole('group', { name: 'Trust this server?' })
    await box.waitFor()
    expect(await box.locator('li').allTextContents()).toEqual([process.execPath, oddProgram, 'good', 'two words'])
    expect(await axeViolations(page)).toEqual([])
    await page.screenshot({ path: join(images, 'vault-server.png') })
    expect(plugin.programs).toEqual([])
    await box.getByRole('button', { name: 'Trust it on this device' }).click()
    await page.getByRole('button', { name: 'Show tools' }).click()
    await page.getByRole('switch', { name: 'Use echo' }).click()
    await page.evaluate('host.closeSettings()')
    await expect.poll(() => alive(plugin)).toBe(1)
    await ask(plugin, 'Say hello')
    await page.locator('.nw-allow').click()
    await answered(plugin, 2)
    expect(said(front)).toContain('hello')
    await plugin.write('.mcp.json', entry('good', 'other words'))
    await ask(plugin, 'Hello')
    await answered(plugin, 3)
    await expect.poll(() => alive(plugin)).toBe(0)
    await page.evaluate('host.openSettings()')
    await box.getByText('other words').waitFor()
    expect(servers(plugin).some(({ args }) => args.includes('other words'))).toBe(false)
    expect(plugin.troubles).toEqual([])
    await plugin.close()
    await front.stop()
  })

  it('and programs in a synced data.json wait for approval on this device', async () => {
    const { front, plugin } = await openWith({ odd: odd('good') }, [done])
    const { page } = plugin
    await plugin.run('open-chat')
    await ask(plugin, 'Hello')
    await answered(plugin)
    await openSettings(plugin)
    await page.getByRole('button', { name: 'Open odd', exact: true }).click()
    await page.getByText('Settings from another device want to run this command, one part per line:').waitFor()
    expect(plugin.programs).toEqual([])
    await plugin.close()
    await front.stop()
  })

  it('and addresses in data.json get no key before they are trusted here', async () => {
    const server = await oddHttpServer('wants-key')
    const mcpServers = { wiki: { type: 'http', url: server.url } }
    const { front, plugin } = await openWith(mcpServers, [done, done], { data: { serverSecrets: { wiki: 'a-key' } } })
    const { page } = plugin
    await page.evaluate('host.app.secretStorage.setSecret("a-key", "right-key")')
    await plugin.run('open-chat')
    await ask(plugin, 'Hello')
    await answered(plugin)
    expect(server.seen).toEqual([])
    await openSettings(plugin)
    await page.getByRole('button', { name: 'Open wiki', exact: true }).click()
    await page.getByText('Authorization=your API key for this server').waitFor()
    await page.getByRole('button', { name: 'Trust it on this device' }).click()
    await page.getByRole('button', { name: 'Show tools' }).click()
    await page.getByText('Read its description before you turn it on.').first().waitFor()
    expect(plugin.troubles).toEqual([])
    await plugin.close()
    await front.stop()
    await server.close()
  })

  it('are ignored if the file is no list of servers, with one notice', async () => {
    const { front, plugin } = await openWith({}, [done, done], {
      files: { ...notes, '.mcp.json': '{"mcpServers": 3}' },
    })
    await plugin.run('open-chat')
    await ask(plugin, 'Hello')
    await answered(plugin)
    await ask(plugin, 'Hello')
    await answered(plugin, 2)
    expect(
      (await notices(plugin)).filter((text) => text.includes('is not a valid list of MCP servers, so it was ignored')),
    ).toHaveLength(1)
    await plugin.close()
    await front.stop()
  })
})

describe('where the app has no Node', () => {
  it.each([
    ['on a phone', { phone: true, width: 360 }],
    ['though it is no phone', {}],
  ])('%s, a program is not started, its entry is kept, and the reason is shown', async (_, options) => {
    const files = { ...notes, '.mcp.json': JSON.stringify({ mcpServers: { brought: odd('good') } }) }
    const { front, plugin } = await openWith({ odd: odd('good') }, [done], {
      files,
      environment: undefined,
      ...options,
    })
    const { page } = plugin
    await plugin.run('open-chat')
    await ask(plugin, 'Hello')
    await answered(plugin)
    await openSettings(plugin)
    await page.getByText('Programs can only be started by Obsidian on a desktop.').first().waitFor()
    expect(await page.getByRole('button', { name: 'Open Add server: a program on this computer' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Open odd', exact: true }).click()
    await page.getByText('Their entries are kept.').first().waitFor()
    expect(await page.getByRole('button', { name: 'Show tools' }).count()).toBe(0)
    expect(await plugin.settings()).toMatchObject({ config: { mcpServers: { odd: odd('good') } } })
    expect(await axeViolations(page)).toEqual([])
    expect(plugin.troubles).toEqual([])
    await plugin.close()
    await front.stop()
  })
})
