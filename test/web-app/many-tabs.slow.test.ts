import type { BrowserContext, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { openForTests } from '../browser/open-for-tests.js'
import { ask, openPage, type ServedPage } from './served-page.js'

let served: ServedPage
let context: BrowserContext
let first: Page
let troubles: string[]

openForTests(async () => {
  const opened = await openPage()
  ;({ served, context, page: first, troubles } = opened)
  return opened
})

const turns = (page: Page) => page.locator('.nw-turn-foot')

async function openTab(url: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(url)
  await page.waitForSelector('.nw-composer')
  return page
}

it('twelve tabs, each with its own chat, all send and show their answers', async () => {
  const tabs = [first]
  while (tabs.length < 12) tabs.push(await openTab(served.url))
  for (const page of tabs) {
    await ask(page, 'What do beans climb?')
    await turns(page).waitFor()
  }
  // Also at once, and after the tab that holds the stream is gone.
  await Promise.all(tabs.map((page) => ask(page, 'When does late blight come?')))
  for (const page of tabs) await expect.poll(() => turns(page).count()).toBe(2)
  await tabs[0].close()
  await ask(tabs[5], 'soup basil')
  await expect.poll(() => turns(tabs[5]).count()).toBe(3)

  // The same chat in two tabs is the same, wherever one asks.
  const other = await openTab(tabs[5].url())
  await expect.poll(() => turns(other).count()).toBe(3)
  await ask(other, 'nitrogen')
  for (const page of [other, tabs[5]]) await expect.poll(() => turns(page).count()).toBe(4)
  const words = async (page: Page) => (await page.locator('.nw-log').innerText()).replace(/\s+/g, ' ')
  await expect.poll(async () => (await words(other)) === (await words(tabs[5]))).toBe(true)
  expect(troubles).toEqual([])
}, 600_000)

it('a tab that is reloaded shows its chat again', async () => {
  const page = await openTab(served.url)
  await ask(page, 'Where does garlic grow?')
  await turns(page).waitFor()
  await page.reload()
  await turns(page).waitFor()
  expect(await page.locator('.nw-log').innerText()).toContain('Where does garlic grow?')
})
