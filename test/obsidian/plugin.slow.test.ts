import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { axeViolations } from '../ui/story-page.js'
import { allow, answered, append, call, done, images, notes, withModel } from './garden-chat.js'
import { noticeSays } from './notices.js'
import { pluginBrowser } from './plugin-browser.js'
import { ask, openPlugin } from './plugin-page.js'

const browser = pluginBrowser()

describe('a conversation with tools', () => {
  it('reads notes, answers, and asks before it writes', async () => {
    const read = call('read_note', { path: 'Soil.md' })
    await withModel(browser, [read, append, done], async (plugin, { model }) => {
      const { page } = plugin
      await ask(plugin, 'Add the eighth line')
      await page.getByRole('group', { name: 'Append to Log.md?' }).waitFor()
      expect(await plugin.read('Log.md')).toBe(notes['Log.md'])
      expect(await axeViolations(page)).toEqual([])
      await page.screenshot({ path: join(images, 'approval-inline.png') })
      await allow(plugin)
      await answered(plugin)
      expect(await plugin.read('Log.md')).toBe(`${notes['Log.md']}eight\n`)
      expect(JSON.stringify(model.prompts()[1])).toContain('Compost feeds the soil.')
    })
  })

  it('does nothing after a denial, and informs the model', async () => {
    await withModel(browser, [append, done], async (plugin, { model }) => {
      await ask(plugin, 'Add the eighth line')
      await plugin.page.getByRole('button', { name: 'Deny', exact: true }).click()
      await answered(plugin)
      expect(await plugin.read('Log.md')).toBe(notes['Log.md'])
      expect(JSON.stringify(model.prompts().at(-1))).toMatch(/cancelled|denied/i)
    })
  })

  it('shares only the chosen notes', async () => {
    await withModel(
      browser,
      [call('file_read', { filePaths: ['Soil.md', 'Beans.md'] }), done],
      async (plugin, { model }) => {
        const { page } = plugin
        await ask(plugin, 'Compare soil and beans')
        await page.getByLabel('Beans.md').uncheck()
        await page.getByRole('button', { name: 'Share 1 of 2' }).click()
        await answered(plugin)
        const sent = JSON.stringify(model.prompts().at(-1))
        expect(sent).toContain('Compost feeds')
        expect(sent).not.toContain('warm soil')
      },
    )
  })

  it('accepts some hunks of an edit and leaves the others', async () => {
    const block = (from: string, to: string) => `<<<<<<< SEARCH\n${from}\n=======\n${to}\n>>>>>>> REPLACE\n`
    const diff = block('one', 'ONE') + block('seven', 'SEVEN')
    await withModel(browser, [call('edit_note', { path: 'Log.md', diff }), done], async (plugin) => {
      const { page } = plugin
      await ask(plugin, 'Capitals, please')
      await page.getByLabel('Reject the change at line 7').click()
      await page.getByRole('button', { name: 'Apply 1 of 2 changes' }).click()
      await answered(plugin)
      expect(await plugin.read('Log.md')).toBe(notes['Log.md'].replace('one', 'ONE'))
    })
  })

  it('renames a note with every link to it, and undo brings back each byte', async () => {
    await withModel(browser, [call('rename_note', { path: 'Soil.md', new_path: 'Earth.md' }), done], async (plugin) => {
      const { page } = plugin
      await ask(plugin, 'Rename Soil to Earth')
      await page.getByRole('button', { name: 'Rename and update 2 links' }).click()
      await answered(plugin)
      expect(await plugin.read('Beans.md')).toBe(
        '# Beans\n\nBeans like warm soil. See [[Earth]] and [soil](Earth.md).\n',
      )
      await plugin.run('undo-last-change')
      const takeBack = page.getByRole('button', { name: /Undo \d changes/ })
      await takeBack.waitFor()
      await page.screenshot({ path: join(images, 'undo.png') })
      await takeBack.click()
      await noticeSays(plugin, 'undone')
      expect(await plugin.read('Beans.md')).toBe(notes['Beans.md'])
      expect(await plugin.read('Soil.md')).toBe(notes['Soil.md'])
    })
  })

  it('changes an open note in its editor, so that Ctrl+Z takes it back', async () => {
    await withModel(browser, [append, done], async (plugin) => {
      const { page } = plugin
      await page.evaluate('host.app.workspace.openLinkText("Log.md", "")')
      await ask(plugin, 'Add the eighth line')
      await allow(plugin)
      await answered(plugin)
      const editor = 'host.app.workspace.getLeavesOfType("markdown")[0].view.editor'
      expect(await page.evaluate(`${editor}.getValue()`)).toBe(`${notes['Log.md']}eight\n`)
      await page.evaluate(`${editor}.undo()`)
      expect(await page.evaluate(`${editor}.getValue()`)).toBe(notes['Log.md'])
    })
  })

  it('overwrites nothing that the user or another program has written since it was shown', async () => {
    const edit = call('edit_note', { path: 'Log.md', old_text: 'one', new_text: 'ONE' })
    await withModel(browser, [edit, done], async (plugin, { model }) => {
      const { page } = plugin
      await ask(plugin, 'Capitals, please')
      await page.locator('[data-panel]').waitFor()
      await plugin.write('Log.md', 'one, by a person\n')
      await allow(plugin)
      await expect.poll(() => model.prompts().length).toBeGreaterThan(1)
      await answered(plugin)
      expect(await plugin.read('Log.md')).toContain('by a person')
    })
  })
})

