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
  it('is drawn without a fault that axe or the page knows of, dark and wide', async () => {
    const { page, troubles } = await open('?theme=dark', { width: 1100 })
    expect(await axeViolations(page)).toEqual([])
    await unfold(page)
    expect(await axeViolations(page)).toEqual([])
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
    await page.click('text=Deselect all')
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
      values: { repository: 'me/garden', kind: 'idea', draft: true, parts: ['page'] },
    })
    await page.close()
  })
})

describe('taking back what was edited since', () => {
  it('shows both versions of every place, and does as was chosen for each', async () => {
    const { page } = await open('?story=undo: places')
    const places = page.locator('.nw-settle-place')
    await expect.poll(() => places.count()).toBe(2)
    expect(await places.first().innerText()).toMatch(/line 4, was edited later[\s\S]*leeks and onions[\s\S]*peas/)
    const show = page.getByRole('button', { name: 'Show what that does' })
    await places.first().getByLabel('Keep what was written since').check()
    expect(await show.isDisabled()).toBe(true)
    await places.nth(1).getByLabel('Bring it back').check()
    expect(await axeViolations(page)).toEqual([])
    await show.click()
    await page.getByRole('button', { name: 'Take back 1 change' }).waitFor()
    expect(await page.evaluate('answers')).toEqual([
      [
        { path: 'Garden/Beans.md', line: 4, settled: 'keep-mine' },
        { path: 'Old.md', line: 1, settled: 'take-back' },
      ],
    ])
    await page.close()
  })
})

describe('a note that a change was cut off at', () => {
  it('is decided about by what the decision would do, which may be impossible', async () => {
    const { page } = await open('?story=activity: notes')
    const beans = page.locator('.nw-undecided fieldset').first()
    await beans.getByLabel('Make it what the change meant it to be').check()
    await beans.getByText('The journal no longer has that version').waitFor()
    expect(await beans.getByRole('button', { name: 'Decide so' }).count()).toBe(0)
    await beans.getByLabel('Make it what it was before the change').check()
    await beans.locator('.nw-diff').waitFor()
    expect(await axeViolations(page)).toEqual([])
    await beans.getByRole('button', { name: 'Decide so' }).click()
    expect(await page.evaluate('answers')).toEqual([['Garden/Beans.md', 'take-back']])
    await page.close()
  })
})

describe('a note', () => {
  it('is opened with its quotation marked over the lines and links it stands on, and at any heading', async () => {
    const { page } = await open('?story=note')
    expect(await page.locator('.nw-cited mark').allInnerTexts()).toEqual([
      'They fix [[Nitrogen|nitrogen]]',
      'in the ground',
    ])
    await page.getByRole('button', { name: 'Outline' }).click()
    await page.getByRole('button', { name: 'Poles' }).click()
    expect(await page.evaluate('opened')).toEqual([{ target: 'Garden/Beans.md', lines: [6, 6] }])
    await page.close()
  })
})
