import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { openForTests } from '../browser/open-for-tests.js'
import type { Stage } from '../e2e/cli-harness.js'
import { oddHttpServer } from '../mcp/odd-http-server.js'
import { axeViolations, overflow } from '../ui/story-page.js'
import { backToChat, openPage, showView } from './served-page.js'

const odd = resolve('test/mcp/odd-server.mjs')

let place: Stage
let page: Page
let troubles: string[]

openForTests(async () => {
  const opened = await openPage(async (place) => {
    await place.write('Garden.md', '---\nnotewright: project\nfolders: [Garden]\n---\n')
    await place.write('Notewright memory.md', '- I garden in zone 7\n- I like soup\n')
  })
  ;({ place, page, troubles } = opened)
  return opened
})

async function open(name: string): Promise<void> {
  await showView(page, 'Settings')
  const entry = page.locator('.page-settings nav').getByRole('button', { name, exact: true })
  await entry.click()
  await entry.and(page.locator('[aria-current]')).waitFor()
  await page.locator('.page-section h3').first().waitFor()
}

const section = () => page.locator('.page-section')

describe('the settings of the page', () => {
  it('keep a key on the server and never show it again', async () => {
    await open('Models')
    const openai = section().getByRole('group', { name: 'OpenAI', exact: true })
    await openai.getByRole('button', { name: 'Connect OpenAI' }).click()
    await openai.getByLabel('API key of OpenAI').fill('sk-test-0123456789')
    await openai.getByRole('button', { name: 'Connect', exact: true }).click()
    await openai.getByText('Key in a private file').waitFor()
    expect(await readFile(join(place.home, 'state/keys/openai'), 'utf8').catch(() => '')).not.toBe('')
    await page.reload()
    await open('Models')
    await openai.getByText('Key in a private file').waitFor()
    for (const path of ['settings', 'keys', 'providers', 'overview']) {
      const told = await page.evaluate(`apiFetch('${path}').then((answer) => answer.text())`)
      expect(told).not.toContain('0123456789')
    }
    expect(await page.content()).not.toContain('0123456789')
    expect(await axeViolations(page)).toEqual([])
    await openai.getByRole('button', { name: 'More for OpenAI' }).click()
    expect(await axeViolations(page)).toEqual([])
    await page.getByRole('menuitem', { name: 'Remove the key of OpenAI' }).click()
    await openai.getByText('No key', { exact: true }).waitFor()
  })

  it('are stored where the command line finds them, and apply at once', async () => {
    await open('Approvals')
    await section().getByRole('radio', { name: 'Read only' }).check()
    await section().getByText('Saved.').waitFor()
    expect((await place.json('config', 'get', 'consent')).value).toMatchObject({ value: 'read-only', source: 'file' })
    await backToChat(page)
    await page.getByRole('button', { name: 'Approvals: Read only', exact: true }).waitFor()
    await page.reload()
    await open('Approvals')
    expect(await section().getByRole('radio', { name: 'Read only' }).isChecked()).toBe(true)
    await section().getByRole('button', { name: 'Reset to default' }).click()
    await expect.poll(() => section().getByRole('radio', { name: 'Ask first' }).isChecked()).toBe(true)
  })

  it('say why a value is invalid, and keep the old one', async () => {
    await open('All settings')
    await page.getByLabel('Find a setting').fill('search.limit')
    await page.getByLabel('search.limit', { exact: true }).fill('0')
    await section().getByRole('button', { name: 'Save' }).click()
    await section().locator('.nw-trouble').waitFor()
    expect(await section().innerText()).toContain('a whole number from 1 to 1000')
    expect((await place.json('config', 'get', 'search.limit')).value).toMatchObject({ value: 10, source: 'default' })
    expect(await axeViolations(page)).toEqual([])
  })

  it('draw settings that the page does not know, in their group and among all', async () => {
    const layout = { about: 'Made up.', hint: 'Made up.', expects: 'a text', source: 'default', value: null }
    const text = { ...layout, key: 'made.up', label: 'Made up', group: 'answers', form: { takes: 'text' } }
    const options = ['a', 'b'].map((value) => ({ value, label: value.toUpperCase() }))
    const choice = { ...layout, key: 'also.made', label: 'also.made', form: { takes: 'text' }, options }
    await page.route('**/api/settings', async (route) => {
      if (route.request().method() !== 'GET') return route.continue()
      const answer = await route.fetch()
      const { settings } = await answer.json()
      await route.fulfill({ response: answer, json: { settings: [...settings, text, choice] } })
    })
    try {
      await page.reload()
      await open('Models')
      await section().getByRole('textbox', { name: 'Made up' }).waitFor()
      await open('All settings')
      await section().getByRole('combobox', { name: 'also.made' }).selectOption({ label: 'B' })
      const told = (await page.evaluate(`apiFetch('settings').then((answer) => answer.json())`)) as {
        settings: { key: string }[]
      }
      for (const { key } of told.settings) await section().getByLabel(key, { exact: true }).waitFor()
    } finally {
      await page.unroute('**/api/settings')
      await page.reload()
    }
  })

  it('list, remove and explain rules and grants', async () => {
    await open('Approvals')
    await page.getByLabel('New rule').fill('deny: write_note(Inbox/**)')
    await page.getByRole('button', { name: 'Add rule' }).click()
    await section().getByText('write_note(Inbox/**)').first().waitFor()
    await page.getByRole('button', { name: 'Test', exact: true }).click()
    await section().locator('dt', { hasText: 'deny' }).waitFor()
    expect(await axeViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Revoke never: write_note(Inbox/**)' }).click()
    await expect.poll(() => section().getByText('No rules yet.').count()).toBe(1)
  })

  it('switch tools', async () => {
    await open('Tools')
    await page.getByRole('switch', { name: 'Append to note' }).uncheck()
    await expect
      .poll(async () => (await place.json('tool', 'show', 'append_note')).value)
      .toMatchObject({ enabled: false })
    await page.getByRole('switch', { name: 'Append to note' }).check()
    expect(await axeViolations(page)).toEqual([])
  })

  it('show a server in full before its tools are on, and run no server of a vault before trust', async () => {
    const ran = join(place.home, 'RAN')
    await place.write(
      '.mcp.json',
      JSON.stringify({ mcpServers: { evil: { command: 'sh', args: ['-c', `touch ${ran}; exec cat`] } } }),
    )
    await open('MCP servers')
    await page.getByLabel('Name', { exact: true }).fill('odd')
    await page.getByRole('textbox', { name: 'Program' }).fill(process.execPath)
    await page.getByLabel('Arguments').fill(odd)
    await page.getByRole('button', { name: 'Review and add…' }).click()
    const review = page.getByRole('group', { name: 'Trust this server?' })
    await review.getByText(odd).waitFor()
    expect((await place.json('mcp-servers', 'list')).value).not.toMatchObject({ servers: [{ name: 'odd' }] })
    await review.getByRole('button', { name: 'Trust it on this computer' }).click()
    const server = section().getByRole('group', { name: 'odd', exact: true })
    await server.getByRole('button', { name: 'Show tools' }).click()
    const tool = server.getByRole('group', { name: 'echo', exact: true })
    await tool.getByText('Read its description before you turn it on.').waitFor()
    expect(await tool.innerText()).toContain('"inputSchema"')
    expect(await axeViolations(page)).toEqual([])
    await tool.getByRole('switch', { name: 'Use echo' }).click()
    await tool.getByRole('switch', { name: 'Use echo', checked: true }).waitFor()
    expect((await place.json('mcp-servers', 'tools', 'odd')).value).toMatchObject({ tools: [{ enabled: true }] })
    const forged = `apiFetch('mcp-servers/odd/enable', { method: 'POST', headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ tools: [{ name: 'echo', hash: 'other' }] }) }).then((answer) => answer.status)`
    expect(await page.evaluate(forged)).toBe(409)

    const evil = section().getByRole('group', { name: 'evil', exact: true })
    await evil.getByRole('button', { name: 'Review…' }).click()
    await page.getByRole('group', { name: 'Trust this server?' }).getByText(`touch ${ran}; exec cat`).waitFor()
    expect(await axeViolations(page)).toEqual([])
    expect(existsSync(ran)).toBe(false)
  })

  it('add a server at an address, and never show its headers', async () => {
    const key = 'canary-0123456789abcdef'
    const address = await oddHttpServer('good')
    try {
      await open('MCP servers')
      await page.getByLabel('Type').selectOption('address')
      await page.getByLabel('Name', { exact: true }).fill('wiki')
      await page.getByRole('textbox', { name: 'Address' }).fill(address.url)
      await page.getByLabel('Name 1').fill('Authorization')
      await page.getByLabel('Value 1').fill(`Bearer ${key}`)
      expect(await axeViolations(page)).toEqual([])
      await page.getByRole('button', { name: 'Add without connecting' }).click()
      const server = section().getByRole('group', { name: 'wiki', exact: true })
      await server.getByText('Headers: Authorization').waitFor()
      expect(address.seen).toEqual([])
      await server.getByRole('button', { name: 'More for wiki' }).click()
      await page.getByRole('menuitem', { name: 'Test' }).click()
      await server.getByText(/^Connected to /).waitFor()
      expect(address.seen.every(({ headers }) => headers.authorization === `Bearer ${key}`)).toBe(true)
      for (const path of ['settings', 'mcp-servers', 'overview']) {
        const told = await page.evaluate(`apiFetch('${path}').then((answer) => answer.text())`)
        expect(told).not.toContain(key)
      }
      expect(await page.content()).not.toContain(key)
      expect(await readFile(join(place.home, 'config.json'), 'utf8')).not.toContain(key)
    } finally {
      await address.close()
    }
  })

  it('remove memories, which can be undone, and list projects', async () => {
    await open('Memory and projects')
    await section().getByText('folders: [Garden]').waitFor()
    await section().getByRole('button', { name: 'Garden.md' }).waitFor()
    await section().getByRole('button', { name: 'Forget: I like soup' }).click()
    await expect.poll(() => place.read('Notewright memory.md')).toBe('- I garden in zone 7\n')
    expect(await axeViolations(page)).toEqual([])
    const [last] = (await place.json('history')).value as unknown as { id: string }[]
    await place.run(['undo', last.id, '--yes', '--vault', place.vault])
    expect(await place.read('Notewright memory.md')).toContain('I like soup')
  })

  it('rebuild the index', async () => {
    await open('Search index')
    await section().getByRole('button', { name: 'Rebuild' }).click()
    await section().getByText('The index is up to date.').waitFor()
    expect(await section().innerText()).toMatch(/\d+ notes/)
    expect(await axeViolations(page)).toEqual([])
  })

  it('read well in every section, light and dark, at 320 px and with text of twice the size', async () => {
    await open('Models')
    const sections = await page.locator('.page-settings nav button').allInnerTexts()
    for (const [colorScheme, width, size] of [
      ['light', 320, '100%'],
      ['dark', 320, '100%'],
      ['dark', 1100, '100%'],
      ['light', 900, '200%'],
    ] as const) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 800 })
      // The page's own policy refuses styles of others; a user's zoom is set from outside too.
      await page.evaluate(`document.documentElement.style.fontSize = '${size}'`)
      for (const name of sections) {
        await open(name)
        await page.evaluate(`document.querySelector('.page-section [aria-expanded="false"]')?.click()`)
        const where = { name, colorScheme, width, size }
        expect({ ...where, overflow: await overflow(page) }).toEqual({ ...where, overflow: 0 })
        expect({ ...where, found: await axeViolations(page) }).toEqual({ ...where, found: [] })
      }
    }
  })

  it('cause no errors in the console', () => expect(troubles).toEqual([]))
})
