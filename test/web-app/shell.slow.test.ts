import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { openForTests } from '../browser/open-for-tests.js'
import { axeViolations, overflow } from '../ui/story-page.js'
import { ask, backToChat, newChat, openPage, type ServedPage, showView } from './served-page.js'

let served: ServedPage
let page: Page
let troubles: string[]

openForTests(async () => {
  const opened = await openPage()
  ;({ served, page, troubles } = opened)
  return opened
})
beforeEach(() => newChat(page))

const answered = () => page.locator('.nw-turn').last().locator('.nw-turn-foot').waitFor()
const field = () => page.getByLabel('Your question')
const rows = () => page.locator('.page-chat-line .page-row')
/** Name of the element that has the focus. */
const focused = async () =>
  (await page.evaluate(
    `(document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '') + ''`,
  )) as string

async function chat(words: string): Promise<void> {
  await ask(page, words)
  await answered()
  await rows()
    .filter({ hasText: words.replace(/\?$/, '') })
    .first()
    .waitFor()
}

describe('chats in the sidebar', () => {
  it('are named in the header and the tab, and opened with the cursor in the question', async () => {
    await chat('What do beans climb?')
    await newChat(page)
    await expect.poll(() => page.title()).toBe('New chat – Notewright')
    await expect.poll(focused).toBe('Your question')
    await rows().filter({ hasText: 'What do beans climb' }).first().click()
    await page.getByRole('heading', { name: 'What do beans climb', level: 1 }).waitFor()
    // The title is set after the heading was drawn.
    await expect.poll(() => page.title()).toBe('What do beans climb – Notewright')
    await expect.poll(focused).toBe('Your question')
    expect(await axeViolations(page)).toEqual([])
  })

  it('are renamed, pinned, duplicated, exported and deleted from their menu', async () => {
    await chat('When does late blight come?')
    const menu = async (item: string, of: string) => {
      await page
        .getByRole('button', { name: `More for ${of}`, exact: true })
        .first()
        .click()
      await page.getByRole('menuitem', { name: item }).click()
    }
    const old = 'When does late blight come'
    await page
      .getByRole('button', { name: `More for ${old}`, exact: true })
      .first()
      .click()
    expect(await axeViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await menu('Rename', old)
    await page.getByLabel('Title of the chat').fill('Blight')
    await page.keyboard.press('Enter')
    await rows().filter({ hasText: 'Blight' }).first().waitFor()
    await expect.poll(() => page.title()).toBe('Blight – Notewright')

    await menu('Pin', 'Blight')
    await page.locator('.page-sidebar').getByRole('heading', { name: 'Pinned' }).waitFor()
    await menu('Unpin', 'Blight')
    await expect.poll(() => page.locator('.page-sidebar').getByRole('heading', { name: 'Pinned' }).count()).toBe(0)

    const download = page.waitForEvent('download')
    await menu('Export', 'Blight')
    const saved = await download
    expect(saved.suggestedFilename()).toBe('Blight.md')
    expect(await readFile(await saved.path(), 'utf8')).toContain('When does late blight come?')

    const before = await rows().count()
    await menu('Duplicate', 'Blight')
    await expect.poll(() => rows().count()).toBe(before + 1)

    const sure = page.getByRole('dialog', { name: 'Delete “Blight”?' })
    await menu('Delete', 'Blight')
    expect(await axeViolations(page)).toEqual([])
    await expect.poll(focused).toBe('Cancel')
    await page.keyboard.press('Enter')
    await sure.waitFor({ state: 'detached' })
    await expect.poll(focused).toBe('More for Blight')
    expect(await rows().count()).toBe(before + 1)
    await menu('Delete', 'Blight')
    await sure.getByRole('button', { name: 'Delete' }).click()
    await expect.poll(() => rows().count()).toBe(before)
    await page.waitForSelector('.page-welcome')
    await page.getByText('Chat deleted.').waitFor()
    await page.getByRole('button', { name: 'Close this message' }).click()
  })

  it('are renamed with F2 and deleted with Delete', async () => {
    await chat('Where do pumpkins grow?')
    const row = rows().filter({ hasText: 'Where do pumpkins grow' }).first()
    await row.focus()
    await page.keyboard.press('F2')
    await page.getByLabel('Title of the chat').fill('Pumpkins')
    await page.keyboard.press('Escape')
    await row.waitFor()
    await row.focus()
    await page.keyboard.press('Delete')
    await page.getByRole('dialog', { name: /^Delete “Where do pumpkins/ }).waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => row.evaluate((own) => own === own.ownerDocument.activeElement)).toBe(true)
    await page.keyboard.press('Delete')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await expect.poll(() => row.count()).toBe(0)
    await expect.poll(focused).toBe('Your question')
  })

  it('say which one needs you, in the list, the header and the tab', async () => {
    await ask(page, 'rename Orphan to Lonely')
    await page.locator('[data-panel]').waitFor()
    await expect.poll(() => page.title()).toMatch(/^Needs you: /)
    await page.locator('.page-sidebar').getByText('Needs you').waitFor()
    await page.locator('.page-head').getByText('Needs you').waitFor()
    await page.locator('[data-panel]').getByRole('button', { name: 'Deny', exact: true }).click()
    await expect.poll(() => page.title()).not.toMatch(/^Needs you/)
  })
})

