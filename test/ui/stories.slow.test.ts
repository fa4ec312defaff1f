import { join } from 'node:path'
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

/** Images for people to look at. */
const images = join(import.meta.dirname, '../../test-results/stories')

describe('every event, failure and panel as a story', () => {
  it('is drawn without errors of the page or of axe, dark and wide', async () => {
    const { page, troubles } = await open('?theme=dark', { width: 1100 })
    // Every story is a screen of its own: here two of them have the same landmark.
    expect(await axeViolations(page, ['landmark-unique'])).toEqual([])
    await unfold(page)
    expect(await axeViolations(page, ['landmark-unique'])).toEqual([])
    expect(await overflow(page)).toBeLessThanOrEqual(0)
    expect(troubles).toEqual([])
    await page.close()
  })

  it('fits into a pane of 300 px with text of twice the size', async () => {
    const { page } = await open('', { width: 300 })
    await page.evaluate('document.documentElement.style.fontSize = "200%"')
    await unfold(page)
    expect(await overflow(page)).toBeLessThanOrEqual(0)
    await page.close()
  })

  it.each(['light', 'dark'])('is kept as an image, %s', async (theme) => {
    const { page } = await open(`?theme=${theme}`, { width: 420 })
    for (const story of await page.locator('[data-story]').all()) {
      const name = (await story.getAttribute('data-story'))!.replace(/[^\w]+/g, '-')
      await story.screenshot({ path: join(images, `${theme}-${name}.png`) })
    }
    await page.close()
  })
})

describe('the answer of a user to a request', () => {
  const answerOf = async (page: Page) => ((await page.evaluate('answers')) as { answer: unknown }[])[0]?.answer

  it('contains the accepted hunks', async () => {
    const { page } = await open('?story=panel: call, edit')
    await page.getByLabel('Reject the change at line 43').click()
    await page.click('text=Apply 1 of 2 changes')
    expect(await answerOf(page)).toEqual({ verdict: 'allow', scope: 'once', hunks: [{ change: 0, hunks: [0] }] })
    await page.close()
  })

  it('contains the chosen notes, and nothing if none is chosen', async () => {
    const { page } = await open('?story=panel: call, pick')
    await page.click('text=Deselect all')
    expect(await page.isDisabled('button:has-text("Share 0 of 3")')).toBe(true)
    await page.getByLabel('Tomatoes.md').check()
    await page.click('text=Share 1 of 3')
    expect(await answerOf(page)).toEqual({ verdict: 'allow', scope: 'once', picked: ['Garden/Tomatoes.md'] })
    await page.close()
  })

  it('contains edited arguments with their types', async () => {
    const { page } = await open('?story=panel: call, arguments')
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await page.getByLabel('limit').fill('3')
    await page.click('text=Use the changed arguments')
    expect(await answerOf(page)).toEqual({
      verdict: 'allow',
      input: { query: 'late blight resistant tomatoes', limit: 3 },
    })
    await page.close()
  })

  it('contains the rule to remember', async () => {
    const { page } = await open('?story=panel: call, create')
    await page.click('text=Remember this choice')
    await page.getByRole('menuitemradio', { name: 'Always in this vault: edit_note(Garden/**)' }).click()
    await page.click('text=Create Blight.md')
    expect(await answerOf(page)).toEqual({ verdict: 'allow', scope: 'always', rule: 'edit_note(Garden/**)' })
    await page.close()
  })

  it('contains only the calls of a list that are kept', async () => {
    const { page } = await open('?story=panel: batch')
    await page
      .getByRole('button', { name: /^Reject (?!Create)/ })
      .first()
      .click()
    await page.getByRole('button', { name: 'Reject Read files', exact: true }).click()
    await page.getByRole('button', { name: 'Reject Search the web for late blight', exact: true }).click()
    await page.click('text=Apply 1 of 4')
    expect(await answerOf(page)).toEqual({
      verdict: 'each',
      answers: { 'p-create': { verdict: 'allow', scope: 'once' } },
    })
    await page.close()
  })

  it('contains the filled form', async () => {
    const { page } = await open('?story=panel: question')
    expect(await page.isDisabled('button:has-text("Send this to github")')).toBe(true)
    await page.getByLabel('Repository (needed)').fill('me/garden')
    await page.getByLabel('As a draft').selectOption('true')
    await page.click('text=Send this to github')
    expect(await answerOf(page)).toEqual({
      verdict: 'allow',
      values: { repository: 'me/garden', kind: 'idea', draft: true, parts: ['page'] },
    })
    await page.close()
  })
})

describe('undo of a change that was edited since', () => {
  it('shows both versions of each conflict, and applies the choices', async () => {
    const { page } = await open('?story=undo: places')
    const places = page.locator('.nw-settle-place')
    await expect.poll(() => places.count()).toBe(2)
    expect(await places.first().innerText()).toMatch(/line 4, was edited later[\s\S]*leeks and onions[\s\S]*peas/)
    const show = page.getByRole('button', { name: 'Show what that does' })
    await places.first().getByLabel('Keep later edits').check()
    expect(await show.isDisabled()).toBe(true)
    await places.nth(1).getByLabel('Bring it back').check()
    expect(await axeViolations(page)).toEqual([])
    await show.click()
    await page.getByRole('button', { name: 'Undo 1 change' }).waitFor()
    expect(await page.evaluate('answers')).toEqual([
      [
        { path: 'Garden/Beans.md', line: 4, settled: 'keep-mine' },
        { path: 'Old.md', line: 1, settled: 'take-back' },
      ],
    ])
    await page.close()
  })
})

describe('a note of an interrupted change', () => {
  it('shows the effect of each decision, which may be impossible', async () => {
    const { page } = await open('?story=activity: notes')
    const beans = page.locator('.nw-undecided fieldset').first()
    await beans.getByLabel('Finish the change in this note').check()
    await beans.getByText('The journal no longer has this version of Garden/Beans.md.').waitFor()
    expect(await beans.getByRole('button', { name: 'Apply' }).count()).toBe(0)
    await beans.getByLabel('Undo the change in this note').check()
    await beans.locator('.nw-diff').waitFor()
    expect(await axeViolations(page)).toEqual([])
    await beans.getByRole('button', { name: 'Apply' }).click()
    expect(await page.evaluate('answers')).toEqual([['Garden/Beans.md', 'take-back']])
    await page.close()
  })
})

describe('a note', () => {
  it('opens with the quotation marked in the rendered text, across lines and links', async () => {
    const { page } = await open('?story=note: at')
    expect(await page.locator('.nw-passage').innerText()).toContain('They fix nitrogen')
    const painted = '[...CSS.highlights.get("nw-quote")].map((range) => range.toString().trim()).join(" ")'
    expect((await page.evaluate<string>(painted)).replace(/\s+/g, ' ')).toBe('They fix nitrogen in the ground')
    await page.close()
  })

  it('leads to the notes that link to it, to its links and to related notes', async () => {
    const { page } = await open('?story=note: what')
    expect(await page.getByRole('region', { name: 'Backlinks' }).innerText()).toContain('See Beans for poles')
    await page.getByRole('button', { name: 'Home' }).click()
    expect(await page.evaluate('opened')).toEqual([{ target: 'Home.md', lines: [2, 2] }])
    await page.close()
  })
})
