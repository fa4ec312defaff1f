import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openBrowser } from '../browser/open-browser.js'
import { type Stage, stage } from '../e2e/cli-harness.js'
import { axeViolations } from '../ui/story-page.js'
import { ask, comeIn, type ServedPage, servePage } from './served-page.js'

let browser: Browser
let place: Stage
let served: ServedPage
let page: Page
let troubles: string[]

beforeAll(async () => {
  place = await stage()
  ;[browser, served] = await Promise.all([openBrowser(), servePage(place)])
  ;({ page, troubles } = await comeIn(browser, served))
})
afterAll(async () => {
  await browser?.close()
  await served?.stop()
  await place?.remove()
})
beforeEach(async () => {
  await page.getByRole('button', { name: 'New' }).click()
  await page.waitForSelector('.page-welcome')
})

const lastTurn = () => page.locator('.nw-turn').last()
const answered = () => lastTurn().locator('.nw-turn-foot').waitFor()
const panel = () => page.locator('[data-panel]')

describe('the web app', () => {
  it('says where one is before anything is asked, and offers questions that the notes can answer', async () => {
    const words = await page.innerText('.page-welcome')
    expect(words).toContain('vault')
    expect(words).toContain('Nothing leaves this machine')
    await page.locator('.page-welcome li button').first().click()
    await answered()
    expect(await lastTurn().locator('.nw-chip').count()).toBeGreaterThan(0)
  })

  it('answers with steps that are folded and citations that open the note at its lines', async () => {
    await ask(page, 'When does late blight come?')
    await answered()
    expect(await lastTurn().innerText()).toContain('Late blight comes with warm rain in August.')
    expect(await lastTurn().locator('.nw-work [aria-expanded]').first().getAttribute('aria-expanded')).toBe('false')
    await lastTurn().locator('.nw-chip').first().click()
    await page.waitForSelector('.nw-note')
    expect(await page.innerText('.nw-cited-line')).toContain('Late blight comes with warm rain')
    expect(await axeViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    expect(await page.locator('.page-side').count()).toBe(0)
  })

  it('does what is approved and takes it back, and nothing of what is denied', async () => {
    const before = await place.treeHash()
    await ask(page, 'rename Soup to Broth')
    await panel().waitFor()
    expect(await place.treeHash()).toBe(before)
    expect(await axeViolations(page)).toEqual([])
    await panel().getByRole('button', { name: 'Deny and say why…' }).click()
    await panel().getByLabel('What the model should know').fill('I like soup')
    await page.keyboard.press('Escape')
    await answered()
    expect(await lastTurn().innerText()).toContain('You denied')
    expect(await place.treeHash()).toBe(before)

    await ask(page, 'rename Soup to Broth')
    await panel().getByRole('button', { name: 'Rename', exact: true }).click()
    await answered()
    expect(await place.read('Kitchen/Broth.md')).toContain('Tomato soup')
    await lastTurn().getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('button', { name: 'Take back 1 change' }).click()
    await page.waitForSelector('.page-said')
    expect(await place.treeHash()).toBe(before)
  })

  it('shows what waits after a reload and in a second tab, where it can be answered once', async () => {
    await ask(page, 'rename Orphan to Lonely')
    await panel().waitFor()
    await page.reload()
    await panel().waitFor()
    const other = await page.context().newPage()
    await other.goto(page.url())
    await other.locator('[data-panel]').getByRole('button', { name: 'Deny', exact: true }).click()
    await answered()
    expect(await lastTurn().innerText()).toContain('A person denied')
    expect(await panel().count()).toBe(0)
    await other.close()
  })

  it('finds notes while one types, and says why', async () => {
    await page.getByRole('button', { name: 'Search' }).click()
    await page.getByLabel('Search your notes').fill('nitrogen')
    await page.locator('.nw-hits li').first().waitFor()
    expect(await page.innerText('.nw-hits')).toContain('Beans climb poles')
    await page.locator('.nw-hits .nw-fold-label').first().click()
    expect(await page.locator('meter').count()).toBeGreaterThan(0)
    expect(await axeViolations(page)).toEqual([])
    expect(await page.innerText('.page-search')).not.toContain('secret')
    await page.getByLabel('Search your notes').fill('')
    await expect.poll(() => page.locator('.nw-hits li').count()).toBe(0)
    await page.getByRole('button', { name: 'Chat' }).click()
  })

  it('offers notes behind an @, and never sends while an input method composes', async () => {
    const field = page.getByLabel('Your question')
    await field.pressSequentially('What about @Toma')
    await page.getByRole('option', { name: /Tomatoes/ }).waitFor()
    expect(await axeViolations(page)).toEqual([])
    await page.keyboard.press('Enter')
    await expect.poll(() => field.inputValue()).toBe('What about @[[Tomatoes]] ')
    await field.dispatchEvent('keydown', { key: 'Enter', isComposing: true })
    expect(await page.locator('.nw-turn').count()).toBe(0)
    await field.fill('')
  })

  it('keeps conversations, and finds them by their words', async () => {
    await ask(page, 'What do beans climb?')
    await answered()
    await page.getByRole('button', { name: 'Conversations' }).click()
    await page.getByLabel('Search conversations').fill('beans climb')
    const row = page.locator('.page-list li button', { hasText: 'beans climb' })
    await row.first().waitFor()
    expect(await axeViolations(page)).toEqual([])
    await row.first().click()
    await answered()
    expect(await lastTurn().innerText()).toContain('What do beans climb?')
  })

  it('lists what was called and changed, and takes a change back from there', async () => {
    await ask(page, 'rename Orphan to Lonely')
    await panel().getByRole('button', { name: 'Rename', exact: true }).click()
    await answered()
    await page.getByRole('button', { name: 'Activity' }).click()
    await page.locator('.nw-timeline').getByText('rename_note').first().waitFor()
    expect(await axeViolations(page)).toEqual([])
    await page.getByLabel('Show').selectOption('Changes of notes')
    await page.locator('.nw-timeline li').first().getByRole('button', { name: 'Review' }).click()
    await page.getByRole('heading', { name: 'What was changed' }).waitFor()
    await page.keyboard.press('Escape')
    await page.locator('.nw-timeline li').first().getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('button', { name: 'Take back 1 change' }).click()
    await expect.poll(() => place.read('Orphan.md').catch(() => '')).toContain('Nobody links here')
    await page.getByRole('button', { name: 'Chat' }).click()
  })

  it('complained about nothing in all this', () => {
    expect(troubles).toEqual([])
  })
})