describe('a note that the user types into while a change of it waits', () => {
  it('keeps what was typed, also before it is saved', async () => {
    const edit = call('edit_note', { path: 'Log.md', old_text: 'two\nthree', new_text: 'TWO\nTHREE' })
    await withModel(browser, [edit, done], async (plugin, { model }) => {
      const { page } = plugin
      await page.evaluate('host.app.workspace.openLinkText("Log.md", "")')
      await ask(plugin, 'Capitals, please')
      await page.locator('[data-panel]').waitFor()
      const editor = 'host.app.workspace.getLeavesOfType("markdown")[0].view.editor'
      await page.evaluate(`${editor}.replaceRange("typed by a person ", { line: 2, ch: 0 })`)
      expect(await plugin.read('Log.md')).toBe(notes['Log.md'])
      await allow(plugin)
      await expect.poll(() => model.prompts().length).toBeGreaterThan(1)
      await answered(plugin)
      const kept = notes['Log.md'].replace('three', 'typed by a person three')
      expect(await page.evaluate(`${editor}.getValue()`)).toBe(kept)
      expect(await plugin.read('Log.md')).toBe(kept)
      expect(JSON.stringify(model.prompts().at(-1))).toContain('Log.md has changed since it was read')
    })
  })
})

describe('a server that lets no app read its answers', () => {
  it('is requested through Obsidian, with one notice about how to enable streaming', async () => {
    await withModel(
      browser,
      [done],
      async (plugin) => {
        await ask(plugin, 'Hello')
        await answered(plugin)
        await noticeSays(plugin, 'appear only when they are complete')
      },
      { letsAppsRead: false },
    )
  })
})

