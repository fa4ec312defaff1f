import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser } from '../browser/open-browser.js'
import { axeViolations, openStories, overflow, type StoryPage, serveStories, unfold } from './story-page.js'

let browser: Browser
let stories: StoryPage

beforeAll(async () => {
  ;[browser, stories] = await Promise.all([openBrowser(), serveStories()])
})
afterAll(async () => {
  await browser?.close()
  await stories?.close()
})

const open = (query: string, options?: { width?: number; stopped?: boolean }) =>
  openStories(browser, stories, query, options)

describe('every event, failure and panel as a story', () => {
  it('is drawn without a fault that axe or the page knows of, light and narrow', async () => {
    const { page, troubles } = await open('?theme=light', { width: 320 })
    await unfold(page)
    expect(await axeViolations(page)).toEqual([])
    expect(await overflow(page)).toBeLessThanOrEqual(0)
    expect(troubles).toEqual([])
    await page.close()
  })
})

it('a failure is drawn with what can be done about it, and without what to type in a terminal', async () => {
  const { page } = await open('?story=failure: conflict')
  await unfold(page)
  const text = await page.innerText('main')
  expect(text).toContain('Read the note again and plan the change from its new text.')
  expect(text).not.toContain('notewright history')
  await page.close()
})

describe('a conversation that is opened', () => {
  it('is drawn from its first question on, though nothing happens in it any more', async () => {
    const { page } = await open('?story=conversation: opened')
    const asked = async () => (await page.locator('.nw-log').innerText()).match(/Question \w+/g)
    await expect.poll(asked).toEqual(expect.arrayContaining(['Question one', 'Question two', 'Question eight']))
    await page.close()
  })
})

describe('text of somebody who wants more than to be read', () => {
  it('runs nothing, loads nothing, and is all to be seen', async () => {
    const { page, requests } = await open('?story=hostile')
    await unfold(page)
    await page.waitForTimeout(300)
    expect(await page.evaluate('typeof window.__x')).toBe('undefined')
    expect(requests.filter((url) => !url.startsWith(stories.url))).toEqual([])
    expect(stories.strays).toEqual([])
    const links: string[] = await page.evaluate('[...document.querySelectorAll("a")].map((link) => link.protocol)')
    expect([...new Set(links)].sort()).toEqual(['http:', 'https:', 'obsidian:'])
    expect(await page.locator('img, svg image, iframe, video, link[rel=preload], script:not([src])').count()).toBe(0)
    const text = await page.innerText('main')
    expect(text).toContain('<img src=x onerror=window.__x=1>')
    expect(text).toContain('javascript:window.__x=1')
    expect(text).toContain('evil.test')
    // What turns text around, and what would move a cursor, is written out.
    expect(text).toContain('⟦U+202E⟧gnp.md')
    expect(text).toContain('⟦U+001B⟧[2K')
    expect(text).toContain('long END')
    // A link that says one host and leads to another says so.
    expect(text).toContain('safe.example (evil.test)')
    await page.close()
  })
})

describe('a panel by keyboard', () => {
  const answers = (page: Page) => page.evaluate('answers') as Promise<{ answer: unknown }[]>

  it('takes Escape for no, and the words that were typed with it', async () => {
    const { page } = await open('?story=panel: call, trash')
    await page.click('text=Deny and say why…')
    await page.keyboard.press('Tab')
    await page.getByLabel('What the model should know').fill('Not my drafts')
    await page.keyboard.press('Escape')
    expect(await answers(page)).toMatchObject([{ answer: { verdict: 'deny', words: 'Not my drafts' } }])
    await page.close()
  })

  it('hears no Enter in its first moment, and later only where it can do no harm', async () => {
    const { page } = await open('?story=panel: call, plain', { stopped: true })
    await page.clock.runFor(300)
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Allow: Read note')
    await page.keyboard.press('Enter')
    expect(await answers(page)).toEqual([])
    await page.clock.runFor(200)
    await page.keyboard.press('Enter')
    expect(await answers(page)).toMatchObject([{ answer: { verdict: 'allow' } }])
    await page.close()
  })

  it('lets no Enter allow what destroys or writes, even on the button; Space does', async () => {
    const { page } = await open('?story=panel: call, trash')
    await page.waitForTimeout(500)
    const button = page.getByRole('button', { name: 'Put Old plan.md in the trash' })
    await button.focus()
    await page.keyboard.press('Enter')
    expect(await answers(page)).toEqual([])
    expect(await page.innerText('.nw-panel')).toContain('Enter alone does not allow this')
    await page.keyboard.press('Space')
    expect(await answers(page)).toMatchObject([{ answer: { verdict: 'allow', scope: 'once' } }])
    await page.close()
  })
})
