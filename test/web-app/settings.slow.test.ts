import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser } from '../browser/open-browser.js'
import { type Stage, stage } from '../e2e/cli-harness.js'
import { oddHttpServer } from '../mcp/odd-http-server.js'
import { axeViolations, overflow } from '../ui/story-page.js'
import { comeIn, type ServedPage, servePage } from './served-page.js'

const odd = resolve('test/mcp/odd-server.mjs')

let browser: Browser
let place: Stage
let served: ServedPage
let page: Page
let troubles: string[]

beforeAll(async () => {
  place = await stage()
  await place.write('Garden.md', '---\nnotewright: project\nfolders: [Garden]\n---\n')
  await place.write('Notewright memory.md', '- I garden in zone 7\n- I like soup\n')
  ;[browser, served] = await Promise.all([openBrowser(), servePage(place)])
  ;({ page, troubles } = await comeIn(browser, served))
})
afterAll(async () => {
  await browser?.close()
  await served?.stop()
  await place?.remove()
})

async function open(name: string): Promise<void> {
  await page.locator('.page-head nav').getByRole('button', { name: 'Settings' }).click()
  await page.locator('.page-settings nav').getByRole('button', { name, exact: true }).click()
  await page.locator('.page-section h3').first().waitFor()
}

const section = () => page.locator('.page-section')