describe('the vault in the sidebar', () => {
  it('is a tree whose notes open as a page, and Back returns to the chat', async () => {
    const tree = page.locator('.page-tree')
    await tree.getByRole('button', { name: /^Garden/ }).click()
    await tree.getByRole('button', { name: 'Beans', exact: true }).click()
    await page.getByRole('heading', { name: 'Beans', level: 1 }).waitFor()
    await page.locator('.page-note .nw-note').waitFor()
    expect(await tree.getByRole('button', { name: 'Beans', exact: true }).getAttribute('aria-current')).toBe('true')
    expect(await axeViolations(page)).toEqual([])
    await page.goBack()
    await page.locator('.page-note').waitFor({ state: 'detached' })
    await tree.getByRole('button', { name: /^Garden/ }).click()
    expect(await tree.getByRole('button', { name: 'Beans', exact: true }).count()).toBe(0)
  })

  it('can be hidden, which the browser remembers', async () => {
    await page.getByRole('button', { name: 'Hide sidebar' }).click()
    expect(await page.locator('.page-sidebar').isVisible()).toBe(false)
    await page.reload()
    await page.getByRole('button', { name: 'Show sidebar' }).click()
    await page.locator('.page-sidebar').waitFor()
  })
})

describe('the command palette', () => {
  const palette = () => page.getByRole('dialog', { name: 'Command palette' })
  const option = (name: string | RegExp) => palette().getByRole('option', { name })

  async function open(words: string): Promise<void> {
    await page.keyboard.press('Control+k')
    await palette().waitFor()
    await page.keyboard.type(words)
  }

  it('opens a note, a chat, a view and a section of the settings', async () => {
    await chat('What do beans climb?')
    await open('@beans')
    await option(/Beans/).first().waitFor()
    expect(await axeViolations(page)).toEqual([])
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Beans', level: 1 }).waitFor()

    await open('/activ')
    await option(/Activity/).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('region', { name: 'Activity' }).waitFor()

    await open('access keys')
    await palette().getByRole('option', { name: 'Access keys', exact: true }).click()
    await page.getByRole('region', { name: 'Settings' }).getByRole('heading', { name: 'Access keys' }).first().waitFor()

    await open('what do beans')
    await option(/^What do beans climb/)
      .first()
      .click()
    await page.getByRole('heading', { name: 'What do beans climb', level: 1 }).waitFor()
    await expect.poll(focused).toBe('Your question')
  })

  it('moves by arrows, asks about a note with Ctrl+Enter, and searches', async () => {
    await open('beans')
    await option(/^Beans/)
      .first()
      .waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Control+Enter')
    await expect.poll(() => field().inputValue()).toBe('@[[Garden/Beans]] ')
    await field().fill('')
    await open('nitrogen')
    await option('Search notes for “nitrogen”').click()
    await expect.poll(() => page.getByLabel('Search your notes').inputValue()).toBe('nitrogen')
    await open('soup')
    await option('Ask “soup”').click()
    await expect.poll(() => field().inputValue()).toBe('soup')
    await field().fill('')
  })

  it('closes with Escape and by a press outside, and the focus returns', async () => {
    await field().focus()
    await open('x')
    await page.keyboard.press('Escape')
    await expect.poll(() => palette().count()).toBe(0)
    await expect.poll(focused).toBe('Your question')
    await page.getByRole('button', { name: /^Command palette/ }).click()
    await palette().waitFor()
    await page.mouse.click(5, 5)
    await expect.poll(() => palette().count()).toBe(0)
  })
})

