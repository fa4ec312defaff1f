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
  it('is drawn without errors of the page or of axe, light and narrow', async () => {
    const { page, troubles } = await open('?theme=light', { width: 320 })
    await unfold(page)
    // Every story is a screen of its own: here two of them have the same landmark.
    expect(await axeViolations(page, ['landmark-unique'])).toEqual([])
    expect(await overflow(page)).toBeLessThanOrEqual(0)
    expect(troubles).toEqual([])
    await page.close()
  })
})

it('a deliberate violation is found, light and dark, so that no violations means something', async () => {
  for (const theme of ['light', 'dark']) {
    const { page } = await open(`?story=failure: conflict&theme=${theme}`)
    // Without a name, and grey on grey. Styles are set by script, since the page's policy refuses them in the markup.
    await page.evaluate(`{
      const button = document.createElement('button')
      const text = Object.assign(document.createElement('p'), { textContent: 'Hard to read' })
      text.style.color = '#888'
      text.style.backgroundColor = '#999'
      document.querySelector('main').append(button, text)
    }`)
    const found = (await axeViolations(page)).map((violation) => violation.split(':')[0])
    expect(found.sort(), theme).toEqual(['button-name', 'color-contrast'])
    await page.close()
  }
})

it('a failure is drawn with what to do, and without a command to type', async () => {
  const { page } = await open('?story=failure: conflict')
  await unfold(page)
  const text = await page.innerText('main')
  expect(text).toContain('Read the note again and plan the change from its new text.')
  expect(text).not.toContain('notewright history')
  await page.close()
})

describe('a conversation that is opened', () => {
  it('is drawn from its first question on, even if it has ended', async () => {
    const { page } = await open('?story=conversation: opened')
    const asked = async () => (await page.locator('.nw-log').innerText()).match(/Question \w+/g)
    await expect.poll(asked).toEqual(expect.arrayContaining(['Question one', 'Question two', 'Question eight']))
    await page.close()
  })
})

describe('hostile text', () => {
  it('runs nothing, loads nothing, and is fully visible', async () => {
    const { page, requests } = await open('?story=hostile')
    await unfold(page)
    await page.waitForTimeout(300)
    expect(await page.evaluate('typeof window.__x')).toBe('undefined')
    expect(requests.filter((url) => !url.startsWith(stories.url))).toEqual([])
    expect(stories.strays).toEqual([])
    const links: string[] = await page.evaluate('[...document.querySelectorAll("a")].map((link) => link.protocol)')
    expect([...new Set(links)].sort()).toEqual(['https:', 'obsidian:'])
    expect(await page.locator('img, svg image, iframe, video, link[rel=preload], script:not([src])').count()).toBe(0)
    const text = await page.innerText('main')
    expect(text).toContain('<img src=x onerror=window.__x=1>')
    expect(text).toContain('javascript:window.__x=1')
    expect(text).toContain('evil.test')
    // Characters that reverse text or move a cursor are written out.
    expect(text).toContain('⟦U+202E⟧gnp.md')
    expect(text).toContain('⟦U+001B⟧[2K')
    expect(text).toContain('long END')
    // A link that says one host and leads to another says so.
    expect(text).toContain('safe.example (evil.test)')
    expect(text).toContain('http://safe.example (evil.test)')
    await page.close()
  })
})

describe('a panel by keyboard', () => {
  const answers = (page: Page) => page.evaluate('answers') as Promise<{ answer: unknown }[]>

  it('denies with the typed reason', async () => {
    const { page } = await open('?story=panel: call, trash')
    await page.click('text=Add a reason')
    await page.getByLabel('Reason (sent to the model)').fill('Not my drafts')
    await page.waitForTimeout(450)
    await page.getByRole('button', { name: 'Deny with reason' }).press('Enter')
    expect(await answers(page)).toMatchObject([{ answer: { verdict: 'deny', words: 'Not my drafts' } }])
    await page.close()
  })

  it('ignores Enter in its first moment, and later accepts it only if harmless', async () => {
    const { page } = await open('?story=panel: call, plain', { stopped: true })
    await page.clock.runFor(300)
    expect(await page.evaluate('document.activeElement.firstChild.textContent')).toBe('Allow: Read note')
    await page.keyboard.press('Enter')
    expect(await answers(page)).toEqual([])
    await page.clock.runFor(200)
    await page.keyboard.press('Enter')
    expect(await answers(page)).toMatchObject([{ answer: { verdict: 'allow' } }])
    await page.close()
  })

  it('needs Space instead of Enter to allow a call that destroys or writes', async () => {
    const { page } = await open('?story=panel: call, trash')
    await page.waitForTimeout(500)
    const button = page.getByRole('button', { name: 'Move Old plan.md to trash' })
    await button.focus()
    await page.keyboard.press('Enter')
    expect(await answers(page)).toEqual([])
    expect(await page.innerText('.nw-panel')).toContain('Enter alone does not allow this')
    await page.keyboard.press('Space')
    expect(await answers(page)).toMatchObject([{ answer: { verdict: 'allow', scope: 'once' } }])
    await page.close()
  })
})