describe('the plugin', () => {
  it('shows the same conversation after a restart, and asks pending requests again', async () => {
    await withModel(browser, [append, done], async (plugin) => {
      await ask(plugin, 'Add the eighth line')
      await plugin.page.locator('[data-panel]').waitFor()
      const page = await plugin.restart()
      await plugin.run('open-chat')
      await page.getByText('Add the eighth line').first().waitFor()
      await page.getByText('This turn was interrupted').waitFor()
      expect(await plugin.read('Log.md')).toBe(notes['Log.md'])
      await page.getByRole('button', { name: 'Plan again' }).click()
      await page.getByText('Void, since the turn was stopped').waitFor()
      await page.getByRole('group', { name: 'Append to Log.md?' }).waitFor()
      await allow(plugin)
      await answered(plugin)
      expect(await plugin.read('Log.md')).toBe(`${notes['Log.md']}eight\n`)
    })
  })

  it('leaves no trace when it is disabled, and denies pending requests', async () => {
    await withModel(browser, [append, done], async (plugin) => {
      const { page } = plugin
      await ask(plugin, 'Add the eighth line')
      await page.locator('[data-panel]').waitFor()
      await page.evaluate('host.disable()')
      expect(await page.locator('.nw').count()).toBe(0)
      expect(await page.evaluate('[host.app.commands.size, host.app.settingTabs.length]')).toEqual([0, 0])
      expect(await plugin.read('Log.md')).toBe(notes['Log.md'])
    })
  })

  it('shows calls and changes, and forgets notes that are excluded while it is open', async () => {
    const plugin = await openPlugin(browser, { files: notes })
    const { page } = plugin
    await plugin.run('open-chat')
    await ask(plugin, 'What feeds the soil?')
    await answered(plugin, 'Compost feeds the soil')
    await plugin.run('open-activity')
    await page.getByLabel('Activity', { exact: true }).getByText('Searched notes').first().waitFor()
    await expect
      .poll(async () => {
        await page.evaluate('host.openSettings()')
        return page.getByLabel('Never share').count()
      })
      .toBe(1)
    await page.getByLabel('Never share').fill('Soil.md')
    await page.getByLabel('Never share').blur()
    await expect.poll(() => plugin.settings()).toMatchObject({ config: { exclude: ['Soil.md'] } })
    // It opens everything again.
    await expect.poll(() => page.evaluate('host.plugin.openings')).toBe(1)
    await page.evaluate('host.plugin.opened().then(({ ready }) => ready)')
    await page.evaluate('host.closeSettings()')
    await ask(plugin, 'What does compost feed?')
    await answered(plugin, 'I found nothing about')
    expect(plugin.troubles).toEqual([])
    await plugin.close()
  })

  it('runs on a phone: narrow, dark, without anything of Node', async () => {
    const plugin = await openPlugin(browser, { files: notes, phone: true, width: 360, dark: true })
    const { page } = plugin
    expect(await page.evaluate('[typeof process, typeof Buffer, typeof require]')).toEqual(Array(3).fill('undefined'))
    await plugin.run('open-chat')
    await ask(plugin, 'What feeds the soil?')
    await answered(plugin, 'Compost feeds the soil')
    expect(await axeViolations(page)).toEqual([])
    const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
    expect(overflow).toBeLessThanOrEqual(0)
    await page.screenshot({ path: join(images, 'phone.png') })
    expect(await page.evaluate('host.refused')).toEqual([])
    await plugin.close()
  })
})

describe('from the command line of the app', () => {
  it('notes are searched and asked, and nothing is changed', async () => {
    const plugin = await openPlugin(browser, { files: notes })
    const cli = (command: string, flags: Record<string, string> = {}) =>
      plugin.page.evaluate(`host.app.cli.get("notewright:${command}")(${JSON.stringify(flags)})`)
    expect(await cli('search', { query: 'compost' })).toMatch(/Soil\.md/)
    expect(await cli('ask', { prompt: 'What feeds the soil?' })).toContain('Compost feeds the soil')
    await cli('ask', { prompt: 'rename Soil to Earth' })
    expect(await plugin.read('Soil.md')).toBe(notes['Soil.md'])
    const tools = String(await cli('tools'))
    expect(tools).toMatch(/^AI tool calling is off/)
    expect(tools).toMatch(/^search_notes {2}Search notes$/m)
    expect(tools).toMatch(/^get_random_note /m)
    expect(tools).not.toContain('web_fetch')
    await plugin.write(
      '.obsidian/plugins/notewright/data.json',
      JSON.stringify({ enableToolCalling: true, config: { tools: { enabled: ['web_fetch'] } } }),
    )
    await plugin.page.evaluate('host.plugin.onExternalSettingsChange()')
    expect(await cli('tools')).toMatch(/^web_fetch /m)
    expect(await cli('tools')).not.toMatch(/is off|get_random_note/)
    expect(await cli('log')).toMatch(/^\d{4}-\S+ {2}search_notes {2}allow/m)
    expect(String(await cli('log', { last: '1' })).split('\n')).toHaveLength(1)
    await plugin.write('.obsidian/plugins/notewright/data.json', '{}')
    await plugin.page.evaluate('host.plugin.onExternalSettingsChange()')
    expect(await cli('undo')).toBe('There is nothing to undo.')
    await plugin.run('open-chat')
    await ask(plugin, 'rename Soil to Earth')
    await allow(plugin)
    await expect.poll(() => plugin.read('Beans.md')).toContain('[[Earth]]')
    // The note is written before the change is over.
    await plugin.page.locator('.nw-turn-foot').last().waitFor()
    expect(await cli('undo')).toMatch(/^Undo: Move .*\nedit {2}Beans\.md\nmove {2}Earth\.md to Soil\.md$/)
    expect(await plugin.read('Beans.md')).toBe(notes['Beans.md'])
    await plugin.close()
  })
})

