import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { redPng } from '../browser/red-png.js'
import type { Said } from '../e2e/model-server.js'
import { axeViolations } from '../ui/story-page.js'
import { type ModelFront, modelFront } from './model-front.js'
import { pluginBrowser } from './plugin-browser.js'
import { ask, openPlugin, type PluginPage } from './plugin-page.js'

const browser = pluginBrowser()

const images = join(import.meta.dirname, '../../test-results/obsidian')
const look = (path: string): Said => ({ call: [{ name: 'view_file', input: { path } }] })

/** Object URLs that were created, and those that were revoked. */
const counting = `
  window.addresses = { made: [], revoked: [] }
  const { createObjectURL, revokeObjectURL } = URL
  URL.createObjectURL = (blob) => {
    const address = createObjectURL(blob)
    if (blob.type.startsWith('image/')) addresses.made.push(address)
    return address
  }
  URL.revokeObjectURL = (address) => {
    if (addresses.made.includes(address)) addresses.revoked.push(address)
    revokeObjectURL(address)
  }`

async function withPictures(script: Said[], work: (plugin: PluginPage, front: ModelFront) => Promise<void>) {
  const front = await modelFront(script)
  const config = { ...(front.data.config as object), models: { 'compatible/test': { pictures: true } } }
  const plugin = await openPlugin(browser, { data: { ...front.data, config }, script: counting })
  const folder = plugin.folder('garden')
  try {
    await mkdir(join(folder, 'Plots'))
    await writeFile(join(folder, 'Plots/plan.png'), redPng(40, 30))
    // By its name it is one, by its bytes it is not.
    await writeFile(join(folder, 'Plots/trick.png'), '<svg xmlns="http://www.w3.org/2000/svg" onload="window.__x=1"/>')
    await plugin.page.evaluate('host.app.vault.reconcile()')
    await plugin.run('open-chat')
    await work(plugin, front)
    expect(plugin.troubles).toEqual([])
    expect(plugin.requests.filter((url) => !url.startsWith(front.url))).toEqual([])
  } finally {
    await plugin.close()
    await front.stop()
  }
}

/** Those that are drawn, by name and size. */
const drawn = ({ page }: PluginPage) =>
  page.evaluate(`[...document.querySelectorAll('.nw-turn img')].filter((one) => one.complete && one.naturalWidth > 0)
    .map((one) => one.alt + ' ' + one.naturalWidth + '×' + one.naturalHeight)`)

describe('pictures in the conversation', () => {
  it('that the model viewed are drawn unchanged, also after a restart, or reported as gone', async () => {
    await withPictures([look('Plots/plan.png'), { say: 'A plan.' }], async (plugin) => {
      await ask(plugin, 'Look at the plan')
      await plugin.page.getByText('A plan.').waitFor()
      await expect.poll(() => drawn(plugin)).toEqual(['Plots/plan.png 40×30'])
      expect(await axeViolations(plugin.page)).toEqual([])
      await plugin.page.screenshot({ path: join(images, 'picture.png') })
      expect(await plugin.page.locator('.nw-turn img').getAttribute('src')).toMatch(/^blob:/)

      await plugin.restart()
      await plugin.run('open-chat')
      await expect.poll(() => drawn(plugin)).toEqual(['Plots/plan.png 40×30'])

      await writeFile(join(plugin.folder('garden'), 'Plots/plan.png'), redPng(50, 20))
      await plugin.restart()
      await plugin.run('open-chat')
      await plugin.page.getByText('it is another one now').waitFor()
      await rm(join(plugin.folder('garden'), 'Plots/plan.png'))
      await plugin.restart()
      await plugin.run('open-chat')
      await plugin.page.getByText('it is no longer there').waitFor()
      expect(await drawn(plugin)).toEqual([])
    })
  })

  it("that were attached are drawn from the session's files", async () => {
    await withPictures([{ say: 'A red square.' }], async (plugin) => {
      const session = await plugin.page.evaluate(`(async () => {
        const { vault, runningSessions } = await host.plugin.opened()
        const { id } = await runningSessions.begin({ model: 'compatible/test' })
        const bytes = new Uint8Array(${JSON.stringify([...redPng(20, 10)])})
        await runningSessions.ask(id, { text: 'What is this?', files: [{ name: 'given.png', bytes }] }, {})
        return id
      })()`)
      await plugin.page.evaluate(
        `host.app.workspace.getLeavesOfType('notewright-chat')[0].view.show(${JSON.stringify(session)})`,
      )
      await plugin.page.getByText('A red square.').waitFor()
      await expect.poll(() => drawn(plugin)).toEqual(['given.png 20×10'])
    })
  })

  it('have an address only while they are shown, and other files have none', async () => {
    const script = [look('Plots/plan.png'), look('Plots/trick.png'), { say: 'Both.' }]
    await withPictures(script, async (plugin) => {
      const { page } = plugin
      await ask(plugin, 'Look at both')
      await page.getByText('Both.').waitFor()
      await expect.poll(() => drawn(plugin)).toEqual(['Plots/plan.png 40×30'])
      expect(await page.evaluate('addresses.revoked')).toEqual([])
      await page.getByRole('button', { name: 'New chat' }).click()
      await page.getByText('I ask before changing anything').waitFor()
      await expect
        .poll(() => page.evaluate('addresses.made.length > 0 && addresses.made.length === addresses.revoked.length'))
        .toBe(true)
      expect(await page.evaluate('typeof window.__x')).toBe('undefined')
    })
  })
})
