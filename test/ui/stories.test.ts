import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser } from '../browser/open-browser.js'
import { axeViolations, type StoryPage, serveStories } from './story-page.js'

let browser: Browser
let stories: StoryPage

beforeAll(async () => {
  ;[browser, stories] = await Promise.all([openBrowser(), serveStories()])
})
afterAll(async () => {
  await browser?.close()
  await stories?.close()
})

/** `stopped`: time goes on when the test says so. */
async function open(query: string, { width = 700, stopped = false } = {}) {
  const page: Page = await browser.newPage({ viewport: { width, height: 900 }, reducedMotion: 'reduce' })
  const requests: string[] = []
  const troubles: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  page.on('pageerror', (error) => troubles.push(error.message))
  page.on('console', (message) => message.type() === 'error' && troubles.push(message.text()))
  if (stopped) {
    await page.clock.install({ time: 0 })
    await page.clock.pauseAt(1000)
  }
  await page.goto(`${stories.url}${query}`)
  await page.waitForSelector('[data-story]')
  return { page, requests, troubles }
}

/** By how much the page is wider than its window. */
const overflow = 'document.documentElement.scrollWidth - innerWidth'

/** Opens everything that is folded, and what is folded inside of it. */
async function unfold(page: Page): Promise<void> {
  for (let more = 1; more > 0; ) {
    more = await page.evaluate(`{
      const closed = [...document.querySelectorAll('[aria-expanded="false"]')]
      for (const button of closed) button.click()
      closed.length
    }`)
  }
}

describe('every event, failure and panel as a story', () => {
  it.each([
    ['light and narrow', '?theme=light', 320],
    ['dark and wide', '?theme=dark', 1100],
  ])('is drawn without a fault that axe or the page knows of, %s', async (_name, query, width) => {
    const { page, troubles } = await open(query, { width })
    expect(await axeViolations(page)).toEqual([])
    await unfold(page)
    expect(await axeViolations(page)).toEqual([])
    expect(await page.evaluate(overflow)).toBeLessThanOrEqual(0)
    expect(troubles).toEqual([])
    await page.close()
  })

  it('fits into a pane of 300 px with text of twice the size', async () => {
    const { page } = await open('', { width: 300 })
    await page.evaluate('document.documentElement.style.fontSize = "200%"')
    await unfold(page)
    expect(await page.evaluate(overflow)).toBeLessThanOrEqual(0)
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

describe('what a person makes of a panel', () => {
  const answerOf = async (page: Page) => ((await page.evaluate('answers')) as { answer: unknown }[])[0]?.answer

  it('is the hunks they accept', async () => {
    const { page } = await open('?story=panel: call, edit')
    await page.getByLabel('Accept the change at line 43').uncheck()
    await page.click('text=Apply 1 of 2 changes')
    expect(await answerOf(page)).toEqual({ verdict: 'allow', scope: 'once', hunks: [{ change: 0, hunks: [0] }] })
    await page.close()
  })

  it('is the notes they pick, and nothing at all where they pick none', async () => {
    const { page } = await open('?story=panel: call, pick')
    await page.click('text=Select none')
    expect(await page.isDisabled('button:has-text("Share 0 of 3")')).toBe(true)
    await page.getByLabel('Tomatoes.md').check()
    await page.click('text=Share 1 of 3')
    expect(await answerOf(page)).toEqual({ verdict: 'allow', scope: 'once', picked: ['Garden/Tomatoes.md'] })
    await page.close()
  })

  it('is other arguments, of the types they had', async () => {
    const { page } = await open('?story=panel: call, arguments')
    await page.click('text=Change the arguments')
    await page.getByLabel('limit').fill('3')
    await page.click('text=Use the changed arguments')
    expect(await answerOf(page)).toEqual({
      verdict: 'allow',
      input: { query: 'late blight resistant tomatoes', limit: 3 },
    })
    await page.close()
  })

  it('is the literal rule they let it remember', async () => {
    const { page } = await open('?story=panel: call, create')
    await page.click('text=How long this counts')
    await page.getByLabel('Always in this vault: edit_note(Garden/**)').check()
    await page.click('text=Create Blight.md')
    expect(await answerOf(page)).toEqual({ verdict: 'allow', scope: 'always', rule: 'edit_note(Garden/**)' })
    await page.close()
  })

  it('is each call of a list that they tick, and no other', async () => {
    const { page } = await open('?story=panel: batch')
    await page.getByLabel('Create Garden/Blight.md?').check()
    await page.click('text=Allow 1 of 4, deny the rest')
    expect(await answerOf(page)).toEqual({
      verdict: 'each',
      answers: { 'p-create': { verdict: 'allow', scope: 'once' } },
    })
    await page.close()
  })

  it('is the form they fill in', async () => {
    const { page } = await open('?story=panel: question')
    expect(await page.isDisabled('button:has-text("Send this to github")')).toBe(true)
    await page.getByLabel('Repository (needed)').fill('me/garden')
    await page.getByLabel('As a draft').selectOption('true')
    await page.click('text=Send this to github')
    expect(await answerOf(page)).toEqual({
      verdict: 'allow',
      values: { repository: 'me/garden', kind: 'idea', draft: true },
    })
    await page.close()
  })
})
