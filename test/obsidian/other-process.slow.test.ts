import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Stage, stage } from '../e2e/cli-harness.js'
import type { Said } from '../e2e/model-server.js'
import { modelFront } from './model-front.js'
import { noticeSays } from './notices.js'
import { pluginBrowser } from './plugin-browser.js'
import { ask, openPlugin, type PluginPage } from './plugin-page.js'

const browser = pluginBrowser()
let place: Stage
beforeAll(async () => {
  place = await stage()
})
afterAll(async () => {
  await place?.remove()
})

const append = (content: string): Said => ({ call: [{ name: 'append_note', input: { path: 'Log.md', content } }] })
const done: Said = { say: 'Done.' }

async function withPlugin(
  script: Said[],
  work: (plugin: PluginPage) => Promise<void>,
  files: Record<string, string> = {},
): Promise<void> {
  const front = await modelFront(script)
  const plugin = await openPlugin(browser, { files: { 'Log.md': 'first\n', ...files }, data: front.data })
  try {
    await plugin.run('open-chat')
    await work(plugin)
    expect(plugin.troubles).toEqual([])
  } finally {
    await plugin.close()
    await front.stop()
  }
}

async function appendInPlugin(plugin: PluginPage): Promise<void> {
  await ask(plugin, 'Add a line')
  await plugin.page.locator('.nw-allow').click()
  await plugin.page.locator('.nw-log').getByText('Done.').last().waitFor()
}

describe('the command line on a vault that the plugin has written to', () => {
  it("has nothing to undo, and keeps the plugin's changes", async () => {
    await withPlugin([append('by the plugin'), done], async (plugin) => {
      await appendInPlugin(plugin)
      const { code, stdout, stderr } = await place.run(['undo', '--yes', '--vault', plugin.folder('garden')])
      expect(code).not.toBe(0)
      expect(`${stdout}${stderr}`).toMatch(/nothing to undo|no change/i)
      expect(await plugin.read('Log.md')).toBe('first\nby the plugin\n')
    })
  })

  it("undoes its own change and keeps the plugin's later one, and reports it", async () => {
    await withPlugin([append('by the plugin'), done], async (plugin) => {
      const vault = ['--vault', plugin.folder('garden')]
      const input = JSON.stringify({ path: 'Log.md', content: 'by the command line' })
      const wrote = await place.run(['tool', 'call', 'append_note', '--input', input, '--yes', ...vault])
      expect(wrote.code, wrote.stderr).toBe(0)
      await appendInPlugin(plugin)
      expect(await plugin.read('Log.md')).toBe('first\nby the command line\nby the plugin\n')
      const undone = await place.run(['undo', '--yes', ...vault])
      expect(undone.code, undone.stderr).toBe(0)
      expect(await plugin.read('Log.md')).toBe('first\nby the plugin\n')
      expect(`${undone.stdout}${undone.stderr}`).toContain('Log.md')
      await plugin.page.evaluate('host.app.vault.reconcile()')
      await plugin.run('undo-last-change')
      await plugin.page.getByRole('button', { name: /^Undo \d/ }).click()
      await noticeSays(plugin, 'undone')
      expect(await plugin.read('Log.md')).toBe('first\n')
    })
  })
})

describe('a change in the plugin', () => {
  it('waits for the lease of a program that died, says so, and is then made', async () => {
    const left = { '.obsidian/plugins/notewright/turn/dead-3': '' }
    const work = async (plugin: PluginPage) => {
      await ask(plugin, 'Add a line')
      await plugin.page.locator('.nw-allow').click()
      await noticeSays(plugin, 'Another program is writing to these notes')
      expect(await plugin.read('Log.md')).toBe('first\n')
      await plugin.page.locator('.nw-log').getByText('Done.').last().waitFor()
      expect(await plugin.read('Log.md')).toBe('first\nby the plugin\n')
    }
    await withPlugin([append('by the plugin'), done], work, left)
  })
})

describe('the app, reloaded in the middle of an answer', () => {
  it('shows the partial answer, and that the turn was interrupted', async () => {
    await withPlugin([{ stall: 'So far so good.' }], async (plugin) => {
      await ask(plugin, 'Tell me')
      await plugin.page.getByText('So far so good.').waitFor()
      const page = await plugin.restart()
      await plugin.run('open-chat')
      await page.getByText('Tell me').first().waitFor()
      await page.getByText('This turn was interrupted').waitFor()
    })
  })
})
