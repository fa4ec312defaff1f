import { describe, expect, it } from 'vitest'
import { modelFront } from './model-front.js'
import { noticeSays } from './notices.js'
import { pluginBrowser } from './plugin-browser.js'
import { ask, openPlugin } from './plugin-page.js'

const browser = pluginBrowser()

const notes = { 'Soil.md': '# Soil\n\nCompost feeds the soil.\n' }

describe('a server that lets apps ask and not read', () => {
  it('gets each question once, through Obsidian', async () => {
    const front = await modelFront([{ say: 'First.' }, { say: 'Second.' }], {
      letsAppsRead: (method) => method === 'OPTIONS',
    })
    const plugin = await openPlugin(browser, { files: notes, data: front.data })
    const { page } = plugin
    await plugin.run('open-chat')
    await ask(plugin, 'One?')
    await noticeSays(plugin, 'Live typing is not available')
    await page.locator('.nw-log').getByText('First.').waitFor()
    await ask(plugin, 'Two?')
    await page.locator('.nw-log').getByText('Second.').waitFor()
    expect(front.model.prompts()).toHaveLength(2)
    await plugin.close()
    await front.stop()
  })

  it('but its list of models gets a question once, says that its answer was lost, and answers the next through Obsidian', async () => {
    const front = await modelFront([{ say: 'Lost.' }, { say: 'Found.' }], {
      letsAppsRead: (method) => method !== 'POST',
    })
    const plugin = await openPlugin(browser, { files: notes, data: front.data })
    const { page } = plugin
    await plugin.run('open-chat')
    await ask(plugin, 'One?')
    await page.getByText('may have received the request, but its answer could not be read here').first().waitFor()
    await page.getByText('It was not sent again').first().waitFor()
    expect(front.model.prompts()).toHaveLength(1)
    await ask(plugin, 'Two?')
    await page.locator('.nw-log').getByText('Found.').waitFor()
    expect(front.model.prompts()).toHaveLength(2)
    await plugin.close()
    await front.stop()
  })
})