describe('changes of a request by keyboard', () => {
  const answers = (page: Page) => page.evaluate('answers') as Promise<{ answer: unknown }[]>

  it('are kept and rejected by letters, and applied with Ctrl+Enter', async () => {
    const { page } = await open('?story=panel: call, edit')
    await page.waitForTimeout(500)
    await page.keyboard.press('j')
    expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('Line 14')
    await page.keyboard.press('n')
    expect(await page.getByLabel('Reject the change at line 14').getAttribute('aria-pressed')).toBe('true')
    await page.keyboard.press('j')
    expect(await page.innerText('.nw-card-places')).toContain('2 of 2')
    await page.keyboard.press('k')
    await page.keyboard.press('y')
    await page.keyboard.press('j')
    await page.keyboard.press('n')
    expect(await axeViolations(page)).toEqual([])
    await page.keyboard.press('Control+Enter')
    expect(await answers(page)).toMatchObject([{ answer: { verdict: 'allow', hunks: [{ change: 0, hunks: [0] }] } }])
    await page.close()
  })

  it('edits the text of the note, and Escape returns to what was proposed', async () => {
    const { page } = await open('?story=panel: call, edit')
    const edit = page.getByRole('button', { name: 'Edit', exact: true })
    await edit.click()
    const field = page.getByLabel('Text of Garden/Tomatoes.md')
    await field.fill('jjnn')
    expect(await axeViolations(page)).toEqual([])
    await field.press('Escape')
    await page.getByText('Apply to Tomatoes.md').waitFor()
    await edit.click()
    await field.fill('# Mine\n')
    await page.getByRole('button', { name: 'Show the edited change' }).click()
    expect(await answers(page)).toMatchObject([
      { answer: { verdict: 'allow', results: [{ change: 0, text: '# Mine\n' }] } },
    ])
    await page.close()
  })
})

describe('the review of a large change', () => {
  it('keeps and rejects notes, groups and everything, by mouse and by keyboard', async () => {
    for (const theme of ['light', 'dark']) {
      const { page } = await open(`?story=panel: large&theme=${theme}`, { width: 1200 })
      await page.getByRole('button', { name: /^Review 2.?001 notes$/ }).click()
      const review = page.getByRole('dialog')
      expect(await axeViolations(page)).toEqual([])
      // Only what is in view is drawn.
      await review.getByRole('button', { name: '1,995 more' }).click()
      expect(await page.locator('.nw-review-note').count()).toBeLessThan(80)
      await page.keyboard.press('j')
      await page.keyboard.press('j')
      await page.keyboard.press('n')
      await review.getByText('1 note rejected').waitFor()
      await review.getByRole('button', { name: 'Reject all', exact: true }).click()
      await review.getByText(/2.?000 notes rejected/).waitFor()
      await review.getByRole('button', { name: 'Keep all', exact: true }).click()
      await review.getByRole('button', { name: 'Reject all of Update links' }).click()
      await review.getByRole('button', { name: 'Keep all of Update links' }).click()
      await review.getByRole('button', { name: 'Next note' }).click()
      await review.getByRole('button', { name: /^Reject the change at line/ }).click()
      expect(await axeViolations(page)).toEqual([])
      await page.keyboard.press('Escape')
      expect(await page.getByRole('dialog').count()).toBe(0)
      await page.getByRole('button', { name: /^Review 2.?001 notes$/ }).click()
      await page.keyboard.press('Control+Enter')
      const [{ answer }] = (await page.evaluate('answers')) as { answer: { hunks: { hunks: number[] }[] } }[]
      expect(answer.hunks.filter(({ hunks }) => hunks.length === 0)).toHaveLength(1)
      await page.close()
    }
  })
})

describe('a menu', () => {
  it('opens at the current choice, moves by keys, and returns the focus', async () => {
    const { page } = await open('?story=controls: menu')
    const button = page.getByRole('button', { name: 'Approvals: Ask first' })
    await button.focus()
    await page.keyboard.press('ArrowDown')
    expect(await axeViolations(page)).toEqual([])
    const focused = () => page.evaluate('document.activeElement.textContent')
    expect(await focused()).toBe('Ask firstBefore every change')
    await page.keyboard.press('ArrowDown')
    expect(await focused()).toBe('Approval settings')
    await page.keyboard.press('r')
    expect(await focused()).toBe('Read onlyNo changes')
    await page.keyboard.press('Escape')
    expect(await page.getByRole('menu').count()).toBe(0)
    expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('Approvals: Ask first')
    await button.click()
    await page.getByRole('menuitemradio', { name: 'Read only' }).click()
    expect(await page.evaluate('answers')).toEqual(['read-only'])
    expect(await page.getByRole('menu').count()).toBe(0)
    await page.close()
  })
})