describe('the keyboard', () => {
  it('starts a chat and a search from anywhere', async () => {
    await showView(page, 'Settings')
    await page.keyboard.press('Control+Alt+n')
    await expect.poll(focused).toBe('Your question')
    await page.keyboard.press('Control+Shift+f')
    await expect.poll(focused).toBe('Search your notes')
    await backToChat(page)
  })

  it('shows its map with ?, which can be turned off with all single keys', async () => {
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await field().press('?')
    expect(await field().inputValue()).toBe('?')
    await field().fill('')
    const outside = page.getByRole('button', { name: 'Hide sidebar' })
    await outside.focus()
    await page.keyboard.press('?')
    await help.waitFor()
    expect(await axeViolations(page)).toEqual([])
    const single = help.getByRole('switch', { name: /Shortcuts of a single key/ })
    await single.uncheck()
    await help.getByRole('button', { name: 'Close' }).click()
    await outside.focus()
    await page.keyboard.press('?')
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog', { name: 'Command palette' }).waitFor()
    expect(await help.count()).toBe(0)
    await page.keyboard.type('/keyboard')
    await page.keyboard.press('Enter')
    await help.waitFor()
    await single.check()
    await page.keyboard.press('Escape')
  })

  it('skips the sidebar', async () => {
    await page.locator('body').press('Tab')
    await page.getByRole('button', { name: 'Skip to content' }).press('Enter')
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('main')
  })
})

describe('the theme', () => {
  it('follows the system until one is chosen, and is kept', async () => {
    const look = () => page.evaluate('document.documentElement.className')
    await page.emulateMedia({ colorScheme: 'dark' })
    await expect.poll(look).toBe('theme-dark')
    await page.getByRole('button', { name: 'Theme: same as system' }).click()
    await page.getByRole('menuitemradio', { name: 'Light' }).click()
    await expect.poll(look).toBe('theme-light')
    await page.reload()
    await expect.poll(look).toBe('theme-light')
    await page.getByRole('button', { name: 'Theme: light' }).click()
    await page.getByRole('menuitemradio', { name: 'Same as system' }).click()
    await expect.poll(look).toBe('theme-dark')
    await page.emulateMedia({ colorScheme: 'light' })
  })
})

describe('a narrow page', () => {
  it('has the sidebar as a drawer that Escape and a choice close', async () => {
    await page.setViewportSize({ width: 320, height: 700 })
    const drawer = page.locator('.page-sidebar')
    for (const theme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: theme })
      await page.getByRole('button', { name: 'Open sidebar' }).click()
      await drawer.getByRole('button', { name: 'Close sidebar' }).waitFor()
      expect(await overflow(page)).toBeLessThanOrEqual(0)
      expect(await axeViolations(page)).toEqual([])
      await page.keyboard.press('Escape')
      await expect.poll(() => drawer.isVisible()).toBe(false)
    }
    await page.emulateMedia({ colorScheme: 'light' })
    await showView(page, 'Chats')
    await expect.poll(() => drawer.isVisible()).toBe(false)
    await page.locator('.page-view').getByRole('button', { name: 'New chat' }).click()
    await page.setViewportSize({ width: 1000, height: 800 })
  })
})

it('is installable: a manifest names icons that are there', async () => {
  const href = await page.getAttribute('link[rel=manifest]', 'href')
  const manifest = (await (await fetch(new URL(href!, served.url))).json()) as {
    start_url: string
    display: string
    icons: { src: string; sizes: string }[]
  }
  expect(manifest).toMatchObject({ start_url: '/', display: 'standalone' })
  expect(manifest.icons.map(({ sizes }) => sizes)).toEqual(expect.arrayContaining(['192x192', '512x512']))
  for (const { src } of manifest.icons) {
    const answer = await fetch(new URL(src, served.url))
    expect([src, answer.status, answer.headers.get('content-type')]).toEqual([
      src,
      200,
      expect.stringMatching(/^image/),
    ])
  }
})

it('causes no errors in the console', () => expect(troubles).toEqual([]))
