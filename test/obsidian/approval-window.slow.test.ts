import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { axeViolations } from '../ui/story-page.js'
import { append, call, done, images, notes, withModel } from './garden-chat.js'
import { modelFront } from './model-front.js'
import { noticeSays } from './notices.js'
import { pluginBrowser } from './plugin-browser.js'
import { ask, openPlugin, type PluginPage } from './plugin-page.js'

const browser = pluginBrowser()

describe('an approval while no chat is visible', () => {
  const hide = ({ page }: PluginPage) =>
    page.evaluate('host.app.workspace.getLeavesOfType("notewright-chat")[0].containerEl.setAttribute("hidden", "")')

  it('opens a window that describes the call and can approve it', async () => {
    await withModel(browser, [append, done], async (plugin) => {
      const { page } = plugin
      await ask(plugin, 'Add the eighth line')
      await hide(plugin)
      const modal = page.locator('.modal')
      await modal.getByText('The AI wants to use the following tool:').waitFor()
      const parts = ['Append to note', 'Add text to the end of a note', 'Arguments:', 'Privacy note: this tool changes']
      for (const part of parts) await modal.getByText(part).first().waitFor()
      await modal.getByText('The result is sent to compatible/test.').waitFor()
      await modal.getByRole('button', { name: 'Cancel', exact: true }).waitFor()
      expect(await modal.locator('.modal-title').textContent()).toBe('Tool approval request')
      expect(await axeViolations(page)).toEqual([])
      await page.screenshot({ path: join(images, 'approval-modal.png') })
      await modal.locator('.nw-allow').click()
      await modal.waitFor({ state: 'detached' })
      await expect.poll(() => plugin.read('Log.md')).toBe(`${notes['Log.md']}eight\n`)
    })
  })

  it('is denied by closing the window', async () => {
    await withModel(browser, [append, done], async (plugin, { model }) => {
      const { page } = plugin
      await ask(plugin, 'Add the eighth line')
      await hide(plugin)
      await page.locator('.modal').getByRole('button', { name: 'Close' }).click()
      await expect.poll(() => model.prompts().length).toBe(2)
      expect(await plugin.read('Log.md')).toBe(notes['Log.md'])
      await noticeSays(plugin, 'Tool execution cancelled: append_note')
    })
  })

  it('is denied by its button', async () => {
    await withModel(browser, [append, done], async (plugin, { model }) => {
      await ask(plugin, 'Add the eighth line')
      await hide(plugin)
      const modal = plugin.page.locator('.modal')
      await modal.getByRole('button', { name: 'Cancel', exact: true }).click()
      await modal.waitFor({ state: 'detached' })
      await expect.poll(() => model.prompts().length).toBe(2)
      expect(await plugin.read('Log.md')).toBe(notes['Log.md'])
      expect(JSON.stringify(model.prompts().at(-1))).toMatch(/cancelled|denied/i)
    })
  })

  it('lets the user choose files, in dark mode and on a narrow screen, and logs steps to the console', async () => {
    const read = call('file_read', { filePaths: ['Old/Soil.md', 'Beans.md'] })
    const front = await modelFront([
      read,
      call('no_such_tool', {}),
      call('vault_search', { query: 'humus' }),
      call('read_note', { path: 'Nowhere.md' }),
      done,
    ])
    const data = { ...front.data, debug: true }
    const files = { ...notes, 'Old/Soil.md': notes['Soil.md'] }
    const plugin = await openPlugin(browser, { files, data, width: 360, dark: true, phone: true })
    const lines: string[] = []
    plugin.context.on('console', (message) => {
      if (message.type() === 'debug') lines.push(message.text())
    })
    const page = await plugin.restart()
    await plugin.run('open-chat')
    await ask(plugin, 'Compare soil and beans')
    await hide(plugin)
    const modal = page.locator('.modal')
    await modal.getByText('Select files to share with AI:').waitFor()
    expect(await modal.getByLabel('Soil.md').evaluate((box) => box.closest('label')?.innerText)).toMatch(
      /^Soil\.md\s*\n\s*Old\/Soil\.md/,
    )
    await modal.getByRole('button', { name: 'Deselect all' }).click()
    expect(await modal.locator('input:checked').count()).toBe(0)
    await modal.getByRole('button', { name: 'Select all', exact: true }).click()
    expect(await modal.locator('input[type="checkbox"]:checked').count()).toBe(2)
    await modal.getByLabel('Beans.md').uncheck()
    await modal.getByText('The text you share is sent to compatible/test.').waitFor()
    expect(await axeViolations(page)).toEqual([])
    await page.screenshot({ path: join(images, 'approval-modal-phone.png') })
    await modal.getByRole('button', { name: 'Share 1 of 2' }).click()
    await noticeSays(plugin, 'Unknown tool: no_such_tool')
    await noticeSays(plugin, 'Tool execution error: Note not found: Nowhere.md')
    await expect.poll(() => front.model.prompts().length).toBe(5)
    for (const line of [
      'Registered tool: search_notes',
      'AI requested 1 tool call(s)',
      'Handling 1 tool call(s)',
      'Requesting approval for tool: file_read',
      'Tool approved by user, with changes: file_read',
      'Read 1 files',
      'Tool execution completed: file_read',
      'Vault search: "humus" found 0 results',
    ]) {
      expect(lines).toContain(`[Notewright] ${line}`)
    }
    expect(lines.join('\n')).not.toMatch(/Compost feeds|warm soil|Compare soil/)
    expect(lines.filter((line) => !line.startsWith('[Notewright] '))).toEqual([])
    // Without the setting nothing is said there.
    await plugin.write('.obsidian/plugins/notewright/data.json', JSON.stringify({ ...data, debug: false }))
    await page.evaluate('host.plugin.onExternalSettingsChange()')
    lines.length = 0
    await page.evaluate('host.app.cli.get("notewright:ask")({ prompt: "What feeds the soil?", model: "offline" })')
    expect(lines).toEqual([])
    await plugin.close()
    await front.stop()
  })
})
