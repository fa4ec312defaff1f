import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Said } from '../e2e/model-server.js'
import { axeViolations } from '../ui/story-page.js'
import { modelFront } from './model-front.js'
import { noticeSays } from './notices.js'
import { pluginBrowser } from './plugin-browser.js'
import { ask, openPlugin, openSettings, type PluginPage } from './plugin-page.js'

const browser = pluginBrowser()

const images = join(import.meta.dirname, '../../test-results/obsidian')
const notes = { 'Soil.md': '# Soil\n\nCompost feeds the soil.\n', 'Log.md': 'one\n' }

const group = ({ page }: PluginPage, heading: string) =>
  page.locator('.setting-group', { has: page.locator('.setting-item-heading', { hasText: heading }) })

describe('the settings', () => {
  it('store names of secrets and never a secret, and offer the models that a server lists', async () => {
    const front = await modelFront([{ say: 'Hello.' }])
    const plugin = await openPlugin(browser, { files: notes, data: { addresses: front.data.addresses } })
    const { page } = plugin
    await openSettings(plugin)
    expect(await axeViolations(page)).toEqual([])
    await page.screenshot({ path: join(images, 'settings.png'), fullPage: true })
    await page.evaluate('host.app.secretStorage.setSecret("my-key", "sk-secret-value")')
    await page.getByRole('button', { name: 'Open OpenAI', exact: true }).click()
    await page.getByLabel('Base URL').fill('not an address')
    await page.getByLabel('Base URL').blur()
    await page.getByText('The address must start with http:// or https://').waitFor()
    await page.getByLabel('API key').fill('my-key')
    await page.getByRole('button', { name: '‹ OpenAI' }).click()
    await page.getByRole('button', { name: 'Open OpenAI-compatible server' }).click()
    await page.getByRole('button', { name: 'Test connection' }).click()
    await noticeSays(plugin, 'Connected to OpenAI-compatible server: 2 models.')
    expect(await axeViolations(page)).toEqual([])
    await page.screenshot({ path: join(images, 'settings-provider.png') })
    await page.getByRole('button', { name: 'compatible/test', exact: true }).click()
    await expect.poll(() => plugin.settings()).toMatchObject({ config: { model: 'compatible/test' } })
    expect(await plugin.settings()).toMatchObject({ secrets: { openai: 'my-key' } })
    expect(JSON.stringify(await plugin.settings())).not.toContain('sk-secret')
    await plugin.close()
    await front.stop()
  })

  it('explain what a custom model needs, and store only valid values', async () => {
    const plugin = await openPlugin(browser, { files: notes })
    const { page } = plugin
    await openSettings(plugin)
    const window = page.getByLabel('Context window')
    await window.fill('some')
    await window.blur()
    await page.getByText('a whole number of tokens from 1024 up').waitFor()
    await window.fill('16384')
    await window.blur()
    await page.getByLabel('Tool calls', { exact: true }).selectOption('sentinel')
    await expect
      .poll(() => plugin.settings())
      .toMatchObject({ config: { models: { window: 16_384 }, dialect: 'sentinel' } })
    await window.fill('')
    await window.blur()
    await expect.poll(async () => (await plugin.settings()).config).toEqual({ dialect: 'sentinel' })
    await plugin.close()
  })

  it('check a rule when its field loses focus', async () => {
    const plugin = await openPlugin(browser, { files: notes })
    const { page } = plugin
    await openSettings(plugin)
    await page.getByLabel('Heading level').fill('9')
    await page.getByLabel('Heading level').blur()
    await page.locator('.setting-error').getByText('It must be a whole number from 0 to 6').waitFor()
    await page.getByLabel('Custom instructions').focus()
    await page.keyboard.type('Be brief.')
    await page.getByLabel('Custom instructions').blur()
    await expect.poll(() => plugin.settings()).toMatchObject({ pluginSystemMessage: 'Be brief.', headingLevel: 2 })
    // Last, because a rule about what may be read opens the vault again, and then all settings are drawn again.
    const never = page.getByLabel('Never allow')
    await never.focus()
    await page.keyboard.type('no_such_tool(x)')
    expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('Never allow')
    await never.blur()
    await page.locator('.setting-error').getByText('no_such_tool').waitFor()
    await never.fill('reads(folder:Journal)')
    await never.blur()
    await expect
      .poll(() => plugin.settings().catch(() => ({})))
      .toMatchObject({
        config: { permissions: { deny: ['reads(folder:Journal)'] } },
      })
    await plugin.close()
  })

  it('toggle tools in one list, follow the registry while open, and show always-on tools without a toggle', async () => {
    const plugin = await openPlugin(browser, { files: notes, phone: true, width: 360, dark: true })
    const { page } = plugin
    await openSettings(plugin)
    const search = group(plugin, 'Read notes')
    expect(await page.getByText('Always on.').count()).toBeGreaterThan(0)
    expect(await search.getByLabel('Search notes', { exact: true }).isChecked()).toBe(true)
    expect(await group(plugin, 'Web and media').getByLabel('Read web page').isChecked()).toBe(false)
    await group(plugin, 'Web and media').getByLabel('Read web page').check()
    await search.getByLabel('Random note').uncheck()
    const enabled = async () => ((await plugin.settings()).config as { tools: { enabled: string[] } }).tools.enabled
    // Only what the user changed is stored, so that tools of a later version are as the default says.
    await expect.poll(enabled).toEqual(['default', 'web_fetch', '-get_random_note'])
    expect(await search.getByLabel('Search notes', { exact: true }).isChecked()).toBe(true)
    expect(await search.getByLabel('Random note').isChecked()).toBe(false)
    expect(await axeViolations(page)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
    await page.screenshot({ path: join(images, 'settings-phone.png'), fullPage: true })
    await page.evaluate(`host.plugin.opened().then(({ vault }) => vault.registry.register({
      ...vault.registry.find('get_random_note').tool, name: 'dice', title: 'Throw dice' }, 'custom'))`)
    await page.getByLabel('Throw dice').waitFor()
    await page.getByRole('button', { name: 'Open Guidance for the model: read notes' }).click()
    await page.getByLabel('Search notes: replace its guidance').fill('Search twice.')
    await page.getByLabel('Search notes: replace its guidance').blur()
    await expect
      .poll(() => plugin.settings())
      .toMatchObject({ config: { tools: { search_notes: { guidance: 'Search twice.' } } } })
    await plugin.close()
  })

  it('are read under the names of other plugins, with tools by their old names', async () => {
    const data = {
      enableToolCalling: true,
      enableAutonomousAgent: true,
      autonomousAgentEnabledToolIds: ['localSearch', 'writeToFile', 'noSuchTool'],
      pluginSystemMessage: 'Be kind.',
      stream: false,
    }
    const plugin = await openPlugin(browser, { files: notes, data })
    const { page } = plugin
    await openSettings(plugin)
    await noticeSays(plugin, 'noSuchTool')
    expect(await page.getByLabel('Search notes', { exact: true }).isChecked()).toBe(true)
    expect(await page.getByLabel('Write note', { exact: true }).isChecked()).toBe(true)
    expect(await page.getByLabel('Random note').isChecked()).toBe(false)
    expect(await page.getByLabel('Mode', { exact: true }).inputValue()).toBe('agent')
    expect(await page.getByLabel('Stream').isChecked()).toBe(false)
    expect(await page.getByLabel('Custom instructions').inputValue()).toBe('Be kind.')
    await plugin.close()
  })

  it('keep two changes in flight while saving is slow', async () => {
    const plugin = await openPlugin(browser, { files: notes })
    const [level, debug] = (await plugin.page.evaluate(`(async () => {
      const { plugin } = host
      const save = plugin.saveData.bind(plugin)
      let release
      const slow = new Promise((resolve) => { release = resolve })
      let saves = 0
      plugin.saveData = async (data) => {
        const written = JSON.parse(JSON.stringify(data))
        if (saves++ === 0) await slow
        await save(written)
      }
      const first = plugin.saveSettings({ ...plugin.settings, headingLevel: 3 })
      const second = plugin.saveSettings({ ...plugin.settings, debug: true })
      await Promise.race([second, new Promise((resolve) => setTimeout(resolve, 100))])
      release()
      await Promise.all([first, second])
      return [plugin.settings.headingLevel, plugin.settings.debug]
    })()`)) as [number, boolean]
    expect([level, debug]).toEqual([3, true])
    expect(await plugin.settings()).toMatchObject({ headingLevel: 3, debug: true })
    await plugin.close()
  })

  it('follow what a sync writes into their file while they are open', async () => {
    const plugin = await openPlugin(browser, { files: notes })
    const { page } = plugin
    await openSettings(plugin)
    const synced = { config: { consent: 'read-only', projects: { Garden: { notes: ['Soil'] } } }, project: 'Garden' }
    await plugin.write('.obsidian/plugins/notewright/data.json', JSON.stringify(synced))
    await page.evaluate('host.plugin.onExternalSettingsChange()')
    await expect.poll(() => page.getByLabel('Approvals').inputValue()).toBe('read-only')
    expect(await page.getByLabel('Project').inputValue()).toBe('Garden')
    await plugin.close()
  })

  it("offer the chat's behaviour under familiar names, kept over a restart, with tools off and a warning", async () => {
    const plugin = await openPlugin(browser, { files: notes })
    await openSettings(plugin)
    const behavior = group(plugin, 'Chat behavior')
    await behavior.getByText('⚠️ Tools may access your vault data.').waitFor()
    const switches = ['Stream', 'Generate at cursor', 'Infer title automatically', 'Enable AI tool calling']
    const states = () => Promise.all(switches.map((name) => behavior.getByLabel(name).isChecked()))
    expect(await states()).toEqual([true, false, false, false])
    for (const name of switches) await behavior.getByLabel(name).setChecked(name !== 'Stream')
    await behavior.getByLabel('Heading level').fill('4')
    await behavior.getByLabel('Heading level').blur()
    const kept = {
      stream: false,
      generateAtCursor: true,
      autoInferTitle: true,
      enableToolCalling: true,
      headingLevel: 4,
    }
    await expect.poll(() => plugin.settings().catch(() => ({}))).toMatchObject(kept)
    await plugin.restart()
    await openSettings(plugin)
    const again = group(plugin, 'Chat behavior')
    expect(await Promise.all(switches.map((name) => again.getByLabel(name).isChecked()))).toEqual([
      false,
      true,
      true,
      true,
    ])
    expect(await again.getByLabel('Heading level').inputValue()).toBe('4')
    await plugin.close()
  })

  it('apply from the next conversation on: instructions, mode, level and project', async () => {
    const append: Said = { call: [{ name: 'append_note', input: { path: 'Log.md', content: 'two' } }] }
    const read: Said = { call: [{ name: 'read_note', input: { path: 'Log.md' } }] }
    const said = (words: string): Said => ({ say: words })
    const front = await modelFront([
      said('In chat.'),
      append,
      said('Read only.'),
      append,
      said('Edited.'),
      read,
      said('In the project.'),
    ])
    const config = { ...(front.data.config as object), projects: { Garden: { notes: ['Soil'] } } }
    const plugin = await openPlugin(browser, { files: notes, data: { ...front.data, config } })
    const { page } = plugin
    await plugin.run('open-chat')
    const choose = async (label: string, value: string, told: object) => {
      await openSettings(plugin)
      await page.getByRole('dialog', { name: 'Settings' }).getByLabel(label, { exact: true }).selectOption(value)
      await expect.poll(() => plugin.settings()).toMatchObject(told)
    }
    const askAnew = async (answer: string) => {
      await page.evaluate('host.closeSettings()')
      await page.getByRole('button', { name: 'New chat' }).click()
      await page.getByText('I ask before changing anything').waitFor()
      await ask(plugin, 'Please')
      await page.locator('.nw-log').getByText(answer).waitFor()
      return JSON.stringify(front.model.prompts().at(-1))
    }
    await choose('Mode', 'chat', { config: { mode: 'chat' } })
    await page.getByLabel('Custom instructions').fill('Answer in rhymes.')
    await page.getByLabel('Custom instructions').blur()
    await expect.poll(() => plugin.settings()).toMatchObject({ pluginSystemMessage: 'Answer in rhymes.' })
    await askAnew('In chat.')
    expect(front.model.prompts()[0]).not.toHaveProperty('tools')
    expect(JSON.stringify(front.model.prompts()[0])).toContain('Answer in rhymes.')
    await choose('Mode', 'agent', { config: { mode: 'agent' } })
    await choose('Approvals', 'read-only', { config: { consent: 'read-only' } })
    await askAnew('Read only.')
    expect(await plugin.read('Log.md')).toBe('one\n')
    await choose('Approvals', 'edit', { config: { consent: 'edit' } })
    await askAnew('Edited.')
    expect(await plugin.read('Log.md')).toBe('one\ntwo\n')
    await choose('Project', 'Garden', { project: 'Garden' })
    expect(await askAnew('In the project.')).toContain('Note not found: Log.md')
    expect(await page.locator('[data-panel]').count()).toBe(0)
    await plugin.close()
    await front.stop()
  })

  it("show the index's progress, rebuild it, limit the log, and remove memories", async () => {
    const files = { ...notes, 'Mine.md': '- I garden in zone 7\n- I drink tea\n' }
    const plugin = await openPlugin(browser, { files })
    const { page } = plugin
    await page.evaluate('host.plugin.opened().then(({ ready }) => ready)')
    await openSettings(plugin)
    await page.getByText(/^3 notes, \d+ passages?, \d+ links?\./).waitFor()
    await plugin.write('New.md', 'Quinces.\n')
    await page.getByRole('button', { name: 'Rebuild the index' }).click()
    await noticeSays(plugin, 'The index is up to date: 4 notes.')
    await page.getByText(/^4 notes,/).waitFor()
    const megabytes = page.getByLabel('Size of the log in megabytes')
    await megabytes.fill('0')
    await megabytes.blur()
    await page.locator('.setting-error').getByText('It must be').waitFor()
    await megabytes.fill('3')
    await megabytes.blur()
    await expect.poll(() => plugin.settings().catch(() => ({}))).toMatchObject({ config: { log: { megabytes: 3 } } })
    await page.getByLabel('Memory note').fill('Mine.md')
    await page.getByLabel('Memory note').blur()
    const memories = group(plugin, 'Saved memories')
    await memories.getByText('I garden in zone 7').waitFor()
    // The newest comes first.
    await memories.getByRole('button', { name: 'Delete' }).first().click()
    await noticeSays(plugin, 'Forgotten: I drink tea')
    expect(await plugin.read('Mine.md')).toBe('- I garden in zone 7\n')
    expect(plugin.troubles).toEqual([])
    await plugin.close()
  })

  it('show permanent grants, and revoke them', async () => {
    const append = { call: [{ name: 'append_note', input: { path: 'Log.md', content: 'two' } }] }
    const front = await modelFront([append, { say: 'Done.' }])
    const plugin = await openPlugin(browser, { files: notes, data: front.data })
    const { page } = plugin
    await plugin.run('open-chat')
    await ask(plugin, 'Add a line')
    await page.getByRole('button', { name: 'Remember this choice' }).click()
    await page.getByRole('menuitemradio', { name: 'Always in this vault:' }).first().click()
    await page.locator('.nw-allow').click()
    await page.locator('.nw-log').getByText('Done.').waitFor()
    await openSettings(plugin)
    const decisions = group(plugin, 'Remembered choices')
    await decisions.getByText('append_note').first().waitFor()
    await decisions.getByRole('button', { name: 'Delete' }).click()
    await decisions.getByText('No remembered choices yet.').waitFor()
    expect(await page.evaluate('host.plugin.opened().then(({ vault }) => vault.grants.load())')).toEqual([])
    await plugin.close()
    await front.stop()
  })
})

describe('AI tool calling', () => {
  it('is off by default: the model gets only the question, and the chat says how to enable it', async () => {
    const front = await modelFront([{ say: 'I cannot see your notes.' }, { say: 'Now I can.' }])
    const { enableToolCalling: _, ...data } = front.data
    const plugin = await openPlugin(browser, { files: notes, data })
    const { page } = plugin
    await plugin.run('open-chat')
    await page.getByText('AI tool calling is off').waitFor()
    expect(await axeViolations(page)).toEqual([])
    await page.screenshot({ path: join(images, 'tools-off.png') })
    await ask(plugin, 'What feeds the soil?')
    await page.locator('.nw-log').getByText('I cannot see your notes.').waitFor()
    expect(front.model.prompts()[0]).not.toHaveProperty('tools')
    expect(JSON.stringify(front.model.prompts()[0])).not.toContain('Compost')
    await page.getByRole('button', { name: 'Enable AI tool calling' }).click()
    await page.getByText('AI tool calling is off').waitFor({ state: 'detached' })
    expect(await plugin.settings()).toMatchObject({ enableToolCalling: true })
    await ask(plugin, 'And now?')
    await page.locator('.nw-log').getByText('Now I can.').waitFor()
    expect(JSON.stringify(front.model.prompts()[1])).toContain('search_notes')
    await plugin.close()
    await front.stop()
  })
})

describe('settings that come from another device', () => {
  const loose = {
    config: { consent: 'auto', permissions: { allow: ['writes(**)'] } },
    addresses: { compatible: 'http://127.0.0.1:9/v1' },
  }
  const inForce = async ({ page }: PluginPage) =>
    page.evaluate(`host.plugin.opened().then(({ vault }) => ({
      consent: vault.settings.consent,
      allow: vault.settings.permissions.allow ?? [],
      addresses: vault.models().environment,
    }))`)
  const strict = { consent: 'ask', allow: [], addresses: {} }

  it.each([true, false])('loosen and redirect nothing before the user agrees (new device: %s)', async (isNewDevice) => {
    const plugin = await openPlugin(browser, { isNewDevice, ...(isNewDevice && { data: loose }) })
    try {
      if (!isNewDevice) await plugin.page.evaluate('host.plugin.opened()')
      if (!isNewDevice) await plugin.sync(loose)
      expect(await inForce(plugin)).toEqual(strict)
      await plugin.restart()
      expect(await inForce(plugin)).toEqual(strict)
      await openSettings(plugin)
      await plugin.page.getByRole('button', { name: 'Use them on this device' }).click()
      await expect
        .poll(() => inForce(plugin))
        .toEqual({
          consent: 'auto',
          allow: ['writes(**)'],
          addresses: { NOTEWRIGHT_COMPATIBLE_URL: 'http://127.0.0.1:9/v1' },
        })
    } finally {
      await plugin.close()
    }
  })
})