describe('the settings of the page', () => {
  it('keep a key on the server and never show it again', async () => {
    await open('Models')
    const openai = section().getByRole('region', { name: 'OpenAI', exact: true })
    await openai.getByLabel('Key for OpenAI').fill('sk-test-0123456789')
    await openai.getByRole('button', { name: 'Store the key' }).click()
    await openai.getByText('key in a private file').waitFor()
    expect(await readFile(join(place.home, 'state/keys/openai'), 'utf8').catch(() => '')).not.toBe('')
    await page.reload()
    await open('Models')
    await openai.getByText('key in a private file').waitFor()
    for (const path of ['settings', 'keys', 'providers', 'overview']) {
      const told = await page.evaluate(`fetch('/api/${path}').then((answer) => answer.text())`)
      expect(told).not.toContain('0123456789')
    }
    expect(await page.content()).not.toContain('0123456789')
    expect(await axeViolations(page)).toEqual([])
    await openai.getByRole('button', { name: 'Remove the key' }).click()
    await openai.getByText('no key yet').waitFor()
  })

  it('are kept where the command line finds them, and count at once', async () => {
    await open('Permissions')
    await page.getByLabel('How much you are asked').selectOption('read-only')
    await section().getByText('Saved.').waitFor()
    expect((await place.json('config', 'get', 'consent')).value).toMatchObject({ value: 'read-only', source: 'file' })
    await page.locator('.page-head nav').getByRole('button', { name: 'Chat' }).click()
    expect(await page.getByLabel('Consent', { exact: true }).inputValue()).toBe('read-only')
    await page.reload()
    await open('Permissions')
    expect(await page.getByLabel('How much you are asked').inputValue()).toBe('read-only')
    await section().getByRole('button', { name: 'Back to the default' }).click()
    await expect.poll(() => page.getByLabel('How much you are asked').inputValue()).toBe('ask')
  })

  it('say why a value is not one, and keep what was', async () => {
    await open('All settings')
    await page.getByLabel('Find a setting').fill('search.limit')
    await page.getByLabel('search.limit', { exact: true }).fill('0')
    await section().getByRole('button', { name: 'Save' }).click()
    await section().locator('.nw-trouble').waitFor()
    expect(await section().innerText()).toContain('a whole number from 1 to 1000')
    expect((await place.json('config', 'get', 'search.limit')).value).toMatchObject({ value: 10, source: 'default' })
    expect(await axeViolations(page)).toEqual([])
  })

  it('list rules and what was allowed, take them back, and explain', async () => {
    await open('Permissions')
    await page.getByLabel('A new rule').fill('deny: write_note(Inbox/**)')
    await page.getByRole('button', { name: 'Add the rule' }).click()
    await section().getByText('write_note(Inbox/**)').waitFor()
    await page.getByRole('button', { name: 'Explain' }).click()
    await section().locator('dt', { hasText: 'deny' }).waitFor()
    expect(await axeViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Take back deny: write_note(Inbox/**)' }).click()
    await expect.poll(() => section().getByText('There are none.').count()).toBe(1)
  })

  it('switch tools', async () => {
    await open('Tools')
    await page.getByRole('checkbox', { name: /Append to note/ }).uncheck()
    await expect
      .poll(async () => (await place.json('tool', 'show', 'append_note')).value)
      .toMatchObject({ enabled: false })
    await page.getByRole('checkbox', { name: /Append to note/ }).check()
    expect(await axeViolations(page)).toEqual([])
  })

  it('show a server whole before a tool of it is on, and nothing of a vault runs before it is trusted', async () => {
    const ran = join(place.home, 'RAN')
    await place.write(
      '.mcp.json',
      JSON.stringify({ mcpServers: { evil: { command: 'sh', args: ['-c', `touch ${ran}; exec cat`] } } }),
    )
    await open('MCP servers')
    await page.getByLabel('Name').fill('odd')
    await page.getByRole('textbox', { name: 'Program' }).fill(process.execPath)
    await page.getByLabel('Its arguments, one in a line').fill(odd)
    await page.getByRole('button', { name: 'Add it, without starting it' }).click()
    const server = section().getByRole('region', { name: 'odd', exact: true })
    await server.getByRole('button', { name: 'Start it and look at its tools' }).click()
    const tool = server.getByRole('group', { name: 'echo', exact: true })
    await tool.getByText('nobody has looked at it yet').waitFor()
    expect(await tool.innerText()).toContain('"inputSchema"')
    expect(await axeViolations(page)).toEqual([])
    await tool.getByRole('button', { name: 'Switch on echo' }).click()
    await tool.getByRole('button', { name: 'Switch off echo' }).waitFor()
    expect((await place.json('mcp-servers', 'tools', 'odd')).value).toMatchObject({ tools: [{ enabled: true }] })
    const forged = `fetch('/api/mcp-servers/odd/enable', { method: 'POST', headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ tools: [{ name: 'echo', hash: 'other' }] }) }).then((answer) => answer.status)`
    expect(await page.evaluate(forged)).toBe(409)

    const evil = section().getByRole('region', { name: 'evil', exact: true })
    await evil.getByRole('button', { name: 'See what it would run…' }).click()
    await page.getByRole('group', { name: 'Trust this server?' }).getByText(`touch ${ran}; exec cat`).waitFor()
    expect(await axeViolations(page)).toEqual([])
    expect(existsSync(ran)).toBe(false)
  })

  it('add a server at an address, and never show what it is sent', async () => {
    const key = 'canary-0123456789abcdef'
    const address = await oddHttpServer('good')
    try {
      await open('MCP servers')
      await page.getByLabel('What it is').selectOption('address')
      await page.getByLabel('Name').fill('wiki')
      await page.getByRole('textbox', { name: 'Address' }).fill(address.url)
      await page.getByLabel('Header', { exact: true }).fill('Authorization')
      await page.getByLabel('Value').fill(`Bearer ${key}`)
      expect(await axeViolations(page)).toEqual([])
      await page.getByRole('button', { name: 'Add it, without asking it anything' }).click()
      const server = section().getByRole('region', { name: 'wiki', exact: true })
      await server.getByText('Headers it is sent: Authorization').waitFor()
      expect(address.seen).toEqual([])
      await server.getByRole('button', { name: 'Test' }).click()
      await server.getByText(/^It answers: /).waitFor()
      expect(address.seen.every(({ headers }) => headers.authorization === `Bearer ${key}`)).toBe(true)
      for (const path of ['settings', 'mcp-servers', 'overview']) {
        const told = await page.evaluate(`fetch('/api/${path}').then((answer) => answer.text())`)
        expect(told).not.toContain(key)
      }
      expect(await page.content()).not.toContain(key)
      expect(await readFile(join(place.home, 'config.json'), 'utf8')).not.toContain(key)
    } finally {
      await address.close()
    }
  })

  it('forget what was remembered, which can be taken back, and list projects', async () => {
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

  it('make the index anew', async () => {
    await open('Index')
    await section().getByRole('button', { name: 'Make it anew' }).click()
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
      // The page's own policy refuses styles of others; a person's zoom is set from outside too.
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

  it('complained about nothing in all this', () => expect(troubles).toEqual([]))
})