describe('related notes', () => {
  it('follow the note that is open', async () => {
    const shared = 'turn fallen leaves into dark humus. See [[Soil]] and [[Humus]]. #garden/soil\n'
    const files = {
      'Worms.md': `# Worms\n\nEarthworms ${shared}`,
      'Compost.md': `# Compost\n\nHeaps of compost ${shared}`,
      'Soil.md': '# Soil\n',
      'Humus.md': '# Humus\n',
      'Bread.md': '# Bread\n\nFlour, water, salt.\n',
    }
    const plugin = await openPlugin(browser, { files })
    const { page } = plugin
    await page.evaluate('host.app.workspace.openLinkText("Worms.md", "")')
    await plugin.run('related-notes')
    await page.getByRole('heading', { name: 'Worms.md' }).waitFor()
    await page.getByRole('button', { name: 'Compost' }).waitFor()
    await page.evaluate('host.app.workspace.openLinkText("Compost.md", "")')
    await page.getByRole('heading', { name: 'Compost.md' }).waitFor()
    await page.getByRole('button', { name: 'Worms' }).waitFor()
    await plugin.close()
  })
})

describe('the chat beside the notes', () => {
  it('loads when it is visible, shows sources on hover, and accepts dragged notes', async () => {
    const plugin = await openPlugin(browser, { files: { ...notes, 'Old/Beans.md': 'x' } })
    const { page } = plugin
    await page.evaluate('host.app.workspace.getRightLeaf(false).defer("notewright-chat")')
    // A pane that is not loaded yet is no chat, whatever is done meanwhile.
    await plugin.run('stop')
    await page.evaluate('host.plugin.onExternalSettingsChange()')
    expect(await page.getByLabel('Your question').count()).toBe(0)
    await plugin.run('open-chat')
    expect(await page.evaluate('host.app.workspace.getLeavesOfType("notewright-chat").length')).toBe(1)
    await ask(plugin, 'What feeds the soil?')
    await answered(plugin, 'Compost feeds the soil')
    await page.evaluate(`host.hovered = []; host.app.workspace.on("hover-link", (link) => host.hovered.push(link))`)
    const source = page.getByRole('group', { name: 'Sources' }).getByRole('button').first()
    await source.hover()
    const hovered = () => page.evaluate('host.hovered.map(({ linktext, source }) => [linktext.split("#")[0], source])')
    await expect.poll(hovered).toContainEqual(['Soil.md', 'notewright'])
    expect(await page.evaluate('host.app.workspace.hoverSources.has("notewright")')).toBe(true)
    await page.evaluate(`(() => {
      const { vault, dragManager, workspace } = host.app
      const files = ["Soil.md", "Old/Beans.md"].map((path) => vault.getFileByPath(path))
      dragManager.draggable = { type: "files", files }
      const { contentEl } = workspace.getLeavesOfType("notewright-chat")[0].view
      contentEl.querySelector(".nw-log").dispatchEvent(new DragEvent("drop", { bubbles: true, cancelable: true }))
      dragManager.draggable = null
    })()`)
    // The pane takes notes and no other files.
    expect(await page.getByRole('button', { name: 'Add a note', exact: true }).count()).toBe(1)
    const field = page.getByLabel('Your question')
    await expect.poll(() => field.inputValue()).toBe('@[[Soil]] @[[Old/Beans]] ')
    await page.evaluate(`(() => {
      const dataTransfer = new DataTransfer()
      dataTransfer.setData("text/plain", "obsidian://open?vault=garden&file=Log\\nobsidian://open?vault=garden&file=Beans.md")
      const event = new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer })
      document.querySelector(".nw-composer textarea").dispatchEvent(event)
    })()`)
    await expect.poll(() => field.inputValue()).toBe('@[[Soil]] @[[Old/Beans]] @[[Log]] @[[Beans]] ')
    expect(plugin.troubles).toEqual([])
    await plugin.close()
  })
})
