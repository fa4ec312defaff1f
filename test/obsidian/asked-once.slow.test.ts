import { describe, expect, it } from 'vitest'
import { modelFront } from './model-front.js'
import { noticeSays } from './notices.js'
import { pluginBrowser } from './plugin-browser.js'
import { ask, openPlugin } from './plugin-page.js'

const browser = pluginBrowser()

const notes = { 'Soil.md': '# Soil\n\nCompost feeds the soil.\n' }

describe('a server that accepts requests of apps but blocks reading', () => {
  it('gets each question once, through Obsidian', async () => {
    const front = await modelFront([{ say: 'First.' }, { say: 'Second.' }], {
      letsAppsRead: (method) => method === 'OPTIONS',
    })
    const plugin = await openPlugin(browser, { files: notes, data: front.data })
    const { page } = plugin
    await plugin.run('open-chat')
    await ask(plugin, 'One?')
    await noticeSays(plugin, 'appear only when they are complete')
    await page.locator('.nw-log').getByText('First.').waitFor()
    await ask(plugin, 'Two?')
    await page.locator('.nw-log').getByText('Second.').waitFor()
    expect(front.model.prompts()).toHaveLength(2)
    await plugin.close()
    await front.stop()
  })

  it('that blocks reading only for chats gets a question once, reports the lost answer, and answers the next through Obsidian', async () => {
    const front = await modelFront([{ say: 'Lost.' }, { say: 'Found.' }], {
      letsAppsRead: (method, path) => method === 'OPTIONS' || !path.endsWith('/chat/completions'),
    })
    const plugin = await openPlugin(browser, { files: notes, data: front.data })
    const { page } = plugin
    await plugin.run('open-chat')
    await ask(plugin, 'One?')
    await page.getByText('may have received the request, but Obsidian could not read its answer').first().waitFor()
    await page.getByText('The request was not sent again').first().waitFor()
    expect(front.model.prompts()).toHaveLength(1)
    await ask(plugin, 'Two?')
    await page.locator('.nw-log').getByText('Found.').waitFor()
    expect(front.model.prompts()).toHaveLength(2)
    await plugin.close()
    await front.stop()
  })
})
