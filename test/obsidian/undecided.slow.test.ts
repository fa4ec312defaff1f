import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { openBrowser } from '../browser/open-browser.js'
import { openForTests } from '../browser/open-for-tests.js'
import type { Work } from '../obsidian-host/killed.js'
import { pageScript } from '../obsidian-host/open-host.js'
import { axeViolations } from '../ui/story-page.js'
import { noticeSays } from './notices.js'
import { ask, openPlugin, type PluginPage, removeRelease } from './plugin-page.js'

let browser: Browser
let plugin: PluginPage

const files = { 'Beans.md': 'Beans climb.\n', 'Peas.md': 'Peas climb.\n' }
const theirs = 'Beans and I climb poles.\n'
const work: Work = {
  title: 'Let them climb poles',
  anew: false,
  steps: [
    { kind: 'edit', path: 'Beans.md', before: files['Beans.md'], after: 'Beans climb poles.\n' },
    { kind: 'edit', path: 'Peas.md', before: files['Peas.md'], after: 'Peas climb poles.\n' },
  ],
}

/** The app ends when the first of two notes is written, and somebody edits that one before it is opened again. */
openForTests(async () => {
  browser = await openBrowser()
  const script = await pageScript(join(import.meta.dirname, '../obsidian-host/in-page/killed.ts'))
  plugin = await openPlugin(browser, { script, files })
  const died = plugin.page.evaluate('new Promise((resolve) => { globalThis.die = resolve })')
  await plugin.page.evaluate('host.plugin.opened().then(({ ready }) => ready)')
  // The first is the turn to write that the plugin takes.
  const moments = { after: 2, torn: false, counted: ['write'] }
  void plugin.page
    .evaluate(`dieAfter(${JSON.stringify(moments)}); work(${JSON.stringify(work)})`)
    .catch(() => undefined)
  await died
  expect(await plugin.read('Beans.md')).toBe('Beans climb poles.\n')
  await writeFile(join(plugin.folder('garden'), 'Beans.md'), theirs)
  await plugin.restart()
  return {
    async close() {
      await plugin.close()
      await browser.close()
    },
  }
})
afterAll(removeRelease)

describe('a note that someone changed during an interrupted change', () => {
  it('is named when the app opens, and above the next answer, with where to decide', async () => {
    const { page } = plugin
    await noticeSays(plugin, 'Beans.md. Choose what to keep in the Activity pane.')
    expect([await plugin.read('Beans.md'), await plugin.read('Peas.md')]).toEqual([theirs, files['Peas.md']])
    await plugin.run('open-chat')
    await ask(plugin, 'What climbs?')
    await page.locator('.nw-turn', { hasText: 'Choose what to keep in the Activity pane.' }).waitFor()
  })

  it('is resolved in the Activity pane with a preview, and that can be undone', async () => {
    const { page } = plugin
    await plugin.run('open-activity')
    const waiting = page.getByRole('region', { name: 'To decide: Let them climb poles' })
    await waiting.getByLabel('Keep the note as it is').check()
    await waiting.getByText('That changes nothing in your notes.').waitFor()
    await waiting.getByLabel('Undo the change in this note').check()
    await waiting.locator('.nw-diff', { hasText: 'Beans climb.' }).waitFor()
    expect(await axeViolations(page)).toEqual([])
    await waiting.getByRole('button', { name: 'Apply' }).click()
    await waiting.waitFor({ state: 'detached' })
    expect(await plugin.read('Beans.md')).toBe(files['Beans.md'])

    await plugin.run('undo-last-change')
    await page.getByRole('button', { name: 'Undo 1 change' }).click()
    await expect.poll(() => plugin.read('Beans.md')).toBe(theirs)
  })
})
