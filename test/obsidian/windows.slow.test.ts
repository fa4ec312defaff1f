import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { Said } from '../e2e/model-server.js'
import { axeViolations } from '../ui/story-page.js'
import { modelFront } from './model-front.js'
import { pluginBrowser } from './plugin-browser.js'
import { ask, openPlugin, type PluginPage } from './plugin-page.js'

const browser = pluginBrowser()

const images = join(import.meta.dirname, '../../test-results/obsidian')
const write = (path: string): Said => ({ call: [{ name: 'write_note', input: { path, content: 'Made.\n' } }] })
const long = Array.from({ length: 80 }, (_, at) => `Line ${at} of a long answer.`).join('\n\n')
const many = 300
const files = Object.fromEntries(Array.from({ length: many }, (_, at) => [`Note ${at}.md`, `# Note ${at}\n`]))
const chat = 'host.app.workspace.getLeavesOfType("notewright-chat")[0]'

/** The conversation in a window of its own, as the page of that window. */
async function popOut({ page, context }: PluginPage): Promise<Page> {
  const [other] = await Promise.all([
    context.waitForEvent('page'),
    page.evaluate(`void host.app.workspace.moveLeafToPopout(${chat})`),
  ])
  await other.bringToFront()
  return other
}

/** The main window is hidden: it has no frames, and its timers run once a second. */
const hideMainWindow = ({ page }: PluginPage) =>
  page.evaluate(`(() => {
    Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' })
    Object.defineProperty(document, 'hidden', { get: () => true })
    window.requestAnimationFrame = () => 0
    const { setTimeout: original } = window
    window.setTimeout = (work, ms, ...rest) => original.call(window, work, Math.max(1000, ms ?? 0), ...rest)
    document.dispatchEvent(new Event('visibilitychange'))
  })()`)

async function withPopOut(script: Said[], work: (plugin: PluginPage, other: Page) => Promise<void>): Promise<void> {
  const front = await modelFront(script)
  const plugin = await openPlugin(browser, { files, data: front.data })
  try {
    await plugin.page.evaluate('host.plugin.opened().then(({ ready }) => ready)')
    await plugin.run('open-chat')
    await plugin.page.getByLabel('Your question').waitFor()
    await work(plugin, await popOut(plugin))
    expect(plugin.troubles).toEqual([])
  } finally {
    await plugin.close()
    await front.stop()
  }
}

describe('the chat in a window of its own', () => {
  it('streams, asks and is answered by the keyboard there, while the main window is hidden', async () => {
    let finish = (_rest: string) => {}
    const rest = new Promise<string>((resolve) => {
      finish = resolve
    })
    const script = [
      { stall: 'So far', until: rest },
      write('Denied.md'),
      { say: 'Not done.' },
      write('Made.md'),
      { say: 'Done.' },
    ]
    await withPopOut(script, async (plugin, other) => {
      await hideMainWindow(plugin)
      const there = { ...plugin, page: other }
      await ask(there, 'Tell me')
      await other.getByText('So far').waitFor()
      expect(await plugin.page.locator('.nw').count()).toBe(0)
      finish(' and no further.')
      await other.getByText('So far and no further.').waitFor()

      // Denied by keyboard.
      await ask(there, 'Write it')
      const panel = other.getByRole('group', { name: 'Create Denied.md?' })
      await panel.waitFor()
      await expect.poll(() => other.evaluate('document.activeElement?.closest("[data-panel]") !== null')).toBe(true)
      expect(await axeViolations(other)).toEqual([])
      await other.screenshot({ path: join(images, 'window-of-its-own.png') })
      await panel.getByRole('button', { name: 'Deny', exact: true }).press('Space')
      await other.getByText('Not done.').waitFor()
      await expect(plugin.read('Denied.md')).rejects.toThrow()

      await ask(there, 'Write it after all')
      await other.locator('.nw-allow').click()
      await other.getByText('Done.', { exact: true }).waitFor()
      expect(await plugin.read('Made.md')).toBe('Made.\n')

      // No window came up for what the pane has shown.
      expect(await plugin.page.locator('.modal').count()).toBe(0)
      expect(await other.locator('.modal').count()).toBe(0)
    })
  })

  it('keeps position and typed text when it moves to a window and back, and its text can be copied', async () => {
    await withPopOut([{ say: long }], async (plugin, first) => {
      const there = { ...plugin, page: first }
      await ask(there, 'At length')
      await first.getByText('Line 79 of a long answer.').waitFor()
      const atEnd = (page: Page) =>
        page.evaluate(`(() => {
          const log = document.querySelector('.nw-log')
          return log.scrollHeight - log.scrollTop - log.clientHeight < 60 && log.scrollTop > 0
        })()`)
      await expect.poll(() => atEnd(first)).toBe(true)
      await first.getByLabel('Your question').fill('half a sent')
      await plugin.page.evaluate(`host.app.workspace.moveLeafBack(${chat})`)
      expect(await plugin.page.getByLabel('Your question').inputValue()).toBe('half a sent')
      await expect.poll(() => atEnd(plugin.page)).toBe(true)
      expect(await plugin.page.getByText('Jump to latest').count()).toBe(0)

      const other = await popOut(plugin)
      await expect.poll(() => atEnd(other)).toBe(true)
      const copied = await other.evaluate(`(() => {
        const line = [...document.querySelectorAll('.nw-prose p')].at(-1)
        getSelection().selectAllChildren(line)
        let text
        document.addEventListener('copy', () => { text = String(getSelection()) }, { once: true })
        document.execCommand('copy')
        return text
      })()`)
      expect(copied).toBe('Line 79 of a long answer.')
    })
  })

  it('builds the index while only the main window is hidden, and pauses while both are', async () => {
    await withPopOut([{ say: 'ok' }], async (plugin, other) => {
      const visibility = (page: Page, state: string) =>
        page.evaluate(`(() => {
          Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => '${state}' })
          document.dispatchEvent(new Event('visibilitychange'))
        })()`)
      const notes = () =>
        plugin.page.evaluate(
          'host.plugin.opened().then(({ vault }) => vault.notebook.status()).then(({ notes }) => notes)',
        )
      await visibility(plugin.page, 'hidden')
      await visibility(other, 'hidden')
      await plugin.page.evaluate(
        'void host.plugin.opened().then(({ vault }) => vault.notebook.rebuild({ vectors: false }))',
      )
      await expect.poll(notes).toBe(0)
      // Longer than it takes to begin: a worker that did not rest would have put notes into the index.
      await plugin.page.waitForTimeout(1000)
      expect(await notes()).toBe(0)
      await visibility(other, 'visible')
      await expect.poll(notes).toBe(many)
    })
  })
})
