import { describe, expect, it } from 'vitest'
import { pluginBrowser } from './plugin-browser.js'
import { openPlugin, type PluginPage } from './plugin-page.js'

const browser = pluginBrowser()

const notes = {
  'Soil.md': '# Soil\n\nCompost feeds the soil.\n',
  'Beans.md': '# Beans\n\nBeans like warm soil.\n',
  'Old/Beans.md': '# Old beans\n',
}

const openNote = ({ page }: PluginPage, path: string) =>
  page.evaluate(`host.app.workspace.openLinkText(${JSON.stringify(path)}, "")`)

describe('the commands of the plugin', () => {
  it('have the expected names, no default hotkeys, and one entry each in the palette', async () => {
    const plugin = await openPlugin(browser, { files: notes })
    const commands: { name: string; hotkeys?: unknown }[] = await plugin.page.evaluate(
      '[...host.app.commands.values()].map(({ name, hotkeys }) => ({ name, hotkeys }))',
    )
    expect(commands.map(({ name }) => name).sort()).toEqual([
      'Ask about this note or selection',
      'Chat in this note',
      'Check vault',
      'Infer title',
      'Open activity',
      'Open chat',
      'Search notes',
      'Show related notes',
      'Stop answering',
      'Undo last change',
    ])
    expect(commands.filter(({ hotkeys }) => hotkeys !== undefined)).toEqual([])
    await plugin.close()
  })

  it('put the open note or its selection into the question, and send nothing', async () => {
    const plugin = await openPlugin(browser, { files: notes })
    const { page } = plugin
    const field = page.getByLabel('Your question')
    await openNote(plugin, 'Soil.md')
    await plugin.run('ask-about-note')
    await expect.poll(() => field.inputValue()).toBe('About [[Soil]]: ')
    // Two notes have this name; the open one is meant.
    await openNote(plugin, 'Old/Beans.md')
    await plugin.run('ask-about-note')
    await expect.poll(() => field.inputValue()).toBe('About [[Old/Beans]]: ')
    await openNote(plugin, 'Soil.md')
    await page.evaluate(`host.app.workspace.getLeavesOfType("markdown").at(-1).view.editor
      .setSelection({ line: 2, ch: 0 }, { line: 2, ch: 7 })`)
    await plugin.run('ask-about-note')
    await page.getByText('About the selection: Compost').waitFor()
    await expect.poll(() => field.inputValue()).toBe('')
    expect(await page.evaluate('host.app.workspace.getLeavesOfType("notewright-chat").length')).toBe(1)
    expect(await page.locator('.nw-turn-foot').count()).toBe(0)
    expect(plugin.troubles).toEqual([])
    await plugin.close()
  })

  it('open a search as it is typed, whose hits open their notes', async () => {
    const plugin = await openPlugin(browser, { files: notes })
    const { page } = plugin
    await plugin.run('search-notes')
    await page.getByLabel('Search your notes').fill('compost')
    const hit = page.locator('.nw-hit-title').first()
    await expect.poll(() => hit.textContent()).toContain('Soil')
    await hit.click()
    await expect.poll(() => page.evaluate('host.app.workspace.getActiveFile()?.path')).toBe('Soil.md')
    await plugin.close()
  })
})
